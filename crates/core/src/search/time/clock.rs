//! The clock of one search: the time it has taken, pauses not counted, and the time it may take.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

use super::{Budget, Overhead};
use crate::position::{Position, Rules};
use crate::search::limits::{Limits, TimeMeasure};

/// The clock of one search. While pondering the opponent's clock runs; the hard limit of our budget
/// counts from the ponder hit.
#[derive(Debug)]
pub(crate) struct SearchClock {
    start: Instant,
    /// The processor time at the start, if that is what counts.
    processor: Option<ProcessTime>,
    pauses: Mutex<Pauses>,
    budget: Option<Budget>,
    ponder: bool,
    /// Search time at which the expected move was played.
    hit: OnceLock<Duration>,
    /// The main thread has found that there is nothing more to think about.
    settled: AtomicBool,
    /// Search time before which the move is not made, although the search has ended.
    earliest: OnceLock<Duration>,
}

#[derive(Debug, Default)]
struct Pauses {
    /// How long the finished ones took.
    over: Duration,
    /// When the current one began.
    since: Option<Instant>,
}

impl SearchClock {
    /// A running clock for a search of this position. Wall-clock time counts from the start of the limits, processor time from
    /// now; if the system does not report it, wall-clock time counts.
    pub(crate) fn new<R: Rules>(
        limits: &Limits,
        position: &Position<R>,
        overhead: Overhead,
    ) -> Self {
        let budget = if limits.infinite {
            None
        } else {
            let side = position.side_to_move();
            Budget::new(limits, side, position.fullmove_number(), overhead)
        };
        Self {
            start: limits.start,
            processor: match limits.measure {
                TimeMeasure::Wall => None,
                TimeMeasure::Processor => ProcessTime::try_now().ok(),
            },
            pauses: Mutex::default(),
            budget,
            ponder: limits.ponder,
            hit: OnceLock::new(),
            settled: AtomicBool::new(false),
            earliest: OnceLock::new(),
        }
    }

    /// Time since the search began, without pauses, by the measure of its limits.
    pub(crate) fn elapsed(&self) -> Duration {
        if let Some(processor) = self.processor {
            return processor.try_elapsed().unwrap_or_default();
        }
        let pauses = self.pauses();
        let now = pauses.since.unwrap_or_else(Instant::now);
        now.saturating_duration_since(self.start)
            .saturating_sub(pauses.over)
    }

    /// Stops counting until [`SearchClock::resume`].
    pub(crate) fn pause(&self) {
        self.pauses().since.get_or_insert_with(Instant::now);
    }

    pub(crate) fn resume(&self) {
        let mut pauses = self.pauses();
        if let Some(since) = pauses.since.take() {
            pauses.over += since.elapsed();
        }
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.pauses().since.is_some()
    }

    fn pauses(&self) -> MutexGuard<'_, Pauses> {
        self.pauses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time for the move; `None` if no clock limits the search, now or after a ponder hit.
    pub(crate) fn budget(&self) -> Option<Budget> {
        self.budget
    }

    /// The expected move was played: from this moment on our own clock runs.
    pub(crate) fn ponder_hit(&self, at: Instant) {
        // The time since `at` is no longer the opponent's. A second hit changes nothing.
        let _ = self.hit.set(self.elapsed().saturating_sub(at.elapsed()));
    }

    /// Whether the search still runs on the opponent's time.
    pub(crate) fn is_pondering(&self) -> bool {
        self.ponder && self.hit.get().is_none()
    }

    /// Whether there is time to be saved: a clock runs and the time is not fixed.
    pub(crate) fn may_save_time(&self) -> bool {
        self.budget.is_some_and(|budget| !budget.is_fixed)
    }

    /// The budget, and how much of it is used; `None` while time does not count.
    pub(crate) fn spent(&self) -> Option<(Budget, Duration)> {
        let budget = self.budget?;
        Some((budget, self.elapsed().saturating_sub(self.budgeted_from()?)))
    }

