//! The benchmark: a fixed set of positions searched to a fixed depth on one thread. The number of
//! nodes is the signature of the search: it changes if and only if what is searched changes, and
//! is the same on every processor and in every build.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::evaluation::Evaluation;
use crate::fen;
use crate::search::{AllocationError, Limits, Searcher, StopToken};

/// Depth in plies when none is asked for.
pub const DEFAULT_DEPTH: u32 = 12;

/// Depths in plies that may be asked for: the largest is far beyond anybody's patience.
pub const DEPTHS: RangeInclusive<u32> = 1..=60;

/// Size of the transposition table in MiB.
const HASH: usize = 16;

/// Openings, middle games, endings, tactics, zugzwang, mates, Chess960.
const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq - 1 5",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 1 6",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP3PP/R2Q1RK1 w - - 0 12",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r1bq1rk1/pp2nppp/4n3/3ppP2/1b1P4/3BP3/PP2N1PP/R1BQNRK1 b - - 0 13",
    "3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - 0 1",
    "r1b2rk1/ppq1bppp/2p1pn2/8/2NP4/2N1P3/PP2BPPP/2RQK2R w K - 0 12",
    "6k1/6p1/6Pp/ppp5/3pn2P/1P3K2/1PP2P2/3N4 b - - 0 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 1",
    "5k2/7R/4P2p/5K2/p1r2P1p/8/8/8 b - - 0 1",
    "6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - - 0 1",
    "r1b1r1k1/1pqn1pbp/p2pp1p1/P7/1n1NPP1Q/2NBBR2/1PP3PP/R6K w - - 0 1",
    "8/6pk/1p6/8/PP3p1p/5P2/4KP1q/3Q4 w - - 0 1",
    "1k6/8/8/8/8/8/3PP3/K2Q4 w - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
];

/// The result for one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionResult {
    /// The position.
    pub fen: &'static str,
    /// Nodes searched.
    pub nodes: u64,
}

/// The result of the benchmark.
#[derive(Clone, Debug)]
pub struct BenchResult {
    /// Each position, in order; after a stop, only those completed before it.
    pub positions: Vec<PositionResult>,
    /// Total nodes: the signature.
    pub nodes: u64,
    /// Total time.
    pub time: Duration,
}

impl BenchResult {
    /// Whether all positions were searched, with no stop in between.
    pub fn is_complete(&self) -> bool {
        self.positions.len() == POSITIONS.len()
    }
}

/// Searches all positions to `depth` plies, or as many as it can before a stop. Call it on a thread
/// with [`STACK_SIZE`] of stack.
///
/// # Errors
///
/// If the transposition table cannot be allocated.
///
/// # Panics
///
/// Never: the positions are legal.
///
/// [`STACK_SIZE`]: crate::search::STACK_SIZE
pub fn run(
    depth: u32,
    evaluation: &Evaluation,
    stop: &Arc<StopToken>,
) -> Result<BenchResult, AllocationError> {
    let mut searcher = Searcher::new(HASH, evaluation.clone())?;
    let start = Instant::now();
    let mut positions = Vec::new();
    for fen in POSITIONS {
        let position = fen::parse(fen).expect("the positions of the benchmark are legal");
        searcher.new_game();
        let limits = Limits {
            stop: Some(Arc::clone(stop)),
            ..Limits::depth(depth)
        };
        let nodes = searcher.search(&position, &limits).nodes;
        if stop.is_stopped() {
            break;
        }
        positions.push(PositionResult { fen, nodes });
    }
    let nodes = positions.iter().map(|position| position.nodes).sum();
    Ok(BenchResult {
        positions,
        nodes,
        time: start.elapsed(),
    })
}
