//! Why a line was refused, completely or in part: the text of its `info string`.

use orthrus_core::engine::options::OptionError;
use orthrus_core::fen::FenError;
use orthrus_core::notation::MoveError;
use orthrus_core::position::PositionError;
use thiserror::Error;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum UciError {
    #[error("unknown command: {0} (help lists the commands)")]
    UnknownCommand(String),
    #[error("this is UCI; start the engine again for CECP")]
    OtherProtocol,
    #[error("debug takes on or off")]
    DebugSwitch,
    #[error("register takes later, or name and code")]
    Registration,
    #[error("setoption takes: name <option> [value <value>]")]
    OptionName,
    #[error("UCI_Opponent takes: <title>|none <elo>|none computer|human <name>; nothing changed")]
    Opponent,
    #[error(
        "UCI_SetPositionValue takes: <-{most} to {most}> + <fen> | clear + <fen> | clearall; \
         nothing changed"
    )]
    PositionValue { most: i32 },
    #[error("UCI_SetPositionValue: {0}; nothing changed")]
    ValuedPosition(FenError),
    #[error("flip refused: {0}; nothing changed")]
    Flip(PositionError),
    #[error("{0}; nothing changed")]
    Option(#[from] OptionError),
    #[error(
        "position refused: {0}; the one before stays on the board, but the next go is answered 0000 unless a good position comes first"
    )]
    Position(#[from] PositionRefusal),
}

/// Why a `position` was refused. It is applied completely or not at all.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum PositionRefusal {
    #[error("expected startpos or fen, got {0}")]
    NoStart(String),
    #[error("expected moves, got {0}")]
    NoMoves(String),
    #[error("{0}")]
    Fen(#[from] FenError),
    #[error("move {number}, {text}: {error}")]
    Move {
        /// Which one, from 1.
        number: usize,
        text: String,
        error: MoveError,
    },
}

/// What is wrong with a parameter of `go`. The others still count: every `go` is answered.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum GoFault {
    #[error("{0} needs a number; ignored")]
    MissingNumber(String),
    #[error("{parameter} needs a whole number, not {text}; ignored")]
    NotANumber {
        parameter: String,
        /// What follows instead.
        text: String,
    },
    #[error("searchmoves names no legal move; all are searched")]
    NoLegalSearchMove,
    #[error("searchmoves {text}: {error}; the other moves count")]
    SearchMove { text: String, error: MoveError },
}
