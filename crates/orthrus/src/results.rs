//! The results of tasks as text, for people in a conversation and for the tools that run a task.

use std::time::Duration;

use orthrus_core::VERSION;
use orthrus_core::bench::BenchResult;
use orthrus_core::engine::{Perft, TaskResult};
use orthrus_core::notation::{CastlingText, write_coordinate};
use orthrus_core::position::Position;
use orthrus_core::search::nodes_per_second;
use orthrus_core::types::Color;

use crate::environment::cpu_level;
use crate::text::{board, ending, fen};

/// Shown in place of the sum if the work was stopped early.
const STOPPED: &str = "stopped before the end, by stop, quit or the end of input";

/// The lines of a result. `chess960` asks for all castling as king takes rook; else it is written
/// as the position requires.
pub(crate) fn lines(result: &TaskResult, chess960: bool) -> Vec<String> {
    match result {
        TaskResult::Position(position) => describe(position),
        TaskResult::Evaluation(score) => {
            let pawns = f64::from(score.value()) / 100.0;
            vec![format!("Evaluation: {pawns:+.2} pawns (White's side)")]
        }
        TaskResult::Network(network) => compiler(network),
        TaskResult::Perft(perft) => divided(perft, chess960),
        TaskResult::Bench(bench) => signature(bench),
    }
}

/// What a bug report should name.
fn compiler(network: &str) -> Vec<String> {
    vec![
        format!("Orthrus {VERSION}, compiled by {}", env!("ORTHRUS_RUSTC")),
        format!(
            "for {}, {}",
            env!("ORTHRUS_TARGET"),
            env!("ORTHRUS_PROFILE")
        ),
        format!("instructions chosen for the network: {}", cpu_level()),
        format!("network {network}"),
    ]
}

/// The nodes of each position. The last line is `N nodes M nps`, where N is the signature if the
/// depth is the default and the network the embedded one.
fn signature(bench: &BenchResult) -> Vec<String> {
    let nodes = bench.is_complete.then_some(bench.nodes);
    let positions = bench.positions.iter();
    positions
        .map(|position| format!("{:>10}  {}", position.nodes, position.fen))
        .chain([sum(nodes, bench.time)])
        .collect()
}

/// The paths by first move, and their sum in the last line.
fn divided(perft: &Perft, chess960: bool) -> Vec<String> {
    let position = &perft.position;
    let castling = if chess960 {
        CastlingText::KingTakesRook
    } else {
        CastlingText::fitting(position)
    };
    let moves = perft.divided.iter();
    let mut lines: Vec<String> = moves
        .map(|&(mv, paths)| format!("{}: {paths}", write_coordinate(position, mv, castling)))
        .collect();
    if !lines.is_empty() {
        lines.push(String::new());
    }
    lines.push(sum(perft.total, perft.time));
    lines
}

fn sum(nodes: Option<u64>, time: Duration) -> String {
    match nodes {
        Some(nodes) => format!("{nodes} nodes {} nps", nodes_per_second(nodes, time)),
        None => STOPPED.to_owned(),
    }
}

fn describe(position: &Position) -> Vec<String> {
    let mut lines = board(position, Color::White);
    lines.push(String::new());
    lines.push(format!("FEN: {}", fen(position)));
    lines.push(format!("Key: {:016x}", position.key().0));
    let checkers: Vec<String> = position
        .checkers()
        .into_iter()
        .map(|square| square.to_string())
        .collect();
    if !checkers.is_empty() {
        lines.push(format!("Check from: {}", checkers.join(" ")));
    }
    lines.extend(position.outcome().map(ending));
    lines
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use orthrus_core::engine::Task;
    use orthrus_core::evaluation::{CpuLevel, Evaluation};
    use orthrus_core::fen;

    use super::*;

    fn answer(task: Task, position: &Position) -> Vec<String> {
        let evaluation = || Evaluation::standard(CpuLevel::detect());
        let result = task.run(position, evaluation, &Arc::default());
        lines(&result.unwrap(), false)
    }

    fn answer_at(task: Task, fen: &str) -> Vec<String> {
        answer(task, &fen::parse(fen).unwrap())
    }

    #[test]
    fn the_compiler_and_the_network_are_named() {
        let text = answer(Task::Network, &Position::startpos()).join("\n");
        assert!(text.contains("rustc 1."), "{text}");
        assert!(text.contains("network (768 -> "), "{text}");
        assert!(text.contains(&CpuLevel::detect().to_string()), "{text}");
    }

    #[test]
    fn the_board_stands_with_white_below() {
        let board = answer(Task::Position, &Position::startpos());
        assert_eq!(board[1], "8 | r | n | b | q | k | b | n | r |");
        assert_eq!(board[15], "1 | R | N | B | Q | K | B | N | R |");
        let fen = "FEN: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert!(board.contains(&fen.to_owned()));
    }

    #[test]
    fn checks_and_ends_are_shown() {
        let lines = answer_at(Task::Position, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
        for line in ["Check from: g7", "Checkmate: White has won."] {
            assert!(lines.contains(&line.to_owned()), "{lines:?}");
        }
    }

    #[test]
    fn evaluation_is_from_whites_side() {
        // Black, to move, is a queen up.
        let lines = answer_at(Task::Evaluation, "3qk3/8/8/8/8/8/8/4K3 b - - 0 1");
        assert!(lines[0].starts_with("Evaluation: -"), "{lines:?}");
    }

    #[test]
    fn the_last_line_of_the_bench_is_the_sum() {
        let lines = answer(Task::Bench(2), &Position::startpos());
        let words =
            |line: &str| -> Vec<String> { line.split_whitespace().map(str::to_owned).collect() };
        let (last, positions) = lines.split_last().unwrap();
        let nodes = |line: &String| words(line)[0].parse::<u64>().unwrap();
        let words = words(last);
        let sum: u64 = positions.iter().map(nodes).sum();
        assert_eq!(
            [words[0].as_str(), &words[1], &words[3]],
            [&sum.to_string(), "nodes", "nps"]
        );
        assert!(positions.len() >= 10);
    }

    #[test]
    fn castling_is_written_as_the_position_asks() {
        for (fen, castling) in [
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1: 1"),
            ("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", "e1g1: 1"),
            ("4k3/8/8/8/8/8/8/1R3K2 w B - 0 1", "f1b1: 1"),
        ] {
            let lines = answer_at(Task::Perft(1), fen);
            assert!(lines.contains(&castling.to_owned()), "{fen}: {lines:?}");
        }
    }

    #[test]
    fn paths_are_divided_by_first_move() {
        let lines = answer(Task::Perft(2), &Position::startpos());
        assert_eq!(lines.len(), 22);
        assert!(lines.contains(&"g1f3: 20".to_owned()), "{lines:?}");
        assert!(lines[21].starts_with("400 nodes "), "{lines:?}");
    }

    #[test]
    fn depth_zero_is_one_path() {
        let lines = answer(Task::Perft(0), &Position::startpos());
        assert!(lines[0].starts_with("1 nodes "), "{lines:?}");
    }
}
