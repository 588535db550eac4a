//! The tags of a game: pairs of a tag and its value.

use orthrus_core::types::Color;

/// The seven tag roster in the order of the standard, with the values that mean "unknown".
/// `Result`, the seventh, is kept by the game.
pub(crate) const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];

/// Pairs of a tag and its value, in order; each tag occurs once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.iter().find(|&(tag, _)| tag == name);
        found.map(|(_, value)| value)
    }

    /// The rating of a player (`WhiteElo`, `BlackElo`); `None` if it is unknown, for which programs write
    /// nothing, `?`, `-` or 0.
    pub fn rating(&self, side: Color) -> Option<u32> {
        let rating = self
            .get(&format!("{}Elo", side.name()))?
            .trim()
            .parse()
            .ok()?;
        (rating > 0).then_some(rating)
    }

    /// Sets a tag, at the end if it is new.
    ///
    /// A name consists of letters, digits and underscores: other characters are left out. A value
    /// is one line: line ends become blanks.
    pub fn set(&mut self, name: &str, value: &str) {
        let name: String = name.chars().filter(|&letter| is_name(letter)).collect();
        let value = value.replace(['\r', '\n'], " ");
        match self.0.iter_mut().find(|(tag, _)| *tag == name) {
            Some(pair) => pair.1 = value,
            None => self.0.push((name, value)),
        }
    }

    /// Removes a tag and returns its value.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(tag, _)| tag == name)?;
        Some(self.0.remove(at).1)
    }

    /// All pairs in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.0.iter();
        pairs.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Whether a tag's name may contain this.
pub(crate) fn is_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_is_a_number_above_zero() {
        let cases = [
            ("2400", Some(2400)),
            (" 2300 ", Some(2300)),
            ("0", None),
            ("?", None),
            ("-", None),
            ("", None),
        ];
        for (text, rating) in cases {
            let mut tags = Tags::default();
            tags.set("BlackElo", text);
            assert_eq!(tags.rating(Color::Black), rating, "{text:?}");
            assert_eq!(tags.rating(Color::White), None);
        }
    }
}
