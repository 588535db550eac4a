//! ProbCut (Michael Buro): what a shallow search says about a raised beta, a deep one will most
//! likely say about beta.

use super::bound::Bound;
use super::move_picker::MovePicker;
use super::negamax::{NodeInfo, Task, ZeroWindow};
use super::params;
use super::quiescence::QuietChecks;
use super::shared::Shared;
use super::tt::Entry;
use super::worker::Worker;
use crate::types::{Move, Score};

impl Worker {
    /// Searches captures at reduced depth against a raised beta; the score of the first fail high.
    pub(super) fn probcut(&mut self, node: &NodeInfo, shared: &Shared) -> Option<Score> {
        let Task {
            beta,
            depth,
            ply,
            cut_node,
        } = node.task;
        let raised = beta + params::probcut_margin()
            - params::probcut_improving_margin() * i32::from(node.improving);
        let reduced = depth - params::probcut_reduction();
        let known_to_fail = node.tt_entry.is_some_and(|entry| {
            entry.depth >= reduced && entry.bound.is_some() && entry.score < raised
        });
        if depth < params::probcut_min_depth() || known_to_fail || raised.is_decided() {
            return None;
        }
        let missing = raised - node.evaluation;
        let mut picker = MovePicker::tactical(node.tt_move);
        while let Some(mv) = picker.next(&self.position, &self.histories) {
            // The picker yields moves that lose no material, and the table move even if it does.
            let is_unsure = missing > 0 || Some(mv) == node.tt_move;
            if is_unsure && !self.position.see_at_least(mv, missing) {
                continue;
            }
            let score = self.try_capture(mv, raised, reduced, ply, cut_node, shared);
            if self.aborted {
                return None;
            }
            if score >= raised {
                let entry = Entry {
                    mv: Some(mv),
                    score,
                    evaluation: Some(node.raw_evaluation),
                    depth: reduced + 1,
                    bound: Some(Bound::Lower),
                    was_pv: node.was_pv,
                };
                shared.tt.store(self.position.key(), ply, entry);
                return Some(score);
            }
        }
        None
    }

    /// Searches one capture against `raised`: in quiescence first, then at `reduced` depth.
    fn try_capture(
        &mut self,
        mv: Move,
        raised: Score,
        reduced: i32,
        ply: usize,
        cut_node: bool,
        shared: &Shared,
    ) -> Score {
        let (alpha, beta) = (-raised, -raised + 1);
        self.make_move(mv, ply, shared);
        let mut score =
            -self.quiescence::<ZeroWindow>(alpha, beta, ply + 1, QuietChecks::Never, shared);
        if score >= raised && reduced > 0 {
            let next = ply + 1;
            score = -self.negamax::<ZeroWindow>(alpha, beta, reduced, next, !cut_node, shared);
        }
        self.unmake_move();
        score
    }
}
