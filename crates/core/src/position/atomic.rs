//! Atomic chess: a capture blows up the man that captures, the captured one, and all but pawns on
//! the eight squares around. Who blows up the other king has won; nobody may blow up his own.
//!
//! The rules of check follow from that: a king may be left attacked by a move that ends the game, and
//! kings that touch cannot be taken. So each move is judged by what stands on the board after it.

use super::castling::Path;
use super::rules::{Rules, Variant};
use super::{Position, see_value};
use crate::attacks;
use crate::types::{Bitboard, Color, ColorMap, Move, PieceType, Promotion, Square};

/// What a king is worth in an explosion, in centipawns: more than all else.
const KING_VALUE: i32 = 10_000;

/// The board after a move, as far as attacks on the kings need it.
struct Aftermath {
    /// The kings that are left.
    kings: ColorMap<Option<Square>>,
    /// Men that have neither moved nor gone.
    stayed: Bitboard,
    occupied: Bitboard,
    /// What has moved and still stands; of castling the rook.
    moved: Option<(PieceType, Square)>,
}

impl<R: Rules> Position<R> {
    /// Whether the kings stand side by side: then neither can be taken, as both would go off.
    #[inline]
    pub(super) fn kings_touch(&self) -> bool {
        self.variant() == Variant::Atomic
            && self.royal(Color::White).is_some_and(|king| {
                attacks::king(king).intersects(self.pieces_of(Color::Black, PieceType::King))
            })
    }

    /// What goes off by a capture on `target` besides the man that captures.
    fn around(&self, target: Square) -> Bitboard {
        (attacks::king(target) & self.occupied()) - self.pieces(PieceType::Pawn)
    }

    fn aftermath(&self, mv: Move) -> Aftermath {
        let us = self.side_to_move;
        let mut kings = ColorMap::from_fn(|color| self.royal(color));
        let mut stayed = self.occupied() - mv.from().into();
        if mv.is_capture() {
            stayed = stayed - Bitboard::of(mv.capture_square()) - self.around(mv.to());
            for color in Color::ALL {
                kings[color] = kings[color].filter(|&king| stayed.contains(king));
            }
            return Aftermath {
                kings,
                stayed,
                occupied: stayed,
                moved: None,
            };
        }
        let piece_type = self.arriving(mv).piece_type();
        let (piece_type, to) = if mv.is_castling() {
            let ends = self.castling_ends(mv);
            stayed = stayed - mv.to().into();
            kings[us] = Some(ends.king);
            (PieceType::Rook, ends.rook)
        } else {
            if piece_type == PieceType::King {
                kings[us] = Some(mv.to());
            }
            (piece_type, mv.to())
        };
        let mut occupied = stayed.with(to);
        if let Some(king) = kings[us] {
            occupied = occupied.with(king);
        }
        Aftermath {
            kings,
            stayed,
            occupied,
            moved: Some((piece_type, to)),
        }
    }

    /// Whether the king of `color` can be taken after a move of the side to move.
    fn is_king_attacked(&self, color: Color, after: &Aftermath) -> bool {
        let (Some(king), Some(other)) = (after.kings[color], after.kings[!color]) else {
            return false;
        };
        if attacks::king(king).contains(other) {
            return false;
        }
        let attackers = self.attackers(king, !color, after.occupied) & after.stayed;
        let by_moved = |(piece_type, square): (PieceType, Square)| match piece_type {
            PieceType::Pawn => attacks::pawn(!color, square).contains(king),
            _ => attacks::piece(piece_type, square, after.occupied).contains(king),
        };
        attackers.any() || color != self.side_to_move && after.moved.is_some_and(by_moved)
    }

    /// Whether `mv` blows up its own king, or leaves it to be taken while the other one is left.
    pub(super) fn endangers_own_king(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let after = self.aftermath(mv);
        after.kings[us].is_none() || self.is_king_attacked(us, &after)
    }

    /// Whether `mv` attacks the other king.
    pub(super) fn attacks_other_king(&self, mv: Move) -> bool {
        self.is_king_attacked(!self.side_to_move, &self.aftermath(mv))
    }

    /// Whether the king may leave its square and pass along this path to castle; where it ends is
    /// judged as for every other move.
    pub(super) fn may_leave_along(&self, path: &Path) -> bool {
        let us = self.side_to_move;
        let king = self.king(us);
        let beside_other = self.royal(!us).map_or(Bitboard::EMPTY, attacks::king);
        let passed = (path.safe - path.ends.king.into()).with(king) - beside_other;
        let occupied = self.occupied() - king.into();
        !passed
            .into_iter()
            .any(|square| self.is_attacked(square, !us, occupied))
    }

    /// Whether the side to move can blow up the other king.
    pub(super) fn can_explode_king(&self) -> bool {
        let us = self.side_to_move;
        let Some(king) = self.royal(!us) else {
            return false;
        };
        let zone = attacks::king(king).with(king);
        let passed = self.state.en_passant.map_or(Bitboard::EMPTY, Bitboard::of);
        if !zone.intersects((self.colors[!us] - king.into()) | passed)
            && !self.is_attacked(king, us, self.occupied())
        {
            return false;
        }
        let mut moves = self.legal_moves().into_iter();
        moves.any(|mv| mv.is_capture() && zone.contains(mv.to()))
    }

    /// Whether `mv` blows anything up.
    #[inline]
    pub(crate) fn explodes(&self, mv: Move) -> bool {
        self.variant() == Variant::Atomic && mv.is_capture()
    }

