//! The tunable numbers of the search.
//!
//! A *min depth* applies at that depth and above, a *max depth* at that depth and below; a *margin*
//! is in centipawns, per ply of depth if so stated. The *reduced depth* is what the late move reduction of a
//! move's number leaves.
//!
//! Each line is `name = value, min..=max`. In a normal build a name is a constant. With the
//! feature `tune` every number is an option that can be set at run time, so that one binary can
//! play against itself with other numbers, and a tuner can vary them.

#[cfg(feature = "tune")]
use std::sync::atomic::{AtomicI32, Ordering};

/// A tunable number with its range.
#[cfg(feature = "tune")]
#[derive(Debug)]
pub struct Tunable {
    /// Its name.
    pub name: &'static str,
    /// Its value in a normal build.
    pub default: i32,
    /// Smallest value.
    pub min: i32,
    /// Largest value.
    pub max: i32,
    value: AtomicI32,
}

#[cfg(feature = "tune")]
impl Tunable {
    const fn new(name: &'static str, default: i32, min: i32, max: i32) -> Self {
        Self {
            name,
            default,
            min,
            max,
            value: AtomicI32::new(default),
        }
    }

    fn get(&self) -> i32 {
        self.value.load(Ordering::Relaxed)
    }

    /// Sets the number, for all searches of the process. It must lie in the range.
    pub fn set(&self, value: i32) {
        debug_assert!((self.min..=self.max).contains(&value));
        self.value.store(value, Ordering::Relaxed);
    }
}

/// Every number of the search.
#[cfg(feature = "tune")]
pub(crate) fn tunables() -> &'static [Tunable] {
    &PARAMS
}

#[cfg(feature = "tune")]
impl PartialEq for Tunable {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

#[cfg(feature = "tune")]
impl Eq for Tunable {}

/// Makes every line a function: of a constant or, with `tune`, of a number that can be set.
macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $value:literal, $min:literal..=$max:literal;)*) => {
        $(
            const _: () = assert!($min <= $value && $value <= $max);

            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            pub(super) const fn $name() -> i32 {
                $value
            }

            $(#[$doc])*
            #[cfg(feature = "tune")]
            pub(super) fn $name() -> i32 {
                PARAMS[Line::$name as usize].get()
            }
        )*

        #[cfg(feature = "tune")]
        #[expect(non_camel_case_types, reason = "named like the functions")]
        enum Line {
            $($name,)*
        }

        #[cfg(feature = "tune")]
        static PARAMS: [Tunable; [$($value),*].len()] = [
            $(Tunable::new(stringify!($name), $value, $min, $max),)*
        ];
    };
}

