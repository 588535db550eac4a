//! What a node teaches the histories, and what they know of a move.

use super::bound::Bound;
use super::history::{self, Situation};
use super::negamax::NodeInfo;
use super::params;
use super::worker::Worker;
use crate::types::{Move, Score};

impl Worker {
    /// Notes the squares that the opponent attacks, for as long as this node is searched.
    pub(super) fn note_threats(&mut self, ply: usize) {
        self.frames[ply].threats = self.position.attacked_by(!self.position.side_to_move());
    }

    /// The context in which the histories rate this node's quiet moves. Its threats must be noted.
    pub(super) fn situation(&self, ply: usize) -> Situation {
        let before = |plies: usize| {
            ply.checked_sub(plies)
                .and_then(|ply| self.frames[ply].moved)
        };
        Situation {
            side_to_move: self.position.side_to_move(),
            threats: self.frames[ply].threats,
            pawns: self.position.pawn_key(),
            before: [before(1), before(2)],
        }
    }

    /// The history of a move; that of a quiet one in this situation.
    #[inline]
    pub(super) fn move_history(&self, mv: Move, situation: &Situation) -> i32 {
        let piece = self.position.moved_by(mv);
        if let Some(captured) = self.position.captured_by(mv) {
            return self.histories.capture(piece, mv.to(), captured);
        }
        if mv.is_tactical() {
            // A promotion: it has no history.
            return 0;
        }
        self.histories.quiet(situation, piece, mv)
    }

    /// Updates correction history with the error of the static evaluation, unless in check, the
    /// best move is tactical, the score is decided, or its bound says no more than the evaluation.
    pub(super) fn correct(
        &mut self,
        node: &NodeInfo,
        score: Score,
        best_move: Option<Move>,
        bound: Bound,
    ) {
        let quiet = best_move.is_none_or(|mv| !mv.is_tactical());
        let teaches = quiet && !node.in_check && !score.is_decided();
        if teaches && bound.improves(score, node.evaluation) {
            let error = score - node.raw_evaluation;
            self.corrections
                .update(&self.position, node.task.depth, error);
        }
    }

    /// Rewards the move that failed high and blames those tried before it.
    pub(super) fn reward(
        &mut self,
        mv: Move,
        depth: i32,
        situation: &Situation,
        quiets: &[Move],
        captures: &[Move],
    ) {
        let bonus = history::bonus(depth);
        let blame = bonus * params::history_blame() / 100;
        if mv.is_tactical() {
            self.update_capture(mv, bonus);
        } else {
            self.update_quiet(mv, situation, bonus);
            for &tried in quiets {
                self.update_quiet(tried, situation, -blame);
            }
        }
        for &tried in captures {
            self.update_capture(tried, -blame);
        }
    }

    fn update_quiet(&mut self, mv: Move, situation: &Situation, bonus: i32) {
        let piece = self.position.moved_by(mv);
        self.histories.update_quiet(situation, piece, mv, bonus);
    }

    fn update_capture(&mut self, mv: Move, bonus: i32) {
        if let Some(captured) = self.position.captured_by(mv) {
            let piece = self.position.moved_by(mv);
            self.histories
                .update_capture(piece, mv.to(), captured, bonus);
        }
    }
}
