//! Static exchange evaluation: what a series of captures on one square is worth.

use super::checks::lone_blockers;
use super::{Position, Rules};
use crate::attacks;
use crate::types::{Bitboard, Color, ColorMap, Move, MoveKind, PieceType, PieceTypeMap, Square};

/// What a piece is worth, in centipawns; margins of the search were tuned with these numbers. The king
/// is never taken.
static PIECE_VALUES: PieceTypeMap<i32> = PieceTypeMap::new([100, 300, 300, 500, 900, 0]);

/// What a piece of this kind is worth in an exchange, in centipawns; 0 for the king.
#[inline]
pub fn see_value(piece_type: PieceType) -> i32 {
    PIECE_VALUES[piece_type]
}

/// The same on the board of crazyhouse: what reaches far is worth less where anything may be dropped
/// before it. Guesses.
static VALUES_WITH_DROPS: PieceTypeMap<i32> = PieceTypeMap::new([100, 260, 260, 340, 560, 0]);

/// What a man in play is worth in a game with men in hand, in centipawns; 0 for the king.
#[inline]
pub(crate) fn value_with_drops(piece_type: PieceType) -> i32 {
    VALUES_WITH_DROPS[piece_type]
}

impl<R: Rules> Position<R> {
    /// What the capture of a man changes in the balance, in centipawns: where it changes sides, it
    /// counts twice.
    #[inline]
    pub(crate) fn exchange_value(&self, piece_type: PieceType) -> i32 {
        if self.variant().has_hands() {
            2 * value_with_drops(piece_type)
        } else {
            see_value(piece_type)
        }
    }

    /// Whether the exchange that `mv` begins wins at least `threshold` centipawns, if both sides
    /// capture with their least valuable piece as long as it pays.
    ///
    /// A promotion by `mv` is counted, later ones in the exchange are not. A man that is pinned takes part
    /// only by capturing the one that pins it.
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        if mv.kind() == MoveKind::Castling {
            return threshold <= 0;
        }
        if let Some(worth) = self.own_exchange(mv) {
            return worth >= threshold;
        }
        // The balance if the opponent does not recapture must reach the threshold ...
        let mut balance = self.immediate_gain(mv) - threshold;
        if balance < 0 {
            return false;
        }
        // ... and so must it if the moved piece is lost for nothing, or the exchange goes on.
        balance -= self.exchange_value(self.arriving(mv).piece_type());
        if balance >= 0 {
            return true;
        }
        let mut occupied = (self.occupied() - self.left_by(mv)).with(mv.to());
        if mv.kind() == MoveKind::EnPassant {
            occupied = occupied - mv.capture_square().into();
        } else if self.cached_threats().is_some() && !self.may_be_captured(mv) {
            return true;
        }
        self.see_after(mv, balance, occupied)
    }

    /// Whether the opponent may be able to capture the piece that makes this move, which is not en passant. A slider
    /// whose line is opened by the move already attacks the origin.
    #[inline]
    pub(crate) fn may_be_captured(&self, mv: Move) -> bool {
        self.threats().intersects(self.left_by(mv).with(mv.to()))
    }

    /// What `mv` wins at once: the captured piece and the pawn's promotion.
    fn immediate_gain(&self, mv: Move) -> i32 {
        let taken = self
            .captured_by(mv)
            .map_or(0, |kind| self.exchange_value(kind));
        let promoted = mv.promotion().map_or(0, |promotion| {
            let kind = promotion.piece_type();
            let gain = self.exchange_value(kind) - self.exchange_value(PieceType::Pawn);
            // Nobody loses what the pawn becomes.
            if self.variant().has_hands() {
                gain / 2
            } else {
                gain
            }
        });
        taken + promoted
    }

    /// The men of a side that would uncover their king by capturing on `square`, which is occupied: no pin leads
    /// there. A pin is taken to last as long as the exchange.
    fn pinned_off(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let Some(king) = self.royal(color) else {
            return Bitboard::EMPTY;
        };
        let sliders = self.sliders_towards(king) & self.color(!color) & occupied;
        lone_blockers(king, sliders - square.into(), occupied) & self.color(color)
    }

    /// Plays the captures on the target square out; `balance` is from the mover's view after the
    /// loss of the piece that is there.
    fn see_after(&self, mv: Move, mut balance: i32, mut occupied: Bitboard) -> bool {
        let square = mv.to();
        let mut attackers = self.all_attackers(square, occupied);
        let mover = self.side_to_move();
        let mut side = !mover;
        let pinned = ColorMap::from_fn(|color| self.pinned_off(color, square, occupied));
        loop {
            attackers &= occupied;
            let own = (attackers & self.color(side)) - pinned[side];
            let Some(piece_type) = PieceType::ALL
                .into_iter()
                .find(|&kind| own.intersects(self.pieces(kind)))
            else {
                break;
            };
            // The king may only take what is no longer protected.
            if piece_type == PieceType::King && attackers.intersects(self.color(!side)) {
                break;
            }
            side = !side;
            balance = -balance - 1 - self.exchange_value(piece_type);
            if balance >= 0 {
                break;
            }
            if let Some(taker) = (own & self.pieces(piece_type)).first() {
                occupied = occupied - taker.into();
            }
            // Sliders behind the capturing piece now attack the square.
            if matches!(
                piece_type,
                PieceType::Pawn | PieceType::Bishop | PieceType::Queen
            ) {
                attackers |= attacks::bishop(square, occupied) & self.diagonal_sliders();
            }
            if matches!(piece_type, PieceType::Rook | PieceType::Queen) {
                attackers |= attacks::rook(square, occupied) & self.orthogonal_sliders();
            }
        }
        // The side to capture has lost the exchange if it cannot, or if that would not help.
        side != mover
    }
}

#[cfg(test)]
mod tests {
    use crate::fen;
    use crate::notation::parse_move;

    #[test]
    fn exchanges() {
        // Position, move, what the exchange is worth.
        let cases = [
            (
                "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1",
                "e1e5",
                100,
            ),
            (
                "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
                "d3e5",
                -200,
            ),
            ("4k3/8/3p4/4p3/8/8/8/4RK2 w - - 0 1", "e1e5", -400),
            ("4k3/8/8/3pp3/8/8/8/4RK2 w - - 0 1", "e1e5", 100),
            ("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", 800),
            (
                "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
                "e5f6",
                0,
            ),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", 0),
            ("4k3/8/8/3r4/8/8/3Q4/4K3 w - - 0 1", "d2d5", 500),
            ("3rk3/8/8/3r4/8/8/3Q4/4K3 w - - 0 1", "d2d5", -400),
            ("3r1k2/8/8/3r4/8/8/3R4/3QK3 w - - 0 1", "d2d5", 500),
            // The knight that could recapture is pinned; the bishop that pins it may be captured.
            ("4k3/3n4/8/1B2p3/8/5N2/8/4K3 w - - 0 1", "f3e5", 100),
            ("4k3/3n4/2b5/1B2p3/8/5N2/8/4K3 w - - 0 1", "f3e5", -200),
            ("4k3/2pn4/8/1B6/8/2P5/8/4K3 w - - 0 1", "b5d7", 0),
            // Our own rook is pinned, and takes no part.
            ("4k3/8/4p3/3p4/8/2N5/8/q2RK3 w - - 0 1", "c3d5", -200),
        ];
        for (text, mv, value) in cases {
            let position = fen::parse(text).unwrap();
            let mv = parse_move(&position, mv).unwrap();
            assert!(position.see_at_least(mv, value), "{text} below {value}");
            assert!(
                !position.see_at_least(mv, value + 1),
                "{text} above {value}"
            );
        }
    }
}
