//! Games as symbols of the range coder. One [`GameCodec`] serves one block: what it has learnt
//! from the block's earlier games makes the later ones shorter.

use orthrus_core::position::{Position, Variant};
use orthrus_core::types::Score;
use thiserror::Error;

use super::models::{NumberModel, ScoreModel, ScoreTrack};
use super::moves;
use super::range_coder::{CoderError, Decoder, Encoder};
use super::record::{GameRecord, GameResult, MAX_PLIES, Reason, Start, StartError};

/// Back ranks of Chess960.
const BACK_RANKS: u32 = 960;

/// The longest FEN that is written.
const MAX_FEN_LEN: usize = 100;
/// The same of a game with men in hand, of whom some were promoted.
const MAX_FEN_LEN_WITH_HANDS: usize = 127;

/// An upper bound on the bytes of a game without its plies: a FEN, the kind of start, lengths,
/// result and reason.
const LONGEST_HEAD: usize = MAX_FEN_LEN_WITH_HANDS + 32;

/// An upper bound on the bytes of a ply: 9 bits of move, and 8 adaptive bits of at most 12 bits
/// each and 14 plain bits of score.
const LONGEST_PLY: usize = 16;

/// Why a game cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EncodeError {
    /// The start position is not one.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The FEN of the start position is too long.
    #[error("a FEN of {length} characters, at most {most} are stored")]
    FenLength {
        /// How many characters it has.
        length: usize,
        /// How many are stored.
        most: usize,
    },
    /// A move is not legal where it was played.
    #[error("the move at ply {0} is illegal")]
    IllegalMove(usize),
    /// There are more or fewer scores than moves after the opening.
    #[error("{scores} scores for {plies} moves after the opening")]
    ScoreCount {
        /// How many scores there are.
        scores: usize,
        /// How many there should be.
        plies: usize,
    },
    /// It is another game than that of the file.
    #[error("a game of {}, the file holds {}", found.name(), expected.name())]
    Variant {
        /// The game.
        found: Variant,
        /// That of the file.
        expected: Variant,
    },
    /// Chess does not end like this.
    #[error("chess does not end by {}", .0.text())]
    Reason(Reason),
    /// The game is too long.
    #[error("a game of {0} plies, at most {MAX_PLIES} are stored")]
    TooLong(usize),
}

