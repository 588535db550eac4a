//! Moves in two bytes, and lists of them.

use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use super::{Hand, PieceType, Promotion, Square};

/// More than the legal moves of any position: the most known are 218 in one that a game can reach,
/// 241 in one with fifteen queens, which a set-up may have, and 464 in one with men in hand besides
/// twelve queens.
pub const MAX_MOVES: usize = 512;

/// The legal moves of one position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// What a move does besides going from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// Nothing else.
    Quiet,
    /// A pawn advances two squares from its first one.
    DoublePush,
    /// Castling; the move goes to the square of the king's own rook, as in Chess960.
    Castling,
    /// Takes what stands on the target square.
    Capture,
    /// A pawn takes a pawn that has just passed it.
    EnPassant,
    /// A pawn reaches the last rank.
    Promotion(Promotion),
    /// A pawn takes on the last rank.
    CapturePromotion(Promotion),
    /// A man in hand is put on the board: see [`Move::drop`].
    Drop,
}

impl MoveKind {
    const fn bits(self) -> u16 {
        match self {
            Self::Quiet => 0b0000,
            Self::DoublePush => 0b0001,
            Self::Castling => 0b0010,
            Self::Capture => 0b0100,
            Self::EnPassant => 0b0101,
            // Not among those with the promotion bit, which has room for four: see `is_tactical`.
            Self::Promotion(Promotion::King) | Self::Drop => 0b0011,
            Self::CapturePromotion(Promotion::King) => 0b0111,
            Self::Promotion(promotion) => 0b1000 | promotion as u16,
            Self::CapturePromotion(promotion) => 0b1100 | promotion as u16,
        }
    }

    /// The kind of a packed move.
    const fn from_bits(bits: u16) -> Option<Self> {
        Some(match bits >> 12 {
            0b0000 => Self::Quiet,
            0b0001 => Self::DoublePush,
            0b0010 => Self::Castling,
            // No pawn that promotes comes from the first rank.
            0b0011 if (bits & 63) < Hand::KINDS.len() as u16 => Self::Drop,
            0b0011 => Self::Promotion(Promotion::King),
            0b0100 => Self::Capture,
            0b0101 => Self::EnPassant,
            0b0111 => Self::CapturePromotion(Promotion::King),
            bits @ 0b1000.. => match Promotion::from_index(bits as u8 & 0b0011) {
                Some(promotion) if bits < 0b1100 => Self::Promotion(promotion),
                Some(promotion) => Self::CapturePromotion(promotion),
                None => unreachable!(), // two bits, five promotions
            },
            _ => return None,
        })
    }
}

/// A move in 16 bits: from (6), to (6), kind (4), lowest bits first.
///
/// No move goes from a square to itself, so the packed value is never zero and `Option<Move>` needs
/// no extra byte. Castling goes from the king to its own rook. A drop leaves no square: in place of
/// one stands what is dropped, and its kind is not zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == size_of::<u16>());

const CAPTURE_BIT: u16 = 0b0100 << 12;
const PROMOTION_BIT: u16 = 0b1000 << 12;
/// Both are set in promotions to a king and in drops.
const RARE_BITS: u16 = 0b0011 << 12;

