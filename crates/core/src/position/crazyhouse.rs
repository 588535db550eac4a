//! Crazyhouse: who captures takes the man in hand, and may put it back on the board for the own side
//! in place of a move. What was a pawn before it was promoted is a pawn in hand.

use super::rules::Rules;
use super::{Position, zobrist};
use crate::types::{Bitboard, Color, Hand, Key, Move, MoveKind, Piece, PieceType, Rank, Square};

/// Where a man in hand of this kind may be put, if the square is empty.
#[inline]
pub(super) fn drop_squares(kind: PieceType) -> Bitboard {
    match kind {
        PieceType::Pawn => !(Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth)),
        _ => Bitboard::ALL,
    }
}

impl<R: Rules> Position<R> {
    /// The men that a side has in hand: none but in crazyhouse.
    #[inline]
    pub fn hand(&self, color: Color) -> Hand {
        if !self.variant().has_hands() {
            return Hand::default();
        }
        self.rules.extra().hands[color]
    }

    /// Where men stand that were pawns, if the game keeps count of them.
    #[inline]
    pub fn promoted(&self) -> Bitboard {
        self.rules.extra().promoted
    }

    /// What `mv` drops, if it is a drop.
    #[inline]
    pub(crate) fn dropped_by(&self, mv: Move) -> Option<Piece> {
        if !self.variant().has_hands() {
            return None;
        }
        let kind = mv.dropped()?;
        Some(Piece::new(self.side_to_move, kind))
    }

    /// The square that `mv` leaves: none in a drop.
    #[inline]
    pub(crate) fn left_by(&self, mv: Move) -> Bitboard {
        match self.dropped_by(mv) {
            Some(_) => Bitboard::EMPTY,
            None => mv.from().into(),
        }
    }

    /// Whether the side to move can put a man of this kind on a square.
    pub(super) fn may_drop(&self, kind: PieceType, to: Square) -> bool {
        let us = self.side_to_move;
        self.hand(us).count(kind) > 0
            && (drop_squares(kind) - self.occupied()).contains(to)
            && self.evasion_targets(self.king(us)).contains(to)
    }

    /// Takes a man, captured on `square` by the side to move, in hand.
    #[inline]
    pub(super) fn take_in_hand(&mut self, captured: Piece, square: Square) {
        if !self.variant().has_hands() {
            return;
        }
        let was_pawn = self.promoted().contains(square);
        let kind = match captured.piece_type() {
            _ if was_pawn => PieceType::Pawn,
            kind => kind,
        };
        self.change_hand(kind, Hand::add);
        if was_pawn {
            self.toggle_promoted(square);
        }
    }

    /// After a move on the board: takes what was dropped out of the hand, and notes where men stand
    /// that were pawns.
    #[inline]
    pub(super) fn follow_men_in_hand(&mut self, mv: Move) {
        if !self.variant().has_hands() {
            return;
        }
        match mv.kind() {
            MoveKind::Drop => {
                if let Some(kind) = mv.dropped() {
                    self.change_hand(kind, Hand::remove);
                }
            }
            MoveKind::Promotion(_) | MoveKind::CapturePromotion(_) => {
                self.toggle_promoted(mv.to());
            }
            // A rook that castles was never a pawn.
            _ if self.promoted().contains(mv.from()) => {
                self.toggle_promoted(mv.from());
                self.toggle_promoted(mv.to());
            }
            _ => {}
        }
    }

    fn change_hand(&mut self, kind: PieceType, change: impl FnOnce(&mut Hand, PieceType)) {
        let us = self.side_to_move;
        let mut extra = self.rules.extra();
        let hand = &mut extra.hands[us];
        self.state.key ^= zobrist::in_hand(us, kind, hand.count(kind));
        change(hand, kind);
        self.state.key ^= zobrist::in_hand(us, kind, hand.count(kind));
        self.rules.set_extra(extra);
    }

    fn toggle_promoted(&mut self, square: Square) {
        let mut extra = self.rules.extra();
        extra.promoted ^= square.into();
        self.state.key ^= zobrist::promoted(square);
        self.rules.set_extra(extra);
    }

    /// What a drop changes in the key besides the board.
    pub(super) fn change_by_drop(&self, piece: Piece) -> Key {
        let (color, kind) = (piece.color(), piece.piece_type());
        let count = self.hand(color).count(kind);
        zobrist::in_hand(color, kind, count)
            ^ zobrist::in_hand(color, kind, count.saturating_sub(1))
    }

    /// What the men in hand and those that were pawns add to the key.
    pub(super) fn key_of_hands(&self) -> Key {
        let mut key = Key(0);
        if !self.variant().has_hands() {
            return key;
        }
        for color in Color::ALL {
            for kind in Hand::KINDS {
                key ^= zobrist::in_hand(color, kind, self.hand(color).count(kind));
            }
        }
        for square in self.promoted() {
            key ^= zobrist::promoted(square);
        }
        key
    }
}
