//! The moves at the root, with what is known of each.

use super::report::Bound;
use crate::position::Position;
use crate::types::{Move, Score};

/// One move at the root.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// Score in this iteration, or the last one it was searched in; -infinite if it has never
    /// been better than the lines reported.
    pub(super) score: Score,
    pub(super) bound: Bound,
    /// Exact score of an earlier iteration, for when this one was broken off.
    pub(super) last_exact: Option<Score>,
    /// The line that begins with the move.
    pub(super) pv: Vec<Move>,
    pub(super) seldepth: u32,
    /// Nodes spent below it since the search began.
    pub(super) nodes: u64,
}

impl RootMove {
    fn new(mv: Move) -> Self {
        Self {
            mv,
            score: -Score::INFINITE,
            bound: Bound::Exact,
            last_exact: None,
            pv: vec![mv],
            seldepth: 0,
            nodes: 0,
        }
    }

    /// The best exact statement about the move.
    pub(super) fn settled_score(&self) -> Score {
        match (self.bound, self.last_exact) {
            (Bound::Exact, _) | (_, None) => self.score,
            (_, Some(exact)) => exact,
        }
    }
}

/// The legal moves of a position, or those among `wanted` if that names any.
pub(super) fn root_moves(position: &Position, wanted: &[Move]) -> Vec<RootMove> {
    let legal = position.legal_moves();
    let chosen = legal
        .iter()
        .filter(|mv| wanted.is_empty() || wanted.contains(mv));
    chosen.map(|&mv| RootMove::new(mv)).collect()
}
