//! What a node teaches the histories, and what they say of a move.

use super::history;
use super::worker::Worker;
use crate::types::Move;

impl Worker {
    /// What is known of a move from earlier nodes.
    pub(super) fn move_history(&self, mv: Move, ply: usize) -> i32 {
        let piece = self.position.moved_by(mv);
        if let Some(captured) = self.position.captured_by(mv) {
            return self.histories.capture(piece, mv.to(), captured);
        }
        let side = self.position.side_to_move();
        self.histories
            .quiet(side, piece, mv, self.moves_before(ply))
    }

    /// Rewards the move that was good enough and blames those tried before it.
    pub(super) fn reward(
        &mut self,
        mv: Move,
        depth: i32,
        ply: usize,
        quiets: &[Move],
        captures: &[Move],
    ) {
        let bonus = history::bonus(depth);
        if mv.is_tactical() {
            self.update_capture(mv, bonus);
        } else {
            self.update_quiet(mv, ply, bonus);
            for &tried in quiets {
                self.update_quiet(tried, ply, -bonus);
            }
        }
        for &tried in captures {
            self.update_capture(tried, -bonus);
        }
    }

    fn update_quiet(&mut self, mv: Move, ply: usize, bonus: i32) {
        let side = self.position.side_to_move();
        let piece = self.position.moved_by(mv);
        let before = self.moves_before(ply);
        self.histories.update_quiet(side, piece, mv, before, bonus);
    }

    fn update_capture(&mut self, mv: Move, bonus: i32) {
        if let Some(captured) = self.position.captured_by(mv) {
            let piece = self.position.moved_by(mv);
            self.histories
                .update_capture(piece, mv.to(), captured, bonus);
        }
    }
}
