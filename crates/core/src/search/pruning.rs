//! The conditions and margins of pruning as small pure functions.

use super::params;
use crate::types::Score;

/// Reverse futility (static null move) pruning: so far above beta that no reply matters.
#[inline]
pub(super) fn reverse_futility(estimate: Score, beta: Score, depth: i32, improving: bool) -> bool {
    let margin = params::REVERSE_FUTILITY_MARGIN * (depth - i32::from(improving));
    depth <= params::REVERSE_FUTILITY_MAX_DEPTH && !estimate.is_mate() && estimate - margin >= beta
}

/// Whether passing the turn may prove anything here.
#[inline]
pub(super) fn null_move_sensible(
    estimate: Score,
    evaluation: Score,
    beta: Score,
    depth: i32,
) -> bool {
    depth >= params::NULL_MOVE_MIN_DEPTH && estimate >= beta && evaluation >= beta - 20 * depth
}

/// Plies by which the search after a null move is shallower: more when deep or far above beta.
#[inline]
pub(super) fn null_move_reduction(estimate: Score, beta: Score, depth: i32) -> i32 {
    params::NULL_MOVE_REDUCTION
        + depth / params::NULL_MOVE_DEPTH_DIVISOR
        + ((estimate - beta) / params::NULL_MOVE_SURPLUS_DIVISOR).clamp(0, 3)
}

/// Late move pruning: enough moves were tried at this shallow depth.
#[inline]
pub(super) fn late_move(number: usize, depth: i32, improving: bool) -> bool {
    let allowed = (params::LATE_MOVE_BASE + depth * depth) / (2 - i32::from(improving));
    depth <= params::LATE_MOVE_MAX_DEPTH && number as i32 > allowed
}

/// Futility pruning: a quiet move will not make up for what is missing.
#[inline]
pub(super) fn futile(evaluation: Score, alpha: Score, depth: i32) -> bool {
    let margin = params::FUTILITY_BASE + params::FUTILITY_MARGIN * depth;
    depth <= params::FUTILITY_MAX_DEPTH && evaluation + margin <= alpha
}
