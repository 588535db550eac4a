//! What the search learns about moves and evaluations, and the order of moves that follows.

pub(crate) mod correction;
pub(crate) mod history;
pub(crate) mod picker;
