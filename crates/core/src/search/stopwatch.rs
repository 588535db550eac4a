//! How long a search has run, pauses not counted.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

/// How the time of a search is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeMeasure {
    /// Wall-clock time.
    #[default]
    Wall,
    /// Processor time of this process, all threads together.
    Processor,
}

/// Measures the time of one search.
#[derive(Debug)]
pub(super) struct Stopwatch {
    start: Instant,
    /// The processor time at the start, if that is what counts.
    work: Option<ProcessTime>,
    pauses: Mutex<Pauses>,
}

#[derive(Debug, Default)]
struct Pauses {
    /// How long the finished ones took.
    over: Duration,
    /// When the current one began.
    since: Option<Instant>,
}

impl Stopwatch {
    /// A running watch. Wall-clock time counts from `start`, processor time from now; if the system
    /// does not report it, wall-clock time counts.
    pub(super) fn new(measure: TimeMeasure, start: Instant) -> Self {
        let work = match measure {
            TimeMeasure::Wall => None,
            TimeMeasure::Processor => ProcessTime::try_now().ok(),
        };
        Self {
            start,
            work,
            pauses: Mutex::default(),
        }
    }

    /// Time counted so far.
    pub(super) fn elapsed(&self) -> Duration {
        if let Some(work) = self.work {
            return work.try_elapsed().unwrap_or_default();
        }
        let pauses = self.pauses();
        let now = pauses.since.unwrap_or_else(Instant::now);
        now.saturating_duration_since(self.start)
            .saturating_sub(pauses.over)
    }

    /// When `time` will have been counted; only known for wall-clock time while the watch runs.
    pub(super) fn when(&self, time: Duration) -> Option<Instant> {
        let pauses = self.pauses();
        if self.work.is_some() || pauses.since.is_some() {
            return None;
        }
        // A time beyond what the system's clock can hold never comes.
        self.start.checked_add(pauses.over)?.checked_add(time)
    }

    /// Stops counting until [`Stopwatch::resume`].
    pub(super) fn pause(&self) {
        self.pauses().since.get_or_insert_with(Instant::now);
    }

    pub(super) fn resume(&self) {
        let mut pauses = self.pauses();
        if let Some(since) = pauses.since.take() {
            pauses.over += since.elapsed();
        }
    }

    pub(super) fn is_paused(&self) -> bool {
        self.pauses().since.is_some()
    }

    fn pauses(&self) -> MutexGuard<'_, Pauses> {
        self.pauses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    const WHILE: Duration = Duration::from_millis(20);

    #[test]
    fn pauses_do_not_count() {
        let start = Instant::now();
        let watch = Stopwatch::new(TimeMeasure::Wall, start);
        watch.pause();
        let paused = watch.elapsed();
        assert!(watch.is_paused() && watch.when(WHILE).is_none());
        thread::sleep(WHILE);
        watch.pause();
        assert_eq!(watch.elapsed(), paused);
        watch.resume();
        watch.resume();
        assert!(!watch.is_paused());
        assert!(watch.elapsed() + WHILE <= start.elapsed());
        let foreseen = watch.when(Duration::from_secs(1)).unwrap();
        assert!(foreseen >= start + Duration::from_secs(1) + WHILE);
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri does not tell how long it has worked")]
    fn work_is_counted_not_waiting() {
        let watch = Stopwatch::new(TimeMeasure::Processor, Instant::now());
        assert!(watch.when(WHILE).is_none());
        let before = watch.elapsed();
        // Runs for ever if work is not counted.
        while watch.elapsed() < before + WHILE {
            std::hint::black_box(0);
        }
    }
}
