//! The search of one node: alpha-beta in negamax form with principal variation search. The steps
//! have the numbers and names that docs/search.md explains; the margins are the small functions at
//! the end, their numbers are in `params`.

use std::mem;

use super::bound::Bound;
use super::node::{Node, NonPv, Pv};
use super::ordering::history::{PathMove, QuietMove, Tried};
use super::ordering::picker::MovePicker;
use super::params;
use super::qsearch;
use super::syzygy;
use super::threads::shared::Shared;
use super::threads::worker::{StackEntry, Verification, Worker};
use super::tt::Entry;
use crate::position::Rules;
use crate::types::{MAX_PLY, Move, Score};

impl<R: Rules> Worker<R> {
    /// Searches the position to `depth` plies and returns its score (fail-soft: it may lie outside
    /// the window). `ply` counts from the root, below [`MAX_PLY`]; `cut_node` says that the parent
    /// expects this node to fail high.
    ///
    /// The result is meaningless once `aborted` is set.
    pub(super) fn negamax<N: Node>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
        shared: &Shared,
    ) -> Score {
        debug_assert!(-Score::INFINITE <= alpha && alpha < beta && beta <= Score::INFINITE);
        debug_assert!(N::PV || beta - alpha == 1);
        debug_assert!(N::ROOT == (ply == 0) && ply < MAX_PLY);
        debug_assert!(!(N::PV && cut_node));
        debug_assert!(self.position.is_consistent());

        // 1. Horizon: at depth zero quiescence, unless in check.
        if N::PV {
            self.pv.clear(ply);
        }
        let in_check = self.position.in_check();
        // The static evaluation says nothing in check, nor where a capture is compulsory.
        let must_capture = self.position.must_capture();
        let forced = in_check || must_capture;
        if depth <= 0 && !in_check || ply >= MAX_PLY - 1 {
            return self.qsearch::<N>(alpha, beta, qsearch::WITH_CHECKS, ply, shared);
        }
        depth = depth.max(1);
        self.count_node(shared);
        if self.aborted {
            return Score::DRAW;
        }
        self.seldepth = self.seldepth.max(ply + 1);
        let tt_key = self.position.tt_key();
        // A search without this move says nothing about the node itself.
        let excluded = self.stack[ply].excluded;
        // Holds whatever the searched moves score.
        let mut lower_bound = -Score::INFINITE;

        if !N::ROOT {
            // 2. Ends of variants, draws, and values given by the user.
            if let Some(score) = self.ended(ply) {
                return score;
            }
            if self.is_draw(ply) {
                return self.draw_score();
            }
            if excluded.is_none()
                && let Some(score) = shared.values.result(self.position.key(), depth)
            {
                return score;
            }

            // 3. Mate distance pruning: a shorter mate is known already.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            // Upcoming repetition (cuckoo): the side to move has at least a draw.
            let draw = self.draw_score();
            if alpha < draw && !must_capture && self.position.has_upcoming_repetition(ply) {
                alpha = draw;
                lower_bound = draw;
            }
            if alpha >= beta {
                return alpha;
            }
        }

        // 4. Transposition table cut-off.
        let tt_entry = shared.tt.probe(tt_key, ply);
        if let Some(entry) = tt_entry
            && !N::PV
            && excluded.is_none()
            && entry.depth >= depth
        {
            if entry.cuts_off(alpha, beta, ply, self.position.fifty_move_clock()) {
                return entry.score;
            }
            // Deep enough, but on the wrong side of the window, or too near the fifty-move limit: it must
            // not keep new results out for ever (after Stockfish).
            if entry.depth >= params::tt_wane_min_depth() {
                shared.tt.wane(tt_key);
            }
        }

        // 5. Endgame tablebases.
        let mut tb_min = -Score::INFINITE;
        let mut tb_max = Score::INFINITE;
        if !N::ROOT
            && excluded.is_none()
            && let Some(wdl) = self.probe_tb(depth, shared)
        {
            let (score, bound) = syzygy::node_score(wdl, ply, self.draw_score());
            if bound.settles(score, alpha, beta) {
                let entry = Entry {
                    mv: None,
                    score,
                    evaluation: None,
                    depth: (depth + syzygy::STORED_DEPTH_BONUS).min(MAX_PLY as i32 - 1),
                    bound: Some(bound),
                    was_pv: false,
                };
                shared.tt.store(tt_key, ply, entry);
                return score;
            }
            if bound == Bound::Lower {
                tb_min = score;
                alpha = alpha.max(score);
            } else {
                tb_max = score;
            }
        }

        let tt_move = if N::ROOT {
            self.root_moves.get(self.pv_index).map(|root| root.mv)
        } else {
            tt_entry
                .and_then(|entry| entry.mv)
                .filter(|&mv| self.position.is_legal(mv))
        };
        // What the next nodes ask the table for arrives while this one is evaluated.
        if let Some(mv) = tt_move {
            self.prefetch(mv, shared);
        }
        if cut_node && depth >= params::nmp_min_depth() {
            shared.tt.prefetch(self.position.tt_key_after_null_move());
        }

        // 6. Static evaluation.
        let (raw_eval, eval, correction) = self.evaluate(tt_entry, ply);
        self.stack[ply].eval = (!forced).then_some(eval);
        // Then there is none: the one before that will do.
        let before = |plies| ply.checked_sub(plies).and_then(|ply| self.stack[ply].eval);
        let earlier = before(2).or_else(|| before(4));
        let improving = !forced && earlier.is_some_and(|earlier| eval > earlier);
        // By how much the move that led here has changed the evaluation, seen from this side.
        let gain = match ply.checked_sub(1).map(|ply| self.stack[ply].eval) {
            Some(Some(before)) if !forced => Some(eval.value() + before.value()),
            _ => None,
        };
        // Hindsight: that tells whether the move was reduced too much, or too little, and whether
        // it is good elsewhere.
        if !N::ROOT && excluded.is_none() {
            let reduction = mem::take(&mut self.stack[ply - 1].reduction);
            if let Some(gain) = gain {
                if let Some(quiet) = self.stack[ply - 1].quiet
                    && (depth <= params::eval_history_max_depth() || tt_entry.is_none())
                {
                    self.histories.update_made(quiet, eval_history_bonus(gain));
                }
                if reduction >= params::hindsight_deeper_min() && gain <= 0 {
                    depth += 1;
                } else if reduction >= params::hindsight_shallower_min()
                    && depth >= 2
                    && gain > params::hindsight_margin()
                {
                    depth -= 1;
                }
            }
        }
        let was_pv = N::PV || tt_entry.is_some_and(|entry| entry.was_pv);
        if tt_entry.is_none() && !in_check {
            // The node may be pruned and visited again.
            let entry = Entry {
                was_pv,
                ..Entry::evaluated(raw_eval)
            };
            shared.tt.store(tt_key, ply, entry);
        }
        // With pawns alone there is zugzwang, and the best move may look bad.
        let us = self.position.side_to_move();
        let has_pieces = self.position.has_non_pawn_material(us);

        if !N::PV
            && excluded.is_none()
            && !forced
            && !alpha.is_decided()
            && !beta.is_decided()
            && ply >= self.first_prunable_ply
            && self.verification.is_none_or(|it| it.ply != ply)
        {
            // The score of the table is the better estimate if its bound points the right way.
            let estimate = tt_entry.map_or(eval, |entry| entry.refine(eval));

            // 7. Reverse futility pruning: so far above beta that no reply matters.
            let is_worsening = gain.is_some_and(|gain| gain > 0);
            if depth <= params::rfp_max_depth()
                && !was_pv
                && tt_move.is_none_or(Move::is_tactical)
                && !estimate.is_decided()
                && estimate - rfp_margin(depth, improving, is_worsening, correction) >= beta
            {
                return Score::evaluation((2 * estimate.value() + beta.value()) / 3);
            }

            // 8. Null move pruning: still above beta after passing.
            if cut_node
                && depth >= params::nmp_min_depth()
                && estimate >= beta + correction * params::nmp_correction() / 100
                && eval >= beta - params::nmp_eval_margin() * depth
                && has_pieces
                && self.position.has_non_pawn_material(!us)
                && self.position.may_pass()
                && !self.stack[ply - 1].moved.is_none()
                && self.verification.is_none_or(|it| ply >= it.until)
            {
                let reduced = depth - nmp_reduction(depth, estimate - beta);
                self.make_null_move(ply);
                let score =
                    -self.negamax::<NonPv>(-beta, -beta + 1, reduced, ply + 1, false, shared);
                self.unmake_null_move();
                if self.aborted {
                    return Score::DRAW;
                }
                let verify =
                    depth >= params::nmp_verification_min_depth() && self.verification.is_none();
                if score >= beta && (!verify || self.nmp_holds(beta, reduced, ply, shared)) {
                    // A win found after a null move is not proved.
                    return if score.is_decided() { beta } else { score };
                }
            }

            // 9. ProbCut: a capture that beats a raised beta in a shallow search.
            let probcut_beta = beta + probcut_margin(improving);
            let probcut_depth = depth - params::probcut_reduction();
            let unlikely = tt_entry.is_some_and(|entry| {
                entry.depth >= probcut_depth && entry.bound.is_some() && entry.score < probcut_beta
            });
            if cut_node
                && depth >= params::probcut_min_depth()
                && !unlikely
                && !probcut_beta.is_decided()
                && tt_move.is_none_or(Move::is_tactical)
            {
                let missing = probcut_beta - eval;
                self.position.cache_threats();
                let mut picker = MovePicker::captures(tt_move);
                while let Some(mv) = picker.next(&self.position, &self.histories) {
                    self.prefetch(mv, shared);
                    // The picker's captures lose no material, but the table's move may.
                    if (missing > 0 || Some(mv) == tt_move)
                        && !self.position.see_at_least(mv, missing)
                    {
                        continue;
                    }
                    let (zero_alpha, zero_beta) = (-probcut_beta, -probcut_beta + 1);
                    self.make_move(mv, ply);
                    let quick = qsearch::WITHOUT_CHECKS;
                    let mut score =
                        -self.qsearch::<NonPv>(zero_alpha, zero_beta, quick, ply + 1, shared);
                    if score >= probcut_beta && probcut_depth > 0 {
                        score = -self.negamax::<NonPv>(
                            zero_alpha,
                            zero_beta,
                            probcut_depth,
                            ply + 1,
                            !cut_node,
                            shared,
                        );
                    }
                    self.unmake_move();
                    if self.aborted {
                        return Score::DRAW;
                    }
                    if score >= probcut_beta {
                        let entry = Entry {
                            mv: Some(mv),
                            score,
                            evaluation: Some(raw_eval),
                            depth: probcut_depth + 1,
                            bound: Some(Bound::Lower),
                            was_pv,
                        };
                        shared.tt.store(tt_key, ply, entry);
                        // What was added to beta has not been searched at full depth.
                        return if score.is_decided() {
                            score
                        } else {
                            score - (probcut_beta - beta)
                        };
                    }
                }
            }
        }

        // 10. Internal iterative reduction: one ply less without an idea of the best move, or only one that
        // has failed low.
        let has_failed = || tt_entry.is_some_and(|entry| entry.bound == Some(Bound::Upper));
        let is_at_a_loss = match tt_move {
            None => depth >= params::iir_min_depth() && (N::PV || cut_node),
            Some(_) => depth >= params::iir_failed_min_depth() && cut_node && has_failed(),
        };
        depth -= i32::from(is_at_a_loss);

        // 11. Moves, best first.
        let conthist = self.conthist(ply);
        self.position.cache_threats();
        let mut picker = MovePicker::new(tt_move, conthist, ply);
        // Against explosion: no path becomes much longer than the iteration is deep.
        let may_extend = ply < 2 * self.root_depth as usize;
        let mut best_score = -Score::INFINITE;
        // The move that raised alpha, if one did.
        let mut best_move = None;
        let mut bound = Bound::Upper;
        let mut move_count = 0;
        let mut tried = Tried::default();
        loop {
            // 12. Shallow pruning. Late move pruning: no more quiet moves after this many. Near the
            // horizon of the principal variation any threat would seem to win.
            let may_prune = !N::ROOT && has_pieces && !best_score.is_loss();
            if may_prune && !N::PV && move_count >= lmp_limit(depth, improving) {
                picker.skip_quiets();
            }
            let next = if N::ROOT {
                self.root_move(move_count)
            } else {
                picker.next(&self.position, &self.histories)
            };
            let Some(mv) = next else { break };
            if Some(mv) == excluded {
                continue;
            }
            move_count += 1;
            self.prefetch(mv, shared);
            // The first move is neither pruned nor reduced.
            let history = if move_count > 1 {
                self.histories.of(&self.position, conthist, mv)
            } else {
                0
            };
            let victim = self.position.captured_by(mv);
            let victim = victim.map_or(0, |kind| self.position.exchange_value(kind));
            if may_prune {
                let lmr_depth = (depth - self.reductions.get(depth, move_count) / 1024).max(0);
                if mv.is_tactical() {
                    // Where a quiet move would be futile, a capture that loses material is too, and so are all
                    // that follow.
                    if !forced
                        && lmr_depth <= params::futility_max_depth()
                        && picker.is_at_bad_captures()
                        && alpha - eval >= futility_margin(lmr_depth, correction)
                        && !picker.gives_check(&self.position, mv)
                    {
                        break;
                    }
                    // Futility pruning of captures: not even with the captured piece.
                    let worth = victim + history / params::capture_futility_history_divisor();
                    if !forced
                        && lmr_depth <= params::capture_futility_max_depth()
                        && mv.promotion().is_none()
                        && alpha - eval >= worth + capture_futility_margin(lmr_depth)
                        && !picker.gives_check(&self.position, mv)
                    {
                        continue;
                    }
                    // Static exchange evaluation.
                    if depth <= params::see_max_depth()
                        && !picker.see_at_least(
                            &self.position,
                            mv,
                            -params::see_capture_margin() * depth,
                        )
                    {
                        continue;
                    }
                } else {
                    // A bad history.
                    if lmr_depth <= params::history_pruning_max_depth()
                        && history < -params::history_pruning_margin() * depth
                    {
                        // Hardly one that follows has a better one, unless this one came early for its check.
                        if !picker.gives_check(&self.position, mv) {
                            picker.skip_quiets();
                        }
                        continue;
                    }
                    // Futility pruning: a quiet move will not make up for what is missing, one with
                    // a bad history even less.
                    if !forced && lmr_depth <= params::futility_max_depth() {
                        let missing = alpha - eval - futility_margin(lmr_depth, correction);
                        if missing >= history / params::futility_history_divisor()
                            && !picker.gives_check(&self.position, mv)
                        {
                            picker.skip_quiets();
                            continue;
                        }
                    }
                    if !in_check
                        && lmr_depth <= params::see_max_depth()
                        && self.position.may_be_captured(mv)
                        && !self
                            .position
                            .see_at_least(mv, -params::see_quiet_margin() * lmr_depth)
                    {
                        continue;
                    }
                }
            }
            if N::ROOT {
                self.report_current_move(self.pv_index + move_count, mv, shared);
            }
            if let Some(following) = picker.following() {
                self.prefetch(following, shared);
            }

            // 13. Singular extensions: is the table's move much better than all others?
            let mut extension = 0;
            if !N::ROOT
                && Some(mv) == tt_move
                && let Some(entry) = tt_entry
                && depth >= params::singular_min_depth()
                && excluded.is_none()
                && entry.depth >= depth - 3
                && matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
                && !entry.score.is_decided()
                && may_extend
            {
                let singular_beta = entry.score - params::singular_margin() * depth / 16;
                self.stack[ply].excluded = Some(mv);
                let score = self.negamax::<NonPv>(
                    singular_beta - 1,
                    singular_beta,
                    (depth - 1) / 2,
                    ply,
                    cut_node,
                    shared,
                );
                self.stack[ply].excluded = None;
                if self.aborted {
                    return best_score;
                }
                if score < singular_beta {
                    let margin = singular_beta - score;
                    let double = margin > double_extension_margin(N::PV)
                        && self.stack[ply].double_extensions < params::double_extensions_max();
                    let triple = double
                        && !N::PV
                        && !mv.is_tactical()
                        && margin > params::triple_extension_margin();
                    extension = 1 + i32::from(double) + i32::from(triple);
                } else if score >= beta && !score.is_decided() {
                    // Multi-cut: several moves beat beta, and so much better is the position than it looked.
                    if !forced && score > eval {
                        self.learn_correction(ply, (depth - 1) / 2, score - eval);
                    }
                    return score;
                } else if entry.score >= beta {
                    // Others may do as well.
                    extension = -2;
                } else if cut_node {
                    extension = -1;
                }
            }

            // 14. Late move reductions: the later, the shallower; deeper again if alpha is beaten.
            let nodes_before = self.nodes;
            let mut new_depth = depth - 1 + extension;
            // Where one move is so much better than all others, these are looked at more closely too.
            if extension > 1 && depth <= params::double_extension_others_max_depth() {
                depth += 1;
            }
            let is_late = depth >= params::lmr_min_depth()
                && move_count as i32 > params::lmr_min_move() + i32::from(N::ROOT);
            let quiet = QuietMove::new(&self.position, mv);
            self.make_move(mv, ply);
            self.stack[ply].quiet = quiet;
            self.stack[ply + 1].double_extensions += i32::from(extension > 1);
            let mut score = alpha;
            // 15. Principal variation search: the first move is taken for best until one beats it.
            let mut zero_window = !N::PV || move_count > 1;
            if is_late {
                let mut reduction = self.reductions.get(depth, move_count);
                reduction += i32::from(!improving) * params::lmr_not_improving();
                reduction += i32::from(cut_node) * params::lmr_cut_node();
                let tt_capture = tt_move.is_some_and(Move::is_tactical);
                reduction += i32::from(tt_capture) * params::lmr_tt_capture();
                reduction += i32::from(cut_node && tt_move.is_none()) * params::lmr_no_tt_move();
                if !forced {
                    reduction += (alpha - eval).clamp(0, 300) * params::lmr_below_alpha();
                }
                reduction -= i32::from(N::PV) * params::lmr_pv();
                reduction -= i32::from(was_pv) * params::lmr_was_pv();
                reduction -= i32::from(self.position.in_check()) * params::lmr_check();
                if mv.is_tactical() {
                    reduction -= params::lmr_tactical() + params::lmr_victim() * victim / 100;
                }
                reduction -= history * 1024 / params::lmr_history_divisor();
                // A move that promises a whole ply or more is even extended.
                let deepest = new_depth + i32::from(may_extend) * (1 + i32::from(N::PV));
                let reduced = (new_depth - reduction / 1024).clamp(1, deepest.max(1));
                self.stack[ply].reduction = new_depth - reduced;
                score = -self.negamax::<NonPv>(-alpha - 1, -alpha, reduced, ply + 1, true, shared);
                self.stack[ply].reduction = 0;
                if self.aborted {
                    self.unmake_move();
                    return best_score;
                }
                zero_window = score > alpha && reduced < new_depth;
                if zero_window {
                    // A surprise deserves more depth than was planned, a narrow success less.
                    let much_better = best_score + lmr_deeper_margin(new_depth);
                    let hardly_better = best_score + params::lmr_shallower_margin();
                    new_depth += i32::from(score > much_better) - i32::from(score < hardly_better);
                    zero_window = reduced < new_depth;
                }
                if score > alpha && !mv.is_tactical() {
                    let made = self.stack[ply].moved;
                    self.histories
                        .update_continuation(conthist, made, params::lmr_bonus());
                }
            }
            if zero_window {
                score = -self.negamax::<NonPv>(
                    -alpha - 1,
                    -alpha,
                    new_depth,
                    ply + 1,
                    !cut_node,
                    shared,
                );
            }
            if N::PV && (move_count == 1 || score > alpha) {
                score = -self.negamax::<Pv>(-beta, -alpha, new_depth, ply + 1, false, shared);
            }
            self.unmake_move();
            if self.aborted {
                return best_score;
            }

            // 16. The best move, and what it teaches the histories.
            if N::ROOT {
                let bound = match score {
                    _ if score >= beta => Some(Bound::Lower),
                    _ if score > alpha => Some(Bound::Exact),
                    // The first move failed low: its score is an upper bound.
                    _ => (move_count == 1).then_some(Bound::Upper),
                };
                self.record_root_move(mv, score, bound, nodes_before);
                self.report_refutation(mv, shared);
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.pv.update(ply, mv);
                    }
                    if score >= beta {
                        bound = Bound::Lower;
                        let far = score > beta + params::history_far_margin();
                        let depth = depth + i32::from(far);
                        let position = &self.position;
                        let weight = if tt_move == Some(mv) {
                            100
                        } else {
                            params::history_surprise()
                        };
                        self.histories
                            .update(position, conthist, mv, &tried, depth, weight);
                        self.histories
                            .update_low_ply(position, ply, mv, &tried, depth);
                        break;
                    }
                    bound = Bound::Exact;
                    alpha = score;
                }
            }
            tried.note(mv);
        }

        // 17. Mate and stalemate.
        if move_count == 0 {
            return if excluded.is_some() {
                alpha
            } else if in_check {
                Score::mated_in(ply)
            } else {
                self.draw_score()
            };
        }
        if excluded.is_some() {
            return best_score.max(lower_bound);
        }
        // A best move of the principal variation that is no cut-off teaches the histories too.
        if bound == Bound::Exact
            && let Some(best) = best_move
        {
            tried.take_out(best);
            let depth = (depth * params::history_exact_depth() / 100).max(1);
            let position = &self.position;
            self.histories
                .update(position, conthist, best, &tried, depth, 100);
        }
        // All moves failed low: the opponent's last one was good.
        if !N::ROOT
            && best_move.is_none()
            && let StackEntry {
                quiet: Some(quiet),
                moved: made,
                ..
            } = self.stack[ply - 1]
        {
            let bonus = (params::refuted_bonus() * depth - params::refuted_bonus_offset())
                .clamp(0, params::refuted_bonus_max());
            self.histories.update_made(quiet, bonus);
            let before = self.conthist(ply - 1)[0];
            self.histories
                .update_continuation([before, PathMove::NONE], made, bonus);
        }

        // 18. Transposition table and correction history. The tablebases are certain.
        if best_score < tb_min {
            (best_score, bound) = (tb_min, Bound::Lower);
        } else if best_score > tb_max {
            (best_score, bound) = (tb_max, Bound::Upper);
        }
        // A search of only some root moves says nothing about the position.
        if !N::ROOT || self.pv_index == 0 && shared.limits.search_moves.is_none() {
            // What a capture wins, or a mate, is no error of the evaluation.
            let is_good_capture = |mv: Move| mv.is_tactical() && self.position.see_at_least(mv, 0);
            if !forced
                && !best_score.is_decided()
                && bound.improves(best_score, eval)
                && !best_move.is_some_and(is_good_capture)
            {
                self.learn_correction(ply, depth, best_score - eval);
            }
            let entry = Entry {
                mv: best_move,
                score: best_score,
                evaluation: (!in_check).then_some(raw_eval),
                depth,
                bound: Some(bound),
                was_pv,
            };
            shared.tt.store(tt_key, ply, entry);
        }
        debug_assert!(-Score::INFINITE < best_score && best_score < Score::INFINITE);
        debug_assert!(self.position.tt_key() == tt_key);
        best_score.max(lower_bound)
    }

    /// Whether beta holds without null moves at the next plies: in zugzwang it does not.
    fn nmp_holds(&mut self, beta: Score, depth: i32, ply: usize, shared: &Shared) -> bool {
        let until = ply + 1 + depth.max(0) as usize * 3 / 4;
        self.verification = Some(Verification { ply, until });
        let score = self.negamax::<NonPv>(beta - 1, beta, depth, ply, false, shared);
        self.verification = None;
        score >= beta
    }
}

