//! The search of one node: alpha-beta in negamax form with principal variation search (Tony
//! Marsland). The steps stand in the order in which they happen.

use super::move_picker::MovePicker;
use super::params;
use super::pruning::Verdict;
use super::report::Bound;
use super::shared::Shared;
use super::singular::Singularity;
use super::tt::{Entry, StoredBound};
use super::worker::{Report, StaticScore, Worker};
use crate::types::{MAX_PLY, Move, Score};
use arrayvec::ArrayVec;

/// The kind of a node, known when the program is compiled.
pub(super) trait Node {
    /// Whether it lies on the principal variation: searched with an open window.
    const PV: bool;
    /// Whether it is the root.
    const ROOT: bool;
}

/// The root of the tree.
pub(super) struct Root;
/// A node of the principal variation.
pub(super) struct Pv;
/// A node searched with a window of no width, only to prove a bound.
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

/// Moves searched at a node without success, to be blamed when another one succeeds.
type Tried = ArrayVec<Move, 64>;

/// What the steps before the moves have found out about a node.
pub(super) struct NodeInfo {
    pub(super) table_entry: Option<Entry>,
    pub(super) table_move: Option<Move>,
    pub(super) in_check: bool,
    /// Static evaluation as the table keeps it; of no meaning in check.
    pub(super) raw_evaluation: Score,
    /// Static evaluation, corrected; of no meaning in check.
    pub(super) evaluation: Score,
    /// Whether the side to move stands better than at its last turn.
    pub(super) improving: bool,
    pub(super) was_pv: bool,
}

