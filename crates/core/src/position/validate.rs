//! From a set-up to a position: every reason why a board cannot be played is named here.

use thiserror::Error;

use super::castling::{self, CastlingPaths};
use super::rules::{CHECKS_TO_WIN, Extra};
use super::{AnyRules, Position, Rules, Setup, State, Variant, zobrist};
use crate::types::{
    Bitboard, Color, ColorMap, HalfKey, Hand, Key, Piece, PieceType, PieceTypeMap, Rank, Square,
};

/// Why a set-up is not a legal position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// A side has no king.
    #[error("{0:?} has no king")]
    NoKing(Color),
    /// A side has several kings.
    #[error("{color:?} has {kings} kings")]
    SeveralKings {
        /// The side.
        color: Color,
        /// How many it has.
        kings: u32,
    },
    /// A side has more pieces than a game begins with.
    #[error("{color:?} has {pieces} men, at most 16 are possible")]
    TooManyPieces {
        /// The side.
        color: Color,
        /// How many it has.
        pieces: u32,
    },
    /// A side has more pawns than a game begins with.
    #[error("{color:?} has {pawns} pawns, at most 8 are possible")]
    TooManyPawns {
        /// The side.
        color: Color,
        /// How many it has.
        pawns: u32,
    },
    /// A pawn stands on the first or last rank.
    #[error("a pawn stands on {0}")]
    PawnOnBackRank(Square),
    /// A side has no man, although it has just moved.
    #[error("{0:?} has no men")]
    NoMen(Color),
    /// The king of the side that has just moved could be taken.
    #[error("the side not to move is in check")]
    OpponentInCheck,
    /// No move gives this many checks at once.
    #[error("the king is in check from {0} men, at most 2 are possible")]
    TooManyCheckers(u32),
    /// A horde has a king.
    #[error("the horde has a king")]
    RoyalHorde,
    /// A horde has more men than a game begins with.
    #[error("the horde has {0} men, at most 36 are possible")]
    LargeHorde(u32),
    /// A king of a race is in check.
    #[error("a king is in check, which no move of racing kings gives")]
    CheckInRace,
    /// There are more men in a game with men in hand than it begins with.
    #[error("{0} men are on the board and in hand, at most 32 are possible")]
    TooManyMen(u32),
    /// There are more pawns in a game with men in hand than it begins with, those that were promoted
    /// included.
    #[error("{0} pawns are on the board and in hand, at most 16 are possible")]
    TooManyPawnsInAll(u32),
    /// A king, a pawn or an empty square is said to have been promoted.
    #[error("no man on {0} that was promoted")]
    NotPromoted(Square),
    /// A count of checks is too large.
    #[error("{0} checks are to be given, at most 3 are possible")]
    TooManyChecksLeft(u8),
}

/// The men that a horde begins with.
const LARGEST_HORDE: u32 = 36;

impl Position {
    /// The position that `setup` describes.
    ///
    /// Castling rights without king and rook in place are dropped, and so is an en passant square
    /// on which no pawn can legally take.
    ///
    /// # Errors
    ///
    /// Says why the set-up cannot be played.
    pub fn from_setup(setup: &Setup) -> Result<Self, PositionError> {
        let castling = castling::valid_rights(setup);
        let mut position = Self {
            board: setup.board,
            pieces: PieceTypeMap::default(),
            colors: ColorMap::default(),
            side_to_move: setup.side_to_move,
            state: State {
                castling,
                fullmove_number: setup.fullmove_number.max(1),
                halfmove_clock: setup.halfmove_clock,
                ..State::default()
            },
            castling_paths: CastlingPaths::new(setup, castling),
            history: Vec::new(),
            rules: AnyRules::new(
                setup.variant,
                Extra {
                    checks_left: setup.checks_left,
                    hands: setup.hands,
                    promoted: setup.promoted,
                    ..Extra::default()
                },
            ),
        };
        for (square, piece) in setup.board.iter() {
            if let Some(piece) = *piece {
                position.pieces[piece.piece_type()] |= square.into();
                position.colors[piece.color()] |= square.into();
            }
        }
        for color in Color::ALL {
            let checks = setup.checks_left[color];
            if checks > CHECKS_TO_WIN {
                return Err(PositionError::TooManyChecksLeft(checks));
            }
        }
        position.check_counts()?;
        position.check_men_in_hand()?;
        position.check_kings()?;
        position.refresh_keys();
        position.refresh_checks();
        let checkers = position.checkers().count();
        // An explosion may uncover more.
        if checkers > 2 && setup.variant != Variant::Atomic {
            return Err(PositionError::TooManyCheckers(checkers));
        }
        if let Some(square) = setup
            .en_passant
            .filter(|&square| position.was_passed(square))
        {
            position.set_en_passant(square);
        }
        Ok(position)
    }

