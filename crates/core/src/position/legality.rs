//! Whether a move of unknown origin is legal, and what the move generator uses too: whether
//! castling is, and the evasion squares.

use super::{Position, Rules};
use crate::attacks;
use crate::types::{Bitboard, CastlingSide, Move, MoveKind, PieceType, Rank, Square};

impl<R: Rules> Position<R> {
    /// Whether `mv` is legal here, whatever position it was made for: moves from a hash table are
    /// of unknown origin.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.ending().is_none() && self.is_legal_in_chess(mv) && !self.forbids(mv)
    }

    #[inline]
    fn is_legal_in_chess(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let from = mv.from();
        let to = mv.to();
        if let Some(piece) = self.dropped_by(mv) {
            return self.may_drop(piece.piece_type(), to);
        }
        let Some(piece) = self.board[from].filter(|piece| piece.color() == us) else {
            return false;
        };
        if mv.kind() == MoveKind::Castling {
            return piece.piece_type() == PieceType::King
                && self.castling_move(CastlingSide::of(from, to)) == Some(mv);
        }
        if self.colors[us].contains(to) || !self.fits(mv, piece.piece_type()) {
            return false;
        }
        if mv.kind() == MoveKind::EnPassant {
            return self.may_take_en_passant(from, to);
        }
        let Some(king) = self.guarded(us) else {
            return true;
        };
        if piece.piece_type() == PieceType::King {
            return self.safe_for_king(to.into()).any();
        }
        if self.state.pinned.contains(from) && !attacks::line(king, from).contains(to) {
            return false;
        }
        self.evasion_targets(king).contains(to)
    }

    /// Whether a piece of this kind moves in the way that `mv` says.
    fn fits(&self, mv: Move, piece_type: PieceType) -> bool {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        if piece_type != PieceType::Pawn {
            let attacked = attacks::piece(piece_type, from, self.occupied()).contains(to);
            return attacked
                && match mv.kind() {
                    MoveKind::Quiet => self.board[to].is_none(),
                    MoveKind::Capture => self.board[to].is_some(),
                    _ => false,
                };
        }
        let pushed = Bitboard::of(from).forward(us) - self.occupied();
        let last_rank = us.relative_rank(to.rank()) == Rank::Eighth;
        let takes = attacks::pawn(us, from).contains(to) && self.board[to].is_some();
        match mv.kind() {
            MoveKind::Quiet => pushed.contains(to) && !last_rank,
            MoveKind::Promotion(promotion) => {
                pushed.contains(to) && last_rank && self.may_become(promotion)
            }
            MoveKind::DoublePush => {
                let may_go_on = pushed & self.ranks_of_first_steps(us);
                (may_go_on.forward(us) - self.occupied()).contains(to)
            }
            MoveKind::Capture => takes && !last_rank,
            MoveKind::CapturePromotion(promotion) => {
                takes && last_rank && self.may_become(promotion)
            }
            MoveKind::EnPassant => {
                self.state.en_passant == Some(to) && attacks::pawn(us, from).contains(to)
            }
            MoveKind::Castling | MoveKind::Drop => false,
        }
    }

    /// Castling to this side, if it is legal now.
    #[inline]
    pub(super) fn castling_move(&self, side: CastlingSide) -> Option<Move> {
        let us = self.side_to_move;
        let rook = self.state.castling.rook(us, side)?;
        let path = self.castling_paths.get(us, side)?;
        if path.empty.intersects(self.occupied()) {
            return None;
        }
        let is_safe = match self.guarded(us) {
            // A pinned rook (Chess960) would uncover an attack along the home rank.
            Some(_) => {
                !self.in_check()
                    && !self.state.pinned.contains(rook)
                    && self.safe_for_king(path.safe) == path.safe
            }
            None => self.may_castle_along(path),
        };
        is_safe.then(|| Move::new(path.king, rook, MoveKind::Castling))
    }

    /// Where a piece other than the king may go to end the check, if there is one. Pins are
    /// ignored.
    #[inline]
    pub(super) fn evasion_targets(&self, king: Square) -> Bitboard {
        let checkers = self.state.checkers;
        match checkers.first() {
            None => Bitboard::ALL,
            Some(checker) if !checkers.several() => attacks::between(king, checker).with(checker),
            Some(_) => Bitboard::EMPTY,
        }
    }
}
