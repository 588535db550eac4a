//! What a search is told beside its limits.

use std::time::Duration;

/// How to search, as options say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    /// Time kept back from the clock with every move.
    pub overhead: Duration,
    /// Number of lines to report, at least 1.
    pub multi_pv: usize,
    /// How much the side at the root dislikes a draw, in centipawns: it scores one as so much
    /// less than nothing, and as so much more for the opponent.
    pub contempt: i32,
    /// Whether somebody analyses and nobody plays: then the search prunes less near the root, which
    /// sees sacrifices sooner and costs depth.
    pub analysis: bool,
    /// Whether to report what refutes each root move.
    pub refutations: bool,
    /// Whether every thread shows the line it is at.
    pub current_lines: bool,
}

impl Default for SearchSettings {
    /// A game: one line, no contempt, nothing kept back and nothing shown.
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
