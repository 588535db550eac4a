//! The numbers of the search.
//!
//! A *min depth* applies at that depth and above, a *max depth* at that depth and below; a
//! *margin* is in centipawns, per ply of depth where it says so; a *divisor* divides.

/// Least depth at which an iteration begins with a narrow window around the last score.
pub(super) const ASPIRATION_MIN_DEPTH: i32 = 5;
/// Half the width of that window at first, in centipawns.
pub(super) const ASPIRATION_WINDOW: i32 = 16;

/// Reverse futility pruning: greatest depth, and margin per ply.
pub(super) const REVERSE_FUTILITY_MAX_DEPTH: i32 = 8;
pub(super) const REVERSE_FUTILITY_MARGIN: i32 = 75;

/// Null move pruning: least depth, reduction at least, divisor of depth and of the surplus over
/// beta for more.
pub(super) const NULL_MOVE_MIN_DEPTH: i32 = 3;
pub(super) const NULL_MOVE_REDUCTION: i32 = 4;
pub(super) const NULL_MOVE_DEPTH_DIVISOR: i32 = 4;
pub(super) const NULL_MOVE_SURPLUS_DIVISOR: i32 = 200;

/// Internal iterative reduction: least depth.
pub(super) const INTERNAL_REDUCTION_MIN_DEPTH: i32 = 4;

/// Late move pruning: greatest depth, and the number of moves searched at depth zero.
pub(super) const LATE_MOVE_MAX_DEPTH: i32 = 8;
pub(super) const LATE_MOVE_BASE: i32 = 3;

/// Futility pruning: greatest depth, margin, and margin per ply.
pub(super) const FUTILITY_MAX_DEPTH: i32 = 8;
pub(super) const FUTILITY_BASE: i32 = 100;
pub(super) const FUTILITY_MARGIN: i32 = 80;

/// Pruning by static exchange: greatest depth, and what a move may lose per ply.
pub(super) const EXCHANGE_MAX_DEPTH: i32 = 8;
pub(super) const EXCHANGE_QUIET_MARGIN: i32 = 60;
pub(super) const EXCHANGE_CAPTURE_MARGIN: i32 = 100;

/// Late move reductions: least depth, least number of the move, and the terms of the formula
/// `base + ln(depth) * ln(move number) / divisor`.
pub(super) const LATE_REDUCTION_MIN_DEPTH: i32 = 2;
pub(super) const LATE_REDUCTION_MIN_MOVE: usize = 2;
pub(super) const LATE_REDUCTION_BASE: f64 = 0.8;
pub(super) const LATE_REDUCTION_DIVISOR: f64 = 2.3;
/// History that is worth one ply of reduction.
pub(super) const LATE_REDUCTION_HISTORY_DIVISOR: i32 = 8192;

/// Quiescence: what a capture may fall short of alpha, besides the man it takes.
pub(super) const QUIESCENCE_MARGIN: i32 = 150;

/// History bonus: per ply of depth, subtracted once, and at most.
pub(super) const HISTORY_BONUS: i32 = 160;
pub(super) const HISTORY_BONUS_OFFSET: i32 = 100;
pub(super) const HISTORY_BONUS_MAX: i32 = 1600;
