//! The move loop of one node: how deep and with which window each move is searched, and what its
//! score teaches.

use super::bound::Bound;
use super::history::Situation;
use super::lmr;
use super::move_picker::MovePicker;
use super::negamax::{Node, NodeInfo, Pv, Task, ZeroWindow};
use super::params;
use super::shared::Shared;
use super::singular::Singularity;
use super::tt::Entry;
use super::worker::Worker;
use crate::types::{Move, Score};
use arrayvec::ArrayVec;

/// Moves of a node that did not fail high, to be blamed when a later one does.
type Tried = ArrayVec<Move, 64>;

/// The move being searched.
struct Step {
    mv: Move,
    /// Counted from 1, in the order of searching.
    number: usize,
    /// Plies of extension; negative for a reduction.
    extension: i32,
}

/// The best of the moves searched so far.
#[derive(Clone, Copy)]
struct Best {
    score: Score,
    /// The move that raised alpha, if one did.
    mv: Option<Move>,
    bound: Bound,
}

impl Best {
    fn none() -> Self {
        Self {
            score: -Score::INFINITE,
            mv: None,
            bound: Bound::Upper,
        }
    }
}

impl Worker {
    /// Searches the moves of a node, best first.
    pub(super) fn search_moves<N: Node>(
        &mut self,
        node: &NodeInfo,
        mut alpha: Score,
        shared: &Shared,
    ) -> Score {
        let Task {
            beta, depth, ply, ..
        } = node.task;
        let excluded = self.frames[ply].excluded;
        self.note_threats(ply);
        let situation = self.situation(ply);
        let mut picker = MovePicker::new(node.tt_move, situation);
        let mut best = Best::none();
        let mut number = 0;
        let mut tried_quiets = Tried::new();
        let mut tried_captures = Tried::new();

        loop {
            if !N::ROOT && !best.score.is_loss() && self.has_tried_enough(node, number) {
                picker.skip_quiets();
            }
            let Some(mv) = self.next_move::<N>(&mut picker, number) else {
                break;
            };
            if Some(mv) == excluded {
                continue;
            }
            number += 1;
            if !N::ROOT
                && !best.score.is_loss()
                && self.is_futile(mv, number, &picker, node, alpha, &situation)
            {
                continue;
            }
            if N::ROOT {
                self.announce(self.pv_index + number, mv, shared);
            }
            let extension = match self.singularity::<N>(mv, node, shared) {
                Singularity::Extend(plies) => plies,
                Singularity::CutOff(score) => return score,
            };
            let nodes_before = self.nodes;
            let step = Step {
                mv,
                number,
                extension,
            };
            let score = self.search_move::<N>(&step, node, &situation, alpha, shared);
            if self.aborted {
                return best.score;
            }
            if N::ROOT {
                let bound = match score {
                    _ if score >= beta => Some(Bound::Lower),
                    _ if score > alpha => Some(Bound::Exact),
                    // The first move failed low: its score is an upper bound.
                    _ => (number == 1).then_some(Bound::Upper),
                };
                self.note_root_move(mv, score, bound, nodes_before);
                self.announce_refutation(mv, shared);
            }
            if score > best.score {
                best.score = score;
                if score > alpha {
                    best.mv = Some(mv);
                    if N::PV {
                        self.pv.update(ply, mv);
                    }
                    if score >= beta {
                        best.bound = Bound::Lower;
                        self.reward(mv, depth, &situation, &tried_quiets, &tried_captures);
                        break;
                    }
                    best.bound = Bound::Exact;
                    alpha = score;
                }
            }
            let tried = if mv.is_tactical() {
                &mut tried_captures
            } else {
                &mut tried_quiets
            };
            // Moves beyond the capacity are not blamed.
            let _ = tried.try_push(mv);
        }

        if excluded.is_some() {
            return if number == 0 { alpha } else { best.score };
        }
        if number == 0 {
            return if node.in_check {
                Score::mated_in(ply)
            } else {
                self.draw_score()
            };
        }
        (best.score, best.bound) = node.known.confine(best.score, best.bound);
        // A search of only some root moves says nothing about the position.
        let all_moves = !N::ROOT || self.pv_index == 0 && shared.limits.search_moves.is_empty();
        if all_moves {
            self.keep(node, best, shared);
        }
        best.score
    }

