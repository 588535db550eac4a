//! How the threads of one search are paused and stopped.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

const RUN: u8 = 0;
const PAUSE: u8 = 1;
const STOP: u8 = 2;

/// Asks one search to stop, or to pause. Every search has a new one, and a stop is final, so a late
/// stop cannot reach the next search and an early one is not lost.
#[derive(Debug, Default)]
pub struct StopToken {
    state: AtomicU8,
    /// Where threads wait for the end of a pause.
    gate: Mutex<()>,
    opened: Condvar,
}

impl StopToken {
    /// Asks the search to end, even during a pause; further calls change nothing.
    #[cold]
    #[inline(never)]
    pub fn stop(&self) {
        if self.state.swap(STOP, Ordering::Relaxed) == PAUSE {
            self.open();
        }
    }

    /// Asks the search to pause until [`StopToken::resume`], unless it has been stopped.
    pub fn pause(&self) {
        self.exchange(RUN, PAUSE);
    }

    /// Lets a paused search go on.
    pub fn resume(&self) {
        if self.exchange(PAUSE, RUN) {
            self.open();
        }
    }

    /// Whether the search has been asked to end.
    pub fn is_stopped(&self) -> bool {
        self.state.load(Ordering::Relaxed) == STOP
    }

    /// Whether a pause or a stop is asked for.
    pub(crate) fn is_raised(&self) -> bool {
        self.state.load(Ordering::Relaxed) != RUN
    }

    /// Sleeps until the pause ends.
    pub(crate) fn wait_while_paused(&self) {
        let gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        let paused = |(): &mut ()| self.state.load(Ordering::Relaxed) == PAUSE;
        let opened = self.opened.wait_while(gate, paused);
        drop(opened.unwrap_or_else(PoisonError::into_inner));
    }

    fn exchange(&self, from: u8, to: u8) -> bool {
        let (success, failure) = (Ordering::Relaxed, Ordering::Relaxed);
        let exchanged = self.state.compare_exchange(from, to, success, failure);
        exchanged.is_ok()
    }

    /// Wakes the waiting threads. The state has changed before the lock is taken, so none of them
    /// falls asleep on the old one and misses this.
    fn open(&self) {
        drop(self.gate.lock().unwrap_or_else(PoisonError::into_inner));
        self.opened.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_pause_ends_by_resuming_or_stopping() {
        for end in [StopToken::resume, StopToken::stop] {
            let token = StopToken::default();
            token.pause();
            assert!(token.is_raised() && !token.is_stopped());
            thread::scope(|scope| {
                let waiting = scope.spawn(|| token.wait_while_paused());
                end(&token);
                waiting.join().unwrap();
            });
        }
    }

    #[test]
    fn a_stop_is_for_ever() {
        let token = StopToken::default();
        token.stop();
        token.pause();
        token.resume();
        assert!(token.is_stopped());
        token.wait_while_paused();
    }
}