    fn check_counts(&self) -> Result<(), PositionError> {
        for color in Color::ALL {
            let is_horde = self.variant() == Variant::Horde && color == Color::White;
            // It has just exploded.
            let may_be_lost = self.variant() == Variant::Atomic && color == self.side_to_move;
            match self.pieces_of(color, PieceType::King).count() {
                _ if self.has_common_kings() => {}
                0 if is_horde || may_be_lost => {}
                1 if is_horde => return Err(PositionError::RoyalHorde),
                0 => return Err(PositionError::NoKing(color)),
                1 => {}
                kings => return Err(PositionError::SeveralKings { color, kings }),
            }
            let pieces = self.colors[color].count();
            if pieces == 0 && color != self.side_to_move && self.has_common_kings() {
                return Err(PositionError::NoMen(color));
            }
            if self.variant().has_hands() {
                continue;
            }
            if is_horde {
                if pieces > LARGEST_HORDE {
                    return Err(PositionError::LargeHorde(pieces));
                }
                continue;
            }
            if pieces > 16 {
                return Err(PositionError::TooManyPieces { color, pieces });
            }
            let pawns = self.pieces_of(color, PieceType::Pawn).count();
            if pawns > 8 {
                return Err(PositionError::TooManyPawns { color, pawns });
            }
        }
        let back_ranks = Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth);
        let mut misplaced = self.pieces[PieceType::Pawn] & back_ranks;
        if self.variant() == Variant::Horde {
            misplaced = misplaced - (self.colors[Color::White] & Bitboard::rank(Rank::First));
        }
        match misplaced.first() {
            Some(square) => Err(PositionError::PawnOnBackRank(square)),
            None => Ok(()),
        }
    }

    /// Captured men only change sides: both together have what the game began with.
    fn check_men_in_hand(&self) -> Result<(), PositionError> {
        if !self.variant().has_hands() {
            return Ok(());
        }
        let in_hand = |kind| -> u32 {
            let counts = Color::ALL.map(|color| self.hand(color).count(kind));
            counts.into_iter().map(u32::from).sum()
        };
        let men = self.occupied().count() + Hand::KINDS.map(in_hand).into_iter().sum::<u32>();
        if men > 32 {
            return Err(PositionError::TooManyMen(men));
        }
        let pawns = self.pieces[PieceType::Pawn] | self.promoted();
        let pawns = pawns.count() + in_hand(PieceType::Pawn);
        if pawns > 16 {
            return Err(PositionError::TooManyPawnsInAll(pawns));
        }
        let fixed = self.pieces[PieceType::Pawn] | self.pieces[PieceType::King];
        match (self.promoted() - (self.occupied() - fixed)).first() {
            Some(square) => Err(PositionError::NotPromoted(square)),
            None => Ok(()),
        }
    }

    fn check_kings(&self) -> Result<(), PositionError> {
        let is_attacked = |color: Color| {
            self.royal(color).is_some_and(|king| {
                let attackers = self.attackers(king, !color, self.occupied());
                attackers.any()
            })
        };
        // In atomic chess kings that touch may be attacked, and one that has survived the other.
        let may_be_attacked = self.variant() == Variant::Atomic
            && (self.kings_touch() || self.royal(self.side_to_move).is_none());
        if is_attacked(!self.side_to_move) && !may_be_attacked {
            return Err(PositionError::OpponentInCheck);
        }
        if self.variant() == Variant::RacingKings && is_attacked(self.side_to_move) {
            return Err(PositionError::CheckInRace);
        }
        Ok(())
    }

    /// Whether the last move can have been a double pawn push over `square`.
    fn was_passed(&self, square: Square) -> bool {
        let mover = !self.side_to_move;
        let step = mover.forward() / 8;
        if mover.relative_rank(square.rank()) != Rank::Third {
            return false;
        }
        let (Some(pawn), Some(origin)) = (square.offset(0, step), square.offset(0, -step)) else {
            return false;
        };
        let empty = !self.occupied();
        self.board[pawn] == Some(Piece::new(mover, PieceType::Pawn))
            && empty.contains(square)
            && empty.contains(origin)
    }

    /// Computes all keys from the board.
    fn refresh_keys(&mut self) {
        let keys = self.computed_keys();
        self.state.key = keys.all;
        self.state.pawn_key = keys.pawns;
        self.state.non_pawn_keys = keys.non_pawns;
    }
}

/// The keys of a position, computed from scratch.
pub(super) struct Keys {
    pub(super) all: Key,
    pub(super) pawns: HalfKey,
    pub(super) non_pawns: ColorMap<HalfKey>,
}

impl<R: Rules> Position<R> {
    /// Whether the incremental keys equal those computed from scratch: for debug assertions.
    pub(crate) fn is_consistent(&self) -> bool {
        let keys = self.computed_keys();
        keys.all == self.key()
            && keys.pawns == self.pawn_key()
            && Color::ALL
                .into_iter()
                .all(|color| keys.non_pawns[color] == self.non_pawn_key(color))
    }

    /// What the incremental keys must equal at all times.
    pub(super) fn computed_keys(&self) -> Keys {
        let mut keys = Keys {
            all: Key(0),
            pawns: HalfKey(0),
            non_pawns: ColorMap::default(),
        };
        for (square, piece) in self.board.iter() {
            let Some(piece) = *piece else { continue };
            let number = zobrist::piece(piece, square);
            keys.all ^= number;
            if piece.piece_type() == PieceType::Pawn {
                keys.pawns ^= number;
            } else {
                keys.non_pawns[piece.color()] ^= number;
            }
        }
        keys.all ^= zobrist::castling(self.state.castling);
        keys.all ^= zobrist::en_passant(self.state.en_passant);
        keys.all ^= zobrist::side_to_move(self.side_to_move);
        keys.all ^= self.key_of_rules();
        keys
    }
}
