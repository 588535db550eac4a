//! What a search reports about itself every second, whether it has found anything or not.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use crossbeam_channel::{Receiver, never, tick};

use crate::search::{Shared, Status};

/// Time from one status to the next, and from the beginning of a search to the first.
const INTERVAL: Duration = Duration::from_secs(1);

/// Ticks every second while a search runs.
#[derive(Debug)]
pub(super) struct StatusTimer {
    ticks: Receiver<Instant>,
    /// The processor time used by the process when the search began.
    cpu_time: Option<ProcessTime>,
}

impl Default for StatusTimer {
    fn default() -> Self {
        Self {
            ticks: never(),
            cpu_time: None,
        }
    }
}

impl StatusTimer {
    pub(super) fn start(&mut self) {
        self.ticks = tick(INTERVAL);
        self.cpu_time = ProcessTime::try_now().ok();
    }

    pub(super) fn stop(&mut self) {
        self.ticks = never();
    }

    pub(super) fn ticks(&self) -> &Receiver<Instant> {
        &self.ticks
    }

    pub(super) fn status(&self, shared: &Shared) -> Status {
        let time = shared.clock.elapsed();
        let cpu_time = self.cpu_time.and_then(|start| start.try_elapsed().ok());
        Status {
            nodes: shared.nodes(),
            time,
            hashfull: shared.tt.hashfull(),
            tbhits: shared.tbhits(),
            cpu_load: cpu_time.map(|cpu_time| permille(cpu_time, time * shared.threads() as u32)),
        }
    }
}

/// How much of `available` was `used`; the two are from different clocks and may differ a little.
fn permille(used: Duration, available: Duration) -> u32 {
    let share = used.as_secs_f64() / available.as_secs_f64().max(f64::MIN_POSITIVE);
    (share * 1_000.0).round().min(1_000.0) as u32
}
