//! The names of openings, and their codes in the Encyclopaedia of Chess Openings (ECO).
//!
//! `openings.tsv` has a line for each: code, name and moves, separated by tabs. It was written for
//! this program; that players have given names to moves is common knowledge. A position is looked up
//! and not its moves, so that transpositions are found.

use std::collections::HashMap;
use std::sync::LazyLock;

use orthrus_core::notation::parse_move;
use orthrus_core::position::Position;

use crate::{PgnGame, Tags};

const TABLE: &str = include_str!("openings.tsv");

/// No opening has more plies than this.
const MOST_PLIES: usize = 24;

/// An opening that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The code, such as `C50`.
    pub eco: &'static str,
    /// The name, and after a colon the variation: `Italian Game: Giuoco Piano`.
    pub name: &'static str,
}

impl Opening {
    /// The opening that this position is named after.
    pub fn of(position: &Position) -> Option<Self> {
        BY_KEY.get(&position.key().0).copied()
    }
}

static BY_KEY: LazyLock<HashMap<u64, Opening>> = LazyLock::new(|| {
    let named = rows().filter_map(|(opening, moves)| Some((reached(moves)?.key().0, opening)));
    named.collect()
});

/// The rows of the table, with their moves.
fn rows() -> impl Iterator<Item = (Opening, &'static str)> {
    TABLE.lines().filter_map(|line| {
        let (eco, rest) = line.split_once('\t')?;
        let (name, moves) = rest.split_once('\t')?;
        Some((Opening { eco, name }, moves))
    })
}

/// The position after these moves; `None` if one of them is illegal.
fn reached(moves: &str) -> Option<Position> {
    let mut position = Position::startpos();
    for text in moves.split(' ') {
        position.make_move(parse_move(&position, text).ok()?);
    }
    Some(position)
}

impl PgnGame {
    /// The opening of the game: the last position that has a name.
    pub fn opening(&self) -> Option<Opening> {
        let mut position = self.start.clone();
        let mut found = Opening::of(&position);
        for node in self.main.moves.iter().take(MOST_PLIES) {
            if !node.is_legal(&position) {
                break;
            }
            node.play(&mut position);
            found = Opening::of(&position).or(found);
        }
        found
    }

    /// Adds the tags `ECO` and `Opening`, unless they are known.
    pub fn name_opening(&mut self) {
        let is_known = |tags: &Tags, name| tags.get(name).is_some_and(|text| !is_unknown(text));
        let Some(opening) = self.opening() else {
            return;
        };
        if !is_known(&self.tags, "ECO") {
            self.tags.set("ECO", opening.eco);
        }
        // A variation that somebody has named belongs to a name that only they know.
        if !is_known(&self.tags, "Opening") && !is_known(&self.tags, "Variation") {
            self.tags.set("Opening", opening.name);
        }
    }
}

/// Whether a tag says that its value is not known.
fn is_unknown(text: &str) -> bool {
    matches!(text.trim(), "" | "?" | "-")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::Reader;

    fn game(text: &str) -> PgnGame {
        Reader::new(text.as_bytes()).next().unwrap().unwrap()
    }

    fn named(moves: &str) -> Option<(&'static str, &'static str)> {
        game(moves).opening().map(|found| (found.eco, found.name))
    }

    #[test]
    fn every_row_is_whole_and_its_moves_are_legal() {
        for line in TABLE.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let [eco, name, moves] = fields[..] else {
                panic!("{line}");
            };
            let digits = eco.len() == 3 && eco[1..].bytes().all(|digit| digit.is_ascii_digit());
            assert!(matches!(eco.as_bytes()[0], b'A'..=b'E') && digits, "{line}");
            assert!(!name.is_empty() && name.trim() == name, "{line}");
            assert!(moves.split(' ').count() <= MOST_PLIES, "{line}");
            assert!(reached(moves).is_some(), "{line}");
        }
    }

    #[test]
    fn no_position_and_no_name_occurs_twice() {
        let count = TABLE.lines().count();
        assert_eq!(BY_KEY.len(), count);
        assert_eq!(rows().count(), count);
        let names: HashSet<&str> = rows().map(|(opening, _)| opening.name).collect();
        assert_eq!(names.len(), count);
        assert!(rows().map(|(opening, _)| opening.eco).is_sorted());
    }

    #[test]
    fn the_last_name_of_a_game_counts_however_it_was_reached() {
        assert_eq!(named("1. e4 c5 *"), Some(("B20", "Sicilian Defence")));
        let najdorf = Some(("B90", "Sicilian Defence: Najdorf Variation"));
        let moves = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6";
        assert_eq!(named(&format!("{moves} *")), najdorf);
        assert_eq!(named(&format!("{moves} 6. Qd3 Qa5 *")), najdorf);
        let transposed = "1. Nf3 c5 2. e4 a6 3. d4 cxd4 4. Nxd4 d6 5. Nc3 Nf6 *";
        assert_eq!(named(transposed), najdorf);
        let declined = "1. c4 e6 2. Nc3 d5 3. d4 Nf6 *";
        assert_eq!(named(declined).unwrap().0, "D35");
    }

    #[test]
    fn only_what_begins_like_an_opening_has_a_name() {
        assert_eq!(named("[White \"A\"]\n\n*"), None);
        let endgame = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Kd7 *";
        assert_eq!(named(endgame), None);
    }

    #[test]
    fn what_the_file_knows_stays() {
        let tags = |head: &str| {
            let mut game = game(&format!("{head}\n1. e4 c5 *"));
            game.name_opening();
            ["ECO", "Opening"].map(|name| game.tags.get(name).map(str::to_owned))
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(tags(""), [some("B20"), some("Sicilian Defence")]);
        assert_eq!(
            tags("[ECO \"?\"]\n"),
            [some("B20"), some("Sicilian Defence")]
        );
        assert_eq!(
            tags("[ECO \"B29\"]\n"),
            [some("B29"), some("Sicilian Defence")]
        );
        assert_eq!(tags("[Opening \"Mine\"]\n"), [some("B20"), some("Mine")]);
        assert_eq!(tags("[Variation \"x\"]\n"), [some("B20"), None]);
    }
}
