//! The modes of the protocol, as one value.

use std::time::Instant;

use orthrus_core::search::Limits;
use orthrus_core::types::Move;

use crate::edit::Editor;

/// The move that a search has found, and the reply it expects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BestMove {
    pub(crate) best: Option<Move>,
    pub(crate) ponder: Option<Move>,
}

/// What the engine is doing, as the protocol sees it.
///
/// ```text
///             force, result, undo
///     Force <------------------------- Waiting, Thinking, Pondering
///      |  ^                                        ^
/// analyze  exit                                    | new
///      v  |                 go                     |
///   Analysing      Force ----> Thinking     (any but Analysing)
///
///          playother               move of the user
///   Force -----------> Waiting ------------------------> Thinking
///                        ^  |                             |    ^
///          easy, or the  |  | our move is out, and        |    |
///          guess failed  |  v pondering is on             |    | the guess was played
///                     Pondering <-------------------------+    |
///                        |             our move is out         |
///                        +-------------------------------------+
///
///   Editing: from any mode but Paused by `edit`, back by `.`
///   Paused:  from any mode by `pause`, back by `resume` or any command that cannot wait for it
/// ```
///
/// A search left over from an earlier mode is stopped, and what it still reports is ignored.
#[derive(Clone, Debug)]
pub(crate) enum Mode {
    /// Moves are checked and made; the engine does not think.
    Force,
    /// The engine plays a side, and it is not its turn.
    Waiting,
    /// The engine thinks about its move, within these limits.
    Thinking {
        /// As they were when it began.
        limits: Box<Limits>,
        hurry: bool,
    },
    /// The engine thinks on the opponent's time.
    Pondering {
        /// The reply it expects; without one it thinks about the opponent's position.
        guess: Option<Move>,
        /// The limits foreseen for the search if the guess is right.
        limits: Box<Limits>,
    },
    /// The engine shows what it thinks of the position and plays no side.
    Analysing,
    /// A position is being set up by `edit`.
    Editing {
        editor: Box<Editor>,
        /// Where to return to: never `Thinking` or `Pondering`.
        before: Box<Self>,
    },
    /// Everything is suspended, the search included.
    Paused {
        /// What was going on.
        before: Box<Self>,
        since: Instant,
        /// The answer of a search that ended before it could be paused.
        answer: Option<BestMove>,
    },
    Ended,
}

impl Mode {
    /// What is going on, or was before the pause.
    pub(crate) fn unpaused(&self) -> &Self {
        match self {
            Self::Paused { before, .. } => before,
            mode => mode,
        }
    }
}
