//! What is wrong with a game, and where.

use std::io;

use orthrus_core::fen::FenError;
use orthrus_core::notation::MoveError;
use thiserror::Error;

/// What is wrong with a game, and where in the stream.
#[derive(Debug, Error)]
#[error("game {game}, line {line}: {fault}")]
pub struct ReadError {
    /// The number of the game in the stream, from 1.
    pub game: u64,
    /// The line on which the fault was noticed, from 1.
    pub line: u64,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a game.
#[derive(Debug, Error)]
pub enum Fault {
    /// The game begins with a position that cannot be read or played.
    #[error("bad FEN {text:?}: {error}")]
    Fen {
        /// The FEN, cut if it is long.
        text: String,
        /// What is wrong with it.
        error: FenError,
    },
    /// The tag `Variant`, whose text this is, names no game that is known.
    #[error("unknown variant {0:?}")]
    Variant(String),
    /// A move cannot be read or played.
    #[error("ply {ply}, {text:?}: {error}{}", hint(text, *error))]
    Move {
        /// Its place in the game, from 1.
        ply: usize,
        /// Its text.
        text: String,
        /// What is wrong with it.
        error: MoveError,
    },
    /// A variation begins where there is no move to vary.
    #[error("a variation without a move before it")]
    NothingToVary,
    /// A tag, a mark or a comment is not kept: its form is not the standard's, a tag of that name
    /// already has another value, there is no move or game that it belongs to, or there are too
    /// many.
    #[error("left out: {0:?}")]
    LeftOut(String),
    /// Variations are nested too deep.
    #[error("variations nested more than {0} deep")]
    TooDeep(usize),
    /// A move, mark or name is longer than the standard's longest line.
    #[error("a word of more than {0} characters")]
    LongWord(usize),
    /// The comments and tags of a game are too long.
    #[error("more than {0} characters of comments and tags")]
    TooMuchText(usize),
    /// A comment in braces has no end: it may have swallowed games.
    #[error("a comment without an end")]
    OpenComment,
    /// A variation has no end: it may have swallowed the result, or games.
    #[error("a variation without an end")]
    OpenVariation,
    /// A game has too many moves and variations.
    #[error("more than {0} moves and variations")]
    TooManyMoves(usize),
    /// The stream cannot be read.
    #[error("cannot read on: {0}")]
    Io(#[from] io::Error),
}

/// How much of a text that cannot be read is quoted, in characters.
const QUOTED: usize = 100;

/// The beginning of a text, for messages.
pub(crate) fn quote(text: &str) -> String {
    text.chars().take(QUOTED).collect()
}

/// What may be wrong with a text that is no move.
fn hint(text: &str, error: MoveError) -> &'static str {
    let is_german = error == MoveError::Unrecognised
        && text.starts_with(['S', 'L', 'T', 'D'])
        && text.contains(|letter: char| letter.is_ascii_digit());
    if is_german {
        "; German piece letters? PGN has N, B, R, Q for S, L, T, D"
    } else {
        ""
    }
}

impl Fault {
    /// A tag that cannot be kept.
    pub(crate) fn tag_left_out(name: &str, value: &str) -> Self {
        Self::LeftOut(quote(&format!("[{name} \"{value}\"]")))
    }

    /// Whether the game is kept, though part of it is lost.
    pub(crate) fn spares_the_game(&self, outlives_its_line: bool) -> bool {
        match self {
            Self::NothingToVary | Self::OpenVariation | Self::TooDeep(_) | Self::LeftOut(_) => true,
            Self::Move { .. } | Self::OpenComment | Self::LongWord(_) | Self::TooMuchText(_) => {
                outlives_its_line
            }
            _ => false,
        }
    }
}
