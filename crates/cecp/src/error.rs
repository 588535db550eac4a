//! Why a line was refused, in words that no client mistakes for something else.
//!
//! XBoard searches error lines for command names and for the texts of a failed start, so the
//! messages here are fixed and contain nothing that a user typed.

use orthrus_core::engine::options::OptionError;
use thiserror::Error;

/// The reason in `Error (REASON): COMMAND` (section 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum CommandError {
    #[error("unknown command")]
    Unknown,
    #[error("command not legal now")]
    NotNow,
    #[error("too few parameters")]
    MissingParameter,
    #[error("too many parameters")]
    ExtraParameter,
    #[error("malformed parameter")]
    Malformed,
    #[error("ambiguous move")]
    AmbiguousMove,
    #[error("no such move here")]
    NoSuchMove,
    #[error("unsupported variant")]
    UnsupportedVariant,
    #[error("unsupported table format")]
    UnsupportedTables,
    #[error("no such option")]
    NoSuchOption,
    #[error("value outside {min} to {max}")]
    OutOfRange { min: i64, max: i64 },
}

impl From<OptionError> for CommandError {
    fn from(error: OptionError) -> Self {
        match error {
            OptionError::Unknown(_) => Self::NoSuchOption,
            OptionError::MissingValue(_) => Self::MissingParameter,
            OptionError::OutOfRange { min, max, .. } => Self::OutOfRange { min, max },
            OptionError::Malformed { .. } => Self::Malformed,
        }
    }
}

/// The reason in `Illegal move (REASON): MOVE` (section 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum IllegalMove {
    #[error("in check")]
    InCheck,
    #[error("moving into check")]
    IntoCheck,
    #[error("a capture is compulsory")]
    MustCapture,
    #[error("out of turn")]
    OutOfTurn,
    #[error("no legal position")]
    NoPosition,
    #[error("no move given")]
    Missing,
    #[error("impossible")]
    Impossible,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum Refusal {
    #[error(transparent)]
    Command(#[from] CommandError),
    #[error(transparent)]
    Move(#[from] IllegalMove),
}
