//! How searches and pings are answered.

use std::time::Duration;

use super::Engine;
use crate::engine::{Event, experience};
use crate::search::{Bound, Job, Report, SearchInfo, SearchResult};
use crate::types::Move;

impl Engine {
    /// Sends the result of a search that took `time`: a final line that begins with the best move.
    /// It is sent at once, even if the best move itself has to wait.
    pub(super) fn report_result(&self, job: &Job, result: &SearchResult, time: Duration) {
        if let Some(moves) = missed_mate(job, result) {
            self.send(Event::Notice(format!("no mate in {moves} found")));
        }
        let info = SearchInfo {
            depth: result.depth,
            seldepth: result.seldepth,
            multipv: 1,
            score: result.score,
            bound: Bound::Exact,
            nodes: job.shared.nodes(),
            time,
            hashfull: job.shared.tt.hashfull(),
            tbhits: job.shared.tbhits(),
            pv: result.pv.clone(),
        };
        self.send(Event::Search(job.id, Report::Info(info)));
    }

    /// Sends the best move. Releases the transposition table.
    pub(super) fn answer(&mut self, job: Job, result: &SearchResult) {
        let ponder = expected_reply(&job, result);
        let lesson = experience::lesson(&job, result);
        let best = result.best;
        self.send(Event::Search(job.id, Report::BestMove { best, ponder }));
        if let Some(record) = lesson {
            let learned = self.experience.learn(job.position, record);
            self.complain(learned);
        }
    }

    /// Answers a ping. An idle engine first opens its experience file, so that the first move takes
    /// no longer than the next.
    pub(super) fn answer_ping(&mut self, number: u64) {
        if !self.is_busy() {
            let opened = self.experience.open();
            self.complain(opened);
        }
        self.send(Event::Pong(number));
    }
}

/// The second move of the line, or the table's reply to the first.
fn expected_reply(job: &Job, result: &SearchResult) -> Option<Move> {
    let in_line = result.pv.get(1).copied();
    in_line.or_else(|| job.shared.reply_to(&job.position, result.best?))
}

/// The number of moves of the mate that was asked for, if none that short was found.
fn missed_mate(job: &Job, result: &SearchResult) -> Option<u32> {
    let found = result.score.mate_moves();
    let wanted = job.shared.limits.mate?;
    found
        .is_none_or(|moves| moves.unsigned_abs() > wanted)
        .then_some(wanted)
}