/// The first ply at which steps 7 to 9 may prune in an iteration of `root_depth`.
///
/// In analysis a sacrifice near the root has to be answered by real moves: the side that accepted
/// it is so far ahead that static evaluation and null move would hide the threat for many plies.
/// This costs more nodes to a given depth, which does not pay in games.
pub(super) fn first_prunable_ply(analysis: bool, root_depth: i32) -> usize {
    if !analysis {
        return 0;
    }
    let plies = root_depth * params::analysis_pruning_from() / 100;
    plies.min(params::analysis_pruning_latest()) as usize + 1
}

/// How far above beta the estimate must be, in centipawns; less if the opponent's last move has made
/// his evaluation worse, more the more the evaluation had to be corrected.
fn rfp_margin(depth: i32, improving: bool, opponent_worsening: bool, correction: i32) -> i32 {
    let margin = params::rfp_margin() * (depth - i32::from(improving))
        - params::rfp_worsening_margin() * i32::from(opponent_worsening);
    margin.max(0) + correction * params::rfp_correction() / 100
}

/// What the histories learn of a quiet move that has changed the evaluation by `gain` centipawns for
/// the other side.
fn eval_history_bonus(gain: i32) -> i32 {
    let most = params::eval_history_max();
    (-params::eval_history_rate() * gain).clamp(-most, most) + params::eval_history_base()
}

