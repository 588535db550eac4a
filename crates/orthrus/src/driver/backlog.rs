//! What a search reports while nobody takes it: only the newest is worth keeping.

use orthrus_core::engine::Event;
use orthrus_core::search::{Report, SearchId, SearchInfo};

/// The newest line of thinking of each rank. Everything else that a search reports on its way is out
/// of date at once; its answer, and all other events, are never held back.
#[derive(Debug, Default)]
pub(crate) struct Backlog {
    /// All of one search: its answer takes them along.
    lines: Vec<(SearchId, SearchInfo)>,
    /// Reports that nobody will see.
    left_out: u64,
}

impl Backlog {
    /// Takes an event, and returns what is to be handed on in its place.
    pub(crate) fn pass(&mut self, event: Event, is_congested: bool) -> Vec<Event> {
        match event {
            Event::Search(id, Report::Info(info)) if is_congested => {
                let same = |line: &&mut (SearchId, SearchInfo)| line.1.multipv == info.multipv;
                match self.lines.iter_mut().find(same) {
                    Some(line) => {
                        *line = (id, info);
                        self.left_out += 1;
                    }
                    None => self.lines.push((id, info)),
                }
                Vec::new()
            }
            Event::Search(
                _,
                Report::CurrentMove(_)
                | Report::Refutation(_)
                | Report::Status(_)
                | Report::CurrentLines(_),
            ) if is_congested => {
                self.left_out += 1;
                Vec::new()
            }
            Event::Search(..) if self.is_waiting() => {
                let is_answer = matches!(event, Event::Search(_, Report::BestMove { .. }));
                let first = self.lines.iter().find(|(_, info)| info.multipv == 1);
                // The engine repeats the line that begins with the answer, if there are others.
                let repeated = first.filter(|_| is_answer && self.lines.len() > 1).cloned();
                let mut events = self.release();
                events.extend(repeated.map(|(id, info)| Event::Search(id, Report::Info(info))));
                events.push(event);
                events
            }
            event => vec![event],
        }
    }

    /// Whether something is held back.
    pub(crate) fn is_waiting(&self) -> bool {
        self.left_out > 0 || !self.lines.is_empty()
    }

    /// What was held back, and how much was left out.
    pub(crate) fn release(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        let left_out = std::mem::take(&mut self.left_out);
        if left_out > 0 {
            events.push(Event::Remark(format!(
                "{left_out} reports of the search left out, as nobody read them"
            )));
        }
        self.lines.sort_by_key(|(_, info)| info.multipv);
        let lines = self.lines.drain(..);
        events.extend(lines.map(|(id, info)| Event::Search(id, Report::Info(info))));
        events
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use orthrus_core::search::{Bound, Status};
    use orthrus_core::types::Score;

    use super::*;

    fn info(depth: u32, multipv: usize) -> Event {
        let info = SearchInfo {
            depth,
            seldepth: depth,
            multipv,
            score: Score::DRAW,
            bound: Bound::Exact,
            is_table_draw: false,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            tbhits: 0,
            pv: Vec::new(),
        };
        Event::Search(SearchId(1), Report::Info(info))
    }

    fn answer() -> Event {
        let (best, ponder) = (None, None);
        Event::Search(SearchId(1), Report::BestMove { best, ponder })
    }

    fn status() -> Event {
        Event::Search(SearchId(1), Report::Status(Status::default()))
    }

    /// What is handed on, in short.
    fn names(events: Vec<Event>) -> String {
        let name = |event| match event {
            Event::Search(_, Report::Info(info)) => format!("{}/{}", info.depth, info.multipv),
            Event::Search(_, Report::BestMove { .. }) => "answer".to_owned(),
            Event::Remark(text) => text.split(' ').next().unwrap_or_default().to_owned(),
            other => format!("{other:?}"),
        };
        let names: Vec<String> = events.into_iter().map(name).collect();
        names.join(" ")
    }

    #[test]
    fn a_reader_that_keeps_up_gets_everything() {
        let mut backlog = Backlog::default();
        for event in [info(1, 1), status(), info(1, 2), answer()] {
            let expected = format!("{event:?}");
            let [handed_on] = &backlog.pass(event, false)[..] else {
                panic!("{expected}");
            };
            assert_eq!(format!("{handed_on:?}"), expected);
        }
    }

    #[test]
    fn the_newest_line_of_each_rank_comes_before_the_answer() {
        let mut backlog = Backlog::default();
        for depth in 1..=3 {
            for multipv in 1..=2 {
                assert_eq!(names(backlog.pass(info(depth, multipv), true)), "");
            }
            assert_eq!(names(backlog.pass(status(), true)), "");
        }
        assert_eq!(names(backlog.pass(Event::Pong(1), true)), "Pong(1)");
        assert_eq!(names(backlog.pass(answer(), true)), "7 3/1 3/2 3/1 answer");
        assert!(!backlog.is_waiting());
    }

    #[test]
    fn a_reader_that_goes_on_is_told_what_it_missed() {
        let mut backlog = Backlog::default();
        for depth in 1..=3 {
            backlog.pass(info(depth, 1), true);
        }
        assert!(backlog.is_waiting());
        assert_eq!(names(backlog.release()), "2 3/1");
        assert_eq!(names(backlog.pass(info(4, 1), false)), "4/1");
    }
}
