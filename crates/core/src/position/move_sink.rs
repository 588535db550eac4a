//! What becomes of generated moves: a list of all, a count, a list of those that give check.

use super::{CheckSquares, Position, Rules};
use crate::types::{Bitboard, Move, MoveKind, MoveList, Piece, PieceType, Promotion, Square};

/// Takes the generated moves.
pub(super) trait MoveSink {
    /// One piece, not a pawn, goes from `from` to any of `targets`; those in `enemies` are
    /// captures.
    fn piece(&mut self, from: Square, targets: Bitboard, enemies: Bitboard);
    /// Pawns arrive on `targets`, each from the square `step` before; promotions only to a king.
    fn pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind);
    /// Pawns arrive on the last rank, and become what they may in chess.
    fn promotions(&mut self, targets: Bitboard, step: i8, capture: bool);
    /// A man in hand is dropped on any of `targets`.
    fn drops(&mut self, kind: PieceType, targets: Bitboard);
    /// One move of a special kind.
    fn single(&mut self, mv: Move);
}

impl MoveSink for MoveList {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard, enemies: Bitboard) {
        for to in targets & enemies {
            self.push(Move::new(from, to, MoveKind::Capture));
        }
        for to in targets - enemies {
            self.push(Move::new(from, to, MoveKind::Quiet));
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind) {
        for to in targets {
            self.push(Move::new(origin(to, step), to, kind));
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, step: i8, capture: bool) {
        for to in targets {
            for promotion in Promotion::OF_CHESS.into_iter().rev() {
                let kind = if capture {
                    MoveKind::CapturePromotion(promotion)
                } else {
                    MoveKind::Promotion(promotion)
                };
                self.push(Move::new(origin(to, step), to, kind));
            }
        }
    }

    #[inline]
    fn drops(&mut self, kind: PieceType, targets: Bitboard) {
        for to in targets {
            self.push(Move::drop(kind, to));
        }
    }

    #[inline]
    fn single(&mut self, mv: Move) {
        self.push(mv);
    }
}

#[inline]
fn origin(to: Square, step: i8) -> Square {
    Square::wrapping((to as u8).wrapping_sub(step as u8))
}

/// Counts moves without building them: the last ply of perft.
#[derive(Default)]
pub(super) struct MoveCount(pub(super) usize);

impl MoveSink for MoveCount {
    #[inline]
    fn piece(&mut self, _: Square, targets: Bitboard, _: Bitboard) {
        self.0 += targets.count() as usize;
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _: i8, _: MoveKind) {
        self.0 += targets.count() as usize;
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _: i8, _: bool) {
        self.0 += targets.count() as usize * Promotion::OF_CHESS.len();
    }

    #[inline]
    fn drops(&mut self, _: PieceType, targets: Bitboard) {
        self.0 += targets.count() as usize;
    }

    #[inline]
    fn single(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// Keeps the quiet moves that give check.
pub(super) struct Checks<'a, R: Rules> {
    pub(super) position: &'a Position<R>,
    pub(super) squares: CheckSquares,
    pub(super) moves: &'a mut MoveList,
}

impl<R: Rules> MoveSink for Checks<'_, R> {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard, enemies: Bitboard) {
        let kind = self.position.board[from].map(Piece::piece_type);
        let checks = self.squares.of(kind.expect("a piece moves"), from);
        self.moves.piece(from, targets & checks, enemies);
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind) {
        for to in targets {
            let from = origin(to, step);
            if self.squares.of(PieceType::Pawn, from).contains(to) {
                self.moves.push(Move::new(from, to, kind));
            }
        }
    }

    #[inline]
    fn promotions(&mut self, _: Bitboard, _: i8, _: bool) {}

    #[inline]
    fn drops(&mut self, kind: PieceType, targets: Bitboard) {
        self.moves.drops(kind, targets & self.squares.direct(kind));
    }

    #[inline]
    fn single(&mut self, mv: Move) {
        if self.position.gives_check(mv) {
            self.moves.push(mv);
        }
    }
}
