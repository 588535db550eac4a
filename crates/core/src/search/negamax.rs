//! The search of one node: alpha-beta in negamax form with principal variation search (Tony
//! Marsland). The steps appear in the order in which they happen.

use super::endgames::Range;
use super::params;
use super::quiescence::QuietChecks;
use super::shared::Shared;
use super::tt::Entry;
use super::worker::{StaticScore, Worker};
use crate::types::{MAX_PLY, Move, Score};

/// The kind of a node, known at compile time.
pub(super) trait Node {
    /// Whether it is on the principal variation: searched with an open window.
    const PV: bool;
    /// Whether it is the root.
    const ROOT: bool;
}

/// The root of the tree.
pub(super) struct Root;
/// A node of the principal variation.
pub(super) struct Pv;
/// A node searched with a zero window, only to prove a bound.
pub(super) struct ZeroWindow;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl Node for ZeroWindow {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What a node is searched for. Alpha is not here, as it rises while moves are searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) beta: Score,
    /// Plies to search.
    pub(super) depth: i32,
    pub(super) ply: usize,
    /// Whether the parent expects this node to fail high.
    pub(super) cut_node: bool,
}

/// A node, and what is known of it before its moves are searched.
pub(super) struct NodeInfo {
    pub(super) task: Task,
    /// The scores that the endgame tables allow.
    pub(super) known: Range,
    pub(super) tt_entry: Option<Entry>,
    pub(super) tt_move: Option<Move>,
    pub(super) in_check: bool,
    /// Static evaluation as stored in the table; meaningless in check.
    pub(super) raw_evaluation: Score,
    /// Static evaluation, corrected; meaningless in check.
    pub(super) evaluation: Score,
    /// Whether the static evaluation is higher than two plies before.
    pub(super) improving: bool,
    pub(super) was_pv: bool,
}

impl NodeInfo {
    /// Whether it is searched deep, with no idea of the best move, where that matters.
    fn is_unsure<N: Node>(&self) -> bool {
        let Task {
            depth, cut_node, ..
        } = self.task;
        self.tt_move.is_none()
            && depth >= params::internal_reduction_min_depth()
            && (N::PV || cut_node)
    }
}

impl Worker {
    /// Searches a node and returns its score (fail-soft: it may lie outside the window).
    ///
    /// `cut_node` says that the parent expects this node to fail high. The result is meaningless
    /// once `aborted` is set.
    pub(super) fn negamax<N: Node>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
        shared: &Shared,
    ) -> Score {
        if N::PV {
            self.pv.clear(ply);
        }
        if depth <= 0 && !self.position.in_check() || ply >= MAX_PLY - 1 {
            return self.quiescence::<N>(alpha, beta, ply, QuietChecks::Once, shared);
        }
        let depth = depth.max(1);
        self.count_node(shared);
        if self.aborted {
            return Score::DRAW;
        }
        self.seldepth = self.seldepth.max(ply + 1);
        // A search that excludes a move says nothing about the node itself.
        let whole = self.frames[ply].excluded.is_none();
        // A lower bound that holds whatever the searched moves score.
        let mut least = -Score::INFINITE;

        if !N::ROOT {
            // Draws.
            if self.is_drawn(ply) {
                return self.draw_score();
            }
            if whole && let Some(score) = shared.values.result(self.position.key(), depth) {
                return score;
            }
            // Mate distance pruning: a shorter mate is known already.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            // Upcoming repetition: the side to move has at least a draw.
            let draw = self.draw_score();
            if alpha < draw && self.position.has_upcoming_repetition(ply) {
                alpha = draw;
                least = draw;
            }
            if alpha >= beta {
                return alpha;
            }
        }

        // Transposition table: an earlier search may have settled this node.
        let tt_entry = shared.tt.probe(self.position.key(), ply);
        if let Some(entry) = &tt_entry
            && !N::PV
            && whole
            && self.is_settled_by(entry, alpha, beta, depth, ply)
        {
            return entry.score;
        }

        // Endgame tables: they may know the result.
        let known = match self.look_up(alpha, beta, depth, ply, shared) {
            Ok(range) => range,
            Err(score) => return score,
        };
        alpha = alpha.max(known.least);

        let task = Task {
            beta,
            depth,
            ply,
            cut_node,
        };
        let mut node = self.inspect::<N>(task, tt_entry, known, shared);
        if !N::PV
            && whole
            && let Some(score) = self.prune_node(&node, alpha, shared)
        {
            return score;
        }

        // Internal iterative reduction: without a table move, search one ply less.
        node.task.depth -= i32::from(node.is_unsure::<N>());
        self.search_moves::<N>(&node, alpha, shared).max(least)
    }

    /// Whether the node is a draw by rule. Mate on the hundredth ply takes precedence over the
    /// fifty-move rule.
    #[inline]
    pub(super) fn is_drawn(&self, ply: usize) -> bool {
        let is_mated = || self.position.in_check() && !self.position.has_legal_move();
        self.position.is_draw(ply) && !is_mated()
    }

    /// Whether the table entry settles the node for this window and depth, and its score can be
    /// trusted under the fifty-move rule.
    #[inline]
    pub(super) fn is_settled_by(
        &self,
        entry: &Entry,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
    ) -> bool {
        let halfmove_clock = self.position.halfmove_clock();
        entry.depth >= depth
            && entry.proves(alpha, beta)
            // A stored score may ignore how close the fifty-move rule is now.
            && halfmove_clock < 90
            && entry.is_in_time(ply, halfmove_clock)
    }

    /// The static evaluation, from the table if stored there; meaningless in check.
    pub(super) fn static_score(&mut self, tt_entry: Option<Entry>) -> StaticScore {
        if self.position.in_check() {
            return StaticScore {
                raw: Score::DRAW,
                corrected: Score::DRAW,
            };
        }
        let raw = match tt_entry.and_then(|entry| entry.evaluation) {
            Some(evaluation) => evaluation,
            None => self.evaluator.evaluate(&self.position),
        };
        let corrected = self.corrections.apply(&self.position, raw);
        StaticScore { raw, corrected }
    }

    /// Gathers what pruning and ordering need to know.
    fn inspect<N: Node>(
        &mut self,
        task: Task,
        tt_entry: Option<Entry>,
        known: Range,
        shared: &Shared,
    ) -> NodeInfo {
        let ply = task.ply;
        let in_check = self.position.in_check();
        let StaticScore { raw, corrected } = self.static_score(tt_entry);
        let evaluation = corrected;
        self.frames[ply].evaluation = (!in_check).then_some(evaluation);
        let was_pv = N::PV || tt_entry.is_some_and(|entry| entry.was_pv);
        if tt_entry.is_none() && !in_check {
            // The node may be pruned and visited again.
            let entry = Entry {
                was_pv,
                ..Entry::evaluated(raw)
            };
            shared.tt.store(self.position.key(), ply, entry);
        }
        let earlier = ply
            .checked_sub(2)
            .and_then(|ply| self.frames[ply].evaluation);
        let tt_move = if N::ROOT {
            self.root_moves.get(self.pv_index).map(|root| root.mv)
        } else {
            tt_entry
                .and_then(|entry| entry.mv)
                .filter(|&mv| self.position.is_legal(mv))
        };
        NodeInfo {
            task,
            known,
            tt_entry,
            tt_move,
            in_check,
            raw_evaluation: raw,
            evaluation,
            improving: !in_check && earlier.is_some_and(|earlier| evaluation > earlier),
            was_pv,
        }
    }
}
