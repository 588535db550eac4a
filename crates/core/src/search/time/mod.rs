//! How long to think: from clocks to budgets, and how far a settled search stays below them. Pure:
//! reads no clock.

pub(crate) mod clock;
pub(crate) mod lag;

use std::time::Duration;

use crate::search::limits::{Clock, Limits};
use crate::search::params;
use crate::types::{Color, ColorMap, Move, Score};

/// The time for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Begin no further iteration after this, times a factor for how settled the search is.
    pub soft: Duration,
    /// Never think longer than this.
    pub hard: Duration,
    /// Whether the time is fixed, so that none is to be saved.
    pub is_fixed: bool,
}

/// What is lost with a move besides the thinking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overhead {
    /// What the user expects to be lost at most.
    pub reserved: Duration,
    /// What was lost lately.
    pub measured: Lag,
}

/// What was lost with the last moves besides the thinking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lag {
    /// On average.
    pub mean: Duration,
    /// At worst; the longer ago, the less.
    pub worst: Duration,
}

/// The least time ever spent on a move, even if the flag is about to fall.
const MIN_TIME: Duration = Duration::from_micros(500);

/// Without moves to go, the overhead of this many moves is reserved in advance.
const RESERVED_MOVES: u32 = 8;
/// A game without moves to go may last this many moves more, each of which takes from the clock what
/// a move costs at least.
const LONG_GAME: u32 = 100;
/// More moves to go than this are planned as this many: games end earlier.
const MAX_PLANNED_MOVES: u32 = 50;

impl Budget {
    /// A fixed time, at least [`MIN_TIME`].
    fn exactly(time: Duration) -> Self {
        let time = time.max(MIN_TIME);
        Self {
            soft: time,
            hard: time,
            is_fixed: true,
        }
    }

    /// The budget of `side` under these limits in the move of the game with this number, counted
    /// from 1; `None` if its time is not limited.
    ///
    /// For a clock with more time than twice what is lost with a move at most:
    /// `0 < soft <= hard < remaining` less that.
    pub fn new(limits: &Limits, side: Color, fullmove: u16, overhead: Overhead) -> Option<Self> {
        let fixed = limits.move_time.map(|time| {
            // At most half of a fixed time goes to the overhead.
            Self::exactly(time.saturating_sub(overhead.reserved.min(time / 2)))
        });
        let clock =
            limits.clocks[side].map(|clock| clock.budget(limits.moves_to_go, fullmove, overhead));
        match (fixed, clock) {
            (Some(fixed), Some(clock)) if clock.soft < fixed.soft => Some(Self {
                hard: fixed.hard.min(clock.hard),
                ..clock
            }),
            (fixed, clock) => fixed.or(clock),
        }
    }
}

impl Limits {
    /// Converts the time of `side` into nodes, at `rate` nodes per second: nothing is timed any
    /// more, but the search is as flexible as with a clock. What is reserved for `overhead` stays
    /// reserved. A search that is not timed keeps its limits.
    pub fn count_time_in_nodes(
        &mut self,
        side: Color,
        fullmove: u16,
        rate: u64,
        overhead: Overhead,
    ) {
        let Some(budget) = Budget::new(self, side, fullmove, overhead) else {
            return;
        };
        let nodes = |time: Duration| ((time.as_secs_f64() * rate as f64) as u64).max(1);
        if !budget.is_fixed {
            self.elastic_nodes = Some(nodes(budget.soft));
        }
        let hard = nodes(budget.hard);
        self.nodes = Some(self.nodes.map_or(hard, |limit| limit.min(hard)));
        self.clocks = ColorMap::default();
        self.moves_to_go = None;
        self.move_time = None;
    }
}

