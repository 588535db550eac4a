//! What a node teaches the histories, and what they say of a move.

use super::history::{self, Situation};
use super::negamax::NodeInfo;
use super::params;
use super::tt::StoredBound;
use super::worker::Worker;
use crate::types::{Move, Score};

impl Worker {
    /// Notes what the opponent threatens, for as long as this node is searched.
    pub(super) fn note_threats(&mut self, ply: usize) {
        self.frames[ply].threats = self.position.attacked_by(!self.position.side_to_move());
    }

    /// What the histories judge the quiet moves of this node by. Its threats must have been noted.
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

    /// What is known of a move from earlier nodes; a quiet one in this situation.
    #[inline]
    pub(super) fn move_history(&self, mv: Move, situation: &Situation) -> i32 {
        let piece = self.position.moved_by(mv);
        if let Some(captured) = self.position.captured_by(mv) {
            return self.histories.capture(piece, mv.to(), captured);
        }
        if mv.is_tactical() {
            // A promotion: nothing is noted of it.
            return 0;
        }
        self.histories.quiet(situation, piece, mv)
    }

    /// Teaches correction history how wrong the static evaluation was, where the score is about
    /// the position and not about a capture, and says something the evaluation did not.
    pub(super) fn correct(
        &mut self,
        node: &NodeInfo,
        score: Score,
        best_move: Option<Move>,
        bound: StoredBound,
        depth: i32,
    ) {
        let consistent = match bound {
            StoredBound::Lower => score > node.evaluation,
            StoredBound::Upper => score < node.evaluation,
            StoredBound::Exact => true,
            StoredBound::None => false,
        };
        let quiet = best_move.is_none_or(|mv| !mv.is_tactical());
        if consistent && quiet && !node.in_check && !score.is_decided() {
            let error = score - node.raw_evaluation;
            self.corrections.update(&self.position, depth, error);
        }
    }

    /// Rewards the move that was good enough and blames those tried before it.
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
