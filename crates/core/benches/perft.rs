//! The speed of move generation, side by side: Orthrus, the cozy-chess crate, and Stockfish if it
//! is installed. One thread, no hash, the last ply counted in bulk, the best of three runs.
//!
//! `cargo bench -p orthrus-core --bench perft`
#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, iter};

use orthrus_core::fen;
use orthrus_core::perft::perft;

const POSITIONS: [(&str, &str, u32); 2] = [
    (
        "start position",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        6,
    ),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
    ),
];

/// Runs of each program; the machine's other work can only slow one down, so the best counts.
const RUNS: usize = 3;

fn main() {
    println!("| position | depth | leaves | program | million leaves per second | ratio |");
    println!("|---|---|---|---|---|---|");
    for (name, fen, depth) in POSITIONS {
        let mut rows = vec![
            ("Orthrus", Vec::new()),
            ("cozy-chess", Vec::new()),
            ("Stockfish", Vec::new()),
        ];
        // In turn, so that other load on the machine affects them alike.
        for _ in 0..RUNS {
            rows[0].1.extend(orthrus(fen, depth));
            rows[1].1.extend(cozy_chess(fen, depth));
            rows[2].1.extend(stockfish(fen, depth));
        }
        let own = rows[0].1.iter().min().map_or(0.0, rate);
        for (program, runs) in &rows {
            let Some(best) = runs.iter().min() else {
                continue;
            };
            assert_eq!(
                best.leaves, rows[0].1[0].leaves,
                "{program} counts otherwise"
            );
            println!(
                "| {name} | {depth} | {} | {program} | {:.0} | {:.2} |",
                best.leaves,
                rate(best),
                own / rate(best)
            );
        }
    }
}

/// One count and how long it took; ordered by time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Run {
    elapsed: Duration,
    leaves: u64,
}

/// Million leaves per second.
fn rate(run: &Run) -> f64 {
    run.leaves as f64 / run.elapsed.as_secs_f64() / 1e6
}

fn timed(count: impl FnOnce() -> u64) -> Run {
    let start = Instant::now();
    let leaves = count();
    Run {
        elapsed: start.elapsed(),
        leaves,
    }
}

fn orthrus(fen: &str, depth: u32) -> Option<Run> {
    let mut position = fen::parse(fen).ok()?;
    Some(timed(|| perft(&mut position, depth)))
}

fn cozy_chess(fen: &str, depth: u32) -> Option<Run> {
    fn count(board: &cozy_chess::Board, depth: u32) -> u64 {
        let mut leaves = 0;
        board.generate_moves(|moves| {
            if depth == 1 {
                leaves += moves.len() as u64;
            } else {
                for mv in moves {
                    let mut after = board.clone();
                    after.play_unchecked(mv);
                    leaves += count(&after, depth - 1);
                }
            }
            false
        });
        leaves
    }
    let board = fen.parse().ok()?;
    Some(timed(|| count(&board, depth)))
}

/// Stockfish's own `go perft`, timed from the command to the count, once it is ready; `None` if it
/// is not installed.
fn stockfish(fen: &str, depth: u32) -> Option<Run> {
    let mut child = Command::new(find("stockfish")?)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut commands = child.stdin.take()?;
    let mut answers = BufReader::new(child.stdout.take()?).lines();
    let mut answer = |prefix: &str| {
        answers
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix(prefix).map(str::to_owned))
    };
    write!(commands, "position fen {fen}\nisready\n").ok()?;
    answer("readyok")?;
    let mut leaves = None;
    let run = timed(|| {
        let _ = writeln!(commands, "go perft {depth}");
        leaves = answer("Nodes searched: ").and_then(|count| count.parse().ok());
        leaves.unwrap_or(0)
    });
    let _ = writeln!(commands, "quit");
    child.wait().ok()?;
    leaves.is_some().then_some(run)
}

/// A program on the search path or in Debian's folder for games.
fn find(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .chain(iter::once(PathBuf::from("/usr/games")))
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}
