//! Games of giving men away: antichess, giveaway, suicide, losers. Captures are compulsory. In all but
//! losers the king is common: it can be taken like other men, and a pawn may become one.

use std::cmp::Ordering;

use super::move_sink::MoveSink;
use super::rules::{Aim, Ending, Rules, Variant};
use super::{MoveSet, Position};
use crate::attacks;
use crate::types::{Bitboard, CastlingSide, Color, MoveList, PieceType, Promotion, Square};

impl<R: Rules> Position<R> {
    /// Whether who can capture must.
    #[inline]
    pub fn has_compulsory_captures(&self) -> bool {
        self.has_common_kings() || self.variant() == Variant::Losers
    }

    /// Whether kings are men like others.
    #[inline]
    pub(crate) fn has_common_kings(&self) -> bool {
        self.variant().has_common_kings()
    }

    /// Whether the side to move has to capture, because it can and the game demands it.
    #[inline]
    pub fn must_capture(&self) -> bool {
        self.has_compulsory_captures() && self.has_capture()
    }

    fn has_capture(&self) -> bool {
        let us = self.side_to_move;
        if self.state.en_passant.is_some() {
            return true;
        }
        let enemies = self.colors[!us];
        self.attacked_by(us).intersects(enemies)
            && (self.has_common_kings()
                || self
                    .captures_and_promotions()
                    .iter()
                    .any(|mv| mv.is_capture()))
    }

    fn captures_and_promotions(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate_as_in_chess(MoveSet::Tactical, &mut moves);
        moves
    }

    /// Generates legal moves where captures are compulsory.
    pub(super) fn generate_compulsory<S: MoveSink>(&self, set: MoveSet, sink: &mut S) {
        let tactical = self.captures_and_promotions();
        let must_capture = tactical.iter().any(|mv| mv.is_capture());
        match set {
            MoveSet::Quiet if must_capture => {}
            MoveSet::All | MoveSet::Tactical if must_capture => {
                for mv in tactical.into_iter().filter(|mv| mv.is_capture()) {
                    sink.single(mv);
                }
            }
            MoveSet::Tactical => tactical.into_iter().for_each(|mv| sink.single(mv)),
            MoveSet::All | MoveSet::Quiet => self.generate_as_in_chess(set, sink),
        }
    }

    /// Whether a pawn may become this.
    #[inline]
    pub(crate) fn may_become(&self, promotion: Promotion) -> bool {
        promotion != Promotion::King || self.has_common_kings()
    }

    /// Whether a king that leaves this square gives up the rights to castle; the side has some.
    #[inline]
    pub(super) fn may_castle_from(&self, color: Color, square: Square) -> bool {
        let is_here = |side| {
            let path = self.castling_paths.get(color, side);
            path.is_some_and(|path| path.king == square)
        };
        !self.has_common_kings() || CastlingSide::ALL.into_iter().any(is_here)
    }

    /// What the king of a side attacks, or all its kings.
    #[inline]
    pub(super) fn attacked_by_king(&self, by: Color) -> Bitboard {
        if !self.has_common_kings() {
            return self.royal(by).map_or(Bitboard::EMPTY, attacks::king);
        }
        let kings = self.pieces_of(by, PieceType::King).into_iter();
        kings.fold(Bitboard::EMPTY, |attacked, king| {
            attacked | attacks::king(king)
        })
    }

    /// Who has given all away, in a game of losers all but the king.
    pub(super) fn end_by_giving(&self) -> Option<Ending> {
        let mover = !self.side_to_move;
        let kept = u32::from(!self.has_common_kings());
        let has_given = |&color: &Color| self.colors[color].count() <= kept;
        let winner = [mover, !mover].into_iter().find(has_given);
        winner.map(|winner| Ending::Won(winner, Aim::AllGiven))
    }

    /// How the game ends because the side to move has no move, if that is so and is not the mate or the
    /// stalemate of chess.
    #[inline]
    pub(crate) fn end_without_moves(&self) -> Option<Ending> {
        if !self.has_compulsory_captures() || self.has_legal_move() {
            return None;
        }
        let us = self.side_to_move;
        let (winner, aim) = match self.variant() {
            Variant::Suicide => {
                let men = |color| self.colors[color].count();
                let fewer = match men(us).cmp(&men(!us)) {
                    Ordering::Less => us,
                    Ordering::Equal => return None,
                    Ordering::Greater => !us,
                };
                (fewer, Aim::FewerMen)
            }
            Variant::Losers if self.in_check() => (us, Aim::Mated),
            _ => (us, Aim::NoMoves),
        };
        Some(Ending::Won(winner, aim))
    }

    /// Whether a null move can be worth less than every move: not where it is often an advantage to
    /// have to do nothing.
    #[inline]
    pub(crate) fn may_pass(&self) -> bool {
        !self.has_compulsory_captures()
    }
}