params! {
    /// Smallest depth at which an iteration begins with a narrow window around the last score.
    aspiration_min_depth = 5, 1..=10;
    /// Initial half-width of that window, in centipawns.
    aspiration_window = 14, 4..=60;
    /// It is narrower by one for each iteration in a row that kept the best move, and its score within so many
    /// centipawns of the mean,
    aspiration_calm_margin = 8, 1..=50;
    /// but not by more than this.
    aspiration_calm_max = 4, 0..=10;
    /// By how many hundredths it grows each time that the score lies outside.
    aspiration_growth = 70, 10..=200;

    /// From this depth on an entry of the table that is deep enough, but of no use for its bound, loses a ply.
    tt_wane_min_depth = 6, 1..=99;

    /// Analysis: plies from the root without pruning of whole nodes, in hundredths of the
    /// iteration's depth.
    analysis_pruning_from = 35, 0..=100;
    /// Those plies at most.
    analysis_pruning_latest = 6, 0..=60;

    /// Reverse futility pruning: greatest depth.
    rfp_max_depth = 12, 1..=16;
    /// Its margin per ply.
    rfp_margin = 72, 20..=200;
    /// By how much less if the opponent's last move has made his evaluation worse.
    rfp_worsening_margin = 25, 0..=100;
    /// By how many hundredths of the evaluation's correction more.
    rfp_correction = 50, 0..=300;

    /// Null move pruning: smallest depth.
    nmp_min_depth = 3, 1..=8;
    /// Base reduction, in plies.
    nmp_base = 5, 2..=6;
    /// The depth divided by this is added.
    nmp_depth_divisor = 6, 2..=8;
    /// How far below beta the static evaluation may be, in centipawns per ply.
    nmp_eval_margin = 17, 0..=60;
    /// By how many hundredths of the evaluation's correction the estimate must exceed beta.
    nmp_correction = 50, 0..=300;
    /// The surplus over beta divided by this is added, 3 plies at most.
    nmp_eval_divisor = 186, 50..=400;
    /// Smallest depth at which the result is verified.
    nmp_verification_min_depth = 12, 6..=30;

    /// ProbCut: smallest depth.
    probcut_min_depth = 5, 3..=99;
    /// By how much beta is raised.
    probcut_margin = 178, 50..=400;
    /// By how much less if improving.
    probcut_improving_margin = 60, 0..=200;
    /// Reduction of the search against the raised beta, in plies.
    probcut_reduction = 4, 2..=6;

    /// A quiet move has changed the evaluation: greatest depth at which the histories learn from that
    /// if the table knows the position.
    eval_history_max_depth = 5, 0..=16;
    /// Their bonus per centipawn that was won.
    eval_history_rate = 13, 0..=64;
    /// Its largest size.
    eval_history_max = 900, 0..=4000;
    /// What is added to it.
    eval_history_base = 200, -1000..=1000;

    /// Hindsight: the reduction in plies after which a node is searched deeper if the evaluation has
    /// not become better for its side.
    hindsight_deeper_min = 3, 1..=6;
    /// The reduction after which it is searched less deep if it has.
    hindsight_shallower_min = 2, 1..=6;
    /// By how much both evaluations have to be better, in centipawns.
    hindsight_margin = 85, 0..=300;

    /// Internal iterative reduction: smallest depth without a move of the table,
    iir_min_depth = 4, 2..=10;
    /// and where the table's move has failed low.
    iir_failed_min_depth = 8, 2..=20;

    /// Late move pruning: greatest depth.
    lmp_max_depth = 12, 1..=16;
    /// Moves before pruning at depth zero if improving; half of them if not.
    lmp_base = 5, 1..=10;
    /// Hundredths of the depth squared that are added to them.
    lmp_growth = 138, 30..=300;

    /// Futility pruning: greatest reduced depth.
    futility_max_depth = 12, 1..=16;
    /// Its margin at depth zero.
    futility_base = 41, 0..=300;
    /// Its margin per ply of that.
    futility_margin = 72, 20..=200;
    /// Hundredths of the evaluation's correction that are added to it.
    futility_correction = 50, 0..=300;
    /// History that is worth one centipawn of margin.
    futility_history_divisor = 128, 32..=1024;

    /// Futility pruning of captures: greatest reduced depth.
    capture_futility_max_depth = 9, 1..=16;
    /// Its margin at depth zero.
    capture_futility_base = 90, 0..=400;
    /// Its margin per ply of that.
    capture_futility_margin = 80, 0..=300;
    /// History that is worth one centipawn of margin.
    capture_futility_history_divisor = 64, 16..=1024;

    /// Pruning of quiet moves by their history: greatest reduced depth.
    history_pruning_max_depth = 8, 1..=16;
    /// How bad it must be, in points per ply of depth.
    history_pruning_margin = 3600, 1000..=12_000;

    /// Pruning by static exchange evaluation: greatest depth, of quiet moves reduced depth.
    see_max_depth = 12, 1..=16;
    /// What a quiet move may lose per ply of reduced depth.
    see_quiet_margin = 78, 10..=150;
    /// What a capture may lose per ply of depth.
    see_capture_margin = 95, 20..=250;

    /// Late move reductions: smallest depth.
    lmr_min_depth = 2, 1..=5;
    /// Number of the last move that is never reduced; one more at the root.
    lmr_min_move = 2, 0..=6;
    /// Base in hundredths of a ply: the formula is `base + ln(depth) * ln(move number) / divisor`.
    lmr_base = 90, 0..=200;
    /// Its divisor in hundredths.
    lmr_divisor = 240, 120..=400;
    /// History that is worth one ply of reduction.
    lmr_history_divisor = 8300, 2048..=32768;
    /// Added to a reduction, in 1024ths of a ply: the node is not improving.
    lmr_not_improving = 1140, 0..=3072;
    /// The node is expected to fail high.
    lmr_cut_node = 2440, 0..=4096;
    /// The table's move is a capture or a promotion.
    lmr_tt_capture = 1000, 0..=3072;
    /// It is expected to fail high, and the table has no move.
    lmr_no_tt_move = 700, 0..=3072;
    /// For each centipawn by which the evaluation is below alpha, up to 300.
    lmr_below_alpha = 2, 0..=20;
    /// Subtracted from it, in 1024ths of a ply: the node is on the principal variation.
    lmr_pv = 1070, 0..=3072;
    /// It is or once was.
    lmr_was_pv = 1120, 0..=3072;
    /// The move gives check.
    lmr_check = 810, 0..=3072;
    /// The move is a capture or a promotion.
    lmr_tactical = 300, 0..=3072;
    /// For each centipawn of what it captures, in hundredths of such a unit.
    lmr_victim = 190, 0..=600;

    /// After a reduced search: one ply deeper if it beats the best score by more than this, in
    /// centipawns,
    lmr_deeper_margin = 42, 0..=200;
    /// and by this for each ply of the full depth.
    lmr_deeper_depth_margin = 2, 0..=20;
    /// One ply less deep if by less than this.
    lmr_shallower_margin = 6, 0..=50;
    /// The bonus in continuation history of a quiet move whose reduced search has raised alpha.
    lmr_bonus = 1400, 0..=3000;

    /// Singular extensions: smallest depth.
    singular_min_depth = 6, 4..=12;
    /// How far below the table's score all other moves must stay, in 1/16 centipawn per ply.
    singular_margin = 36, 4..=128;
    /// How much further for an extension of two plies, in centipawns.
    double_extension_margin = 15, 0..=100;
    /// What is added to that on the principal variation.
    double_extension_pv_margin = 70, 0..=300;
    /// How much further for an extension of three plies.
    triple_extension_margin = 90, 0..=300;
    /// Greatest depth at which the other moves are searched a ply deeper then.
    double_extension_others_max_depth = 11, 0..=30;
    /// Most moves on a path that are extended by two plies.
    double_extensions_max = 6, 0..=20;

    /// Quiescence: margin of delta pruning, besides the value of the captured piece.
    qsearch_delta_margin = 305, 50..=400;
    /// In check, what a capture may lose in exchanges once an evasion that does not lose is known.
    qsearch_evasion_see_margin = 80, 0..=400;

    /// Time: moves that the game is expected to last from its first one on if the moves to go are
    /// not given.
    time_expected_moves = 36, 10..=80;
    /// By how many hundredths of a move each move of the game lowers that number.
    time_expected_step = 70, 0..=100;
    /// Its least value.
    time_expected_min = 18, 5..=60;
    /// The part of the increment that is spent on the move, in hundredths.
    time_increment_share = 85, 0..=100;
    /// The hard limit in tenths of the soft one.
    time_hard_factor = 50, 10..=100;
    /// Factor on the soft limit, in hundredths, if the best move took no nodes; one less for each
    /// hundredth of the nodes that it took.
    time_best_move_nodes = 160, 100..=250;
    /// Another factor, if the best move has just changed.
    time_unstable = 120, 100..=200;
    /// Subtracted from it for each iteration that kept the best move, up to eight.
    time_stable_step = 5, 0..=12;
    /// Hundredths of a percent added for each centipawn by which the score has fallen in the last iterations,
    /// up to sixty,
    time_falling = 100, 0..=300;
    /// and since the search before.
    time_falling_since = 150, 0..=600;
    /// As much is subtracted for each centipawn by which it has risen, up to so many.
    time_rise_max = 30, 0..=60;

    /// Ordering: bonus of a quiet move that gives check, in points of history.
    check_bonus = 12_000, 0..=20_000;
    /// The material that such a move may lose, in centipawns.
    check_bonus_see = 101, 0..=500;

    /// History bonus per ply of depth.
    history_bonus = 251, 50..=400;
    /// Subtracted from it once.
    history_bonus_offset = 33, 0..=400;
    /// The largest bonus.
    history_bonus_max = 1700, 400..=4000;
    /// The part of it that butterfly history learns, in hundredths.
    butterfly_rate = 200, 20..=400;
    /// The part of it that continuation history learns, in hundredths.
    conthist_rate = 118, 20..=400;
    /// What bonus and malus count if the table named another move, or none, in hundredths.
    history_surprise = 105, 50..=200;
    /// Blame of the moves tried before, in hundredths of the bonus.
    history_malus = 99, 30..=180;
    /// Depth up to which a quiet move earns no bonus if it was the first that was tried.
    history_trivial_max_depth = 3, 0..=8;
    /// How far above beta a score lets the histories learn as from one ply more, in centipawns.
    history_far_margin = 70, 0..=300;
    /// Hundredths of the depth from which they learn a best move that is no cut-off.
    history_exact_depth = 50, 0..=100;
    /// By how much the malus falls with each move, in 1024ths.
    history_malus_step = 60, 0..=400;
    /// Bonus of the opponent's last quiet move if all replies fail low, per ply of depth.
    refuted_bonus = 120, 0..=400;
    /// Subtracted from it once.
    refuted_bonus_offset = 80, 0..=400;
    /// The largest such bonus.
    refuted_bonus_max = 900, 0..=4000;
    /// What is left of butterfly history in the next search, in sixteenths.
    history_ageing = 12, 0..=16;
    /// Weight of pawn history relative to butterfly history, in sixteenths.
    pawn_history_weight = 11, 0..=40;
    /// Weight of continuation history after the opponent's move, in sixteenths.
    conthist_1_weight = 18, 0..=40;
    /// Weight of continuation history after our own previous move, in sixteenths.
    conthist_2_weight = 13, 0..=40;
    /// Weight of the captured piece's value relative to capture history.
    mvv_weight = 18, 2..=40;
    /// In check captures come before quiet moves, by the man that captures, each kind by so much before the
    /// next more valuable one.
    evasion_capture_step = 20_000, 0..=20_000;
    /// Points of that order for which a capture may lose a centipawn and still come before the
    /// quiet moves.
    good_capture_divisor = 44, 8..=400;

    /// Correction history: by how many hundredths of a 256th of a centipawn an error of a centipawn
    /// moves a correction, per ply of depth.
    corrhist_rate = 420, 50..=1500;
    /// How much an evaluation teaches that was too high, in hundredths of what one does that was too low.
    corrhist_too_high = 150, 50..=300;
    /// What the sum of the corrections is divided by, in hundredths.
    corrhist_divisor = 153, 100..=400;
    /// How much the corrections by the pieces other than pawns count in that sum, in hundredths.
    corrhist_non_pawn_weight = 125, 0..=300;
}
