//! Iterative deepening: one search after another, each a ply deeper and ordered by the last.

use super::bound::Bound;
use super::negamax::Root;
use super::params;
use super::pruning::first_prunable_ply;
use super::pv::lines_deadline;
use super::report::SearchInfo;
use super::root::RootMove;
use super::shared::Shared;
use super::time::Stability;
use super::worker::{Report, Worker};
use crate::types::{MAX_PLY, Score};
use std::time::{Duration, Instant};

/// Scores that are only bounds are reported once a search has lasted this long.
const REPORT_BOUNDS_AFTER: Duration = Duration::from_secs(3);

impl Worker {
    /// Deepens until a limit is reached. There is at least one root move.
    pub(super) fn iterate(&mut self, shared: &Shared) {
        match shared.limits.mate {
            Some(moves) => self.search_mate(moves, shared),
            None => self.deepen(MAX_PLY as i32 - 1, shared),
        }
        if self.is_main() {
            // The other threads stop with the main one.
            shared.stop.stop();
        }
    }

    /// Deepens until a limit or this depth in plies is reached.
    pub(super) fn deepen(&mut self, max_depth: i32, shared: &Shared) {
        let limit = shared
            .limits
            .depth
            .map_or(max_depth, |depth| depth.min(MAX_PLY as u32) as i32);
        let max_depth = limit.clamp(1, max_depth);
        let mut stability = Stability::default();
        for depth in 1..=max_depth {
            self.root_depth = depth;
            self.first_prunable_ply = first_prunable_ply(shared.settings.analysis, depth);
            self.search_lines(shared);
            if self.aborted {
                self.repeat_lines(shared);
                break;
            }
            self.completed_depth = depth;
            self.note_candidates(shared);
            if self.is_main() {
                self.report_lines(&self.root_moves, shared);
                let best = &self.root_moves[0];
                stability.update(best.mv, best.score);
                if self.is_enough(shared, &stability) {
                    break;
                }
            }
        }
    }

    /// Searches the wanted number of lines at the current depth and sorts the best to the front.
    fn search_lines(&mut self, shared: &Shared) {
        self.seldepth = 0;
        for index in 0..shared.lines().min(self.root_moves.len()) {
            self.pv_index = index;
            self.search_window(shared);
            // Stable, so that moves of equal score keep their order.
            self.root_moves[index..].sort_by_key(RootMove::order);
            self.root_moves[..=index].sort_by_key(RootMove::order);
            if self.aborted {
                return;
            }
        }
    }

    /// Searches one line with an aspiration window: narrow around the last score, widened on the
    /// side where the search falls out of it.
    fn search_window(&mut self, shared: &Shared) {
        let depth = self.root_depth;
        let last = self.root_moves[self.pv_index].last_exact.as_ref();
        let expected = last.map(|found| found.score);
        let mut width = params::aspiration_window();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if let Some(expected) = expected.filter(|_| depth >= params::aspiration_min_depth()) {
            alpha = widened(expected, -width);
            beta = widened(expected, width);
        }
        loop {
            let score = self.negamax::<Root>(alpha, beta, depth, 0, false, shared);
            if self.aborted {
                return;
            }
            self.root_moves[self.pv_index..].sort_by_key(RootMove::order);
            let best = &mut self.root_moves[self.pv_index];
            if score <= alpha {
                best.bound = Bound::Upper;
                beta =
                    Score::from_value(i32::midpoint(alpha.value(), beta.value())).unwrap_or(beta);
                alpha = widened(score, -width);
            } else if score >= beta {
                best.bound = Bound::Lower;
                beta = widened(score, width);
            } else {
                best.note_exact();
                return;
            }
            width += width / 2;
            let alone = self.pv_index == 0 && shared.settings.multi_pv == 1;
            if self.is_main() && alone && shared.clock.elapsed() >= REPORT_BOUNDS_AFTER {
                self.report_bound(shared);
            }
        }
    }