impl Clock {
    fn budget(&self, moves_to_go: Option<u32>, fullmove: u16, overhead: Overhead) -> Budget {
        let Lag { mean, worst } = overhead.measured;
        let at_most = overhead.reserved.max(worst);
        let remaining = self.remaining.saturating_sub(at_most);
        let moves = match moves_to_go {
            Some(moves) => moves.clamp(1, MAX_PLANNED_MOVES),
            None => expected_moves(fullmove),
        };
        // The overhead of later moves is not available for thinking. With moves to go it is
        // reserved for all of them; without, for a few, and for a long game what the increment does
        // not give back.
        let reserve = if moves_to_go.is_some() {
            overhead.reserved.max(mean).saturating_mul(moves - 1)
        } else {
            let cost = (MIN_TIME + mean).saturating_sub(self.increment);
            let long_game = cost.saturating_mul(LONG_GAME);
            at_most.saturating_mul(RESERVED_MOVES).max(long_game)
        };
        let spendable = remaining.saturating_sub(reserve.min(remaining / 5 * 4));
        // While less than the reserve is left, the increment fills it up again.
        let filled = (remaining.as_secs_f64() / reserve.as_secs_f64()).min(1.0);
        let increment = self
            .increment
            .mul_f64(f64::from(params::time_increment_share()) / 100.0 * filled);
        let share = (spendable / moves + increment).saturating_sub(mean);
        // The last move of a session may use what is left except for a safety margin.
        let ceiling = match moves_to_go {
            // Hardly more is left than the overhead, which may for once be longer.
            _ if remaining <= at_most => remaining.mul_f64(0.4),
            Some(1) => remaining.mul_f64(0.9),
            Some(2..=5) => remaining.mul_f64(0.6),
            _ => remaining.mul_f64(0.4),
        };
        let hard = (share.saturating_mul(params::time_hard_factor() as u32) / 10)
            .min(ceiling)
            .max(MIN_TIME);
        Budget {
            soft: share.clamp(MIN_TIME, hard),
            hard,
            is_fixed: false,
        }
    }
}

/// The number of moves that the game is expected to last, this one included: the later, the fewer,
/// or the last moves of a long game would find most of the time unused.
fn expected_moves(fullmove: u16) -> u32 {
    let played = i32::from(fullmove) * params::time_expected_step() / 100;
    (params::time_expected_moves() - played).max(params::time_expected_min()) as u32
}

/// How stable the best move and its score are over the iterations.
pub(crate) struct Stability {
    best: Option<Move>,
    /// Iterations in a row that kept the best move.
    same: u32,
    /// Scores of the last iterations, the newest first.
    scores: [Option<Score>; 5],
    /// Score of the search before.
    before: Option<Score>,
}

impl Stability {
    /// Nothing has been searched yet; `before` is what the side's search before has found, if there was one in
    /// this game.
    pub(crate) fn new(before: Option<Score>) -> Self {
        Self {
            best: None,
            same: 0,
            scores: [None; 5],
            before,
        }
    }

    /// An iteration has ended with this best move and its score.
    pub(crate) fn update(&mut self, best: Move, score: Score) {
        self.same = if self.best == Some(best) {
            self.same + 1
        } else {
            0
        };
        self.best = Some(best);
        self.scores.rotate_right(1);
        self.scores[0] = Some(score);
    }

    /// Whether the last iteration, which was not the first, has found another best move.
    pub(crate) fn has_changed_its_mind(&self) -> bool {
        self.best.is_some() && self.same == 0
    }

    /// The factor on the soft limit: smaller while the best move stays the same and takes most of
    /// the nodes, larger while the score falls, as measured against four iterations and a move earlier (after
    /// Stockfish). `best_share` is the best move's share of the nodes.
    pub(crate) fn factor(&self, best_share: f64) -> f64 {
        let hundredths = |number: i32| f64::from(number) / 100.0;
        let nodes = hundredths(params::time_best_move_nodes()) - best_share;
        let stable = hundredths(
            params::time_unstable() - params::time_stable_step() * self.same.min(8) as i32,
        );
        let falling = params::time_falling() * self.fall_since(self.scores[4])
            + params::time_falling_since() * self.fall_since(self.before);
        nodes * stable * (1.0 + hundredths(falling) / 100.0).max(0.5)
    }

