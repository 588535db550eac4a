//! The settings of a search besides its limits.

use std::time::Duration;

/// How to search, as set by options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SearchSettings {
    /// Time reserved for overhead with every move.
    pub overhead: Duration,
    /// Number of lines to report, at least 1.
    pub multi_pv: usize,
    /// Contempt of the side at the root, in centipawns: a draw scores minus this for it, and plus
    /// this for the opponent.
    pub contempt: i32,
    /// Whether this is analysis and not a game: then the search prunes less near the root, which
    /// sees sacrifices sooner and costs depth.
    pub analysis: bool,
    /// Whether to report the refutation of each root move.
    pub refutations: bool,
    /// Whether to show the current line of every thread.
    pub current_lines: bool,
}

impl Default for SearchSettings {
    /// A game: one line, no contempt, no overhead, and nothing more shown.
    fn default() -> Self {
        Self {
            overhead: Duration::ZERO,
            multi_pv: 1,
            contempt: 0,
            analysis: false,
            refutations: false,
            current_lines: false,
        }
    }
}
