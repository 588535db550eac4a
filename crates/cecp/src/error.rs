//! Why a line was refused, in words that no client mistakes for something else.
//!
//! XBoard searches error lines for command names and for the texts of a failed start, so the
//! messages here are fixed and contain nothing that a user typed.

use orthrus_core::engine::options::OptionError;
use thiserror::Error;

/// The reason in `Error (REASON): COMMAND` (section 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum CommandError {
    /// Neither a command nor a move.
    #[error("unknown command")]
    Unknown,
    /// The command exists, but not in this mode.
    #[error("command not legal now")]
    NotNow,
    /// An argument is missing.
    #[error("too few parameters")]
    MissingParameter,
    /// There are more arguments than the command takes.
    #[error("too many parameters")]
    ExtraParameter,
    /// An argument is malformed.
    #[error("malformed parameter")]
    Malformed,
    /// Several legal moves fit.
    #[error("ambiguous move")]
    AmbiguousMove,
    /// A move to exclude or include is not legal here.
    #[error("no such move here")]
    NoSuchMove,
    /// This variant is not played.
    #[error("unsupported variant")]
    UnsupportedVariant,
    /// Tables of this format are not read.
    #[error("unsupported table format")]
    UnsupportedTables,
    /// There is no option of this name.
    #[error("no such option")]
    NoSuchOption,
    /// The number is too small or too large.
    #[error("value outside {min} to {max}")]
    OutOfRange {
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
}

impl From<OptionError> for CommandError {
    fn from(error: OptionError) -> Self {
        match error {
            OptionError::Unknown(_) => Self::NoSuchOption,
            OptionError::MissingValue(_) => Self::MissingParameter,
            OptionError::OutOfRange { min, max, .. } => Self::OutOfRange { min, max },
            OptionError::NotACheck { .. }
            | OptionError::NotANumber { .. }
            | OptionError::NotAChoice { .. } => Self::Malformed,
        }
    }
}

/// The reason in `Illegal move (REASON): MOVE` (section 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum IllegalMove {
    /// The king stays in check.
    #[error("in check")]
    InCheck,
    /// The king comes into check.
    #[error("moving into check")]
    IntoCheck,
    /// It is the engine's turn.
    #[error("out of turn")]
    OutOfTurn,
    /// The last set-up was refused; there is no position to move in.
    #[error("no legal position")]
    NoPosition,
    /// No other reason applies: the piece does not move like this, or it is no move at all.
    #[error("impossible")]
    Impossible,
}

/// Why a line was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum Refusal {
    /// The command was refused.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// It was an illegal move.
    #[error(transparent)]
    Move(#[from] IllegalMove),
}