    /// By how many centipawns the score has fallen from an earlier one, within the range that counts.
    fn fall_since(&self, earlier: Option<Score>) -> i32 {
        let fall = match (earlier, self.scores[0]) {
            (Some(earlier), Some(now)) => earlier - now,
            _ => 0,
        };
        fall.clamp(-params::time_rise_max(), 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use proptest::prelude::*;
    use std::time::Instant;

    const OVERHEAD: Overhead = Overhead {
        reserved: Duration::from_millis(30),
        measured: Lag {
            mean: Duration::ZERO,
            worst: Duration::ZERO,
        },
    };

    fn limits(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        let mut limits = Limits::none(Instant::now());
        limits.moves_to_go = moves_to_go;
        limits.clocks[Color::White] = Some(Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
        });
        limits
    }

    #[test]
    fn a_side_without_a_clock_is_not_timed() {
        let limits = limits(1000, 0, None);
        assert_eq!(Budget::new(&limits, Color::Black, 1, OVERHEAD), None);
        assert!(Budget::new(&limits, Color::White, 1, OVERHEAD).is_some());
    }

    #[test]
    fn a_fixed_time_is_used_up_but_for_the_overhead() {
        let mut limits = Limits::none(Instant::now());
        limits.move_time = Some(Duration::from_secs(1));
        let budget = Budget::new(&limits, Color::White, 1, OVERHEAD).unwrap();
        assert_eq!(budget, Budget::exactly(Duration::from_millis(970)));
        limits.move_time = Some(Duration::ZERO);
        assert_eq!(
            Budget::new(&limits, Color::White, 1, OVERHEAD)
                .unwrap()
                .hard,
            MIN_TIME
        );
    }

    #[test]
    fn only_a_move_time_prescribes() {
        let is_fixed = |limits: &Limits| {
            Budget::new(limits, Color::White, 1, OVERHEAD)
                .unwrap()
                .is_fixed
        };
        // The last move of a session, an increment larger than the clock, and hardly any time.
        let clocks = [
            limits(10_000, 0, Some(1)),
            limits(1_500, 2_000, None),
            limits(20, 0, None),
        ];
        for mut limits in clocks {
            assert!(!is_fixed(&limits), "{limits}");
            limits.move_time = Some(Duration::from_secs(60));
            assert!(!is_fixed(&limits), "{limits}");
            limits.move_time = Some(MIN_TIME);
            assert!(is_fixed(&limits), "{limits}");
        }
    }

    #[test]
    fn time_can_be_counted_in_nodes() {
        let mut counted = limits(10_000, 0, Some(10));
        let budget = Budget::new(&counted, Color::White, 1, OVERHEAD).unwrap();
        counted.nodes = Some(1_000_000);
        counted.count_time_in_nodes(Color::White, 1, 100_000, OVERHEAD);
        let soft = (budget.soft.as_secs_f64() * 100_000.0) as u64;
        assert_eq!(counted.elastic_nodes, Some(soft));
        let hard = (budget.hard.as_secs_f64() * 100_000.0) as u64;
        assert_eq!(counted.nodes, Some(hard));
        assert!(!counted.is_timed(Color::White));
        // A second call changes nothing: a search without a clock has no time to count.
        counted.count_time_in_nodes(Color::White, 1, 1, OVERHEAD);
        assert_eq!(counted.nodes, Some(hard));
    }

    #[test]
    fn a_whole_session_fits_its_clock() {
        // 40 moves in 2 seconds; every move takes its soft limit and all of the overhead.
        let mut left = Duration::from_secs(2);
        for moves_to_go in (1..=40).rev() {
            let millis = left.as_millis() as u64;
            let budget = Budget::new(
                &limits(millis, 0, Some(moves_to_go)),
                Color::White,
                1,
                OVERHEAD,
            )
            .unwrap();
            left = left.saturating_sub(budget.soft + OVERHEAD.reserved);
            assert!(!left.is_zero(), "flag fell with {moves_to_go} moves to go");
        }
    }

    #[test]
    fn a_long_game_fits_its_clock_whatever_a_move_loses() {
        // The lag varies from nothing to twice the mean; a move takes up to twice its soft limit.
        for (base, increment, lag) in [(200, 2, 2), (200, 2, 3), (1_000, 0, 6), (1_000, 10, 15)] {
            let lag = Duration::from_millis(lag);
            let overhead = Overhead {
                reserved: Duration::from_millis(10),
                measured: Lag {
                    mean: lag,
                    worst: 2 * lag,
                },
            };
            let mut clock = Clock {
                remaining: Duration::from_millis(base),
                increment: Duration::from_millis(increment),
            };
            for fullmove in 1..=120 {
                let budget = clock.budget(None, fullmove, overhead);
                let factor = u32::from(fullmove) % 3;
                let spent = (budget.soft * factor).min(budget.hard) + lag * (2 - factor);
                clock.remaining = clock.remaining.saturating_sub(spent);
                assert!(!clock.remaining.is_zero(), "{base} ms, move {fullmove}");
                clock.remaining += clock.increment;
            }
        }
    }

    #[test]
    fn less_time_is_never_a_longer_move() {
        for moves_to_go in [None, Some(1), Some(2), Some(7), Some(40)] {
            let budgets: Vec<Budget> = (0..2_000)
                .map(|left| limits(left, 0, moves_to_go))
                .map(|limits| Budget::new(&limits, Color::White, 1, OVERHEAD).unwrap())
                .collect();
            for (left, pair) in budgets.windows(2).enumerate() {
                let grows = pair[0].soft <= pair[1].soft && pair[0].hard <= pair[1].hard;
                assert!(grows, "{left} ms, {moves_to_go:?}: {pair:?}");
            }
        }
    }

    #[test]
    fn the_share_of_the_clock_grows_with_the_game() {
        let share = |fullmove| {
            Budget::new(&limits(10_000, 0, None), Color::White, fullmove, OVERHEAD)
                .unwrap()
                .soft
        };
        assert!(share(1) < share(20) && share(20) < share(60));
        assert_eq!(share(60), share(u16::MAX));
        assert!(share(u16::MAX) < Duration::from_secs(1));
    }

    #[test]
    fn an_empty_clock_still_gets_a_moment() {
        for remaining in [0, 1, 5, 30, 31, 60] {
            let budget =
                Budget::new(&limits(remaining, 0, None), Color::White, 1, OVERHEAD).unwrap();
            assert!(budget.soft >= MIN_TIME);
            assert!(budget.hard <= Duration::from_millis(remaining / 2).max(MIN_TIME));
        }
    }

    proptest! {
        #[test]
        fn budgets_stay_within_the_clock(
            remaining in 0u64..=u64::MAX / 2_000_000,
            increment in 0u64..=100_000_000_000,
            moves_to_go in proptest::option::of(1u32..),
            fullmove in 1u16..,
            overhead in 0u64..5_000,
            lag in 0u64..5_000,
            more in 0u64..500,
        ) {
            let [reserved, mean, more] = [overhead, lag, more].map(Duration::from_millis);
            let worst = mean + more;
            let overhead = Overhead { reserved, measured: Lag { mean, worst } };
            let lost = reserved.max(worst);
            let budget =
                Budget::new(&limits(remaining, increment, moves_to_go), Color::White, fullmove, overhead)
                    .unwrap();
            prop_assert!(Duration::ZERO < budget.soft && budget.soft <= budget.hard);
            let usable = Duration::from_millis(remaining).saturating_sub(lost);
            if usable > lost + Duration::from_millis(2) {
                prop_assert!(budget.hard < usable);
            }
        }
    }

    /// The factor after iterations with these best moves, counted from 0, and scores.
    fn factor(before: Option<i32>, iterations: &[(usize, i32)]) -> f64 {
        let moves = Position::startpos().legal_moves();
        let mut stability = Stability::new(before.map(Score::centipawns));
        for &(best, score) in iterations {
            stability.update(moves[best], Score::centipawns(score));
        }
        stability.factor(0.5)
    }

    #[test]
    fn a_settled_choice_takes_less_time() {
        let unsettled = factor(None, &[(0, 0)]);
        let settled = factor(None, &[(0, 0), (0, 0)]);
        assert!(settled < unsettled);
        assert!(factor(None, &[(0, 0), (0, 0), (1, 0)]) > settled);
        let mut stability = Stability::new(None);
        stability.update(Position::startpos().legal_moves()[0], Score::DRAW);
        assert!(stability.factor(0.9) < unsettled);
    }

    #[test]
    fn a_falling_score_takes_more_time_and_a_rising_one_less() {
        let last = |score| factor(None, &[(0, 20), (0, 20), (0, 20), (0, 20), (0, score)]);
        assert!(last(0) > last(20) && last(20) > last(40));
        let since = |before| factor(before, &[(0, 20)]);
        assert!(since(Some(40)) > since(None) && since(None) > since(Some(0)));
    }

    #[test]
    fn a_fall_counts_up_to_a_size() {
        let mut stability = Stability::new(None);
        stability.update(Position::startpos().legal_moves()[0], Score::centipawns(20));
        let fall = |earlier| stability.fall_since(Some(earlier));
        assert_eq!(stability.fall_since(None), 0);
        assert_eq!(fall(Score::centipawns(35)), 15);
        assert_eq!(fall(Score::centipawns(10)), -10);
        assert_eq!(fall(Score::mate_in(5)), 60);
        assert_eq!(fall(Score::mated_in(5)), -params::time_rise_max());
    }
}
