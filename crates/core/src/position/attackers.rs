//! Which pieces attack which squares.

use super::{Position, Rules};
use crate::attacks;
use crate::types::{Bitboard, Color, PieceType, Square};

impl<R: Rules> Position<R> {
    /// Bishops and queens of both sides.
    #[inline]
    pub(super) fn diagonal_sliders(&self) -> Bitboard {
        self.pieces[PieceType::Bishop] | self.pieces[PieceType::Queen]
    }

    /// Rooks and queens of both sides.
    #[inline]
    pub(super) fn orthogonal_sliders(&self) -> Bitboard {
        self.pieces[PieceType::Rook] | self.pieces[PieceType::Queen]
    }

    /// Whether a piece of `by` attacks `square` when `occupied` squares block.
    #[inline]
    pub(super) fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        let enemies = self.colors[by];
        let leapers = attacks::pawn(!by, square) & self.pieces[PieceType::Pawn]
            | attacks::knight(square) & self.pieces[PieceType::Knight]
            | attacks::king(square) & self.pieces[PieceType::King];
        leapers.intersects(enemies) || self.is_hit_by_slider(square, enemies, occupied)
    }

    /// Whether a bishop, rook or queen among these men attacks `square` when `occupied` squares block.
    #[inline]
    pub(super) fn is_hit_by_slider(
        &self,
        square: Square,
        by: Bitboard,
        occupied: Bitboard,
    ) -> bool {
        let diagonal = self.diagonal_sliders() & by;
        let orthogonal = self.orthogonal_sliders() & by;
        // Most squares are attacked by no slider even on an empty board, and that is cheap to see.
        attacks::bishop_rays(square).intersects(diagonal)
            && attacks::bishop(square, occupied).intersects(diagonal)
            || attacks::rook_rays(square).intersects(orthogonal)
                && attacks::rook(square, occupied).intersects(orthogonal)
    }

    /// All pieces of `by` that attack `square` when `occupied` squares block.
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        self.all_attackers(square, occupied) & self.colors[by]
    }

    /// All pieces of either side that attack `square` when `occupied` squares block.
    pub fn all_attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let pawns = attacks::pawn(Color::White, square) & self.colors[Color::Black]
            | attacks::pawn(Color::Black, square) & self.colors[Color::White];
        pawns & self.pieces[PieceType::Pawn]
            | attacks::knight(square) & self.pieces[PieceType::Knight]
            | attacks::king(square) & self.pieces[PieceType::King]
            | attacks::bishop(square, occupied) & self.diagonal_sliders()
            | attacks::rook(square, occupied) & self.orthogonal_sliders()
    }

    /// Those of `targets` that the opponent would not attack if the king of the side to move went
    /// there.
    #[inline]
    pub(super) fn safe_for_king(&self, targets: Bitboard) -> Bitboard {
        let us = self.side_to_move;
        let king = self.king(us);
        let Some(mut attacked) = self.cached_threats() else {
            let without_king = self.occupied() ^ king.into();
            let mut safe = Bitboard::EMPTY;
            for to in targets {
                if !self.is_attacked(to, !us, without_king) {
                    safe |= to.into();
                }
            }
            return safe;
        };
        // A slider that gives check also attacks what lies behind the king.
        let sliders = self.diagonal_sliders() | self.orthogonal_sliders();
        for checker in self.state.checkers & sliders {
            attacked |= attacks::line(king, checker) - checker.into();
        }
        targets - attacked
    }

    /// All squares that pieces of `by` attack.
    pub(super) fn attacked_by(&self, by: Color) -> Bitboard {
        let occupied = self.occupied();
        let pieces = self.colors[by];
        let mut attacked = attacks::pawns(by, pieces & self.pieces[PieceType::Pawn]);
        for square in pieces & self.pieces[PieceType::Knight] {
            attacked |= attacks::knight(square);
        }
        for square in pieces & self.diagonal_sliders() {
            attacked |= attacks::bishop(square, occupied);
        }
        for square in pieces & self.orthogonal_sliders() {
            attacked |= attacks::rook(square, occupied);
        }
        attacked | self.attacked_by_king(by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;

    #[test]
    fn what_is_attacked_has_attackers() {
        for text in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/P6p/8/1k3rR1/8/2K2b2/p6P/8 b - - 0 1",
        ] {
            let position = fen::parse(text).unwrap();
            for by in Color::ALL {
                let attacked = position.attacked_by(by);
                for square in Square::ALL {
                    let attackers = position.attackers(square, by, position.occupied());
                    assert_eq!(attacked.contains(square), attackers.any(), "{square:?}");
                    let found = position.is_attacked(square, by, position.occupied());
                    assert_eq!(attacked.contains(square), found, "{square:?}");
                }
            }
        }
    }
}