    /// Makes a move, searches the position after it and takes it back. Moves after the first are
    /// searched with a zero window, late ones at reduced depth, and again if they beat alpha.
    fn search_move<N: Node>(
        &mut self,
        step: &Step,
        node: &NodeInfo,
        situation: &Situation,
        alpha: Score,
        shared: &Shared,
    ) -> Score {
        let Task {
            beta,
            depth,
            ply,
            cut_node,
        } = node.task;
        let is_late = depth >= params::late_reduction_min_depth()
            && step.number as i32 > params::late_reduction_min_move() + i32::from(N::ROOT);
        // Looked up before the move is made.
        let history = is_late.then(|| self.move_history(step.mv, situation));
        self.make_move(step.mv, ply, shared);
        self.frames[ply + 1].double_extensions += i32::from(step.extension > 1);

        let new_depth = depth - 1 + step.extension;
        let mut score = alpha;
        let zero_window = if let Some(history) = history {
            let reduction = self.late_reduction::<N>(step, node, history);
            let reduced = (new_depth - reduction).clamp(1, new_depth.max(1));
            score = -self.negamax::<ZeroWindow>(-alpha - 1, -alpha, reduced, ply + 1, true, shared);
            score > alpha && reduced < new_depth
        } else {
            !N::PV || step.number > 1
        };
        if zero_window {
            // Principal variation search: the first move is taken for best until one beats it.
            score = -self.negamax::<ZeroWindow>(
                -alpha - 1,
                -alpha,
                new_depth,
                ply + 1,
                !cut_node,
                shared,
            );
        }
        if N::PV && (step.number == 1 || score > alpha) {
            score = -self.negamax::<Pv>(-beta, -alpha, new_depth, ply + 1, false, shared);
        }
        self.unmake_move();
        score
    }

    /// Late move reductions: by how many plies the move just made is reduced.
    fn late_reduction<N: Node>(&self, step: &Step, node: &NodeInfo, history: i32) -> i32 {
        let tt_move_captures = node.tt_move.is_some_and(Move::is_tactical);
        let if_so = |so: bool, grains: i32| if so { grains } else { 0 };
        let grains = self.reductions.grains(node.task.depth, step.number)
            + if_so(!node.improving, params::late_reduction_not_improving())
            + if_so(node.task.cut_node, params::late_reduction_cut_node())
            + if_so(tt_move_captures, params::late_reduction_tt_captures())
            - if_so(N::PV, params::late_reduction_pv())
            - if_so(node.was_pv, params::late_reduction_was_pv())
            - if_so(self.position.in_check(), params::late_reduction_check())
            - if_so(step.mv.is_tactical(), params::late_reduction_tactical())
            - history * lmr::GRAIN / params::late_reduction_history_divisor();
        grains.div_euclid(lmr::GRAIN)
    }

    /// Stores what the moves of a node have shown, in the table and in correction history.
    fn keep(&mut self, node: &NodeInfo, best: Best, shared: &Shared) {
        self.correct(node, best.score, best.mv, best.bound);
        let entry = Entry {
            mv: best.mv,
            score: best.score,
            evaluation: (!node.in_check).then_some(node.raw_evaluation),
            depth: node.task.depth,
            bound: Some(best.bound),
            was_pv: node.was_pv,
        };
        shared.tt.store(self.position.key(), node.task.ply, entry);
    }

    /// The next move to search: at the root in the order of the last iteration.
    #[inline]
    fn next_move<N: Node>(&self, picker: &mut MovePicker, number: usize) -> Option<Move> {
        if N::ROOT {
            self.root_move(number)
        } else {
            picker.next(&self.position, &self.histories)
        }
    }

    /// Records the result of a root move. One that neither came first nor raised alpha has no
    /// `bound`: it is only known to be worse.
    fn note_root_move(&mut self, mv: Move, score: Score, bound: Option<Bound>, nodes_before: u64) {
        let nodes = self.nodes - nodes_before;
        let seldepth = self.seldepth as u32;
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else {
            return;
        };
        root.nodes += nodes;
        if let Some(bound) = bound {
            root.score = score;
            root.bound = bound;
            root.seldepth = seldepth;
            root.pv.clear();
            root.pv.push(mv);
            root.pv.extend_from_slice(self.pv.line(1));
        } else {
            root.score = -Score::INFINITE;
        }
    }
}
