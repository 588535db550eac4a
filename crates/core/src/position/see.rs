//! Static exchange evaluation: what a series of captures on one square is worth.

use super::Position;
use crate::attacks;
use crate::types::{Bitboard, Move, MoveKind, PieceType, PieceTypeMap, Promotion, Square};

/// What a man is worth in an exchange, in centipawns. The king is never taken.
static VALUES: PieceTypeMap<i32> = PieceTypeMap::new([100, 300, 300, 500, 900, 0]);

/// What a man of this kind is worth in an exchange, in centipawns.
#[inline]
pub(crate) fn exchange_value(piece_type: PieceType) -> i32 {
    VALUES[piece_type]
}

impl Position {
    /// Whether the exchange that `mv` begins wins at least `threshold` centipawns, if both sides
    /// take with their least valuable man as long as it pays.
    ///
    /// Promotions are counted, later ones in the exchange are not; pins are ignored.
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        if mv.kind() == MoveKind::Castling {
            return threshold <= 0;
        }
        // The balance if the opponent does not recapture must reach the threshold ...
        let mut balance = self.immediate_gain(mv) - threshold;
        if balance < 0 {
            return false;
        }
        // ... and so must it if the moved man is lost for nothing, or the exchange goes on.
        let moved = mv
            .promotion()
            .map_or(self.moved_by(mv).piece_type(), Promotion::piece_type);
        balance -= exchange_value(moved);
        if balance >= 0 {
            return true;
        }
        let mut occupied = (self.occupied() - mv.from().into()).with(mv.to());
        if mv.kind() == MoveKind::EnPassant {
            let taken = Square::new(mv.to().file(), mv.from().rank());
            occupied = occupied - taken.into();
        }
        self.exchange(mv, balance, occupied)
    }

    /// What `mv` wins at once: the man taken and the pawn's promotion.
    fn immediate_gain(&self, mv: Move) -> i32 {
        let taken = self.captured_by(mv).map_or(0, exchange_value);
        let promoted = mv.promotion().map_or(0, |promotion| {
            exchange_value(promotion.piece_type()) - exchange_value(PieceType::Pawn)
        });
        taken + promoted
    }

    /// Plays the captures on the target square out; `balance` is from the mover's view after the
    /// loss of the man that stands there.
    fn exchange(&self, mv: Move, mut balance: i32, mut occupied: Bitboard) -> bool {
        let square = mv.to();
        let queens = self.pieces(PieceType::Queen);
        let diagonal = self.pieces(PieceType::Bishop) | queens;
        let straight = self.pieces(PieceType::Rook) | queens;
        let mut attackers = self.all_attackers(square, occupied);
        let mover = self.side_to_move();
        let mut side = !mover;
        loop {
            attackers &= occupied;
            let own = attackers & self.color(side);
            let Some(piece_type) = PieceType::ALL
                .into_iter()
                .find(|&kind| own.intersects(self.pieces(kind)))
            else {
                break;
            };
            // The king may take only what is no longer protected.
            if piece_type == PieceType::King && attackers.intersects(self.color(!side)) {
                break;
            }
            side = !side;
            balance = -balance - 1 - exchange_value(piece_type);
            if balance >= 0 {
                break;
            }
            if let Some(taker) = (own & self.pieces(piece_type)).first() {
                occupied = occupied - taker.into();
            }
            // Whoever stood behind the taker now looks through.
            if matches!(
                piece_type,
                PieceType::Pawn | PieceType::Bishop | PieceType::Queen
            ) {
                attackers |= attacks::bishop(square, occupied) & diagonal;
            }
            if matches!(piece_type, PieceType::Rook | PieceType::Queen) {
                attackers |= attacks::rook(square, occupied) & straight;
            }
        }
        // Whoever is to take and cannot, or need not, has lost the exchange.
        side != mover
    }
}
