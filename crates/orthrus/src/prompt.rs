//! What a person may type, beyond the protocols: before one is chosen, and beside UCI.

use std::ops::RangeInclusive;
use std::time::Instant;

use orthrus_core::engine::{Command, Event, Task};
use orthrus_core::frontend::{Frontend, Outbox};
use orthrus_core::{VERSION, bench, perft};
use orthrus_uci::Uci;
use thiserror::Error;

use crate::results;

/// On which terms the program may be used and passed on.
pub(crate) const LICENSE: &str = "\
Orthrus is free: anybody may use it, change it and pass it on, under the MIT licence or
under the Apache License 2.0, whichever is preferred. It comes without any warranty.
The licences: https://opensource.org/license/mit
              https://www.apache.org/licenses/LICENSE-2.0";

const HELP: &str = "\
Words for people:
  d              show the board
  eval           show what the position is worth without searching
  bench [N]      search a fixed set of positions to depth N; measures speed
  perft N        count the sequences of N legal moves, by first move
  compiler       show how this program was made, and how it computes here
  book           show what the opening book has for the position
  license        show on which terms the program may be used
  version        show which version this is
  flip           turn the board round and exchange the colours
  help           show this
  stop           end bench and perft early, and searches
  quit           end

Words of UCI, of which these are enough to analyse:
  position startpos moves e2e4 e7e5
  position fen <FEN> moves <moves>
  go depth 12 | go movetime 5000 | go infinite
  setoption name Book File value book.bin

Every other word of UCI works too. For CECP, begin with xboard instead.";

/// A request that belongs to no protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// List what can be asked.
    Help,
    /// Say on which terms the program may be used.
    License,
    /// Say which version this is.
    Version,
    /// What the engine does or tells.
    Task(Task),
}

/// What follows the word is not a depth that it takes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{word} takes a depth from {} to {}", range.start(), range.end())]
pub(crate) struct DepthError {
    word: &'static str,
    /// In plies.
    range: RangeInclusive<u32>,
}

impl Request {
    /// The request that a line makes, if it makes one.
    pub(crate) fn parse(line: &str) -> Option<Result<Self, DepthError>> {
        // No request has as many, and a line may be a long game.
        let words: Vec<&str> = line.split_whitespace().take(5).collect();
        let task = match words.as_slice() {
            // Also `help go`: the head would skip the first word and begin a search.
            ["help", ..] => return Some(Ok(Self::Help)),
            ["license" | "licence"] => return Some(Ok(Self::License)),
            ["version"] => return Some(Ok(Self::Version)),
            ["compiler"] => Ok(Task::Network),
            ["d"] => Ok(Task::Position),
            ["eval"] => Ok(Task::Evaluation),
            // `go perft` is what other engines call it. Taken as `go`, a malformed one would search
            // without end.
            ["perft", rest @ ..] | ["go", "perft", rest @ ..] => {
                parse_depth("perft", rest, perft::DEPTHS).map(Task::Perft)
            }
            ["bench"] => Ok(Task::Bench(bench::DEFAULT_DEPTH)),
            ["bench", rest @ ..] => parse_depth("bench", rest, bench::DEPTHS).map(Task::Bench),
            _ => return None,
        };
        Some(task.map(Self::Task))
    }
}

fn parse_depth(
    word: &'static str,
    rest: &[&str],
    range: RangeInclusive<u32>,
) -> Result<u32, DepthError> {
    let depth = rest.concat().parse().ok();
    let depth = depth.filter(|depth| rest.len() == 1 && range.contains(depth));
    depth.ok_or(DepthError { word, range })
}

/// The front end of a person: answers what belongs to no protocol, and leaves the rest to the UCI
/// head, if UCI is spoken. Without it, a line of a protocol replaces this front end.
#[derive(Debug, Default)]
pub(crate) struct Prompt {
    uci: Option<Uci>,
    /// Whether a person types: then `exit` ends the program, and what is not understood while no
    /// protocol is known is said.
    is_interactive: bool,
    /// Without the head.
    outbox: Outbox,
}

