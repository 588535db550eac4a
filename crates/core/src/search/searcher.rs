//! A search on the caller's own thread: for the benchmark, for self-play and for tests.

use std::sync::Arc;
use std::{io, panic, thread};

use crossbeam_channel::{Receiver, unbounded};

use super::limits::Limits;
use super::report::{Report, SearchInfo};
use super::settings::SearchSettings;
use super::threads::player::Player;
use super::threads::pool::STACK_SIZE;
use super::threads::shared::Shared;
use super::threads::worker::SearchResult;
use super::tt::TranspositionTable;
use super::tt::memory::AllocationError;
use crate::evaluation::Evaluation;
use crate::position::Position;

/// Runs `work` on a thread with [`STACK_SIZE`] of stack, as searches need it, and waits for it.
///
/// # Errors
///
/// If the system refuses the thread.
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

/// A search on one thread with its own table. Without time limits it is deterministic.
///
/// It recurses as deep as it searches: call it [`on_search_stack`].
pub struct Searcher {
    player: Player,
    /// What the player has reported.
    reports: Receiver<Report>,
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
        let (outbox, reports) = unbounded();
        let report = Arc::new(move |report| {
            let _ = outbox.send(report);
        });
        Ok(Self {
            player: Player::new(0, evaluation, report),
            reports,
            tt,
        })
    }

    /// Forgets everything learned so far.
    pub fn new_game(&mut self) {
        self.player.new_game();
        if let Some(tt) = Arc::get_mut(&mut self.tt) {
            tt.clear(1);
        }
    }

    /// Searches a position.
    pub fn search(&mut self, position: &Position, limits: &Limits) -> SearchResult {
        self.search_lines(position, limits, 0).0
    }

    /// Searches a position for several lines; with all lines that were reported meanwhile.
    pub fn search_lines(
        &mut self,
        position: &Position,
        limits: &Limits,
        multi_pv: usize,
    ) -> (SearchResult, Vec<SearchInfo>) {
        if let Some(tt) = Arc::get_mut(&mut self.tt) {
            tt.new_search();
        }
        let tt = Arc::clone(&self.tt);
        let settings = SearchSettings {
            multi_pv,
            ..SearchSettings::default()
        };
        let shared = Shared::new(tt, limits.clone(), position, settings, 1);
        let result = self.player.search(position, &shared);
        let lines = self.reports.try_iter().filter_map(|report| match report {
            Report::Info(info) => Some(info),
            _ => None,
        });
        (result, lines.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tt::Entry;
    use super::*;
    use crate::fen;
    use crate::types::{Move, Score};

    /// Castling, promotions, en passant, pins, and a root whose every move answers a check.
    const POSITIONS: [&str; 4] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "r1bqk2r/pppp1ppp/2n2n2/4p3/1bB1P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 0 1",
    ];

    /// Stores an illegal move for a position and for all that are up to `depth` plies away, each
    /// time a different one.
    fn mislead(tt: &TranspositionTable, position: &mut Position, depth: u32, word: &mut u16) {
        let illegal = loop {
            *word = word.wrapping_mul(25_173).wrapping_add(13_849);
            match Move::from_bits(*word) {
                Some(mv) if !position.is_legal(mv) => break mv,
                _ => {}
            }
        };
        let entry = Entry {
            mv: Some(illegal),
            evaluation: None,
            ..Entry::evaluated(Score::DRAW)
        };
        tt.store(position.tt_key(), 0, entry);
        if depth > 0 {
            for mv in position.legal_moves() {
                position.make_move(mv);
                mislead(tt, position, depth - 1, word);
                position.unmake_move();
            }
        }
    }

    #[test]
    fn moves_of_the_table_that_are_not_legal_change_nothing() {
        on_search_stack(|| {
            for text in POSITIONS {
                let mut position = fen::parse(text).unwrap();
                let search = |searcher: &mut Searcher| {
                    let result = searcher.search(&fen::parse(text).unwrap(), &Limits::depth(3));
                    (result.score, result.pv, result.nodes)
                };
                let mut searcher = Searcher::new(16, Evaluation::default()).unwrap();
                let right = search(&mut searcher);
                searcher.new_game();
                mislead(&searcher.tt, &mut position, 3, &mut 1);
                assert_eq!(search(&mut searcher), right, "{text}");
            }
        })
        .unwrap();
    }
}