    /// Removes what a capture, which has been made on the board, blows up.
    #[inline]
    pub(super) fn explode(&mut self, mv: Move) {
        if !self.explodes(mv) {
            return;
        }
        let mut extra = self.rules.extra();
        for square in self.around(mv.to()).with(mv.to()) {
            let Some(piece) = self.board[square] else {
                continue;
            };
            extra.debris[debris_index(mv.to(), square)] = Some(piece);
            self.remove(piece, square);
            self.lose_rights(piece, square);
        }
        self.rules.set_extra(extra);
    }

    /// Puts back what the last move has blown up; the keys are those of the state to come.
    #[inline]
    pub(super) fn undo_explosion(&mut self) {
        if self.variant() != Variant::Atomic {
            return;
        }
        let Some(target) = self.state.last_move.map(Move::to) else {
            return;
        };
        let debris = self.rules.extra().debris;
        for square in attacks::king(target).with(target) {
            if let Some(piece) = debris[debris_index(target, square)] {
                self.place(piece, square);
            }
        }
    }

    /// What `mv` wins, in centipawns: all that it blows up, or if it captures nothing, less what the
    /// opponent's cheapest capture of the moved man would win.
    pub(super) fn explosion_gain(&self, mv: Move) -> i32 {
        let us = self.side_to_move;
        let to = mv.to();
        if mv.is_capture() {
            let gone = self.around(to) - mv.from().into();
            let taken = self.captured_by(mv).map_or(0, see_value);
            return taken - see_value(self.moved_by(mv).piece_type())
                + self.value_of(!us, gone - to.into())
                - self.value_of(us, gone);
        }
        let promoted = mv.promotion().map(Promotion::piece_type);
        let promoted = promoted.map_or(0, |it| see_value(it) - see_value(PieceType::Pawn));
        let occupied = (self.occupied() - mv.from().into()).with(to);
        let takers = self.attackers(to, !us, occupied) - self.pieces(PieceType::King);
        let cheapest = PieceType::ALL.into_iter().find_map(|kind| {
            let taker = (takers & self.pieces(kind)).first()?;
            Some((kind, taker))
        });
        let Some((kind, taker)) = cheapest else {
            return promoted;
        };
        let gone = self.around(to) - Bitboard::of(mv.from()).with(taker);
        let loss = see_value(self.arriving(mv).piece_type()) + self.value_of(us, gone)
            - see_value(kind)
            - self.value_of(!us, gone);
        promoted - loss.max(0)
    }

    /// What the men of one side on these squares are worth in an explosion.
    fn value_of(&self, color: Color, squares: Bitboard) -> i32 {
        let value = |kind| match kind {
            PieceType::King => KING_VALUE,
            _ => see_value(kind),
        };
        PieceType::ALL
            .into_iter()
            .map(|kind| value(kind) * (self.pieces_of(color, kind) & squares).count() as i32)
            .sum()
    }

    /// Whether neither side can blow up the other king with what is on the board.
    pub(super) fn cannot_explode(&self) -> bool {
        Color::ALL
            .into_iter()
            .all(|color| self.cannot_explode_other(color))
    }

    fn cannot_explode_other(&self, color: Color) -> bool {
        let kings = self.pieces(PieceType::King);
        let others = self.colors[!color] - kings;
        if !self.colors[!color].intersects(kings) {
            return false;
        }
        if (self.colors[color] - kings).is_empty() {
            return true;
        }
        let knights = self.pieces(PieceType::Knight);
        let bishops = self.pieces(PieceType::Bishop);
        if others.any() {
            // The other side's men may go off beside its king, but bishops of one side never meet
            // those of the other on squares of the other colour.
            return self.occupied() == bishops | kings && self.bishops_never_meet();
        }
        // Against a bare king.
        let major = self.pieces(PieceType::Queen) | self.pieces(PieceType::Pawn);
        let minor = knights | bishops | self.pieces(PieceType::Rook);
        major.is_empty() && (!minor.several() || minor == knights && knights.count() <= 2)
    }
}

/// Where `square`, at most one step from `target`, is among the debris.
fn debris_index(target: Square, square: Square) -> usize {
    let step = |from: u8, to: u8| usize::from(to + 1 - from);
    step(target.rank() as u8, square.rank() as u8) * 3
        + step(target.file() as u8, square.file() as u8)
}

#[cfg(test)]
mod tests {
    use crate::fen;
    use crate::notation::parse_move;
    use crate::position::Variant;

    #[test]
    fn explosions_are_worth_what_goes() {
        // Position, move, what it wins.
        for (text, mv, gain) in [
            ("4k3/8/8/3pr3/8/8/8/3RK3 w - - 0 1", "d1d5", 100),
            ("4k3/8/8/2ppr3/8/8/8/3RK3 w - - 0 1", "d1d5", 100),
            ("4k3/3p4/8/8/8/8/8/3RK3 w - - 0 1", "d1d7", 9600),
            // The rook may be taken, or is left alone because a queen would go off.
            ("4k3/8/2p5/8/8/8/8/3RK3 w - - 0 1", "d1d5", -400),
            ("4k3/8/2pq4/8/8/8/8/3RK3 w - - 0 1", "d1d5", 0),
        ] {
            let position = fen::parse_as(Variant::Atomic, text).unwrap();
            let mv = parse_move(&position, mv).unwrap();
            assert!(position.see_at_least(mv, gain), "{text} below {gain}");
            assert!(!position.see_at_least(mv, gain + 1), "{text} above {gain}");
        }
    }
}
