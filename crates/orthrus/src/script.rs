//! Lines given in advance: `orthrus uci "position startpos" "go depth 10"`.

use std::collections::VecDeque;
use std::time::Instant;

use orthrus_core::engine::{Command, Event};
use orthrus_core::frontend::Frontend;

/// A front end that reads a script instead of a user. A line waits until the search before it has
/// answered, unless that one would wait for the line itself; the end of the script is the end.
pub(crate) struct Script<F> {
    frontend: F,
    lines: VecDeque<String>,
    /// The searches not answered yet, oldest first: whether each ends by itself.
    searches: VecDeque<bool>,
    ended: bool,
    /// Said and not polled yet: before it is, the script does not go on.
    said: Option<String>,
}

impl<F: Frontend> Script<F> {
    /// Tells `frontend` these lines, one after the other.
    pub(crate) fn new(frontend: F, lines: Vec<String>) -> Self {
        Self {
            frontend,
            lines: lines.into(),
            searches: VecDeque::new(),
            ended: false,
            said: None,
        }
    }

    /// Goes on with the script, if it is time to; says whether it did.
    fn go_on(&mut self) -> bool {
        if self.searches.contains(&true) || self.ended {
            return false;
        }
        if let Some(line) = self.lines.pop_front() {
            self.frontend.handle_line(Instant::now(), &line);
        } else {
            self.ended = true;
            self.frontend.handle_eof();
        }
        true
    }
}

impl<F: Frontend> Frontend for Script<F> {
    /// Nobody is listened to.
    fn handle_line(&mut self, _now: Instant, _line: &str) {}

    fn handle_event(&mut self, now: Instant, event: Event) {
        if matches!(event, Event::BestMove { .. }) {
            self.searches.pop_front();
        }
        self.frontend.handle_event(now, event);
    }

    fn handle_eof(&mut self) {}

    fn poll_command(&mut self) -> Option<Command> {
        loop {
            if let Some(command) = self.frontend.poll_command() {
                match &command {
                    Command::Go(limits) => {
                        self.searches.push_back(!limits.infinite && !limits.ponder);
                    }
                    Command::Stop | Command::PonderHit => {
                        self.searches.make_contiguous().fill(true);
                    }
                    _ => {}
                }
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

    const NO_MOVE: Event = Event::BestMove {
        best: None,
        ponder: None,
    };

    fn script(lines: &[&str]) -> Script<Uci> {
        let lines = lines.iter().map(|&line| line.to_owned()).collect();
        Script::new(Uci::default(), lines)
    }

    /// The commands that come without another event.
    fn commands(script: &mut Script<Uci>) -> Vec<String> {
        std::iter::from_fn(|| script.poll_command())
            .map(|command| match command {
                Command::SetGame(_) => "SetGame".to_owned(),
                Command::Go(limits) => format!("Go {limits}"),
                other => format!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn a_line_waits_for_the_search_before_it() {
        let mut script = script(&["position startpos", "go depth 3", "go depth 4"]);
        assert_eq!(commands(&mut script), ["SetGame", "Go depth 3"]);
        script.handle_event(Instant::now(), NO_MOVE);
        assert!(script.poll_line().is_some());
        assert_eq!(commands(&mut script), ["Go depth 4"]);
        script.handle_event(Instant::now(), NO_MOVE);
        assert!(script.poll_line().is_some());
        assert_eq!(commands(&mut script), ["Quit"]);
        assert!(commands(&mut script).is_empty());
    }

    #[test]
    fn the_answers_are_told_apart() {
        let mut script = script(&["go infinite", "go depth 3"]);
        assert_eq!(commands(&mut script), ["Go infinite", "Go depth 3"]);
        script.handle_event(Instant::now(), NO_MOVE);
        assert!(script.poll_line().is_some());
        assert!(commands(&mut script).is_empty());
        script.handle_event(Instant::now(), NO_MOVE);
        assert!(script.poll_line().is_some());
        assert_eq!(commands(&mut script), ["Quit"]);
    }

    #[test]
    fn a_search_without_end_waits_for_the_line() {
        let mut script = script(&["go infinite", "isready", "stop"]);
        assert_eq!(commands(&mut script), ["Go infinite", "Ping(1)", "Stop"]);
        script.handle_event(Instant::now(), NO_MOVE);
        assert!(commands(&mut script).is_empty());
        assert_eq!(script.poll_line().as_deref(), Some("bestmove (none)"));
        assert_eq!(commands(&mut script), ["Quit"]);
    }
}
