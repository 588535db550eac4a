//! A search on the caller's own thread: for the benchmark, for self-play and for tests.

use std::sync::Arc;
use std::{io, panic, thread};

use super::limits::Limits;
use super::pool::STACK_SIZE;
use super::settings::SearchSettings;
use super::shared::Shared;
use super::table_memory::AllocationError;
use super::tt::TranspositionTable;
use super::worker::{Report, SearchResult, Worker};
use crate::evaluation::Evaluation;
use crate::position::Position;

/// Does something on a thread with [`STACK_SIZE`] of stack, as searches need it, and waits for it.
///
/// # Errors
///
/// The system refuses the thread.
///
/// # Panics
///
/// If `work` does.
pub fn on_search_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new()
            .stack_size(STACK_SIZE)
            .spawn_scoped(scope, work)?;
        Ok(thread
            .join()
            .unwrap_or_else(|payload| panic::resume_unwind(payload)))
    })
}

/// One thread's search with a table of its own. Without time limits it is deterministic.
///
/// Recursion goes as deep as the search: call it [`on_search_stack`].
pub struct Searcher {
    worker: Worker,
    tt: Arc<TranspositionTable>,
}

impl Searcher {
    /// A searcher with a table of this many MiB.
    ///
    /// # Errors
    ///
    /// If the table cannot be allocated.
    pub fn new(mebibytes: usize, evaluation: Evaluation) -> Result<Self, AllocationError> {
        let tt = Arc::new(TranspositionTable::new(mebibytes)?);
        Ok(Self {
            worker: Worker::new(0, evaluation),
            tt,
        })
    }

    /// Forgets everything learned so far.
    pub fn new_game(&mut self) {
        self.worker.new_game();
        if let Some(tt) = Arc::get_mut(&mut self.tt) {
            tt.clear(1);
        }
    }

    /// Searches a position.
    pub fn search(&mut self, position: &Position, limits: &Limits) -> SearchResult {
        self.search_with(position, limits, 1, &mut |_| {})
    }

    /// Searches a position for several lines and hands every report to `report`.
    pub fn search_with(
        &mut self,
        position: &Position,
        limits: &Limits,
        multi_pv: usize,
        report: &mut dyn FnMut(Report),
    ) -> SearchResult {
        if let Some(tt) = Arc::get_mut(&mut self.tt) {
            tt.new_search();
        }
        let side = position.side_to_move();
        let tt = Arc::clone(&self.tt);
        let settings = SearchSettings {
            multi_pv,
            ..SearchSettings::default()
        };
        let shared = Shared::new(tt, limits.clone(), side, settings, 1);
        self.worker.search(position, &Arc::new(shared), report)
    }
}
