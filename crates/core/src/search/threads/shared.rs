//! What all threads of one search share: the hash table, the stop token, the clock, the counters.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::stop::StopToken;
use crate::position::{Position, Rules};
use crate::search::limits::Limits;
use crate::search::report::{Plan, Progress};
use crate::search::settings::SearchSettings;
use crate::search::strength::Handicap;
use crate::search::syzygy::Syzygy;
use crate::search::time::clock::SearchClock;
use crate::search::tt::TranspositionTable;
use crate::search::values::PositionValues;
use crate::tablebase::{Ranking, Wdl};
use crate::types::Move;

/// Nodes between updates of a thread's counters, when the main thread also looks at the clock: a
/// power of two.
const CLOCK_INTERVAL: u64 = 1024;
/// Time granted for ranking the root moves by endgame tablebases, however little the clock allows:
/// from memory it takes less, and a won game is worth more than that.
const RANKING_TIME: Duration = Duration::from_millis(20);

/// Shared by the threads of one search and made afresh for the next.
#[derive(Debug)]
pub(crate) struct Shared {
    pub tt: Arc<TranspositionTable>,
    /// Asks all threads to stop or pause.
    pub stop: StopToken,
    /// What ends the search.
    pub limits: Limits,
    pub clock: SearchClock,
    pub settings: SearchSettings,
    /// How to play below full strength, if at all.
    pub handicap: Option<Handicap>,
    pub values: Arc<PositionValues>,
    /// Endgame tablebases, if there are any.
    pub syzygy: Option<Syzygy>,
    /// Root moves that have lost before. They are searched after the others at first, as what is
    /// known of them can only refute a move that is not the first.
    pub lost_before: Vec<Move>,
    /// The root moves as the tablebases rank them; computed by the first thread that asks.
    ranking: OnceLock<Option<Ranking>>,
    stop_requested: AtomicBool,
    counters: Box<[Counters]>,
    /// Nodes after which each thread updates its counters: a power of two.
    pub(crate) clock_interval: u64,
    /// What the main thread searches: depth, move, its number, and how many there are.
    current: Mutex<Option<(u32, Move, usize, usize)>>,
    /// The line that each thread was searching a moment ago; empty if lines are not shown.
    lines: Box<[Mutex<Vec<Move>>]>,
}

/// The counters of one thread, on cache lines of their own: every thread writes only its own.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Counters {
    nodes: AtomicU64,
    tbhits: AtomicU64,
}

impl Shared {
    /// For a search of this position on this many threads.
    pub(crate) fn new<R: Rules>(
        tt: Arc<TranspositionTable>,
        limits: Limits,
        position: &Position<R>,
        settings: SearchSettings,
        threads: usize,
    ) -> Self {
        let lines = if settings.current_lines { threads } else { 0 };
        // A single thread sees its own node limit; several have to add up their counters in time.
        let clock_interval = match limits.nodes {
            Some(nodes) if threads > 1 => 1 << (nodes / 1024).clamp(1, CLOCK_INTERVAL).ilog2(),
            _ => CLOCK_INTERVAL,
        };
        Self {
            tt,
            stop: StopToken::default(),
            clock: SearchClock::new(&limits, position, settings.overhead),
            limits,
            settings,
            handicap: None,
            values: Arc::default(),
            syzygy: None,
            lost_before: Vec::new(),
            ranking: OnceLock::new(),
            stop_requested: AtomicBool::new(false),
            counters: (0..threads.max(1)).map(|_| Counters::default()).collect(),
            clock_interval,
            current: Mutex::default(),
            lines: (0..lines).map(|_| Mutex::default()).collect(),
        }
    }

    /// The table's move for the position after `mv`, if it is legal there.
    pub(crate) fn reply_to<R: Rules>(&self, root: &Position<R>, mv: Move) -> Option<Move> {
        let mut position = root.clone();
        position.make_move(mv);
        let entry = self.tt.probe(position.tt_key(), 1)?;
        entry.mv.filter(|&reply| position.is_legal(reply))
    }

    /// The root moves ranked by endgame tablebases, unless the search is stopped before that is
    /// done or it takes much longer than the clock allows.
    pub(crate) fn ranking<R: Rules>(&self, root: &Position<R>) -> Option<&Ranking> {
        let rank = || {
            let granted = Instant::now() + RANKING_TIME;
            let is_over = || self.may_not_rank(granted);
            self.syzygy.as_ref()?.rank(root, &is_over)
        };
        self.ranking.get_or_init(rank).as_ref()
    }

    /// Whether ranking has to end. The engine's alarm stops the search too, and may come before the
    /// search has begun: only a stop on request ends what is granted until then.
    fn may_not_rank(&self, granted: Instant) -> bool {
        self.stop_requested() || self.clock.is_over() && Instant::now() >= granted
    }