impl Prompt {
    /// Before a protocol is known. With an `interactive` user, it greets.
    pub(crate) fn undecided(is_interactive: bool) -> Self {
        let greeting = format!(
            "Orthrus {VERSION}, a chess engine for UCI and CECP (XBoard) programs. \
             Type help to see what a person can do here."
        );
        let mut prompt = Self {
            is_interactive,
            ..Self::default()
        };
        if is_interactive {
            prompt.outbox.say(greeting);
        }
        prompt
    }

    /// In front of the UCI head, for a program or an `interactive` user.
    pub(crate) fn uci(is_interactive: bool) -> Self {
        Self {
            uci: Some(Uci::default()),
            is_interactive,
            ..Self::default()
        }
    }

    fn handle_undecided(&mut self, line: &str) {
        match line.trim() {
            "" => {}
            line if line.starts_with('#') => {}
            "quit" => self.outbox.send(Command::Quit),
            _ if self.is_interactive => self
                .outbox
                .say("Unknown command. Type help to see what there is."),
            _ => {}
        }
    }
}

impl Frontend for Prompt {
    fn handle_line(&mut self, now: Instant, line: &str) {
        let line = match line.trim() {
            // Another word that ends programs in a terminal; a program that sends it means something else.
            "exit" if self.is_interactive => "quit",
            // The head stops its searches; this is for tasks.
            "stop" => {
                self.outbox().send(Command::Stop);
                line
            }
            _ => line,
        };
        match (Request::parse(line), &mut self.uci) {
            (Some(Ok(Request::Help)), _) => {
                self.outbox().lines.extend(HELP.lines().map(str::to_owned));
            }
            (Some(Ok(Request::License)), _) => {
                self.outbox()
                    .lines
                    .extend(LICENSE.lines().map(str::to_owned));
            }
            (Some(Ok(Request::Version)), _) => self.outbox().say(format!("Orthrus {VERSION}")),
            (Some(Ok(Request::Task(task))), _) => self.outbox().send(Command::Task(task)),
            (Some(Err(error)), _) => self.outbox().say(error.to_string()),
            (None, Some(uci)) => uci.handle_line(now, line),
            (None, None) => self.handle_undecided(line),
        }
    }

    fn handle_event(&mut self, now: Instant, event: Event) {
        match (event, &mut self.uci) {
            (Event::Task(Ok(result)), uci) => {
                let chess960 = uci.as_ref().is_some_and(Uci::is_chess960);
                self.outbox()
                    .lines
                    .extend(results::lines(&result, chess960));
            }
            (Event::Task(Err(error)), _) => self.outbox().say(error.to_string()),
            (event, Some(uci)) => uci.handle_event(now, event),
            (event, None) => log::debug!("nobody to tell: {event:?}"),
        }
    }

    fn handle_eof(&mut self) {
        match &mut self.uci {
            Some(uci) => uci.handle_eof(),
            None => self.outbox.send(Command::Quit),
        }
    }

