//! Whether a move gives check, without making it.

use super::{Position, Rules};
use crate::attacks;
use crate::types::{Bitboard, Move, MoveKind, PieceType, PieceTypeMap, Square};

/// What gives check in one position: worked out once for all its moves.
#[derive(Clone, Copy, Debug)]
pub struct CheckSquares {
    /// The opponent's king.
    king: Square,
    /// The squares from which a piece of each kind attacks it.
    direct: PieceTypeMap<Bitboard>,
    /// Pieces of the side to move that give a discovered check when they leave the line.
    uncovering: Bitboard,
}

impl CheckSquares {
    /// Nothing gives check where there is no king; its square is of no account.
    const NONE: Self = Self {
        king: Square::A1,
        direct: PieceTypeMap::new([Bitboard::EMPTY; 6]),
        uncovering: Bitboard::EMPTY,
    };

    /// Whether a legal move of `position`, to which these squares belong, gives check.
    #[inline]
    pub fn given_by<R: Rules>(&self, position: &Position<R>, mv: Move) -> bool {
        if mv.is_plain() && position.has_checks_of_chess() {
            self.of(position.moved_by(mv).piece_type(), mv.from())
                .contains(mv.to())
        } else {
            position.gives_check(mv)
        }
    }

    /// The squares where a piece of this kind gives check, whatever it uncovers.
    #[inline]
    pub(super) fn direct(&self, kind: PieceType) -> Bitboard {
        self.direct[kind]
    }

    /// The squares where a piece of this kind on `from` would give check, directly or by discovery.
    #[inline]
    pub(super) fn of(&self, kind: PieceType, from: Square) -> Bitboard {
        let direct = self.direct[kind];
        if self.uncovering.contains(from) {
            direct | !attacks::line(self.king, from)
        } else {
            direct
        }
    }
}

/// The men, of `occupied`, that stand alone between a king and one of the `sliders` that aim at it.
#[inline]
pub(super) fn lone_blockers(king: Square, sliders: Bitboard, occupied: Bitboard) -> Bitboard {
    let mut lone = Bitboard::EMPTY;
    for slider in sliders {
        let blockers = attacks::between(king, slider) & occupied;
        if !blockers.several() {
            lone |= blockers;
        }
    }
    lone
}

impl<R: Rules> Position<R> {
    /// The bishops, rooks and queens of both sides that would attack `square` on an empty board.
    #[inline]
    pub(super) fn sliders_towards(&self, square: Square) -> Bitboard {
        attacks::bishop_rays(square) & self.diagonal_sliders()
            | attacks::rook_rays(square) & self.orthogonal_sliders()
    }

    /// The squares from which the side to move gives check.
    pub fn check_squares(&self) -> CheckSquares {
        let us = self.side_to_move();
        let Some(king) = self.royal(!us) else {
            return CheckSquares::NONE;
        };
        let occupied = self.occupied();
        let bishop = attacks::bishop(king, occupied);
        let rook = attacks::rook(king, occupied);
        let sliders = self.sliders_towards(king) & self.color(us);
        CheckSquares {
            king,
            direct: PieceTypeMap::new([
                attacks::pawn(!us, king),
                attacks::knight(king),
                bishop,
                rook,
                bishop | rook,
                Bitboard::EMPTY,
            ]),
            uncovering: lone_blockers(king, sliders, occupied) & self.color(us),
        }
    }

    /// Whether a legal move attacks the opponent's king, directly or by uncovering a line.
    pub fn gives_check(&self, mv: Move) -> bool {
        if let Some(check) = self.gives_own_check(mv) {
            return check;
        }
        let us = self.side_to_move();
        let Some(king) = self.royal(!us) else {
            return false;
        };
        let to = mv.to();
        let mut occupied = (self.occupied() - self.left_by(mv)).with(to);
        let mut arrived = Bitboard::of(to);
        let mut piece_type = self.arriving(mv).piece_type();
        match mv.kind() {
            MoveKind::EnPassant => {
                occupied = occupied - mv.capture_square().into();
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
        // Those that stood behind the moved piece, or behind a pawn taken en passant.
        let stayed = occupied - arrived;
        self.is_hit_by_slider(king, self.color(us) & stayed, occupied)
    }
}
