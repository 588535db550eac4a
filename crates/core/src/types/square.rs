//! Squares, files and ranks.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

indexed_enum! {
    /// A file (column) of the board.
    pub enum File {
        /// The a-file.
        A,
        /// The b-file.
        B,
        /// The c-file.
        C,
        /// The d-file.
        D,
        /// The e-file.
        E,
        /// The f-file.
        F,
        /// The g-file.
        G,
        /// The h-file.
        H,
    }
}

indexed_enum! {
    /// A rank (row) of the board.
    pub enum Rank {
        /// Rank 1.
        First,
        /// Rank 2.
        Second,
        /// Rank 3.
        Third,
        /// Rank 4.
        Fourth,
        /// Rank 5.
        Fifth,
        /// Rank 6.
        Sixth,
        /// Rank 7.
        Seventh,
        /// Rank 8.
        Eighth,
    }
}

impl File {
    /// The lower-case letter of this file.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file with this lower-case letter.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'a'..='h' => Self::from_index(letter as u8 - b'a'),
            _ => None,
        }
    }
}

impl Rank {
    /// The digit of this rank.
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank with this digit.
    pub const fn from_digit(digit: char) -> Option<Self> {
        match digit {
            '1'..='8' => Self::from_index(digit as u8 - b'1'),
            _ => None,
        }
    }

    /// The same rank counted from the other side.
    #[inline]
    #[must_use]
    pub const fn flipped(self) -> Self {
        match Self::from_index(7 - self as u8) {
            Some(rank) => rank,
            None => unreachable!(), // 7 - 0 is 7
        }
    }
}

indexed_enum! {
    /// A square, rank-major: `A1` is 0, `B1` is 1, `H8` is 63.
    #[allow(missing_docs, reason = "the names say it")]
    pub enum Square {
        A1, B1, C1, D1, E1, F1, G1, H1,
        A2, B2, C2, D2, E2, F2, G2, H2,
        A3, B3, C3, D3, E3, F3, G3, H3,
        A4, B4, C4, D4, E4, F4, G4, H4,
        A5, B5, C5, D5, E5, F5, G5, H5,
        A6, B6, C6, D6, E6, F6, G6, H6,
        A7, B7, C7, D7, E7, F7, G7, H7,
        A8, B8, C8, D8, E8, F8, G8, H8,
    }
}

const _: () = assert!(size_of::<Option<Square>>() == 1);

impl Square {
    /// The square where `file` and `rank` cross.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::wrapping(rank as u8 * 8 + file as u8)
    }

    /// The square with this index modulo 64.
    #[inline]
    pub const fn wrapping(index: u8) -> Self {
        match Self::from_index(index & 63) {
            Some(square) => square,
            None => unreachable!(), // masked to 0..=63
        }
    }

    /// Its file.
    #[inline]
    pub const fn file(self) -> File {
        match File::from_index(self as u8 & 7) {
            Some(file) => file,
            None => unreachable!(), // masked to 0..=7
        }
    }

    /// Its rank.
    #[inline]
    pub const fn rank(self) -> Rank {
        match Rank::from_index(self as u8 >> 3) {
            Some(rank) => rank,
            None => unreachable!(), // 63 >> 3 is 7
        }
    }

    /// The same square seen from the other side of the board: `a1` becomes `a8`.
    #[inline]
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self::wrapping(self as u8 ^ 0b111_000)
    }

    /// The same square in the left-right mirror: `a1` becomes `h1`.
    #[inline]
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self::wrapping(self as u8 ^ 0b000_111)
    }

    /// The square `files` to the right and `ranks` up, if that is on the board.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = self.file() as i8 + files;
        let rank = self.rank() as i8 + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Self::from_index((rank * 8 + file) as u8)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

/// The text is not a square name such as `e4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a square")]
pub struct ParseSquareError;

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        let mut letters = text.chars();
        let file = letters.next().and_then(File::from_letter);
        let rank = letters.next().and_then(Rank::from_digit);
        match (file, rank, letters.next()) {
            (Some(file), Some(rank), None) => Ok(Self::new(file, rank)),
            _ => Err(ParseSquareError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for square in Square::ALL {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::new(square.file(), square.rank()), square);
        }
        for bad in ["", "e", "e9", "i1", "e44", "E4", "é4"] {
            assert_eq!(bad.parse::<Square>(), Err(ParseSquareError));
        }
    }

    #[test]
    fn offset_stays_on_the_board() {
        assert_eq!(Square::A1.offset(-1, 0), None);
        assert_eq!(Square::H8.offset(0, 1), None);
        assert_eq!(Square::E4.offset(1, -2), Some(Square::F2));
    }

    #[test]
    fn flips_are_involutions() {
        for square in Square::ALL {
            assert_eq!(square.flipped().flipped(), square);
            assert_eq!(square.mirrored().mirrored(), square);
        }
        assert_eq!(Square::A1.flipped(), Square::A8);
        assert_eq!(Square::A1.mirrored(), Square::H1);
    }
}
