//! The search for a mate in a given number of moves: finds the shortest one and proves it.
//!
//! The ordinary search prunes, so it may miss a mate or see a longer one. Here a short ordinary
//! search provides a move in any case; then [`solver`] asks for a mate in one, two, three moves
//! and so on. Whoever has no mate is told so by an ordinary search, and plays its move.

mod solver;
mod table;

use solver::Solver;

use super::report::Bound;
use super::shared::Shared;
use super::worker::{Report, Worker};
use crate::types::{MAX_PLY, Score};

/// Depth in plies of the ordinary search before the search for a mate.
const FIRST_DEPTH: i32 = 4;
/// Depth in plies of the ordinary search if there is no mate.
const LAST_DEPTH: i32 = 12;
/// The longest mate that is asked for: the table's word has room for no more plies.
const MOST_MOVES: u32 = MAX_PLY as u32 / 2;

impl Worker {
    /// Looks for the shortest mate in at most `moves` moves, given or suffered by the side to
    /// move, within the limits of the search. There is at least one root move.
    pub(super) fn search_mate(
        &mut self,
        moves: u32,
        shared: &Shared,
        report: &mut dyn FnMut(Report),
    ) {
        self.deepen(FIRST_DEPTH, shared, report);
        if self.aborted || self.solve(moves.min(MOST_MOVES), shared, report).is_some() {
            return;
        }
        self.deepen(LAST_DEPTH, shared, report);
    }

    /// The number of moves of the mate that was found and now stands first at the root.
    fn solve(
        &mut self,
        moves: u32,
        shared: &Shared,
        report: &mut dyn FnMut(Report),
    ) -> Option<u32> {
        let mut solver = Solver::new(self, shared, 2 * moves);
        for moves in 1..=moves {
            for attacks in [true, false] {
                let plies = 2 * moves - u32::from(attacks);
                if !solver.is_mate(plies, attacks)? {
                    continue;
                }
                let line = solver.line(plies, attacks)?;
                let best = self
                    .root_moves
                    .iter()
                    .position(|root| Some(&root.mv) == line.first())?;
                self.root_moves[..=best].rotate_right(1);
                let root = self.root_moves.first_mut()?;
                root.score = if attacks {
                    Score::mate_in(plies as usize)
                } else {
                    Score::mated_in(plies as usize)
                };
                root.bound = Bound::Exact;
                root.last_exact = Some(root.score);
                root.seldepth = plies;
                root.pv = line;
                self.root_depth = plies as i32;
                self.completed_depth = self.root_depth;
                self.report_lines(shared, report);
                return Some(moves);
            }
        }
        None
    }
}
