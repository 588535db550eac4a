//! Men in hand, that may be dropped on the board.

use super::PieceType;

/// The men that one side holds in hand, by kind. A king is never among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hand([u8; Self::KINDS.len()]);

impl Hand {
    /// What may be held.
    pub const KINDS: [PieceType; 5] = [
        PieceType::Pawn,
        PieceType::Knight,
        PieceType::Bishop,
        PieceType::Rook,
        PieceType::Queen,
    ];

    /// The men with these letters, in either case; `None` if a letter stands for none.
    pub fn from_letters(letters: &str) -> Option<Self> {
        let mut hand = Self::default();
        for letter in letters.chars() {
            let kind = PieceType::from_letter(letter);
            hand.add(kind.filter(|kind| Self::KINDS.contains(kind))?);
        }
        Some(hand)
    }

    /// How many men of this kind there are; 0 for a king.
    #[inline]
    pub const fn count(self, kind: PieceType) -> u8 {
        match kind {
            PieceType::King => 0,
            _ => self.0[kind as usize],
        }
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == [0; Self::KINDS.len()]
    }

    /// The men, one by one, queens first: the order in which they are written.
    pub fn men(self) -> impl Iterator<Item = PieceType> {
        let kinds = Self::KINDS.into_iter().rev();
        kinds.flat_map(move |kind| std::iter::repeat_n(kind, usize::from(self.count(kind))))
    }

    /// Takes a man of this kind in hand. There is no room for a king, nor for more than 255 of a
    /// kind.
    #[inline]
    pub const fn add(&mut self, kind: PieceType) {
        if !matches!(kind, PieceType::King) {
            self.0[kind as usize] = self.0[kind as usize].saturating_add(1);
        }
    }

    /// Gives a man of this kind away, if there is one.
    #[inline]
    pub const fn remove(&mut self, kind: PieceType) {
        if !matches!(kind, PieceType::King) {
            self.0[kind as usize] = self.0[kind as usize].saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_come_and_go() {
        let mut hand = Hand::default();
        assert!(hand.is_empty());
        for kind in [PieceType::Pawn, PieceType::Queen, PieceType::Pawn] {
            hand.add(kind);
        }
        hand.add(PieceType::King);
        assert_eq!(hand.men().count(), 3);
        assert_eq!(hand.count(PieceType::Pawn), 2);
        let men = [PieceType::Queen, PieceType::Pawn, PieceType::Pawn];
        assert!(hand.men().eq(men));
        for kind in PieceType::ALL {
            hand.remove(kind);
        }
        assert!(hand.men().eq([PieceType::Pawn]));
        assert_eq!(Hand::from_letters("p"), Some(hand));
        assert_eq!(Hand::from_letters(""), Some(Hand::default()));
        assert!(Hand::from_letters("PK").is_none() && Hand::from_letters("1").is_none());
    }
}
