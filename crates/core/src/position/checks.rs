//! Whether a move gives check, without making it.

use super::Position;
use crate::attacks;
use crate::types::{Bitboard, Move, MoveKind, PieceType, Promotion, Square};

impl Position {
    /// Whether a legal move attacks the opponent's king, directly or by uncovering a line.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let king = self.king(!us);
        let (from, to) = (mv.from(), mv.to());
        let mut occupied = (self.occupied() - from.into()).with(to);
        let mut arrived = Bitboard::of(to);
        let mut piece_type = mv
            .promotion()
            .map_or(self.moved_by(mv).piece_type(), Promotion::piece_type);
        match mv.kind() {
            MoveKind::EnPassant => {
                occupied = occupied - Square::new(to.file(), from.rank()).into();
            }
            MoveKind::Castling => {
                let ends = self.castling_ends(mv);
                occupied = (occupied - to.into()).with(ends.king).with(ends.rook);
                arrived = ends.rook.into();
                piece_type = PieceType::Rook;
            }
            _ => {}
        }
        let direct = match piece_type {
            PieceType::Pawn => attacks::pawn(!us, king),
            _ => attacks::piece(piece_type, king, occupied),
        };
        if direct.intersects(arrived) {
            return true;
        }
        // Those that stood behind the moved man, or behind a pawn taken en passant.
        let stayed = occupied - arrived;
        let queens = self.pieces(PieceType::Queen);
        let diagonal = self.color(us) & stayed & (self.pieces(PieceType::Bishop) | queens);
        let straight = self.color(us) & stayed & (self.pieces(PieceType::Rook) | queens);
        attacks::bishop_rays(king).intersects(diagonal)
            && attacks::bishop(king, occupied).intersects(diagonal)
            || attacks::rook_rays(king).intersects(straight)
                && attacks::rook(king, occupied).intersects(straight)
    }
}
