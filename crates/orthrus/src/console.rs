//! What a person can ask for in a terminal, beyond the protocols.

use orthrus_core::evaluation::{Evaluation, Evaluator};
use orthrus_core::position::Position;
use orthrus_core::types::Color;
use orthrus_core::{VERSION, diagram};

use crate::{bench, perft};

const HELP: &str = "\
Words for people:
  d              show the board
  eval           show what the position is worth without searching
  bench [N]      search a fixed set of positions to depth N; measures speed
  perft N        count the sequences of N legal moves, by first move
  help           show this
  quit           end

Words of UCI, of which these are enough to analyse:
  position startpos moves e2e4 e7e5
  position fen <FEN> moves <moves>
  go depth 12 | go movetime 5000 | go infinite
  stop

Every word of UCI (after `uci`) and of CECP (after `xboard`) works too.";

/// A request that belongs to no protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// Say what can be asked.
    Help,
    /// Show the board.
    Show,
    /// Show the static evaluation.
    Evaluate,
    /// Count move paths of this length in plies.
    Perft(u32),
    /// Run the benchmark to this depth in plies, or to its own.
    Bench(Option<u32>),
}

impl Request {
    /// The request that a line makes, if it makes one.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match *words.as_slice() {
            ["help"] => Some(Self::Help),
            ["d"] => Some(Self::Show),
            ["eval"] => Some(Self::Evaluate),
            ["perft", depth] => depth.parse().ok().map(Self::Perft),
            ["bench"] => Some(Self::Bench(None)),
            ["bench", depth] => depth.parse().ok().map(Some).map(Self::Bench),
            _ => None,
        }
    }

    /// The answer, which may take its time.
    pub(crate) fn answer(self, position: &Position) -> Vec<String> {
        match self {
            Self::Help => HELP.lines().map(str::to_owned).collect(),
            Self::Show => diagram::draw(position).lines().map(str::to_owned).collect(),
            Self::Evaluate => vec![evaluate(position)],
            Self::Perft(depth) => perft::report(position, depth, true),
            Self::Bench(depth) => {
                bench::report(depth).unwrap_or_else(|error| vec![error.to_string()])
            }
        }
    }
}

/// What a person is told who has started the engine in a terminal.
pub(crate) fn greeting() -> String {
    format!(
        "Orthrus {VERSION}, a chess engine for UCI and CECP (XBoard) programs. \
         Type help to see what a person can do here."
    )
}

fn evaluate(position: &Position) -> String {
    let mut evaluator = Evaluator::new(Evaluation::default());
    evaluator.reset(position);
    let score = evaluator.evaluate(position);
    let for_white = match position.side_to_move() {
        Color::White => score,
        Color::Black => -score,
    };
    let pawns = f64::from(for_white.value()) / 100.0;
    format!("Evaluation: {pawns:+.2} pawns (White's side)")
}

#[cfg(test)]
mod tests {
    use super::*;
    use orthrus_core::fen;

    #[test]
    fn requests_are_whole_lines() {
        assert_eq!(Request::parse("  d "), Some(Request::Show));
        assert_eq!(Request::parse("perft 5"), Some(Request::Perft(5)));
        assert_eq!(Request::parse("bench"), Some(Request::Bench(None)));
        assert_eq!(Request::parse("bench 7"), Some(Request::Bench(Some(7))));
        for line in [
            "", "perft", "perft -1", "perft x", "d d", "D", "help me", "uci",
        ] {
            assert_eq!(Request::parse(line), None, "{line}");
        }
    }

    #[test]
    fn the_board_is_shown() {
        let board = Request::Show.answer(&Position::startpos());
        let fen = "FEN: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert!(board.contains(&fen.to_owned()), "{board:?}");
    }

    #[test]
    fn evaluation_is_from_whites_side() {
        // Black, to move, is a queen up.
        let position = fen::parse("3qk3/8/8/8/8/8/8/4K3 b - - 0 1").unwrap();
        let lines = Request::Evaluate.answer(&position);
        assert!(lines[0].starts_with("Evaluation: -"), "{lines:?}");
    }
}
