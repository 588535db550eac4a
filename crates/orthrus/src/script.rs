//! Lines given in advance: `orthrus uci "position startpos" "go depth 10"`.

use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

use orthrus_core::engine::{Command, Event};
use orthrus_core::frontend::Frontend;
use orthrus_core::search::{Limits, Report, SearchId};
use orthrus_core::types::Color;

use crate::logging::TRANSCRIPT;

/// A front end that reads a script instead of a user. A line waits until everything asked before it
/// is answered, unless that answer would wait for the line itself; the end of the script is the end
/// of input.
pub(crate) struct Script<F> {
    frontend: F,
    lines: VecDeque<String>,
    /// The side to move in the position of the next search.
    side: Color,
    /// The searches not answered yet.
    searches: BTreeMap<SearchId, Search>,
    /// How many other questions are not answered yet.
    questions: usize,
    ended: bool,
    /// A line that is not polled yet: the script does not go on before it is.
    said: Option<String>,
}

/// What is known of the end of a search.
#[derive(Clone, Copy, Debug)]
struct Search {
    /// Whether it has a limit of its own.
    is_bounded: bool,
    /// Whether its answer comes without another line.
    will_end: bool,
}

impl Search {
    /// A search that begins, with `side` to move.
    fn new(limits: &Limits, side: Color) -> Self {
        let has_limit = limits.is_timed(side)
            || limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.mate.is_some();
        let is_bounded = has_limit && !limits.infinite;
        Self {
            is_bounded,
            will_end: is_bounded && !limits.ponder,
        }
    }
}

impl<F: Frontend> Script<F> {
    /// Gives `frontend` these lines, one after the other.
    pub(crate) fn new(frontend: F, lines: Vec<String>) -> Self {
        Self {
            frontend,
            lines: lines.into(),
            side: Color::White,
            searches: BTreeMap::new(),
            questions: 0,
            ended: false,
            said: None,
        }
    }

    /// Goes on with the script, if it is time to; returns whether it did.
    fn go_on(&mut self) -> bool {
        let is_waiting = self.questions > 0 || self.searches.values().any(|search| search.will_end);
        if is_waiting || self.ended {
            return false;
        }
        if let Some(line) = self.lines.pop_front() {
            log::debug!(target: TRANSCRIPT, ">> {line}");
            self.frontend.handle_line(Instant::now(), &line);
        } else {
            self.ended = true;
            self.frontend.handle_eof();
        }
        true
    }

    /// Notes a command that will be answered.
    fn note(&mut self, command: &Command) {
        match command {
            Command::SetGame(game) => self.side = game.position().side_to_move(),
            Command::Go(id, limits) => {
                self.end_searches();
                self.searches.insert(*id, Search::new(limits, self.side));
            }
            Command::Stop => self.end_searches(),
            Command::PonderHit(_) => {
                if let Some(search) = self.searches.values_mut().next_back() {
                    search.will_end |= search.is_bounded;
                }
            }
            Command::Ping(_) | Command::ShowBook(_) | Command::Task(_) => self.questions += 1,
            _ => {}
        }
    }

    fn end_searches(&mut self) {
        for search in self.searches.values_mut() {
            search.will_end = true;
        }
    }
}

impl<F: Frontend> Frontend for Script<F> {
    /// There is no user to listen to.
    fn handle_line(&mut self, _now: Instant, _line: &str) {}

    fn handle_event(&mut self, now: Instant, event: Event) {
        match &event {
            Event::Search(id, Report::BestMove { .. }) => drop(self.searches.remove(id)),
            Event::Pong(_) | Event::BookMoves(_) | Event::Task(_) => {
                self.questions = self.questions.saturating_sub(1);
            }
            _ => {}
        }
        self.frontend.handle_event(now, event);
    }

    fn handle_eof(&mut self) {}

    fn poll_command(&mut self) -> Option<Command> {
        loop {
            if let Some(command) = self.frontend.poll_command() {
                self.note(&command);
                return Some(command);
            }
            self.said = self.said.take().or_else(|| self.frontend.poll_line());
            if self.said.is_some() || !self.go_on() {
                return None;
            }
        }
    }

