//! What our moves cost beyond the thinking, as our own clock tells it.

use std::time::Duration;

use super::Lag;
use crate::position::{Position, Rules};
use crate::search::limits::{Clock, Limits, TimeMeasure};
use crate::types::Color;

/// An observation counts for one part in this many of the mean.
const WEIGHT: u32 = 8;
/// The worst observation loses one part in this many with every move that follows.
const FADING: u32 = 64;
/// No observation counts for more than this many times of what was to be expected: a clock that a
/// person has set is no lag.
const OUTLIER: u32 = 4;

/// Measures what is lost with every move: on the way from and to the other program, and by waiting
/// for a processor. Part of it is never seen by an engine, except as the difference between two
/// readings of its clock.
#[derive(Debug, Default)]
pub(crate) struct LagMeter {
    lag: Lag,
    last: Option<Moved>,
}

/// A move of ours that was answered.
#[derive(Clone, Copy, Debug)]
struct Moved {
    turn: Turn,
    clock: Clock,
    thought: Duration,
}

/// Whose move, and which of the game.
type Turn = (Color, u16);

fn turn<R: Rules>(position: &Position<R>) -> Turn {
    (position.side_to_move(), position.fullmove_number())
}

impl LagMeter {
    /// What the last moves have lost.
    pub(crate) fn lag(&self) -> Lag {
        self.lag
    }

    /// Compares the clock of a move to be thought about with that of our move before, if that is
    /// known. `reserved` is what a move was expected to lose at most.
    pub(crate) fn read<R: Rules>(
        &mut self,
        limits: &Limits,
        position: &Position<R>,
        reserved: Duration,
    ) {
        let (side, fullmove) = turn(position);
        let (Some(clock), Some(last)) = (limits.clocks[side], self.last) else {
            return;
        };
        let follows = last.turn.0 == side && last.turn.1.checked_add(1) == Some(fullmove);
        let had = last.clock.remaining.saturating_add(last.clock.increment);
        // More than was there: a new session, or somebody has set the clock.
        let Some(spent) = had.checked_sub(clock.remaining).filter(|_| follows) else {
            return;
        };
        let Lag { mean, worst } = &mut self.lag;
        let outlier = (*mean + reserved).saturating_mul(OUTLIER);
        let lag = spent.saturating_sub(last.thought).min(outlier);
        *mean = (*mean * (WEIGHT - 1) + lag) / WEIGHT;
        *worst = lag.max(*worst * (FADING - 1) / FADING);
        self.last = None;
    }

    /// Notes that a move of this position was answered after `thought` on our clock.
    pub(crate) fn answered<R: Rules>(
        &mut self,
        limits: &Limits,
        position: &Position<R>,
        thought: Duration,
    ) {
        let turn = turn(position);
        self.last = match limits.measure {
            TimeMeasure::Wall => limits.clocks[turn.0].map(|clock| Moved {
                turn,
                clock,
                thought,
            }),
            TimeMeasure::Processor => None,
        };
    }

    /// Forgets our last move: another game begins. The machine and the other program stay.
    pub(crate) fn new_game(&mut self) {
        self.last = None;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::fen;

    const RESERVED: Duration = Duration::from_millis(10);

    fn position(fullmove: u32) -> Position {
        fen::parse(&format!("4k3/8/8/8/8/8/8/4K2R w K - 0 {fullmove}")).unwrap()
    }

    fn limits(remaining: u64) -> Limits {
        let mut limits = Limits::none(Instant::now());
        limits.clocks[Color::White] = Some(Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(20),
        });
        limits
    }

    /// Plays moves with these readings of the clock, each after 50 ms of thought.
    fn after(readings: &[(u32, u64)]) -> Lag {
        let mut meter = LagMeter::default();
        for &(fullmove, remaining) in readings {
            let limits = limits(remaining);
            let position = position(fullmove);
            meter.read(&limits, &position, RESERVED);
            meter.answered(&limits, &position, Duration::from_millis(50));
        }
        meter.lag()
    }

    #[test]
    fn what_is_missing_on_the_clock_was_lost() {
        // 1000 + 20 - 50 are 970: 8 ms are missing.
        let lag = after(&[(1, 1_000), (2, 962)]);
        let [mean, worst] = [1, 8].map(Duration::from_millis);
        assert_eq!(lag, Lag { mean, worst });
        let steady: Vec<_> = (1..=60)
            .map(|move_| (move_, 5_000 - 38 * u64::from(move_)))
            .collect();
        let lag = after(&steady);
        assert_eq!(lag.worst, worst);
        assert!(lag.mean.abs_diff(Duration::from_millis(8)) < Duration::from_micros(10));
    }

    #[test]
    fn only_the_next_move_of_the_same_game_tells() {
        // A move between is missing, time was added, and a move was taken back.
        for second in [(3, 900), (2, 971), (1, 900)] {
            assert_eq!(after(&[(1, 1_000), second]), Lag::default(), "{second:?}");
        }
        let mut meter = LagMeter::default();
        meter.answered(&limits(1_000), &position(1), Duration::ZERO);
        meter.new_game();
        meter.read(&limits(900), &position(2), RESERVED);
        assert_eq!(meter.lag(), Lag::default());
    }

    #[test]
    fn a_clock_that_was_set_back_counts_little() {
        let lag = after(&[(1, 60_000), (2, 1_000)]);
        assert_eq!((lag.mean, lag.worst), (RESERVED / 2, RESERVED * 4));
    }
}
