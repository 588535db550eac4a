//! The principal variation: the line both sides are expected to follow.

use arrayvec::ArrayVec;

use crate::types::{MAX_PLY, Move};

/// A line of play, first move first.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// The best line found so far from every ply of the current path.
pub(super) struct PvTable {
    lines: Vec<Line>,
}

impl PvTable {
    pub(super) fn new() -> Self {
        Self {
            lines: vec![Line::new(); MAX_PLY + 1],
        }
    }

    /// Forgets the line from `ply` on: a new node begins there.
    #[inline]
    pub(super) fn clear(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// Notes that `mv` is best at `ply`, followed by the line found below it.
    pub(super) fn update(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        if let Some(reply) = below.first() {
            let room = line.remaining_capacity();
            line.extend(reply.iter().copied().take(room));
        }
    }

    /// The line from `ply` on.
    pub(super) fn line(&self, ply: usize) -> &[Move] {
        &self.lines[ply]
    }
}
