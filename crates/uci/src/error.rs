//! Why a line was refused, completely or in part: the text of its `info string`.

use orthrus_core::engine::options::OptionError;
use orthrus_core::fen::FenError;
use orthrus_core::notation::MoveError;
use thiserror::Error;

/// Why a line was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum UciError {
    /// No word of the line is a command.
    #[error("unknown command: {0} (help lists the commands)")]
    UnknownCommand(String),
    /// A line that begins CECP, after UCI has begun.
    #[error("this is UCI; start the engine again for CECP")]
    OtherProtocol,
    /// `debug` is not followed by a switch.
    #[error("debug takes on or off")]
    DebugSwitch,
    /// `register` is followed by none of its words.
    #[error("register takes later, or name and code")]
    Registration,
    /// `setoption` does not name an option.
    #[error("setoption takes: name <option> [value <value>]")]
    OptionName,
    /// The value of `UCI_Opponent` is malformed.
    #[error("UCI_Opponent takes: <title>|none <elo>|none computer|human <name>; nothing changed")]
    Opponent,
    /// The value of `UCI_SetPositionValue` begins neither with a number in range nor with its
    /// words.
    #[error(
        "UCI_SetPositionValue takes: <-{most} to {most}> + <fen> | clear + <fen> | clearall; \
         nothing changed"
    )]
    PositionValue {
        /// The largest value.
        most: i32,
    },
    /// The FEN in `UCI_SetPositionValue` is invalid.
    #[error("UCI_SetPositionValue: {0}; nothing changed")]
    ValuedPosition(FenError),
    /// The option does not exist or does not take the value.
    #[error("{0}; nothing changed")]
    Option(#[from] OptionError),
    /// The position was refused.
    #[error(
        "position refused: {0}; the one before stays on the board, but the next go is answered 0000 unless a good position comes first"
    )]
    Position(#[from] PositionRefusal),
}

/// Why a `position` was refused. It is applied completely or not at all.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum PositionRefusal {
    /// Neither `startpos` nor `fen` follows.
    #[error("expected startpos or fen, got {0}")]
    NoStart(String),
    /// Something other than `moves` follows the start position.
    #[error("expected moves, got {0}")]
    NoMoves(String),
    /// The FEN is wrong.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// A move cannot be played.
    #[error("move {number}, {text}: {error}")]
    Move {
        /// Which one, from 1.
        number: usize,
        /// As it was sent.
        text: String,
        /// What is wrong with it.
        error: MoveError,
    },
}

/// What is wrong with a parameter of `go`. The others still count: every `go` is answered.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum GoFault {
    /// The line ends where a number is expected.
    #[error("{0} needs a number; ignored")]
    MissingNumber(String),
    /// A number is expected, and something else follows.
    #[error("{parameter} needs a whole number, not {text}; ignored")]
    NotANumber {
        /// The parameter.
        parameter: String,
        /// What follows instead.
        text: String,
    },
    /// No move of `searchmoves` is legal.
    #[error("searchmoves names no legal move; all are searched")]
    NoLegalSearchMove,
    /// A move of `searchmoves` is not legal.
    #[error("searchmoves {text}: {error}; the other moves count")]
    SearchMove {
        /// As it was sent.
        text: String,
        /// What is wrong with it.
        error: MoveError,
    },
}