    /// The tablebases for use in the tree: none if the root moves were ranked by distance, or there
    /// is nothing to win. Then the search has to find the way itself.
    pub(crate) fn tree_syzygy(&self) -> Option<&Syzygy> {
        let syzygy = self.syzygy.as_ref()?;
        let done = |ranking: &Ranking| ranking.by_distance || ranking.moves[0].wdl <= Wdl::Draw;
        let ranking = self.ranking.get().and_then(Option::as_ref);
        (!ranking.is_some_and(done)).then_some(syzygy)
    }

    /// Stops the search on request, not because it is done.
    pub(crate) fn request_stop(&self) {
        self.stop_requested.store(true, Ordering::Relaxed);
        self.stop.stop();
    }

    /// Pauses the search and its clock. It neither wakes a search that has ended nor keeps one that
    /// must end.
    pub(crate) fn pause(&self) {
        self.clock.pause();
        self.stop.pause();
    }

    pub(crate) fn resume(&self) {
        self.clock.resume();
        self.stop.resume();
    }

    /// Whether the answer of a search that ended on its own must wait: for a stop, a ponder hit, the
    /// end of a pause, or the time that a player takes.
    pub(crate) fn is_held(&self) -> bool {
        self.limits.infinite
            || self.clock.is_pondering()
            || self.clock.is_paused()
            || self.clock.is_early()
    }

    pub(crate) fn stop_requested(&self) -> bool {
        self.stop_requested.load(Ordering::Relaxed)
    }

    /// Whether the threads together have searched as many nodes as they may.
    pub(crate) fn has_spent_its_nodes(&self) -> bool {
        self.limits.nodes.is_some_and(|limit| self.nodes() >= limit)
    }

    /// Whether a limit of time or nodes is reached, or the limits' stop token is stopped.
    pub(crate) fn is_over(&self) -> bool {
        let limits = &self.limits;
        self.clock.is_over()
            || self.has_spent_its_nodes()
            || limits.stop.as_ref().is_some_and(|stop| stop.is_stopped())
    }

    pub(crate) fn plan(&self) -> Plan {
        Plan {
            budget: self.clock.budget(),
            nodes: self.limits.elastic_nodes,
            lag: self.settings.overhead.measured,
            threads: self.threads(),
            limited: self.handicap.is_some(),
            endgame_tables: self.syzygy.is_some(),
        }
    }

    pub(crate) fn threads(&self) -> usize {
        self.counters.len()
    }

    /// Number of lines to search: enough to report, and to choose from.
    pub(crate) fn lines(&self) -> usize {
        let choices = self.handicap.as_ref().map_or(1, Handicap::lines);
        self.settings.multi_pv.max(choices)
    }

    /// Notes how many nodes a thread has searched, and how many positions it has found in endgame
    /// tablebases.
    pub(crate) fn set_counters(&self, thread: usize, nodes: u64, tbhits: u64) {
        let counters = &self.counters[thread];
        counters.nodes.store(nodes, Ordering::Relaxed);
        counters.tbhits.store(tbhits, Ordering::Relaxed);
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.counters
            .iter()
            .map(|counters| counters.nodes.load(Ordering::Relaxed))
            .sum()
    }

    /// Endgame tablebase hits of all threads.
    pub(crate) fn tbhits(&self) -> u64 {
        self.counters
            .iter()
            .map(|counters| counters.tbhits.load(Ordering::Relaxed))
            .sum()
    }

    /// Notes which root move the main thread searches next: the depth, the move, its number from 1,
    /// and how many there are.
    pub(crate) fn set_progress(&self, depth: i32, mv: Move, number: usize, count: usize) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        *current = Some((depth as u32, mv, number, count));
    }

    /// Notes the current line of a thread, if lines are shown.
    pub(crate) fn show_line(&self, thread: usize, line: impl Iterator<Item = Move>) {
        if let Some(shown) = self.lines.get(thread) {
            let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
            shown.clear();
            shown.extend(line);
        }
    }

    /// The current lines, in the order of the threads; none if they are not shown.
    pub(crate) fn current_lines(&self) -> Vec<Vec<Move>> {
        let line =
            |shown: &Mutex<Vec<Move>>| shown.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.lines.iter().map(line).collect()
    }

    /// What the main thread is searching; `None` before its first move.
    pub(crate) fn progress(&self) -> Option<Progress> {
        let current = *self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let (depth, current_move, move_number, move_count) = current?;
        Some(Progress {
            depth,
            nodes: self.nodes(),
            time: self.clock.elapsed(),
            current_move,
            move_number,
            move_count,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alarm_leaves_the_time_that_is_granted_for_ranking() {
        let limits = Limits {
            move_time: Some(Duration::ZERO),
            ..Limits::none(Instant::now())
        };
        let tt = Arc::new(TranspositionTable::new(1).unwrap());
        let settings = SearchSettings::default();
        let shared = Shared::new(tt, limits, &Position::startpos(), settings, 1);
        let later = Instant::now() + Duration::from_secs(3600);
        shared.stop.stop();
        while !shared.clock.is_over() {
            std::thread::yield_now();
        }
        assert!(!shared.may_not_rank(later));
        assert!(shared.may_not_rank(Instant::now()));
        shared.request_stop();
        assert!(shared.may_not_rank(later));
    }
}
