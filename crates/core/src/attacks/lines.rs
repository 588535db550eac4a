//! Straight lines between squares: for pins, checks and evasions.

use super::tables;
use crate::types::{Bitboard, Square};

/// The squares strictly between `a` and `b`; empty if they share no line.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    tables::BETWEEN[a as usize * 64 + b as usize]
}

/// The full line through `a` and `b` from edge to edge, both included; empty if they share none.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    tables::LINE[a as usize * 64 + b as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_gaps() {
        assert_eq!(between(Square::A1, Square::D4).count(), 2);
        assert_eq!(between(Square::E1, Square::E2), Bitboard::EMPTY);
        assert_eq!(between(Square::A1, Square::B3), Bitboard::EMPTY);
        assert_eq!(line(Square::B2, Square::C3).count(), 8);
        assert_eq!(line(Square::A1, Square::B3), Bitboard::EMPTY);
        for a in Square::ALL {
            for b in Square::ALL {
                assert_eq!(between(a, b), between(b, a));
                assert_eq!(line(a, b), line(b, a));
            }
        }
    }
}
