//! The moves at the root, with what is known of each.

use std::cmp::Reverse;

use super::report::Bound;
use super::worker::Worker;
use crate::position::Position;
use crate::types::{Move, Score};

/// One move at the root.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// What endgame tables say of it, larger is better; 0 for all if they say nothing.
    pub(super) rank: i32,
    /// Its score by endgame tables.
    pub(super) known: Option<Score>,
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
            rank: 0,
            known: None,
            score: -Score::INFINITE,
            bound: Bound::Exact,
            last_exact: None,
            pv: vec![mv],
            seldepth: 0,
            nodes: 0,
        }
    }

    /// What to answer of the move: where it has just failed low, what it was worth before. A move
    /// that has just failed high may not have been the best for many iterations.
    pub(super) fn settled_score(&self) -> Score {
        self.shown(match (self.bound, self.last_exact) {
            (Bound::Upper, Some(exact)) => exact,
            // Broken off before even the first move was searched.
            _ if self.score == -Score::INFINITE => Score::DRAW,
            _ => self.score,
        })
    }

    /// What to tell of a score found by searching: that of the tables if they know the move, but
    /// for a mate they do not see.
    pub(super) fn shown(&self, found: Score) -> Score {
        match self.known {
            Some(known) if !(found.is_mate() && known.is_decided()) => known,
            _ => found,
        }
    }

    /// By what root moves are ordered: the tables first, then the search.
    pub(super) fn order(&self) -> Reverse<(i32, Score)> {
        Reverse((self.rank, self.score))
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

impl Worker {
    /// The root move with this number after the lines that are done, in the order of the last
    /// iteration; `None` at the end, also of those that endgame tables rank like the first.
    pub(super) fn root_move(&self, number: usize) -> Option<Move> {
        let first = self.root_moves.get(self.pv_index)?;
        let root = self.root_moves.get(self.pv_index + number)?;
        (root.rank == first.rank).then_some(root.mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_was_never_searched_is_no_mate() {
        let root = RootMove::new(Position::startpos().legal_moves()[0]);
        assert_eq!(root.settled_score(), Score::DRAW);
    }

    #[test]
    fn an_old_score_answers_for_a_failure_low_only() {
        let mut root = RootMove::new(Position::startpos().legal_moves()[0]);
        root.last_exact = Some(Score::centipawns(35));
        root.score = Score::centipawns(-100);
        for (bound, expected) in [
            (Bound::Exact, -100),
            (Bound::Lower, -100),
            (Bound::Upper, 35),
        ] {
            root.bound = bound;
            assert_eq!(
                root.settled_score(),
                Score::centipawns(expected),
                "{bound:?}"
            );
        }
    }
}
