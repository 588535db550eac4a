//! Pruning: nodes settled without searching their moves, and moves skipped. The conditions and
//! margins are small pure functions at the end.

use super::history::{self, Situation};
use super::lmr;
use super::move_picker::MovePicker;
use super::negamax::{NodeInfo, Task, ZeroWindow};
use super::params;
use super::shared::Shared;
use super::worker::Worker;
use crate::types::{Move, Score};

/// A running search that verifies a null move cut-off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verification {
    /// Ply of the node. It must not be pruned in another way, or nothing would be verified.
    ply: usize,
    /// No null move before this ply.
    until: usize,
}

impl Worker {
    /// Tries to settle a non-PV node without searching its moves.
    pub(super) fn prune_node(
        &mut self,
        node: &NodeInfo,
        alpha: Score,
        shared: &Shared,
    ) -> Option<Score> {
        let Task {
            beta,
            depth,
            ply,
            cut_node,
        } = node.task;
        let is_verified = self.verification.is_some_and(|it| it.ply == ply);
        if ply < self.first_prunable_ply
            || is_verified
            || node.in_check
            || beta.is_decided()
            || alpha.is_decided()
        {
            return None;
        }
        // The table's score is a better estimate if its bound points in the right direction.
        let estimate = node
            .tt_entry
            .map_or(node.evaluation, |entry| entry.refine(node.evaluation));
        if reverse_futility(estimate, beta, depth, node.improving) {
            return Some(estimate);
        }
        let passed = if cut_node && null_move_sensible(estimate, node.evaluation, beta, depth) {
            self.null_move(node.task, estimate, shared)
        } else {
            None
        };
        passed.or_else(|| self.probcut(node, shared))
    }

    /// Null move pruning (Don Beal; Chrilly Donninger): if we are still above beta after passing, a
    /// real move will be too. Not with pawns alone, because of zugzwang; at high depth a search
    /// without null moves verifies it (Tord Romstad).
    fn null_move(&mut self, task: Task, estimate: Score, shared: &Shared) -> Option<Score> {
        let Task {
            beta, depth, ply, ..
        } = task;
        let after_null = ply
            .checked_sub(1)
            .is_some_and(|ply| self.frames[ply].moved.is_none());
        if after_null
            || self.verification.is_some_and(|it| ply < it.until)
            || !self.position.has_non_pawn_material()
        {
            return None;
        }
        let reduced = depth - null_move_reduction(estimate, beta, depth);
        self.make_null_move(ply, shared);
        let score = -self.negamax::<ZeroWindow>(-beta, -beta + 1, reduced, ply + 1, false, shared);
        self.unmake_move();
        if self.aborted || score < beta {
            return None;
        }
        if depth >= params::null_move_verification_min_depth()
            && self.verification.is_none()
            && !self.verify(beta, reduced, ply, shared)
        {
            return None;
        }
        // A win found after a null move is not proved.
        Some(if score.is_decided() { beta } else { score })
    }

    /// Whether beta holds without null moves at the next plies: in zugzwang it does not.
    fn verify(&mut self, beta: Score, reduced: i32, ply: usize, shared: &Shared) -> bool {
        let until = ply + 1 + reduced.max(0) as usize * 3 / 4;
        self.verification = Some(Verification { ply, until });
        let score = self.negamax::<ZeroWindow>(beta - 1, beta, reduced, ply, false, shared);
        self.verification = None;
        score >= beta
    }

    /// Late move pruning: whether the remaining quiet moves can be skipped after this many moves.
    /// Not with pawns alone: there the best move may look bad.
    pub(super) fn has_tried_enough(&self, node: &NodeInfo, number: usize) -> bool {
        late_move(number + 1, node.task.depth, node.improving)
            && self.position.has_non_pawn_material()
    }

