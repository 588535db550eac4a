//! Sets of squares.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

use super::{Color, File, Rank, Square};

/// A set of squares; bit `n` is the square with index `n`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// All 64 squares.
    pub const ALL: Self = Self(!0);

    /// The set of this one square.
    #[inline]
    pub const fn of(square: Square) -> Self {
        Self(1 << square as u8)
    }

    /// All squares of a file.
    #[inline]
    pub const fn file(file: File) -> Self {
        Self(0x0101_0101_0101_0101 << file as u8)
    }

    /// All squares of a rank.
    #[inline]
    pub const fn rank(rank: Rank) -> Self {
        Self(0xff << (rank as u8 * 8))
    }

    /// All squares from `a` to `b` in index order, both included: on one rank, the way from one to
    /// the other.
    #[inline]
    pub const fn span(a: Square, b: Square) -> Self {
        let (low, high) = if (a as u8) < b as u8 { (a, b) } else { (b, a) };
        Self((!0 << low as u8) & (!0 >> (63 - high as u8)))
    }

    /// How many squares it has.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether it has no square.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it has a square.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether it has two squares or more.
    #[inline]
    pub const fn several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether `square` is in it.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square as u8 & 1 != 0
    }

    /// Whether the two sets share a square.
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The set with `square` added.
    #[inline]
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | 1 << square as u8)
    }

    /// The square with the lowest index, if there is one.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        Square::from_index(self.0.trailing_zeros() as u8)
    }

    /// All squares moved by `step` indices, up or down; what leaves the board at either end is
    /// dropped. Steps along a rank wrap: mask the edge file first.
    #[inline]
    #[must_use]
    pub const fn shifted(self, step: i8) -> Self {
        if step >= 0 {
            Self(self.0 << step)
        } else {
            Self(self.0 >> -step)
        }
    }

    /// All squares moved one step towards the opponent of `color`.
    #[inline]
    #[must_use]
    pub const fn forward(self, color: Color) -> Self {
        self.shifted(color.forward())
    }

    /// The same squares seen from the other side of the board: `a1` becomes `a8`.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self(self.0.swap_bytes())
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Sub for Bitboard {
    type Output = Self;
    /// The squares of the first set that are not in the second.
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self::of(square)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a set, lowest index first.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0.wrapping_sub(1);
        Some(square)
    }
}

impl fmt::Debug for Bitboard {
    /// Eight rows, rank 8 first, `X` for a square in the set.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let row = File::ALL.map(|file| {
                if self.contains(Square::new(file, rank)) {
                    'X'
                } else {
                    '.'
                }
            });
            writeln!(f, "{}", row.iter().collect::<String>())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterates_in_order() {
        let set = Bitboard::of(Square::H8).with(Square::A1).with(Square::E4);
        assert_eq!(
            set.into_iter().collect::<Vec<_>>(),
            [Square::A1, Square::E4, Square::H8]
        );
        assert_eq!(set.count(), 3);
        assert!(set.several());
        assert_eq!(Bitboard::EMPTY.first(), None);
    }

    #[test]
    fn files_and_ranks_cross_once() {
        for square in Square::ALL {
            let cross = Bitboard::file(square.file()) & Bitboard::rank(square.rank());
            assert_eq!(cross, Bitboard::of(square));
        }
    }

    #[test]
    fn spans_hold_both_ends() {
        let rank = Bitboard::rank(Rank::First);
        assert_eq!(Bitboard::span(Square::A1, Square::H1), rank);
        assert_eq!(Bitboard::span(Square::H1, Square::A1), rank);
        assert_eq!(Bitboard::span(Square::A1, Square::H8), Bitboard::ALL);
        for square in Square::ALL {
            assert_eq!(Bitboard::span(square, square), Bitboard::of(square));
        }
    }

    #[test]
    fn shifts_drop_what_leaves_the_board() {
        assert_eq!(
            Bitboard::rank(Rank::Eighth).forward(Color::White),
            Bitboard::EMPTY
        );
        assert_eq!(
            Bitboard::of(Square::E7).forward(Color::Black),
            Bitboard::of(Square::E6)
        );
    }
}
