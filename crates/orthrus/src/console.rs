//! What a person can ask for in a terminal, beyond the protocols.

use std::ops::RangeInclusive;
use std::sync::Arc;

use orthrus_core::VERSION;
use orthrus_core::engine::Errand;
use orthrus_core::evaluation::{CpuLevel, Evaluation, Evaluator};
use orthrus_core::fen::{self, CastlingLetters};
use orthrus_core::notation::CastlingText;
use orthrus_core::position::Position;
use orthrus_core::search::StopToken;
use thiserror::Error;

use crate::cpu_level;
use crate::text::{board, ending};
use crate::tools::{bench, perft};

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
    /// Say how the program was built.
    Compiler,
    /// Show the board.
    Show,
    /// Show the static evaluation.
    Evaluate,
    /// Count move paths of this length in plies.
    Perft(u32),
    /// Run the benchmark to this depth in plies, or to its default.
    Bench(Option<u32>),
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
            ["compiler"] => Ok(Self::Compiler),
            ["d"] => Ok(Self::Show),
            ["eval"] => Ok(Self::Evaluate),
            // `go perft` is what other engines call it. Taken as `go`, a malformed one would search
            // without end.
            ["perft", rest @ ..] | ["go", "perft", rest @ ..] => {
                parse_depth("perft", &rest.join(" "), perft::DEPTHS).map(Self::Perft)
            }
            ["bench"] => Ok(Self::Bench(None)),
            ["bench", rest @ ..] => parse_depth("bench", &rest.join(" "), bench::DEPTHS)
                .map(|depth| Self::Bench(Some(depth))),
            _ => return None,
        })
    }
}

/// A request, and the position it is about.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) request: Request,
    pub(crate) position: Position,
    /// How its moves are written.
    pub(crate) castling: CastlingText,
}

impl Errand for Question {
    fn run(&self, evaluation: &Evaluation, stop: &Arc<StopToken>) -> Vec<String> {
        let position = &self.position;
        match self.request {
            Request::Help => HELP.lines().map(str::to_owned).collect(),
            Request::Compiler => compiler(cpu_level(), evaluation),
            Request::Show => show(position),
            Request::Evaluate => vec![evaluate(position, evaluation)],
            Request::Perft(depth) => perft::divided(position, depth, self.castling, stop),
            Request::Bench(depth) => bench::report(depth, evaluation, stop)
                .unwrap_or_else(|error| vec![error.to_string()]),
        }
    }

    fn is_brief(&self) -> bool {
        !matches!(self.request, Request::Perft(_) | Request::Bench(_))
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

/// What a bug report should name.
fn compiler(level: CpuLevel, evaluation: &Evaluation) -> Vec<String> {
    let network = match evaluation {
        Evaluation::Network(network) => network.describe(),
        Evaluation::Material(_) => "none".to_owned(),
    };
    vec![
        format!("Orthrus {VERSION}, compiled by {}", env!("ORTHRUS_RUSTC")),
        format!(
            "for {}, {}",
            env!("ORTHRUS_TARGET"),
            env!("ORTHRUS_PROFILE")
        ),
        format!("instructions chosen for the network: {level}"),
        format!("network {network}"),
    ]
}

fn show(position: &Position) -> Vec<String> {
    let mut lines = board(position);
    lines.push(String::new());
    lines.push(format!(
        "FEN: {}",
        fen::write(position, CastlingLetters::KingAndQueen)
    ));
    lines.push(format!("Key: {:016x}", position.key().0));
    let checkers: Vec<String> = position
        .checkers()
        .into_iter()
        .map(|square| square.to_string())
        .collect();
    if !checkers.is_empty() {
        lines.push(format!("Check from: {}", checkers.join(" ")));
    }
    if let Some(outcome) = position.outcome() {
        lines.push(ending(outcome).to_owned());
    }
    lines
}

fn evaluate(position: &Position, evaluation: &Evaluation) -> String {
    let mut evaluator = Evaluator::new(evaluation.clone());
    evaluator.reset(position);
    let score = evaluator.evaluate(position);
    let white_score = score.white_relative(position.side_to_move());
    let pawns = f64::from(white_score.value()) / 100.0;
    format!("Evaluation: {pawns:+.2} pawns (White's side)")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(request: Request, position: Position) -> Vec<String> {
        let castling = CastlingText::KingMove;
        let question = Question {
            request,
            position,
            castling,
        };
        question.run(&Evaluation::default(), &Arc::default())
    }

    #[test]
    fn requests_are_whole_lines() {
        for (line, request) in [
            ("  d ", Request::Show),
            ("perft 5", Request::Perft(5)),
            ("go perft 5", Request::Perft(5)),
            ("bench", Request::Bench(None)),
            ("bench 7", Request::Bench(Some(7))),
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

    #[test]
    fn the_compiler_and_the_network_are_named() {
        let text = answer(Request::Compiler, Position::startpos()).join("\n");
        assert!(text.contains("rustc 1."), "{text}");
        assert!(text.contains("network (768 -> "), "{text}");
        assert!(text.contains(&CpuLevel::detect().to_string()), "{text}");
    }

    #[test]
    fn the_board_stands_with_white_below() {
        let board = answer(Request::Show, Position::startpos());
        assert_eq!(board[1], "8 | r | n | b | q | k | b | n | r |");
        assert_eq!(board[15], "1 | R | N | B | Q | K | B | N | R |");
        assert!(
            board.contains(
                &"FEN: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned()
            )
        );
    }

    #[test]
    fn checks_and_ends_are_shown() {
        let mated = fen::parse("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
        let lines = answer(Request::Show, mated);
        assert!(lines.contains(&"Check from: g7".to_owned()), "{lines:?}");
        assert!(
            lines.contains(&"Checkmate: White has won.".to_owned()),
            "{lines:?}"
        );
    }

    #[test]
    fn evaluation_is_from_whites_side() {
        // Black, to move, is a queen up.
        let position = fen::parse("3qk3/8/8/8/8/8/8/4K3 b - - 0 1").unwrap();
        let lines = answer(Request::Evaluate, position);
        assert!(lines[0].starts_with("Evaluation: -"), "{lines:?}");
    }
}