/// Why bytes cannot be decoded as games.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// The bytes are not what an encoder writes.
    #[error(transparent)]
    Coder(#[from] CoderError),
    /// A score is beyond mate.
    #[error("a score out of range")]
    ScoreRange,
    /// The game continues although no move is legal.
    #[error("a move after the end of the game")]
    MoveAfterEnd,
    /// The game has too many plies.
    #[error("a game of {0} plies, at most {MAX_PLIES} are stored")]
    TooLong(usize),
    /// The opening is longer than the game.
    #[error("an opening longer than its game")]
    Opening,
    /// The start position is not one.
    #[error(transparent)]
    Start(#[from] StartError),
}

/// An upper bound on the bytes of a game of this many plies.
pub(super) const fn longest(plies: usize) -> usize {
    LONGEST_HEAD + plies * LONGEST_PLY
}

/// The models of one block.
#[derive(Clone, Debug)]
pub(super) struct GameCodec {
    variant: Variant,
    opening_plies: NumberModel,
    plies: NumberModel,
    scores: ScoreModel,
}

impl GameCodec {
    pub(super) const fn new(variant: Variant) -> Self {
        Self {
            variant,
            opening_plies: NumberModel::new(),
            plies: NumberModel::new(),
            scores: ScoreModel::new(),
        }
    }

    /// How many values the symbol for the reason has: the first version of the format had no more
    /// reasons than those of chess.
    const fn reasons(&self) -> u32 {
        match self.variant {
            Variant::Standard => 8,
            _ => 16,
        }
    }

    /// The longest FEN that a game may start from.
    const fn max_fen_len(&self) -> usize {
        if self.variant.has_hands() {
            MAX_FEN_LEN_WITH_HANDS
        } else {
            MAX_FEN_LEN
        }
    }

    /// Writes a game, or nothing if the game cannot be written.
    pub(super) fn encode(
        &mut self,
        encoder: &mut Encoder,
        game: &GameRecord,
    ) -> Result<(), EncodeError> {
        if game.variant != self.variant {
            return Err(EncodeError::Variant {
                found: game.variant,
                expected: self.variant,
            });
        }
        if game.reason as u32 >= self.reasons() {
            return Err(EncodeError::Reason(game.reason));
        }
        let indices = move_indices(game, self.max_fen_len())?;
        encode_start(encoder, &game.start, self.max_fen_len());
        encoder.uniform(game.result as u32, GameResult::ALL.len() as u32);
        encoder.uniform(game.reason as u32, self.reasons());
        self.opening_plies
            .encode(encoder, game.opening_plies as u32);
        self.plies.encode(encoder, game.moves.len() as u32);
        let mut track = ScoreTrack::default();
        let scores = game.scores.iter().map(Some);
        let scores = std::iter::repeat_n(None, game.opening_plies).chain(scores);
        for ((index, count), score) in indices.into_iter().zip(scores) {
            encoder.uniform(index, count);
            if let Some(score) = score {
                let value = score.value() as i16; // |score| <= 32,001 by its type
                self.scores.encode(encoder, &mut track, value);
            }
        }
        Ok(())
    }

    /// Reads a game. Whatever the bytes are, the game it returns can be replayed.
    pub(super) fn decode(&mut self, decoder: &mut Decoder<'_>) -> Result<GameRecord, DecodeError> {
        let start = decode_start(decoder, self.max_fen_len())?;
        let mut position = start.position(self.variant)?;
        let result = decode_one_of(decoder, GameResult::ALL.len() as u32, &GameResult::ALL)?;
        let reason = decode_one_of(decoder, self.reasons(), &Reason::ALL)?;
        let opening_plies = self.opening_plies.decode(decoder)? as usize;
        let plies = self.plies.decode(decoder)? as usize;
        if plies > MAX_PLIES {
            return Err(DecodeError::TooLong(plies));
        }
        let scored = plies
            .checked_sub(opening_plies)
            .ok_or(DecodeError::Opening)?;
        let mut game = GameRecord {
            variant: self.variant,
            start,
            opening_plies,
            moves: Vec::with_capacity(plies),
            scores: Vec::with_capacity(scored),
            result,
            reason,
        };
        let mut track = ScoreTrack::default();
        for ply in 0..plies {
            let mut legal = position.legal_moves();
            if legal.is_empty() {
                return Err(DecodeError::MoveAfterEnd);
            }
            let index = decoder.uniform(legal.len() as u32)?;
            let mv = moves::nth(&mut legal, index).ok_or(CoderError::Symbol)?;
            position.make_move(mv);
            game.moves.push(mv);
            if ply >= opening_plies {
                let value = self.scores.decode(decoder, &mut track)?;
                let score = Score::from_value(value.into()).ok_or(DecodeError::ScoreRange)?;
                game.scores.push(score);
            }
        }
        Ok(game)
    }
}

/// The canonical index of every move, and how many legal moves there were. Checks everything that
/// could keep the game from being written.
fn move_indices(game: &GameRecord, max_fen_len: usize) -> Result<Vec<(u32, u32)>, EncodeError> {
    let plies = game.moves.len();
    if plies > MAX_PLIES {
        return Err(EncodeError::TooLong(plies));
    }
    if game.opening_plies + game.scores.len() != plies {
        return Err(EncodeError::ScoreCount {
            scores: game.scores.len(),
            plies: plies.saturating_sub(game.opening_plies),
        });
    }
    if let Start::Fen(text) = &game.start
        && text.len() > max_fen_len
    {
        return Err(EncodeError::FenLength {
            length: text.len(),
            most: max_fen_len,
        });
    }
    let mut position: Position = game.start.position(game.variant)?;
    let mut indices = Vec::with_capacity(plies);
    for (ply, &mv) in game.moves.iter().enumerate() {
        let legal = position.legal_moves();
        let index = moves::index_of(&legal, mv).ok_or(EncodeError::IllegalMove(ply))?;
        indices.push((index, legal.len() as u32));
        position.make_move(mv);
    }
    Ok(indices)
}

/// The kind of start, then what that kind needs.
fn encode_start(encoder: &mut Encoder, start: &Start, max_fen_len: usize) {
    match start {
        Start::Standard => encoder.uniform(0, 3),
        Start::Chess960 { white, black } => {
            encoder.uniform(1, 3);
            encoder.uniform(u32::from(*white), BACK_RANKS);
            encoder.uniform(u32::from(*black), BACK_RANKS);
        }
        Start::Fen(text) => {
            encoder.uniform(2, 3);
            encoder.uniform(text.len() as u32, max_fen_len as u32 + 1);
            for byte in text.bytes() {
                encoder.uniform(byte.into(), 256);
            }
        }
    }
}

fn decode_start(decoder: &mut Decoder<'_>, max_fen_len: usize) -> Result<Start, CoderError> {
    match decoder.uniform(3)? {
        0 => Ok(Start::Standard),
        1 => Ok(Start::Chess960 {
            white: decoder.uniform(BACK_RANKS)? as u16,
            black: decoder.uniform(BACK_RANKS)? as u16,
        }),
        _ => {
            let len = decoder.uniform(max_fen_len as u32 + 1)?;
            let bytes: Result<Vec<u8>, CoderError> =
                (0..len).map(|_| Ok(decoder.uniform(256)? as u8)).collect();
            let text = String::from_utf8(bytes?).map_err(|_| CoderError::Symbol)?;
            Ok(Start::Fen(text))
        }
    }
}

/// Reads a symbol of `values` values, of which each in use stands for one of `all`.
fn decode_one_of<T: Copy>(
    decoder: &mut Decoder<'_>,
    values: u32,
    all: &[T],
) -> Result<T, CoderError> {
    let index = decoder.uniform(values)?;
    all.get(index as usize).copied().ok_or(CoderError::Symbol)
}
