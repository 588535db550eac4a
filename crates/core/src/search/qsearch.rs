//! Quiescence search: at depth zero only captures and queen promotions are searched, and at its
//! first ply quiet checks, until the static evaluation can be trusted. In check all evasions, and where
//! captures are compulsory all of them, for a few plies.

use super::bound::Bound;
use super::node::Node;
use super::ordering::picker::MovePicker;
use super::params;
use super::threads::shared::Shared;
use super::threads::worker::Worker;
use super::tt::Entry;
use crate::position::Rules;
use crate::types::{MAX_PLY, Score};

/// The depth of quiescence at which quiet checks are searched: that at which the search enters it. It is one less
/// with every ply.
pub(super) const WITH_CHECKS: i32 = 0;
/// Another to enter it, without quiet checks.
pub(super) const WITHOUT_CHECKS: i32 = -1;
/// The least depth at which who must capture may not stand pat. In a game of compulsory captures each leads to more
/// of them: searched to their ends, they would take millions of nodes.
const LAST_COMPULSORY: i32 = -5;

impl<R: Rules> Worker<R> {
    /// Searches captures and queen promotions until the position is quiet, and returns its score
    /// (fail-soft). `depth` is 0 or less; `ply` counts from the root, below [`MAX_PLY`].
    ///
    /// The result is meaningless once `aborted` is set.
    pub(super) fn qsearch<N: Node>(
        &mut self,
        mut alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        shared: &Shared,
    ) -> Score {
        debug_assert!(-Score::INFINITE <= alpha && alpha < beta && beta <= Score::INFINITE);
        debug_assert!(N::PV || beta - alpha == 1);
        debug_assert!(depth <= 0 && ply < MAX_PLY);

        if N::PV {
            self.pv.clear(ply);
        }
        self.count_node(shared);
        if self.aborted {
            return Score::DRAW;
        }
        self.seldepth = self.seldepth.max(ply + 1);

        // 1. Ends of variants, draws, values given by the user, and the deepest ply.
        if let Some(score) = self.ended(ply) {
            return score;
        }
        if self.is_draw(ply) {
            return self.draw_score();
        }
        if let Some(score) = shared.values.result(self.position.key(), 0) {
            return score;
        }
        let in_check = self.position.in_check();
        let must_capture = depth >= LAST_COMPULSORY && self.position.must_capture();
        let forced = in_check || must_capture;
        if ply >= MAX_PLY - 1 {
            return if in_check {
                Score::DRAW
            } else {
                self.evaluator.evaluate(&self.position)
            };
        }

        // 2. Transposition table cut-off.
        let tt_key = self.position.tt_key();
        let tt_entry = shared.tt.probe(tt_key, ply);
        if let Some(entry) = tt_entry
            && !N::PV
            && entry.cuts_off(alpha, beta, ply, self.position.fifty_move_clock())
        {
            return entry.score;
        }
        let tt_move = tt_entry
            .and_then(|entry| entry.mv)
            .filter(|&mv| (forced || mv.is_tactical()) && self.position.is_legal(mv));
        // Its entry arrives while this position is evaluated.
        if let Some(mv) = tt_move {
            self.prefetch(mv, shared);
        }

        // 3. Stand pat: the side to move may decline every capture.
        let (raw_eval, eval, _) = self.evaluate(tt_entry, ply);
        let mut best_score = Score::mated_in(ply);
        if !forced {
            best_score = tt_entry.map_or(eval, |entry| entry.refine(eval));
            if best_score >= beta {
                if tt_entry.is_none() {
                    let entry = Entry {
                        score: best_score,
                        bound: Some(Bound::Lower),
                        ..Entry::evaluated(raw_eval)
                    };
                    shared.tt.store(tt_key, ply, entry);
                }
                return best_score;
            }
            alpha = alpha.max(best_score);
        }

        // 4. Moves: captures that lose no material, and quiet checks if wanted; if forced all.
        if forced {
            self.position.cache_threats();
        }
        let mut picker = if forced {
            MovePicker::new(tt_move, self.conthist(ply), ply)
        } else if depth == WITH_CHECKS {
            MovePicker::captures_and_checks(tt_move)
        } else {
            MovePicker::captures(tt_move)
        };
        // What a capture without gain is hoped to score.
        let futility_base = eval + params::qsearch_delta_margin();
        let mut best_move = None;
        let mut bound = Bound::Upper;
        while let Some(mv) = picker.next(&self.position, &self.histories) {
            self.prefetch(mv, shared);

            // 5. Pruning.
            if forced {
                // Once an evasion that does not lose is known, quiet ones will hardly be better, nor those that
                // lose material.
                if !best_score.is_loss() {
                    if !mv.is_tactical() {
                        picker.skip_quiets();
                        continue;
                    }
                    let margin = params::qsearch_evasion_see_margin();
                    if !must_capture && !self.position.see_at_least(mv, -margin) {
                        continue;
                    }
                }
            } else if mv.is_tactical() && mv.promotion().is_none() && !alpha.is_loss() {
                // Delta pruning: even with the captured piece it is not enough.
                let captured = self.position.captured_by(mv);
                let captured =
                    captured.map_or(0, |captured| self.position.exchange_value(captured));
                if futility_base + captured <= alpha {
                    best_score = best_score.max(futility_base + captured);
                    continue;
                }
                // An exchange that gains nothing will not raise alpha either.
                if futility_base <= alpha && !self.position.see_at_least(mv, 1) {
                    best_score = best_score.max(futility_base);
                    continue;
                }
            }

            if let Some(following) = picker.following() {
                self.prefetch(following, shared);
            }
            self.make_move(mv, ply);
            let score = -self.qsearch::<N>(-beta, -alpha, depth - 1, ply + 1, shared);
            self.unmake_move();
            if self.aborted {
                return best_score;
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
                        break;
                    }
                    alpha = score;
                }
            }
        }

        // 6. Transposition table.
        let entry = Entry {
            mv: best_move,
            score: best_score,
            evaluation: (!in_check).then_some(raw_eval),
            depth: 0,
            bound: Some(bound),
            was_pv: tt_entry.is_some_and(|entry| entry.was_pv),
        };
        shared.tt.store(tt_key, ply, entry);
        debug_assert!(-Score::INFINITE < best_score && best_score < Score::INFINITE);
        debug_assert!(self.position.tt_key() == tt_key);
        best_score
    }
}
