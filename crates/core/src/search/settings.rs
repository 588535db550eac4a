//! The settings of a search besides its limits.

use super::time::Overhead;

/// How to search, as set by options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SearchSettings {
    /// What is lost with every move.
    pub overhead: Overhead,
    /// Number of lines to report; with 0 nobody takes reports, and none are made. Of searches as
    /// short as those of self-play they would be a noticeable part.
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
            overhead: Overhead::default(),
            multi_pv: 1,
            contempt: 0,
            analysis: false,
            refutations: false,
            current_lines: false,
        }
    }
}
