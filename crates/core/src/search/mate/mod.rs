//! The search for a mate in a given number of moves: finds one and proves it.
//!
//! The ordinary search prunes, so it may miss a mate or find a longer one. Here [`solver`] looks
//! for a mate in one, two, three moves and so on, and so finds the shortest; if that takes too many
//! nodes, it looks for a mate in the full number of moves at once.

mod solver;
mod table;

use solver::{Solver, root_mates_with};

use super::threads::shared::Shared;
use super::threads::worker::Worker;
use crate::position::Rules;
use crate::types::{MAX_PLY, Move, Score};

/// Nodes that each of these steps may take before the full number of moves is tried.
const EASY_NODES: u64 = 1 << 18;
/// The most nodes for one attempt at the full number of moves.
const MOST_NODES: u64 = 1 << 25;
/// The longest mate that is looked for: a word of the hash table has room for no more plies.
const MOST_MOVES: u32 = MAX_PLY as u32 / 2;

/// Looks for a mate in at most `moves` moves, given or suffered by the side to move, within the
/// limits of the search: its score and its line. `None` if there is none or the search ends.
pub(super) fn solve<R: Rules>(
    worker: &mut Worker<R>,
    moves: u32,
    shared: &Shared,
) -> Option<(Score, Vec<Move>)> {
    let plies = 2 * moves.min(MOST_MOVES);
    let plies = shared.limits.depth.map_or(plies, |depth| depth.min(plies));
    let mut solver = Solver::new(worker, shared, plies);
    let plies = find(&mut solver, plies)?;
    let line = solver.line(plies)?;
    let score = if root_mates_with(plies) {
        Score::mate_in(line.len())
    } else {
        Score::mated_in(line.len())
    };
    Some((score, line))
}

/// The length in plies of a mate of at most `most` plies; `None` if there is none, the search was
/// aborted, or it was given up.
fn find<R: Rules>(solver: &mut Solver<'_, R>, most: u32) -> Option<u32> {
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