    /// Shallow pruning of moves: whether `mv`, the last from the picker, will hardly raise alpha.
    /// Not with pawns alone.
    pub(super) fn is_futile(
        &self,
        mv: Move,
        number: usize,
        picker: &MovePicker,
        node: &NodeInfo,
        alpha: Score,
        situation: &Situation,
    ) -> bool {
        if !self.position.has_non_pawn_material() {
            return false;
        }
        let depth = node.task.depth;
        if mv.is_tactical() {
            let margin = params::exchange_capture_margin() * depth;
            return !picker.is_at_good_tactical()
                && depth <= params::exchange_max_depth()
                && !self.position.see_at_least(mv, -margin);
        }
        // The depth less the base late move reduction.
        let depth = (depth - self.reductions.grains(depth, number) / lmr::GRAIN).max(0);
        let futile = !node.in_check
            && futile(node.evaluation, alpha, depth, || {
                self.move_history(mv, situation)
            })
            && !picker.gives_check(&self.position, mv);
        let loses = || {
            let margin = params::exchange_quiet_margin() * depth;
            depth <= params::exchange_max_depth()
                && situation.can_be_answered(mv)
                && !self.position.see_at_least(mv, -margin)
        };
        futile || loses()
    }
}

/// The first ply at which whole nodes may be pruned in an iteration of `root_depth`.
///
/// In analysis a sacrifice near the root has to be answered by real moves: the side that accepted
/// it is so far ahead that static evaluation and null move would hide the threat for many plies.
/// This costs a third more nodes to a given depth, which does not pay in games.
pub(super) fn first_prunable_ply(analysis: bool, root_depth: i32) -> usize {
    if !analysis {
        return 0;
    }
    let plies = root_depth * params::analysis_pruning_from() / 100;
    plies.min(params::analysis_pruning_latest()) as usize + 1
}

/// Reverse futility (static null move) pruning: so far above beta that no reply matters.
#[inline]
fn reverse_futility(estimate: Score, beta: Score, depth: i32, improving: bool) -> bool {
    let margin = params::reverse_futility_margin() * (depth - i32::from(improving));
    depth <= params::reverse_futility_max_depth()
        && !estimate.is_decided()
        && estimate - margin >= beta
}

/// Whether a null move may prove anything here.
#[inline]
fn null_move_sensible(estimate: Score, evaluation: Score, beta: Score, depth: i32) -> bool {
    depth >= params::null_move_min_depth()
        && estimate >= beta
        && evaluation >= beta - params::null_move_evaluation_margin() * depth
}

/// Plies by which the search after a null move is shallower: more when deep or far above beta.
#[inline]
fn null_move_reduction(estimate: Score, beta: Score, depth: i32) -> i32 {
    params::null_move_reduction()
        + depth / params::null_move_depth_divisor()
        + ((estimate - beta) / params::null_move_surplus_divisor()).clamp(0, 3)
}

/// Whether a move with this number is late enough to be pruned at this depth.
#[inline]
fn late_move(number: usize, depth: i32, improving: bool) -> bool {
    let growth = params::late_move_growth() * depth * depth / 100;
    let allowed = (params::late_move_base() + growth) / (2 - i32::from(improving));
    depth <= params::late_move_max_depth() && number as i32 > allowed
}

/// Futility pruning: a quiet move will not make up the deficit, one with a bad history even less.
/// `history` is only called if it can decide.
#[inline]
fn futile(evaluation: Score, alpha: Score, depth: i32, history: impl FnOnce() -> i32) -> bool {
    let divisor = params::futility_history_divisor();
    let margin = params::futility_base() + params::futility_margin() * depth;
    let missing = alpha - evaluation - margin;
    depth <= params::futility_max_depth()
        && missing >= -history::max_quiet() / divisor
        && missing >= history() / divisor
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn analysis_prunes_after_a_third_of_the_depth_or_some_plies_and_games_at_once() {
        for (root_depth, first) in [(1, 1), (10, 4), (20, 7), (100, 7)] {
            assert_eq!(first_prunable_ply(true, root_depth), first);
            assert_eq!(first_prunable_ply(false, root_depth), 0);
        }
    }
}
