//! The inputs of the network: the pieces of both sides on their squares, as each side sees them.

use crate::types::{Color, File, Piece, Square};

/// Inputs of each side: two owners, six piece types, 64 squares.
pub const INPUTS: usize = 2 * 6 * 64;

/// A legal position has at most this many pieces, hence active inputs.
pub(super) const MAX_PIECES: usize = 32;

/// How one side looks at the board: with its own pieces at the bottom, and in a mirrored network
/// with its king on files a to d.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    perspective: Color,
    mirrored: bool,
}

impl View {
    /// The view of `perspective` with its king on `king`; `mirrored` is that of the network.
    pub const fn new(perspective: Color, king: Square, mirrored: bool) -> Self {
        Self {
            perspective,
            mirrored: mirrored && king.file() as u8 >= File::E as u8,
        }
    }

    /// The input for `piece` on `square`, below [`INPUTS`]: own pieces first, then by type from
    /// pawn to king, then by square.
    pub const fn input(self, piece: Piece, square: Square) -> usize {
        let mut square = self.perspective.relative_square(square);
        if self.mirrored {
            square = square.mirrored();
        }
        let owner = (piece.color() as usize) ^ (self.perspective as usize);
        (owner * 6 + piece.piece_type() as usize) * 64 + square as usize
    }
}

/// The output bucket for a position with this many pieces: four more make the next one.
pub const fn output_bucket(pieces: u32, buckets: usize) -> usize {
    let bucket = (pieces.saturating_sub(2) / 4) as usize;
    if bucket < buckets {
        bucket
    } else {
        buckets - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_numbered_as_documented() {
        let white = View::new(Color::White, Square::E1, false);
        assert_eq!(white.input(Piece::WhitePawn, Square::A2), 8);
        assert_eq!(white.input(Piece::BlackKing, Square::H8), INPUTS - 1);
        let black = View::new(Color::Black, Square::E8, false);
        assert_eq!(black.input(Piece::BlackPawn, Square::A7), 8);
        assert_eq!(black.input(Piece::WhiteRook, Square::A1), 384 + 3 * 64 + 56);
        let mirrored = View::new(Color::White, Square::E1, true);
        assert_eq!(mirrored.input(Piece::WhiteKing, Square::E1), 5 * 64 + 3);
    }

    #[test]
    fn a_king_on_files_a_to_d_is_not_mirrored() {
        for king in Square::ALL {
            let view = View::new(Color::White, king, true);
            let input = view.input(Piece::WhiteKing, king);
            assert!(input % 8 < 4, "{king}");
        }
    }

    #[test]
    fn every_bucket_has_four_counts_of_men() {
        let buckets: Vec<_> = (2..=32).map(|pieces| output_bucket(pieces, 8)).collect();
        for bucket in 0..7 {
            assert_eq!(buckets.iter().filter(|&&b| b == bucket).count(), 4);
        }
        assert_eq!(output_bucket(2, 8), 0);
        assert_eq!(output_bucket(32, 8), 7);
        assert_eq!(output_bucket(32, 1), 0);
    }
}