    /// Keeps the lines of a complete iteration if there are several: as the answer if the next one
    /// is aborted, whose lines do not fit together, and as the choice of a limited strength.
    fn note_candidates(&mut self, shared: &Shared) {
        if shared.lines() > 1 {
            let lines = shared.lines().min(self.root_moves.len());
            self.candidates.clear();
            self.candidates.extend_from_slice(&self.root_moves[..lines]);
        }
    }

    /// Reports the lines of the last complete iteration again, as those reported of an aborted one
    /// do not fit together with them.
    fn repeat_lines(&mut self, shared: &Shared) {
        if self.is_main() && shared.settings.multi_pv > 1 && self.completed_depth > 0 {
            self.root_depth = self.completed_depth;
            self.report_lines(&self.candidates, shared);
        }
    }

    /// Below full strength: moves the chosen move to the front. If several lines are shown, they
    /// are reported once more in this order, so that the last report agrees with the answer.
    pub(super) fn bring_choice_forward(&mut self, shared: &Shared) {
        let Some(handicap) = &shared.handicap else {
            return;
        };
        let choice = handicap.choose(&self.candidates);
        if choice > 0 {
            self.candidates[..=choice].rotate_right(1);
            self.repeat_lines(shared);
        }
    }

    /// Reports the wanted number of these lines, best first.
    pub(super) fn report_lines(&self, lines: &[RootMove], shared: &Shared) {
        shared.set_counters(self.index, self.nodes, self.tbhits);
        let deadline = lines_deadline(shared);
        for (rank, root) in lines.iter().take(shared.settings.multi_pv).enumerate() {
            // A move that was only found to be worse has no score to report.
            if root.score != -Score::INFINITE {
                (self.report)(Report::Info(self.info(shared, rank, root, deadline)));
            }
        }
    }

    /// The report on one root move.
    fn info(&self, shared: &Shared, rank: usize, root: &RootMove, deadline: Instant) -> SearchInfo {
        SearchInfo {
            depth: self.root_depth.max(1) as u32,
            seldepth: root.seldepth,
            multipv: rank + 1,
            score: root.shown(root.score),
            bound: root.bound,
            nodes: shared.nodes(),
            time: shared.clock.elapsed(),
            hashfull: shared.tt.hashfull(),
            tbhits: shared.tbhits(),
            pv: self.line_so_far(root, deadline, shared),
        }
    }

    fn report_bound(&self, shared: &Shared) {
        shared.set_counters(self.index, self.nodes, self.tbhits);
        let root = &self.root_moves[self.pv_index];
        let info = self.info(shared, self.pv_index, root, lines_deadline(shared));
        (self.report)(Report::Info(info));
    }

    /// Whether the main thread should begin no further iteration.
    fn is_enough(&self, shared: &Shared, stability: &Stability) -> bool {
        let best = &self.root_moves[0];
        let limits = &shared.limits;
        if limits
            .soft_nodes
            .is_some_and(|nodes| shared.nodes() >= nodes)
        {
            return true;
        }
        if limits.elastic_nodes.is_none() && !shared.clock.may_save_time() {
            return false;
        }
        // A forced move, or a mate that deeper search cannot shorten, needs no more thought.
        let plies = best.score.mate_plies().map(i32::abs);
        let factor = stability.factor(best.nodes as f64 / self.nodes.max(1) as f64);
        let settled = self.root_moves.len() == 1
            || plies.is_some_and(|plies| self.root_depth >= 2 * plies + 2)
            || shared.clock.is_past_soft_limit(factor)
            || limits
                .elastic_nodes
                .is_some_and(|soft| shared.nodes() as f64 >= soft as f64 * factor);
        shared.clock.settle(settled);
        shared.clock.is_over()
    }
}

/// A score moved by `width`, within the range of scores; beyond a certain width the window is
/// opened fully.
fn widened(score: Score, width: i32) -> Score {
    const WIDE: i32 = 1000;
    let open = if width < 0 {
        -Score::INFINITE
    } else {
        Score::INFINITE
    };
    if width.abs() > WIDE {
        return open;
    }
    Score::from_value(score.value() + width).unwrap_or(open)
}
