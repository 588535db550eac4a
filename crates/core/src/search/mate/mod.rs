//! The search for a mate in a given number of moves: finds one and proves it.
//!
//! The ordinary search prunes, so it may miss a mate or find a longer one. Here a short ordinary
//! search provides a move in any case. Then [`solver`] looks for a mate in one, two, three moves
//! and so on, and so finds the shortest; if that takes too many nodes, it looks for a mate in the
//! full number of moves at once. If there is none, an ordinary search chooses the move.

mod solver;
mod table;

use solver::Solver;

use super::shared::Shared;
use super::worker::Worker;
use crate::types::{MAX_PLY, Score};

/// Depth in plies of the ordinary search before the search for a mate.
const FIRST_DEPTH: i32 = 4;
/// Depth in plies of the ordinary search if there is no mate.
const LAST_DEPTH: i32 = 12;
/// Nodes that each of these steps may take before the full number of moves is tried.
const EASY_NODES: u64 = 1 << 18;
/// The most nodes for one attempt at the full number of moves.
const MOST_NODES: u64 = 1 << 25;
/// The longest mate that is looked for: the table's word has room for no more plies.
const MOST_MOVES: u32 = MAX_PLY as u32 / 2;

impl Worker {
    /// Looks for a mate in at most `moves` moves, given or suffered by the side to move, within the
    /// limits of the search. There is at least one root move.
    pub(super) fn search_mate(&mut self, moves: u32, shared: &Shared) {
        self.deepen(FIRST_DEPTH, shared);
        // A move that is the only one, or settled, is no answer to the question.
        shared.clock.settle(false);
        let plies = 2 * moves.min(MOST_MOVES);
        let plies = shared.limits.depth.map_or(plies, |depth| depth.min(plies));
        if self.aborted || self.solve(plies, shared).is_some() {
            return;
        }
        self.deepen(LAST_DEPTH, shared);
    }

    /// Proves a mate and puts it first at the root; `None` if there is none or the search ends.
    fn solve(&mut self, plies: u32, shared: &Shared) -> Option<()> {
        let mut solver = Solver::new(self, shared, plies);
        let plies = find(&mut solver, plies)?;
        let line = solver.line(plies)?;
        let best = self
            .root_moves
            .iter()
            .position(|root| Some(&root.mv) == line.first())?;
        self.root_moves[..=best].rotate_right(1);
        let root = self.root_moves.first_mut()?;
        root.score = if root_mates_with(plies) {
            Score::mate_in(line.len())
        } else {
            Score::mated_in(line.len())
        };
        root.seldepth = line.len() as u32;
        self.root_depth = line.len() as i32;
        self.completed_depth = self.root_depth;
        root.pv = line;
        root.note_exact();
        self.candidates.clear();
        // Nothing is known of other moves at that depth.
        self.report_lines(&self.root_moves[..1], shared);
        Some(())
    }
}

/// Whether a mate of this many plies is given, not suffered, by the root's side to move: it plays
/// the last of an odd number.
fn root_mates_with(plies: u32) -> bool {
    plies % 2 == 1
}

/// The length in plies of a mate of at most `most` plies; `None` if there is none, the search was
/// aborted, or it was given up.
fn find(solver: &mut Solver<'_>, most: u32) -> Option<u32> {
    for plies in 1..=most {
        match solver.is_mate(plies, EASY_NODES) {
            Some(true) => return Some(plies),
            Some(false) => {}
            None => break,
        }
    }
    // The longest mate of either side in turn, each time with twice the effort.
    let mut open: Vec<u32> = (most.saturating_sub(1).max(1)..=most).collect();
    let mut nodes = EASY_NODES;
    while nodes <= MOST_NODES && !open.is_empty() && !solver.worker.aborted {
        for plies in std::mem::take(&mut open) {
            match solver.is_mate(plies, nodes) {
                Some(true) => return Some(plies),
                Some(false) => {}
                None => open.push(plies),
            }
        }
        nodes *= 2;
    }
    None
}