/// Plies by which the search after a null move is shallower; `surplus` is what the estimate has
/// over beta, in centipawns.
fn nmp_reduction(depth: i32, surplus: i32) -> i32 {
    params::nmp_base()
        + depth / params::nmp_depth_divisor()
        + (surplus / params::nmp_eval_divisor()).clamp(0, 3)
}

/// By how much `ProbCut` raises beta, in centipawns.
fn probcut_margin(improving: bool) -> i32 {
    params::probcut_margin() - params::probcut_improving_margin() * i32::from(improving)
}

/// How much worse than the singular bound all other moves must be for an extension of two plies, in
/// centipawns.
fn double_extension_margin(pv: bool) -> i32 {
    params::double_extension_margin() + i32::from(pv) * params::double_extension_pv_margin()
}

/// By how much a reduced move must beat the best score to be searched deeper, in centipawns.
fn lmr_deeper_margin(new_depth: i32) -> i32 {
    params::lmr_deeper_margin() + params::lmr_deeper_depth_margin() * new_depth
}

/// The number of moves after which quiet ones are skipped.
fn lmp_limit(depth: i32, improving: bool) -> usize {
    if depth > params::lmp_max_depth() {
        return usize::MAX;
    }
    let growth = params::lmp_growth() * depth * depth / 100;
    ((params::lmp_base() + growth) / (2 - i32::from(improving))) as usize
}

