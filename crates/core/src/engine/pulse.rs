//! What a search reports about itself every second, whether it has found anything or not.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use crossbeam_channel::{Receiver, never, tick};

use crate::search::{Shared, Status};

/// Time from one beat to the next, and from the beginning of a search to the first.
const INTERVAL: Duration = Duration::from_secs(1);

/// Beats every second while a search runs.
#[derive(Debug)]
pub(super) struct Pulse {
    beats: Receiver<Instant>,
    /// The processor time used by the process when the search began.
    computed: Option<ProcessTime>,
}

impl Default for Pulse {
    fn default() -> Self {
        Self {
            beats: never(),
            computed: None,
        }
    }
}

impl Pulse {
    /// A search begins.
    pub(super) fn start(&mut self) {
        self.beats = tick(INTERVAL);
        self.computed = ProcessTime::try_now().ok();
    }

    /// The search has ended.
    pub(super) fn stop(&mut self) {
        self.beats = never();
    }

    pub(super) fn beats(&self) -> &Receiver<Instant> {
        &self.beats
    }

    /// The state of the search.
    pub(super) fn status(&self, shared: &Shared) -> Status {
        let time = shared.clock.elapsed();
        let computed = self.computed.and_then(|start| start.try_elapsed().ok());
        Status {
            nodes: shared.nodes(),
            time,
            hashfull: shared.tt.hashfull(),
            tbhits: shared.tbhits(),
            cpu_load: computed.map(|computed| permille(computed, time * shared.threads() as u32)),
        }
    }
}

/// How much of `available` was `used`; the two are from different clocks and may differ a little.
fn permille(used: Duration, available: Duration) -> u32 {
    let share = used.as_secs_f64() / available.as_secs_f64().max(f64::MIN_POSITIVE);
    (share * 1_000.0).round().min(1_000.0) as u32
}
