//! Quiescence search: at depth zero only captures and queen promotions are searched, and at its
//! first ply quiet checks, until the static evaluation can be trusted.

use super::bound::Bound;
use super::move_picker::MovePicker;
use super::negamax::Node;
use super::params;
use super::shared::Shared;
use super::tt::Entry;
use super::worker::{StaticScore, Worker};
use crate::position::exchange_value;
use crate::types::{MAX_PLY, Move, Score};

/// Whether quiescence searches quiet checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuietChecks {
    /// At this ply, not at those that follow.
    Once,
    Never,
}

impl Worker {
    /// Searches captures and queen promotions, in check all moves; also quiet `checks` if wanted.
    pub(super) fn quiescence<N: Node>(
        &mut self,
        mut alpha: Score,
        beta: Score,
        ply: usize,
        checks: QuietChecks,
        shared: &Shared,
    ) -> Score {
        if N::PV {
            self.pv.clear(ply);
        }
        self.count_node(shared);
        if self.aborted {
            return Score::DRAW;
        }
        self.seldepth = self.seldepth.max(ply + 1);
        if self.is_drawn(ply) {
            return self.draw_score();
        }
        if let Some(score) = shared.values.result(self.position.key(), 0) {
            return score;
        }
        let in_check = self.position.in_check();
        if ply >= MAX_PLY - 1 {
            return if in_check {
                Score::DRAW
            } else {
                self.evaluator.evaluate(&self.position)
            };
        }

        let tt_entry = shared.tt.probe(self.position.key(), ply);
        if let Some(entry) = &tt_entry
            && !N::PV
            && self.is_settled_by(entry, alpha, beta, 0, ply)
        {
            return entry.score;
        }

        let static_score = self.static_score(tt_entry);
        let evaluation = static_score.corrected;
        let mut best = Score::mated_in(ply);
        if !in_check {
            // Stand pat: nobody has to capture.
            best = tt_entry.map_or(evaluation, |entry| entry.refine(evaluation));
            if best >= beta {
                if tt_entry.is_none() {
                    let entry = Entry {
                        score: best,
                        bound: Some(Bound::Lower),
                        ..Entry::evaluated(static_score.raw)
                    };
                    shared.tt.store(self.position.key(), ply, entry);
                }
                return best;
            }
            alpha = alpha.max(best);
        }

        self.search_captures::<N>(
            tt_entry,
            static_score,
            best,
            alpha,
            beta,
            ply,
            checks,
            shared,
        )
    }

    /// Searches the captures of a node and, if wanted, quiet `checks`; in check all evasions.
    /// `best` is the score without any of them.
    #[expect(
        clippy::too_many_arguments,
        reason = "what quiescence has found out so far"
    )]
    fn search_captures<N: Node>(
        &mut self,
        tt_entry: Option<Entry>,
        static_score: StaticScore,
        mut best: Score,
        mut alpha: Score,
        beta: Score,
        ply: usize,
        checks: QuietChecks,
        shared: &Shared,
    ) -> Score {
        let in_check = self.position.in_check();
        let tt_move = tt_entry
            .and_then(|entry| entry.mv)
            .filter(|&mv| (in_check || mv.is_tactical()) && self.position.is_legal(mv));
        let mut picker = if in_check {
            self.note_threats(ply);
            MovePicker::new(tt_move, self.situation(ply))
        } else {
            match checks {
                QuietChecks::Once => MovePicker::forcing(tt_move),
                QuietChecks::Never => MovePicker::tactical(tt_move),
            }
        };
        let mut best_move = None;
        let mut bound = Bound::Upper;
        while let Some(mv) = picker.next(&self.position, &self.histories) {
            let gains = mv.is_tactical() && mv.promotion().is_none();
            if !in_check && gains && !alpha.is_loss() {
                if let Some(hoped) = self.fails_low(mv, static_score.corrected, alpha) {
                    best = best.max(hoped);
                    continue;
                }
            } else if in_check && !mv.is_tactical() && !best.is_loss() {
                // A non-losing evasion is known: quiet ones will hardly be better.
                picker.skip_quiets();
                continue;
            }
            self.make_move(mv, ply, shared);
            let score = -self.quiescence::<N>(-beta, -alpha, ply + 1, QuietChecks::Never, shared);
            self.unmake_move();
            if self.aborted {
                return best;
            }
            if score > best {
                best = score;
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

        let entry = Entry {
            mv: best_move,
            score: best,
            evaluation: (!in_check).then_some(static_score.raw),
            depth: 0,
            bound: Some(bound),
            was_pv: tt_entry.is_some_and(|entry| entry.was_pv),
        };
        shared.tt.store(self.position.key(), ply, entry);
        best
    }

    /// Delta pruning: an optimistic score of a capture, if even that does not raise alpha.
    #[inline]
    fn fails_low(&self, mv: Move, evaluation: Score, alpha: Score) -> Option<Score> {
        let even = evaluation + params::quiescence_margin();
        let hoped = even + self.gain(mv);
        if hoped <= alpha {
            return Some(hoped);
        }
        // A capture that gains nothing by static exchange will not raise alpha either.
        (even <= alpha && !self.position.see_at_least(mv, 1)).then_some(even)
    }

    /// The value of the captured piece, in centipawns.
    fn gain(&self, mv: Move) -> i32 {
        self.position.captured_by(mv).map_or(0, exchange_value)
    }
}