/// How far below alpha the evaluation and what a capture brings must be, in centipawns.
fn capture_futility_margin(lmr_depth: i32) -> i32 {
    params::capture_futility_base() + params::capture_futility_margin() * lmr_depth
}

/// How far below alpha the evaluation must be, in centipawns, for a quiet move without history; more
/// the more the evaluation had to be corrected.
fn futility_margin(lmr_depth: i32, correction: i32) -> i32 {
    params::futility_base()
        + params::futility_margin() * lmr_depth
        + correction * params::futility_correction() / 100
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::evaluation::Evaluation;
    use crate::fen;
    use crate::search::limits::Limits;
    use crate::search::searcher::on_search_stack;
    use crate::search::settings::SearchSettings;
    use crate::search::threads::worker::Reporter;
    use crate::search::tt::TranspositionTable;

    #[test]
    fn nothing_is_searched_beyond_the_last_ply() {
        let boards = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "4k3/4r3/8/8/8/8/8/4K2R w K - 0 1",
        ];
        on_search_stack(move || {
            for position in boards.map(|text| fen::parse(text).unwrap()) {
                let tt = Arc::new(TranspositionTable::new(1).unwrap());
                let settings = SearchSettings::default();
                let shared = Shared::new(tt, Limits::depth(9), &position, settings, 1);
                let report: Reporter = Arc::new(|_| {});
                let mut worker = Worker::new(0, Evaluation::default(), report, position.clone());
                for ply in MAX_PLY - 6..MAX_PLY {
                    worker.begin(&position, &shared);
                    let (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
                    let score = worker.negamax::<Pv>(alpha, beta, 9, ply, false, &shared);
                    assert!(!score.is_decided(), "ply {ply}: {score:?}");
                    assert_eq!(worker.seldepth, MAX_PLY);
                    assert_eq!(worker.position.tt_key(), position.tt_key());
                }
            }
        })
        .unwrap();
    }

    #[test]
    fn analysis_prunes_after_a_share_of_the_depth_or_some_plies_and_games_at_once() {
        let latest = params::analysis_pruning_latest() as usize + 1;
        assert_eq!(first_prunable_ply(true, 1), 1);
        assert!((2..latest).contains(&first_prunable_ply(true, 10)));
        assert_eq!(first_prunable_ply(true, 100), latest);
        assert_eq!(first_prunable_ply(false, 100), 0);
    }
}
