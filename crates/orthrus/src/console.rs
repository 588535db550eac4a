//! What a person can ask for in a terminal, beyond the protocols.

use std::ops::RangeInclusive;

use orthrus_core::VERSION;
use orthrus_core::engine::Task;
use orthrus_core::{bench, perft};
use thiserror::Error;

const HELP: &str = "\
Words for people:
  d              show the board
  eval           show what the position is worth without searching
  bench [N]      search a fixed set of positions to depth N; measures speed
  perft N        count the sequences of N legal moves, by first move
  compiler       show how this program was made, and how it computes here
  book           show what the opening book has for the position
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
    /// What the engine does or tells.
    Task(Task),
}

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum RequestError {
    /// What follows the word is not a depth that it takes.
    #[error("{word} takes a depth from {} to {}", range.start(), range.end())]
    Depth {
        /// What was asked for.
        word: &'static str,
        /// In plies.
        range: RangeInclusive<u32>,
    },
}

impl Request {
    /// The request that a line makes, if it makes one.
    ///
    /// # Errors
    ///
    /// The depth is missing or out of range.
    pub(crate) fn parse(line: &str) -> Option<Result<Self, RequestError>> {
        let words: Vec<&str> = line.split_whitespace().collect();
        Some(match words.as_slice() {
            // Also `help go`: the head would skip the first word and begin a search.
            ["help", ..] => Ok(Self::Help),
            ["compiler"] => Ok(Self::Task(Task::Network)),
            ["d"] => Ok(Self::Task(Task::Position)),
            ["eval"] => Ok(Self::Task(Task::Evaluation)),
            // `go perft` is what other engines call it. Taken as `go`, a malformed one would search
            // without end.
            ["perft", rest @ ..] | ["go", "perft", rest @ ..] => {
                let depth = parse_depth("perft", &rest.join(" "), perft::DEPTHS);
                depth.map(|depth| Self::Task(Task::Perft(depth)))
            }
            ["bench"] => Ok(Self::Task(Task::Bench(bench::DEFAULT_DEPTH))),
            ["bench", rest @ ..] => {
                let depth = parse_depth("bench", &rest.join(" "), bench::DEPTHS);
                depth.map(|depth| Self::Task(Task::Bench(depth)))
            }
            _ => return None,
        })
    }
}

fn parse_depth(
    word: &'static str,
    text: &str,
    range: RangeInclusive<u32>,
) -> Result<u32, RequestError> {
    let depth = text.parse().ok().filter(|depth| range.contains(depth));
    depth.ok_or(RequestError::Depth { word, range })
}

/// The greeting for a person who has started the engine in a terminal.
pub(crate) fn greeting() -> String {
    format!(
        "Orthrus {VERSION}, a chess engine for UCI and CECP (XBoard) programs. \
         Type help to see what a person can do here."
    )
}

/// What can be asked.
pub(crate) fn help() -> impl Iterator<Item = String> {
    HELP.lines().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_whole_lines() {
        for (line, request) in [
            ("  d ", Request::Task(Task::Position)),
            ("perft 5", Request::Task(Task::Perft(5))),
            ("go perft 5", Request::Task(Task::Perft(5))),
            ("bench", Request::Task(Task::Bench(bench::DEFAULT_DEPTH))),
            ("bench 7", Request::Task(Task::Bench(7))),
            ("help go", Request::Help),
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
}
