//! The clock of one search: the time it may take, and the time it has taken.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::limits::Limits;
use super::stopwatch::Stopwatch;
use super::time::Budget;
use crate::types::Color;

/// The clock of one search. While pondering the opponent's clock runs; the hard limit of our budget
/// counts from the ponder hit.
#[derive(Debug)]
pub(crate) struct SearchClock {
    watch: Stopwatch,
    budget: Option<Budget>,
    ponder: bool,
    /// Search time at which the expected move was played.
    hit: OnceLock<Duration>,
    /// The main thread has found that there is nothing more to think about.
    settled: AtomicBool,
}

impl SearchClock {
    pub(super) fn new(limits: &Limits, side: Color, overhead: Duration) -> Self {
        let budget = if limits.infinite {
            None
        } else {
            Budget::new(limits, side, overhead)
        };
        Self {
            watch: Stopwatch::new(limits.measure, limits.start),
            budget,
            ponder: limits.ponder,
            hit: OnceLock::new(),
            settled: AtomicBool::new(false),
        }
    }

    /// The time for the move; `None` if no clock limits the search, now or after a ponder hit.
    pub(super) fn budget(&self) -> Option<Budget> {
        self.budget
    }

    pub(super) fn pause(&self) {
        self.watch.pause();
    }

    pub(super) fn resume(&self) {
        self.watch.resume();
    }

    pub(super) fn is_paused(&self) -> bool {
        self.watch.is_paused()
    }

    /// The expected move was played: from this moment on our own clock runs.
    pub(crate) fn ponder_hit(&self, at: Instant) {
        // The time since `at` is no longer the opponent's. A second hit changes nothing.
        let _ = self.hit.set(self.elapsed().saturating_sub(at.elapsed()));
    }

    /// Time since the search began, without pauses, by the measure of its limits.
    pub(crate) fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }

    /// Whether the search still runs on the opponent's time.
    pub(crate) fn is_pondering(&self) -> bool {
        self.ponder && self.hit.get().is_none()
    }

    /// Whether there is time to be saved: a clock runs and the time is not fixed.
    pub(super) fn may_save_time(&self) -> bool {
        self.budget.is_some_and(|budget| !budget.is_fixed)
    }

    /// The budget, and how much of it is used; `None` while time does not count.
    pub(super) fn spent(&self) -> Option<(Budget, Duration)> {
        let budget = self.budget?;
        Some((budget, self.elapsed().saturating_sub(self.budgeted_from()?)))
    }

    /// When the hard limit is reached; `None` while time does not count, or is not wall-clock time.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let budget = self.budget?;
        self.watch
            .when(self.budgeted_from()?.saturating_add(budget.hard))
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
    pub(super) fn is_over(&self) -> bool {
        self.spent()
            .is_some_and(|(budget, spent)| spent >= budget.hard)
            || (self.settled.load(Ordering::Relaxed) && !self.is_pondering())
    }

    /// Whether the soft limit, times `factor`, is reached. It counts from the beginning of the
    /// search, pondering included.
    pub(super) fn is_past_soft_limit(&self, factor: f64) -> bool {
        self.budget
            .is_some_and(|budget| self.elapsed() >= budget.soft.mul_f64(factor).min(budget.hard))
    }

    /// Notes whether the search may end as soon as our own clock runs.
    pub(super) fn settle(&self, settled: bool) {
        self.settled.store(settled, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::search::limits::Clock;

    /// The clock of a ponder search that began two seconds ago, with half a minute left.
    fn pondering() -> SearchClock {
        let begun = Instant::now().checked_sub(Duration::from_secs(2));
        let mut limits = Limits::none(begun.unwrap());
        limits.ponder = true;
        limits.clocks[Color::White] = Some(Clock {
            remaining: Duration::from_secs(30),
            increment: Duration::ZERO,
        });
        SearchClock::new(&limits, Color::White, Duration::ZERO)
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
}
