//! The two sides.

use std::ops::Not;

use super::{Rank, Square};

indexed_enum! {
    /// A side of the game.
    pub enum Color {
        /// Moves first, starts on ranks 1 and 2.
        White,
        /// Starts on ranks 7 and 8.
        Black,
    }
}

impl Color {
    /// Its English name, which is also that of its player's tag in PGN.
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
        }
    }

    /// The square step of this side's pawns: +8 or -8.
    #[inline]
    pub const fn forward(self) -> i8 {
        match self {
            Self::White => 8,
            Self::Black => -8,
        }
    }

    /// `rank` as this side counts it: White's first rank is Black's eighth.
    #[inline]
    pub const fn relative_rank(self, rank: Rank) -> Rank {
        match self {
            Self::White => rank,
            Self::Black => rank.flipped(),
        }
    }

    /// `square` as this side sees it: flipped top to bottom for Black.
    #[inline]
    pub const fn relative_square(self, square: Square) -> Square {
        match self {
            Self::White => square,
            Self::Black => square.flipped(),
        }
    }

    /// The rank on which this side's king and rooks start.
    #[inline]
    pub const fn home_rank(self) -> Rank {
        self.relative_rank(Rank::First)
    }
}

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}
