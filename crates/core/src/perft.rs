//! Counting move paths: the test of a move generator, and its measure of speed.

use std::ops::RangeInclusive;

use crate::position::{Position, Rules};
use crate::types::Move;

/// Lengths in plies that may be asked for. The start position has 2e18 sequences of 13 moves,
/// centuries of work; one more, and the number does not fit in 64 bits.
pub const DEPTHS: RangeInclusive<u32> = 0..=13;

/// How many sequences of `depth` legal moves there are.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    match position.as_standard() {
        Some(mut standard) => count(&mut standard, depth, &|| false),
        None => count(position, depth, &|| false),
    }
}

/// The same count, split by the first move. `stopped` is polled often; once it says so, it must say
/// so for ever, and the moves not yet counted are left out.
pub fn divide(
    position: &mut Position,
    depth: u32,
    stopped: &impl Fn() -> bool,
) -> Vec<(Move, u64)> {
    match position.as_standard() {
        Some(mut standard) => divide_by_rules(&mut standard, depth, stopped),
        None => divide_by_rules(position, depth, stopped),
    }
}

fn divide_by_rules<R: Rules>(
    position: &mut Position<R>,
    depth: u32,
    stopped: &impl Fn() -> bool,
) -> Vec<(Move, u64)> {
    let mut counts = Vec::new();
    for mv in position.legal_moves() {
        position.make_move(mv);
        let count = count(position, depth.saturating_sub(1), stopped);
        position.unmake_move();
        if stopped() {
            break;
        }
        counts.push((mv, count));
    }
    counts
}

/// The paths of this depth; fewer after a stop. The last ply is counted, not made.
fn count<R: Rules>(position: &mut Position<R>, depth: u32, stopped: &impl Fn() -> bool) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves() as u64,
        // Less takes microseconds: too short to poll for a stop.
        3.. if stopped() => 0,
        _ => {
            let mut paths = 0;
            for mv in position.legal_moves() {
                position.make_move(mv);
                paths += count(position, depth - 1, stopped);
                position.unmake_move();
            }
            paths
        }
    }
}