impl Worker {
    /// Searches a node and returns its score (fail-soft: it may lie outside the window).
    ///
    /// `cut_node` says that the parent expects this node to fail high. The result means nothing
    /// once `aborted` is set.
    #[expect(
        clippy::too_many_arguments,
        reason = "the window, depth and ply of the field's negamax"
    )]
    pub(super) fn negamax<N: Node>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
        shared: &Shared,
        report: &mut dyn FnMut(Report),
    ) -> Score {
        self.pv.clear(ply);
        if depth <= 0 && !self.position.in_check() || ply >= MAX_PLY - 1 {
            return self.quiescence::<N>(alpha, beta, ply, shared);
        }
        let depth = depth.max(1);
        self.count_node(shared);
        if self.aborted {
            return Score::DRAW;
        }
        self.seldepth = self.seldepth.max(ply + 1);

        if !N::ROOT {
            // Draws. Mate on the hundredth ply goes before the fifty-move rule.
            if self.position.is_draw(ply) && !self.is_mated() {
                return self.draw_score();
            }
            if let Some(score) = shared.values.result(self.position.key(), depth) {
                return score;
            }
            // Mate distance pruning: a shorter mate is known already.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // A search without one move says nothing of the node as a whole.
        let whole = self.frames[ply].excluded.is_none();

        // Transposition table: an earlier search may have settled this node.
        let table_entry = shared.tt.probe(self.position.key(), ply);
        if let Some(entry) = &table_entry
            && !N::PV
            && whole
            && entry.depth >= depth
            && entry.proves(alpha, beta)
            // A score from before may ignore how close the fifty-move rule is by now.
            && self.position.halfmove_clock() < 90
            && entry.is_in_time(ply, self.position.halfmove_clock())
        {
            return entry.score;
        }

        // Endgame tables: the result is known, if not the way to it.
        let known = match self.look_up(alpha, beta, depth, ply, shared) {
            Ok(range) => range,
            Err(score) => return score,
        };
        alpha = alpha.max(known.least);

        let node = self.inspect::<N>(table_entry, ply);
        if !N::PV
            && whole
            && let Some(score) = self.prune_node(&node, alpha, beta, depth, ply, cut_node, shared)
        {
            return score;
        }

        // Internal iterative reduction: without a move to start with, look less deep.
        let unsure = depth >= params::internal_reduction_min_depth() && node.table_move.is_none();
        let depth = if unsure && (N::PV || cut_node) {
            depth - 1
        } else {
            depth
        };
        self.search_moves::<N>(&node, alpha, beta, depth, ply, cut_node, shared, report)
            .clamp(known.least, known.most)
    }

    /// The static evaluation, out of the table if it has it; of no meaning in check.
    pub(super) fn static_score(&mut self, table_entry: Option<Entry>) -> StaticScore {
        if self.position.in_check() {
            return StaticScore {
                raw: Score::DRAW,
                corrected: Score::DRAW,
            };
        }
        let raw = match table_entry.and_then(|entry| entry.evaluation) {
            Some(evaluation) => evaluation,
            None => self.evaluator.evaluate(&self.position),
        };
        let corrected = self.corrections.apply(&self.position, raw);
        StaticScore { raw, corrected }
    }

    /// Gathers what pruning and ordering need to know.
    fn inspect<N: Node>(&mut self, table_entry: Option<Entry>, ply: usize) -> NodeInfo {
        let in_check = self.position.in_check();
        let StaticScore { raw, corrected } = self.static_score(table_entry);
        let evaluation = corrected;
        self.frames[ply].evaluation = (!in_check).then_some(evaluation);
        let earlier = ply
            .checked_sub(2)
            .and_then(|ply| self.frames[ply].evaluation);
        let table_move = if N::ROOT {
            self.root_moves.get(self.pv_index).map(|root| root.mv)
        } else {
            table_entry
                .and_then(|entry| entry.mv)
                .filter(|&mv| self.position.is_legal(mv))
        };
        NodeInfo {
            table_entry,
            table_move,
            in_check,
            raw_evaluation: raw,
            evaluation,
            improving: !in_check && earlier.is_some_and(|earlier| evaluation > earlier),
            was_pv: N::PV || table_entry.is_some_and(|entry| entry.was_pv),
        }
    }

    /// Searches the moves of a node, best first.
    #[expect(clippy::too_many_arguments, reason = "see negamax")]
    #[expect(
        clippy::too_many_lines,
        reason = "the move loop reads best in one piece"
    )]
    fn search_moves<N: Node>(
        &mut self,
        node: &NodeInfo,
        mut alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
        shared: &Shared,
        report: &mut dyn FnMut(Report),
    ) -> Score {
        let excluded = self.frames[ply].excluded;
        let before = self.moves_before(ply);
        let mut picker = MovePicker::new(node.table_move, before);
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut bound = StoredBound::Upper;
        let mut number = 0;
        let mut tried_quiets = Tried::new();
        let mut tried_captures = Tried::new();

        while let Some(mv) = self.next_move::<N>(&mut picker, number) {
            if Some(mv) == excluded {
                continue;
            }
            number += 1;
            let quiet = !mv.is_tactical();

            if !N::ROOT && !best.is_loss() {
                match self.judge(mv, node, alpha, depth, number) {
                    Verdict::Search => {}
                    Verdict::Skip => continue,
                    Verdict::SkipQuiets => {
                        picker.skip_quiets();
                        continue;
                    }
                }
            }

            if N::ROOT {
                self.announce(self.pv_index + number, mv, shared, report);
            }
            let reduce = depth >= params::late_reduction_min_depth()
                && number as i32 > params::late_reduction_min_move() + i32::from(N::ROOT);
            let history = if reduce {
                self.move_history(mv, ply)
            } else {
                0
            };
            let extension =
                match self.singularity::<N>(mv, node, beta, depth, ply, cut_node, shared) {
                    Singularity::Extend(plies) => plies,
                    Singularity::CutOff(score) => return score,
                };
            let nodes_before = self.nodes;
            self.make_move(mv, ply);
            shared.tt.prefetch(self.position.key());
            self.frames[ply + 1].double_extensions += i32::from(extension > 1);

            let new_depth = depth - 1 + extension;
            let mut score = alpha;
            let zero_window = if reduce {
                // Late move reductions: prove with less depth that the move is no better.
                let mut reduction = self.reductions.plies(depth, number);
                reduction += i32::from(!node.improving) + i32::from(cut_node);
                reduction -= i32::from(N::PV) + i32::from(node.was_pv);
                reduction -= i32::from(self.position.in_check()) + i32::from(!quiet);
                reduction -= history / params::late_reduction_history_divisor();
                let reduced = (new_depth - reduction).clamp(1, new_depth.max(1));
                score = -self.negamax::<ZeroWindow>(
                    -alpha - 1,
                    -alpha,
                    reduced,
                    ply + 1,
                    true,
                    shared,
                    report,
                );
                score > alpha && reduced < new_depth
            } else {
                !N::PV || number > 1
            };
            if zero_window {
                // Principal variation search: the first move is right until one proves better.
                score = -self.negamax::<ZeroWindow>(
                    -alpha - 1,
                    -alpha,
                    new_depth,
                    ply + 1,
                    !cut_node,
                    shared,
                    report,
                );
            }
            if N::PV && (number == 1 || score > alpha) {
                score =
                    -self.negamax::<Pv>(-beta, -alpha, new_depth, ply + 1, false, shared, report);
            }
            self.unmake_move();
            if self.aborted {
                return best;
            }

            if N::ROOT {
                self.note_root_move(mv, score, number == 1 || score > alpha, nodes_before);
                self.announce_refutation(mv, shared, report);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.pv.update(ply, mv);
                    }
                    if score >= beta {
                        bound = StoredBound::Lower;
                        self.reward(mv, depth, ply, &tried_quiets, &tried_captures);
                        break;
                    }
                    bound = StoredBound::Exact;
                    alpha = score;
                }
            }
            let tried = if quiet {
                &mut tried_quiets
            } else {
                &mut tried_captures
            };
            // More than fit are not worth blaming.
            let _ = tried.try_push(mv);
        }

        if excluded.is_some() {
            return if number == 0 { alpha } else { best };
        }
        if number == 0 {
            return if node.in_check {
                Score::mated_in(ply)
            } else {
                self.draw_score()
            };
        }
        if !(N::ROOT && self.pv_index > 0) {
            self.correct(node, best, best_move, bound, depth);
            let entry = Entry {
                mv: best_move,
                score: best,
                evaluation: (!node.in_check).then_some(node.raw_evaluation),
                depth,
                bound,
                was_pv: node.was_pv,
            };
            shared.tt.store(self.position.key(), ply, entry);
        }
        best
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

    fn is_mated(&self) -> bool {
        self.position.in_check() && !self.position.has_legal_move()
    }

    /// Notes the result of a root move; one that neither came first nor beat the best is only
    /// known to be worse.
    fn note_root_move(&mut self, mv: Move, score: Score, known: bool, nodes_before: u64) {
        let nodes = self.nodes - nodes_before;
        let seldepth = self.seldepth as u32;
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else {
            return;
        };
        root.nodes += nodes;
        if known {
            root.score = score;
            root.bound = Bound::Exact;
            root.seldepth = seldepth;
            root.pv.clear();
            root.pv.push(mv);
            root.pv.extend_from_slice(self.pv.line(1));
        } else {
            root.score = -Score::INFINITE;
        }
    }
}