    /// When the hard limit is reached; `None` while time does not count, or is not wall-clock time.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.instant(self.budgeted_from()?.saturating_add(self.budget?.hard))
    }

    /// Lets the answer wait until the search has taken this much time, pondering included. Processor
    /// time does not pass while it waits, so that it must not.
    pub(crate) fn answer_from(&self, time: Duration) {
        if self.processor.is_none() {
            // Only the first of several calls counts; a search has one answer.
            let _ = self.earliest.set(time);
        }
    }

    /// Whether the answer has to wait for its time.
    pub(crate) fn is_early(&self) -> bool {
        self.earliest
            .get()
            .is_some_and(|&time| self.elapsed() < time)
    }

    /// When the answer is due; `None` if it does not wait for its time, or while something else holds
    /// it.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.budgeted_from()?;
        self.instant(*self.earliest.get()?)
    }

    /// When the search will have taken this much time; `None` in a pause, or if time is not wall-clock
    /// time.
    fn instant(&self, time: Duration) -> Option<Instant> {
        let pauses = self.pauses();
        if self.processor.is_some() || pauses.since.is_some() {
            return None;
        }
        // A time beyond what the system's clock can hold never comes.
        self.start.checked_add(pauses.over)?.checked_add(time)
    }

    /// The time of the search from which the budget counts; `None` before a ponder hit.
    fn budgeted_from(&self) -> Option<Duration> {
        if self.ponder {
            self.hit.get().copied()
        } else {
            Some(Duration::ZERO)
        }
    }

    /// Whether the hard limit is reached, or the search is settled and our own clock runs.
    pub(crate) fn is_over(&self) -> bool {
        self.spent()
            .is_some_and(|(budget, spent)| spent >= budget.hard)
            || (self.settled.load(Ordering::Relaxed) && !self.is_pondering())
    }

    /// Whether the soft limit, times `factor`, is reached. It counts from the beginning of the
    /// search, pondering included.
    pub(crate) fn is_past_soft_limit(&self, factor: f64) -> bool {
        self.budget
            .is_some_and(|budget| self.elapsed() >= budget.soft.mul_f64(factor).min(budget.hard))
    }

    /// Notes whether the search may end as soon as our own clock runs.
    pub(crate) fn settle(&self, settled: bool) {
        self.settled.store(settled, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::search::limits::Clock;
    use crate::types::Color;

    const WHILE: Duration = Duration::from_millis(20);

    /// The clock of a ponder search that began two seconds ago, with half a minute left.
    fn pondering() -> SearchClock {
        let begun = Instant::now().checked_sub(Duration::from_secs(2));
        let mut limits = Limits::none(begun.unwrap());
        limits.ponder = true;
        limits.clocks[Color::White] = Some(Clock {
            remaining: Duration::from_secs(30),
            increment: Duration::ZERO,
        });
        SearchClock::new(&limits, &Position::startpos(), Overhead::default())
    }

    /// The clock of a search of one second that begins now.
    fn one_second(measure: TimeMeasure) -> SearchClock {
        let limits = Limits {
            measure,
            move_time: Some(Duration::from_secs(1)),
            ..Limits::none(Instant::now())
        };
        SearchClock::new(&limits, &Position::startpos(), Overhead::default())
    }

    #[test]
    fn what_was_thought_while_pondering_counts_for_the_soft_limit() {
        let clock = pondering();
        assert!(clock.is_past_soft_limit(1.0));
        assert!(!clock.is_past_soft_limit(3.0));
        assert!(!clock.is_over());
        clock.settle(true);
        assert!(!clock.is_over(), "it is the opponent's time");
        clock.ponder_hit(Instant::now());
        assert!(clock.is_over());
    }

    #[test]
    fn a_hit_counts_from_when_it_was_told() {
        let clock = pondering();
        let told = Instant::now().checked_sub(Duration::from_millis(500));
        clock.ponder_hit(told.unwrap());
        let (budget, spent) = clock.spent().unwrap();
        assert!(spent >= Duration::from_millis(500), "{spent:?}");
        let left = clock.deadline().unwrap() - Instant::now();
        assert!(left + Duration::from_millis(500) <= budget.hard, "{left:?}");
    }

    #[test]
    fn the_hard_limit_counts_from_the_ponder_hit() {
        let clock = pondering();
        clock.settle(true);
        clock.settle(false);
        clock.ponder_hit(Instant::now());
        assert!(!clock.is_over());
    }

    #[test]
    fn pauses_do_not_count() {
        let start = Instant::now();
        let clock = one_second(TimeMeasure::Wall);
        clock.pause();
        let paused = clock.elapsed();
        assert!(clock.is_paused() && clock.deadline().is_none());
        thread::sleep(WHILE);
        clock.pause();
        assert_eq!(clock.elapsed(), paused);
        clock.resume();
        clock.resume();
        assert!(!clock.is_paused());
        assert!(clock.elapsed() + WHILE <= start.elapsed());
        let deadline = clock.deadline().unwrap();
        assert!(deadline >= start + Duration::from_secs(1) + WHILE);
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri does not tell how long it has worked")]
    fn work_is_counted_not_waiting() {
        let clock = one_second(TimeMeasure::Processor);
        assert!(clock.deadline().is_none());
        let before = clock.elapsed();
        // Runs for ever if work is not counted.
        while clock.elapsed() < before + WHILE {
            std::hint::black_box(0);
        }
    }
}
