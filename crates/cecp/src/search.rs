//! The search that somebody waits for.

use orthrus_core::position::Position;
use orthrus_core::search::SearchId;
use orthrus_core::types::Move;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// What the mode is for: a move, pondering, analysis.
    Mode,
    /// The user, who asked for a hint.
    Hint,
}

#[derive(Clone, Debug)]
pub(crate) struct Search {
    pub(crate) id: SearchId,
    pub(crate) purpose: Purpose,
    pub(crate) root: Position,
}

impl Search {
    /// The move, if it is legal where the search began.
    pub(crate) fn legal(&self, mv: Move) -> Option<Move> {
        self.root.is_legal(mv).then_some(mv)
    }
}
