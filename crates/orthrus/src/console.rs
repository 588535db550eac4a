//! What a person can ask for in a terminal, beyond the protocols.

use orthrus_core::VERSION;
use orthrus_core::evaluation::{CpuLevel, Evaluation, Evaluator, Network};
use orthrus_core::fen::{self, CastlingLetters};
use orthrus_core::position::Position;
use orthrus_core::types::{Color, File, Piece, Rank, Square};

use crate::{bench, cpu_level, perft};

const HELP: &str = "\
Words for people:
  d              show the board
  eval           show what the position is worth without searching
  bench [N]      search a fixed set of positions to depth N; measures speed
  perft N        count the sequences of N legal moves, by first move
  compiler       show how this program was made, and how it computes here
  help           show this
  quit           end

Words of UCI, of which these are enough to analyse:
  position startpos moves e2e4 e7e5
  position fen <FEN> moves <moves>
  go depth 12 | go movetime 5000 | go infinite
  stop
  setoption name Book File value book.bin
  book           show what the opening book has for the position
  flip           turn the board round and exchange the colours

Every word of UCI (after `uci`) and of CECP (after `xboard`) works too.";

/// A request that belongs to no protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// Say what can be asked.
    Help,
    /// Say how the program was made.
    Compiler,
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
            ["compiler"] => Some(Self::Compiler),
            ["d"] => Some(Self::Show),
            ["eval"] => Some(Self::Evaluate),
            // `go perft` is what other engines call it.
            ["perft", depth] | ["go", "perft", depth] => depth.parse().ok().map(Self::Perft),
            ["bench"] => Some(Self::Bench(None)),
            ["bench", depth] => depth.parse().ok().map(Some).map(Self::Bench),
            _ => None,
        }
    }

    /// The answer, which may take its time.
    pub(crate) fn answer(self, position: &Position) -> Vec<String> {
        match self {
            Self::Help => HELP.lines().map(str::to_owned).collect(),
            Self::Compiler => compiler(cpu_level()),
            Self::Show => show(position),
            Self::Evaluate => vec![evaluate(position)],
            Self::Perft(depth) => perft::report(position, depth, true),
            Self::Bench(depth) => {
                bench::report(depth, cpu_level()).unwrap_or_else(|error| vec![error.to_string()])
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

/// What a report of a fault should name.
fn compiler(level: CpuLevel) -> Vec<String> {
    vec![
        format!("Orthrus {VERSION}, compiled by {}", env!("ORTHRUS_RUSTC")),
        format!(
            "for {}, {}",
            env!("ORTHRUS_TARGET"),
            env!("ORTHRUS_PROFILE")
        ),
        format!("instructions chosen for the network: {level}"),
        format!("network {}", Network::embedded(level).describe()),
    ]
}

/// The board with White below.
pub(crate) fn board(position: &Position) -> Vec<String> {
    const BORDER: &str = "  +---+---+---+---+---+---+---+---+";
    let mut lines = vec![BORDER.to_owned()];
    for rank in Rank::ALL.into_iter().rev() {
        let men = File::ALL.map(|file| {
            let piece = position.piece_on(Square::new(file, rank));
            piece.map_or(' ', Piece::letter).to_string()
        });
        lines.push(format!("{} | {} |", rank.digit(), men.join(" | ")));
        lines.push(BORDER.to_owned());
    }
    lines.push("    a   b   c   d   e   f   g   h".to_owned());
    lines
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
        lines.push(format!("The game is over: {outcome:?}"));
    }
    lines
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

    #[test]
    fn requests_are_whole_lines() {
        assert_eq!(Request::parse("  d "), Some(Request::Show));
        assert_eq!(Request::parse("perft 5"), Some(Request::Perft(5)));
        assert_eq!(Request::parse("go perft 5"), Some(Request::Perft(5)));
        assert_eq!(Request::parse("bench"), Some(Request::Bench(None)));
        assert_eq!(Request::parse("bench 7"), Some(Request::Bench(Some(7))));
        for line in [
            "", "perft", "perft -1", "perft x", "d d", "D", "help me", "uci",
        ] {
            assert_eq!(Request::parse(line), None, "{line}");
        }
    }

    #[test]
    fn the_compiler_and_the_network_are_named() {
        let text = Request::Compiler.answer(&Position::startpos()).join("\n");
        assert!(text.contains("rustc 1."), "{text}");
        assert!(text.contains("network (768 -> "), "{text}");
        assert!(text.contains(&CpuLevel::detect().to_string()), "{text}");
    }

    #[test]
    fn the_board_stands_with_white_below() {
        let board = Request::Show.answer(&Position::startpos());
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
        let lines = Request::Show.answer(&mated);
        assert!(lines.contains(&"Check from: g7".to_owned()), "{lines:?}");
        assert!(
            lines.contains(&"The game is over: Checkmate(White)".to_owned()),
            "{lines:?}"
        );
    }

    #[test]
    fn evaluation_is_from_whites_side() {
        // Black, to move, is a queen up.
        let position = fen::parse("3qk3/8/8/8/8/8/8/4K3 b - - 0 1").unwrap();
        let lines = Request::Evaluate.answer(&position);
        assert!(lines[0].starts_with("Evaluation: -"), "{lines:?}");
    }
}