    /// That of the head if there is one, so that all comes in its order.
    fn outbox(&mut self) -> &mut Outbox {
        match &mut self.uci {
            Some(uci) => uci.outbox(),
            None => &mut self.outbox,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use orthrus_core::evaluation::Evaluation;
    use orthrus_core::position::Position;

    use super::*;

    /// What is answered to these lines, with an engine that does tasks at once.
    fn answers(mut prompt: Prompt, input: &[&str]) -> Vec<String> {
        let mut position = Position::startpos();
        for line in input {
            prompt.handle_line(Instant::now(), line);
            while let Some(command) = prompt.outbox().commands.pop_front() {
                match command {
                    Command::SetGame(game) => position = game.position().clone(),
                    Command::Task(task) => {
                        let result = task.run(&position, Evaluation::default, &Arc::default());
                        prompt.handle_event(Instant::now(), Event::Task(result));
                    }
                    _ => {}
                }
            }
        }
        std::iter::from_fn(|| prompt.outbox().lines.pop_front()).collect()
    }

    /// The commands for these lines.
    fn commands(mut prompt: Prompt, input: &[&str]) -> Vec<String> {
        for line in input {
            prompt.handle_line(Instant::now(), line);
        }
        let commands = std::iter::from_fn(|| prompt.outbox().commands.pop_front());
        commands.map(|command| format!("{command:?}")).collect()
    }

    #[test]
    fn requests_are_whole_lines() {
        for (line, request) in [
            ("  d ", Request::Task(Task::Position)),
            ("perft 5", Request::Task(Task::Perft(5))),
            ("go perft 5", Request::Task(Task::Perft(5))),
            ("bench", Request::Task(Task::Bench(bench::DEFAULT_DEPTH))),
            ("bench 7", Request::Task(Task::Bench(7))),
            ("help go", Request::Help),
            ("license", Request::License),
            ("version", Request::Version),
        ] {
            assert_eq!(Request::parse(line), Some(Ok(request)), "{line}");
        }
        for line in ["", "d d", "D", "helpless", "uci"] {
            assert_eq!(Request::parse(line), None, "{line}");
        }
    }

    #[test]
    fn what_would_not_end_is_refused() {
        for (line, refusal) in [
            ("perft 14", "perft takes a depth from 0 to 13"),
            ("go perft 99999999999", "perft takes a depth from 0 to 13"),
            ("perft -1", "perft takes a depth from 0 to 13"),
            ("perft 5 6", "perft takes a depth from 0 to 13"),
            ("perft 1 2", "perft takes a depth from 0 to 13"),
            ("perft x", "perft takes a depth from 0 to 13"),
            ("perft", "perft takes a depth from 0 to 13"),
            ("go perft", "perft takes a depth from 0 to 13"),
            (
                "go perft 2 searchmoves e2e4",
                "perft takes a depth from 0 to 13",
            ),
            ("bench 0", "bench takes a depth from 1 to 60"),
            ("bench 4294967295", "bench takes a depth from 1 to 60"),
        ] {
            let refused = Request::parse(line).unwrap().unwrap_err();
            assert_eq!(refused.to_string(), refusal, "{line}");
        }
    }

    #[test]
    fn a_terminal_gets_a_hint_and_hears_of_mistakes() {
        let lines = answers(Prompt::undecided(true), &["", "hello"]);
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].contains("Type help"), "{lines:?}");
        assert!(lines[1].starts_with("Unknown command"), "{lines:?}");
        assert_eq!(answers(Prompt::undecided(false), &["", "hello"]), [""; 0]);
    }

    #[test]
    fn requests_concern_the_position_of_the_protocol() {
        let fen = "8/8/8/8/8/8/8/4K2k w - - 0 1";
        let position = format!("position fen {fen}");
        let lines = answers(Prompt::uci(false), &[&position, "d"]);
        assert!(lines.contains(&format!("FEN: {fen}")), "{lines:?}");
    }

    #[test]
    fn requests_write_castling_as_the_protocol_does() {
        let position = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let standard = answers(Prompt::uci(false), &[position, "go perft 1"]);
        assert!(standard.contains(&"e1g1: 1".to_owned()), "{standard:?}");
        let option = "setoption name UCI_Chess960 value true";
        let chess960 = answers(Prompt::uci(false), &[option, position, "go perft 1"]);
        assert!(chess960.contains(&"e1h1: 1".to_owned()), "{chess960:?}");
    }

    #[test]
    fn a_stop_reaches_tasks_as_well_as_searches() {
        let stopped = ["Task(Perft(9))", "Stop"];
        assert_eq!(commands(Prompt::uci(false), &["perft 9", "stop"]), stopped);
    }

    #[test]
    fn quit_and_the_end_of_input_quit_and_exit_does_for_people() {
        for prompt in [Prompt::undecided, Prompt::uci] {
            assert_eq!(commands(prompt(true), &[" exit "]), ["Quit"]);
            assert_eq!(commands(prompt(false), &["quit"]), ["Quit"]);
            assert_eq!(commands(prompt(false), &["exit"]), [""; 0]);
            let mut prompt = prompt(false);
            prompt.handle_eof();
            assert!(matches!(
                prompt.outbox().commands.pop_front(),
                Some(Command::Quit)
            ));
        }
    }
}