    fn poll_line(&mut self) -> Option<String> {
        self.said.take().or_else(|| self.frontend.poll_line())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use orthrus_uci::Uci;

    /// The answer to the search of this number, from 1.
    fn no_move(search: u64) -> Event {
        let (best, ponder) = (None, None);
        Event::Search(SearchId(search), Report::BestMove { best, ponder })
    }

    fn script(lines: &[&str]) -> Script<Uci> {
        let lines = lines.iter().map(|&line| line.to_owned()).collect();
        Script::new(Uci::default(), lines)
    }

    /// The commands that come without another event.
    fn commands(script: &mut Script<Uci>) -> Vec<String> {
        std::iter::from_fn(|| script.poll_command())
            .map(|command| match command {
                Command::SetGame(_) => "SetGame".to_owned(),
                Command::Go(_, limits) => format!("Go {limits}"),
                Command::PonderHit(_) => "PonderHit".to_owned(),
                other => format!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn a_line_waits_for_the_search_before_it() {
        let mut script = script(&["position startpos", "go depth 3", "go depth 4"]);
        assert_eq!(commands(&mut script), ["SetGame", "Go depth 3"]);
        script.handle_event(Instant::now(), no_move(1));
        assert!(script.poll_line().is_some());
        assert_eq!(commands(&mut script), ["Go depth 4"]);
        script.handle_event(Instant::now(), no_move(2));
        assert!(script.poll_line().is_some());
        assert_eq!(commands(&mut script), ["Quit"]);
        assert!(commands(&mut script).is_empty());
    }

    #[test]
    fn the_answers_are_told_apart() {
        let mut script = script(&["go infinite", "go depth 3"]);
        assert_eq!(commands(&mut script), ["Go infinite", "Go depth 3"]);
        script.handle_event(Instant::now(), no_move(1));
        assert!(script.poll_line().is_some());
        assert!(commands(&mut script).is_empty());
        script.handle_event(Instant::now(), no_move(2));
        assert!(script.poll_line().is_some());
        assert_eq!(commands(&mut script), ["Quit"]);
    }

    #[test]
    fn a_search_without_end_waits_for_the_line() {
        let mut script = script(&["go infinite", "stop"]);
        assert_eq!(commands(&mut script), ["Go infinite", "Stop"]);
        script.handle_event(Instant::now(), no_move(1));
        assert!(commands(&mut script).is_empty());
        assert_eq!(script.poll_line().as_deref(), Some("bestmove (none)"));
        assert_eq!(commands(&mut script), ["Quit"]);
    }

    #[test]
    fn a_search_without_a_limit_does_not_keep_the_line_that_ends_it() {
        for (lines, expected) in [
            (&["go", "stop"][..], &["Go ", "Stop"][..]),
            (
                &["go searchmoves e2e4", "stop"],
                &["Go search_moves 1", "Stop"],
            ),
            (&["go btime 1000", "stop"], &["Go black 1s+0ns", "Stop"]),
            (
                &["go ponder", "ponderhit", "stop"],
                &["Go ponder", "PonderHit", "Stop"],
            ),
            (
                &["go ponder infinite depth 9", "ponderhit", "stop"],
                &["Go infinite ponder depth 9", "PonderHit", "Stop"],
            ),
            (
                &["go ponder depth 9", "ponderhit", "stop"],
                &["Go ponder depth 9", "PonderHit"],
            ),
            (&["go wtime 1000", "stop"], &["Go white 1s+0ns"]),
            (&["go mate 3", "stop"], &["Go mate 3"]),
        ] {
            assert_eq!(commands(&mut script(lines)), expected, "{lines:?}");
        }
    }

    #[test]
    fn a_line_waits_for_the_answer_to_a_question() {
        let answers = [Event::Pong(1), Event::BookMoves(None)];
        for (question, answer) in ["isready", "book"].into_iter().zip(answers) {
            let mut script = script(&[question, "ucinewgame"]);
            assert_eq!(commands(&mut script).len(), 1, "{question}");
            script.handle_event(Instant::now(), answer);
            assert!(commands(&mut script).is_empty(), "{question}");
            while script.poll_line().is_some() {}
            assert_eq!(commands(&mut script), ["NewGame", "Quit"], "{question}");
        }
    }
}