impl Move {
    /// The move `from` `to` of this kind.
    ///
    /// # Panics
    ///
    /// If both squares are `a1`, which is no move.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        let bits = from as u16 | (to as u16) << 6 | kind.bits() << 12;
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            None => panic!("a move goes from one square to another"),
        }
    }

    /// Puts a man in hand of this kind on a square.
    ///
    /// # Panics
    ///
    /// If it is a king, which is never in hand.
    #[inline]
    pub const fn drop(kind: PieceType, to: Square) -> Self {
        assert!((kind as usize) < Hand::KINDS.len(), "no king is dropped");
        Self::new(Square::wrapping(kind as u8), to, MoveKind::Drop)
    }

    /// The move with these packed bits, or `None` if no move is packed like this.
    ///
    /// Says nothing about legality: see `Position::is_legal`.
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match MoveKind::from_bits(bits) {
            None => return None,
            Some(MoveKind::Drop) => {}
            Some(_) if bits & 63 == bits >> 6 & 63 => return None,
            Some(_) => {}
        }
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// The packed form.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The square it leaves. A drop leaves none, and what is found here means nothing.
    #[inline]
    pub const fn from(self) -> Square {
        Square::wrapping(self.bits() as u8)
    }

    /// The square it goes to; in castling, that of the king's own rook.
    #[inline]
    pub const fn to(self) -> Square {
        Square::wrapping((self.bits() >> 6) as u8)
    }

    /// What else it does.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match MoveKind::from_bits(self.bits()) {
            Some(kind) => kind,
            None => unreachable!(), // both constructors write the bits of a kind
        }
    }

    /// Whether it is a capture, en passant included.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.bits() & CAPTURE_BIT != 0
    }

    /// The square of the piece that it captures, if it is a capture: beside the target if en
    /// passant, else the target.
    #[inline]
    pub const fn capture_square(self) -> Square {
        if self.is(MoveKind::EnPassant) {
            Square::new(self.to().file(), self.from().rank())
        } else {
            self.to()
        }
    }

    /// What the pawn becomes, if it is a promotion.
    #[inline]
    pub const fn promotion(self) -> Option<Promotion> {
        if self.bits() & PROMOTION_BIT == 0 && self.bits() & RARE_BITS != RARE_BITS {
            return None;
        }
        match self.kind() {
            MoveKind::Promotion(promotion) | MoveKind::CapturePromotion(promotion) => {
                Some(promotion)
            }
            _ => None,
        }
    }

    /// Whether it changes material: a capture or a promotion. A promotion to a king without a capture
    /// counts as quiet: where there is one, a king is worth hardly more than a pawn.
    #[inline]
    pub const fn is_tactical(self) -> bool {
        self.bits() & (CAPTURE_BIT | PROMOTION_BIT) != 0
    }

    /// Whether it castles.
    #[inline]
    pub const fn is_castling(self) -> bool {
        self.is(MoveKind::Castling)
    }

    /// Whether it takes one piece to another square, and at most takes what stands there: no castling,
    /// en passant, promotion or drop.
    #[inline]
    pub const fn is_plain(self) -> bool {
        self.is(MoveKind::Quiet) || self.is(MoveKind::DoublePush) || self.is(MoveKind::Capture)
    }

    /// Whether it is of this kind, which is the only one with its bits. Faster than to unpack the kind.
    #[inline]
    const fn is(self, kind: MoveKind) -> bool {
        self.bits() >> 12 == kind.bits()
    }

    /// What it drops, if it is a drop.
    #[inline]
    pub const fn dropped(self) -> Option<PieceType> {
        match self.kind() {
            MoveKind::Drop => PieceType::from_index(self.from() as u8),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_packed_move_round_trips() {
        let mut moves = 0;
        for bits in 0..=u16::MAX {
            if let Some(mv) = Move::from_bits(bits) {
                assert_eq!(Move::new(mv.from(), mv.to(), mv.kind()), mv);
                assert_eq!(mv.bits(), bits);
                let kind = mv.kind();
                let promoted = match kind {
                    MoveKind::Promotion(promoted) | MoveKind::CapturePromotion(promoted) => {
                        Some(promoted)
                    }
                    _ => None,
                };
                assert_eq!(mv.promotion(), promoted);
                assert_eq!(mv.is_castling(), kind == MoveKind::Castling);
                let plain = [MoveKind::Quiet, MoveKind::DoublePush, MoveKind::Capture];
                assert_eq!(mv.is_plain(), plain.contains(&kind));
                moves += 1;
            }
        }
        let drops = Hand::KINDS.len() * 64;
        assert_eq!(moves, 64 * 63 * 14 + (64 - Hand::KINDS.len()) * 63 + drops);
    }

    #[test]
    fn flags_follow_the_kind() {
        let mv = |kind| Move::new(Square::E7, Square::E8, kind);
        assert!(mv(MoveKind::EnPassant).is_capture());
        assert!(mv(MoveKind::CapturePromotion(Promotion::Queen)).is_capture());
        assert!(!mv(MoveKind::Promotion(Promotion::Rook)).is_capture());
        assert!(mv(MoveKind::Promotion(Promotion::Rook)).is_tactical());
        assert!(!mv(MoveKind::Castling).is_tactical());
        assert!(mv(MoveKind::CapturePromotion(Promotion::King)).is_capture());
        for promotion in Promotion::ALL {
            let kinds = [
                MoveKind::Promotion(promotion),
                MoveKind::CapturePromotion(promotion),
            ];
            assert_eq!(kinds.map(|kind| mv(kind).promotion()), [Some(promotion); 2]);
        }
        assert!(!mv(MoveKind::Promotion(Promotion::King)).is_tactical());
        for kind in Hand::KINDS {
            let drop = Move::drop(kind, Square::A1);
            assert_eq!((drop.dropped(), drop.to()), (Some(kind), Square::A1));
            assert!(!drop.is_capture() && !drop.is_tactical());
        }
        assert_eq!(mv(MoveKind::Promotion(Promotion::King)).dropped(), None);
    }
}
