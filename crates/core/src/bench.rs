//! The benchmark: a fixed set of positions searched to a fixed depth on one thread. The number of
//! nodes is the signature of the search: it changes if and only if what is searched changes, and
//! is the same on every processor and in every build.

use std::iter;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::evaluation::Evaluation;
use crate::fen;
use crate::position::Variant;
use crate::search::{AllocationError, Limits, Searcher, StopToken};

/// Depth in plies when none is asked for.
pub const DEFAULT_DEPTH: u32 = 12;

/// Depths in plies that may be asked for: the largest is far beyond anybody's patience.
pub const DEPTHS: RangeInclusive<u32> = 1..=60;

/// Size of the transposition table in MiB.
const HASH: usize = 16;

/// Chess: openings, middle games, endings, tactics, zugzwang, mates, Chess960.
const CHESS: &[&str] = &[
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

/// The positions of a game besides its start: of chess, or of a variant, from games of the engine
/// against itself.
const fn positions(variant: Variant) -> &'static [&'static str] {
    match variant {
        Variant::Standard => CHESS,
        Variant::KingOfTheHill => &[
            "rnbq3r/pppk1ppp/4pP2/3p4/3P3P/7R/PPP1PP2/RNbQKBN1 b - - 0 8",
            "rnb1k1n1/b1pp1p2/p7/1p2P1p1/3PP1p1/2PK4/PP4BP/R1B1q1NR w a - 0 13",
            "r3k2r/1b1n3p/p1p4q/1p2bNp1/3P1p2/1PN2P2/P1P2KPP/1RB1QR2 b ha - 0 18",
            "rn1br3/p1qk2p1/2p1p3/nbPpPp1p/Q2P1P1P/P4NPR/RB1N1KB1/8 w - - 6 24",
            "rq6/3bk1b1/1p1p1p2/p1pPp3/P1P1Pp1r/RPKQ3P/4N1B1/4R3 b - - 1 31",
            "8/1q1rb3/p4kp1/Bp3n1p/1P1p3P/2NK2PB/P2N1P2/4R3 w - - 10 39",
        ],
        Variant::ThreeCheck => &[
            "r2qk1nr/pbpppp2/n5pp/1p6/8/PPN1P1P1/2PP1P1P/R1BQKBR1 b Aha - 3+3 2 8",
            "r1bq1knr/1p4pp/4p3/p2p4/2p2P1P/PN3N2/1PP2PP1/R1BQKBR1 w A - 3+2 0 13",
            "r1br4/p3bppk/nn2p2p/1pppBQ2/3P1P1P/PP2P1PR/2P1N1B1/RN3K2 b - - 1+2 0 18",
            "4nbkr/p4q2/P1p1p3/3p1p1p/1P1P2p1/2P1PPPP/2QB4/2K3NR w - - 3+3 1 24",
            "3k3r/3b4/2Pnp2p/3p4/1P1P3b/5B1P/1B6/r3NR1K b - - 2+3 0 31",
            "1rq1br2/7k/p1pP2p1/Pp2P1p1/1P3bp1/BP1B4/2Q1N3/3R1K2 w - - 2+1 0 39",
        ],
        Variant::RacingKings => &[
            "8/8/8/8/b7/k6K/1r1nN1R1/qrbnNBRQ w - - 0 6",
            "8/1R3Q2/8/2r5/8/1n6/k4nK1/qrb2BR1 b - - 3 8",
            "8/8/1r1b2R1/7Q/8/1kqN4/5KB1/6R1 w - - 5 11",
            "5Q2/8/b5R1/4R3/5K2/1k6/1b1r4/qr3B2 b - - 7 14",
            "8/q6R/8/2n2Q2/k5K1/8/4n1B1/8 w - - 7 19",
            "3R2R1/k2q4/8/8/5K2/8/8/8 b - - 2 23",
        ],
        Variant::Horde => &[
            "r3kbnr/1pq2ppp/p2p1p2/P1PP2PP/2P1PP2/PPPPPPPP/PPPPPPPP/PPPPPPPP b ha - 0 8",
            "1nbk1bnr/1p1p2p1/rP3p2/P1P1PP1P/1PPPPPPq/PPPP1P1P/P1PPPPPP/PPPPPPPP w - - 1 13",
            "rnbq2nb/1pp1k3/p1P5/PPPPPP2/PP4Pr/1PPP1P1P/PPPPPPPP/PPPP1PPP b - - 0 18",
            "q4br1/rb1k1p1p/2p2P1p/2P1PP1P/2PPP1PP/P1PPPP1P/PPPP1PP1/PPP1P1PP w - - 1 24",
            "bnkq1b2/r1p2p2/2P2Pp1/1PPPPPP1/P1PPP1P1/PPPPPP1r/PP2P2P/PP2P1PP b - - 0 31",
            "1rq2k2/1bn1r3/4p1PP/1PP1P3/p1PPPPPP/P1PPPPP1/PP1PP1P1/PPPP4 w - - 1 39",
        ],
        Variant::Atomic => &[
            "r2qkb1r/ppp2pp1/2n4n/3p1P1p/6bP/P3PN2/1PP3P1/R1BQKB1R b HAha - 0 8",
            "3qk1nr/1p4p1/nPpp1p1p/4p3/4P1bN/5P2/2PP2PP/2BQKB1R w H - 1 13",
            "2kr1bnr/8/pp5p/2p1p1p1/N7/P1PP1P1P/8/Q1K1R3 b - - 1 18",
            "2bk4/8/r2p3p/ppp5/4N3/P5PP/8/R5K1 w - - 0 24",
            "5r1k/Pb6/2Pp1p2/1p1P3p/4P1P1/8/5K2/1N6 b - - 0 31",
            "5k1b/2K4R/2r5/p7/PP6/4p3/4P3/8 w - - 18 39",
        ],
        Variant::Antichess | Variant::Giveaway => &[
            "rnq1kbn1/ppp1ppp1/8/3p3r/6P1/1P6/P1PPPP2/RNBQKBN1 b - - 0 6",
            "r1b2bnr/p1pqpkp1/5p1p/8/3Q2P1/4P3/PPP2P1P/RNB1K1NR w - - 0 8",
            "r3kbnr/ppp1ppp1/8/5P1p/7P/P6N/1PP1P3/RNB1KB2 b - - 0 9",
            "2R1kbn1/1p1pppp1/8/8/8/8/3PPPPr/4KBNR w - - 0 11",
            "r1bqkb2/p1ppnp2/1p2p3/8/P3P3/3B2PN/5P2/RN5R b - - 0 12",
            "r1b2b1r/p5Rp/p1p5/8/P7/8/1Pq4P/RN2K3 w - - 0 15",
        ],
        Variant::Suicide => &[
            "r1bqkbnr/p1p1pp2/p5pp/3N4/8/4P1P1/PPPPNP1P/R1BQK2R b - - 0 6",
            "1nb1kbnr/1pN2ppp/8/4p3/8/8/3rPPPP/R1B1KBNR w - - 0 8",
            "2b1kbnr/1p2qp1p/2p5/3p4/6P1/P7/2P1PP1P/RN2KBNR b - - 0 9",
            "rn2kbr1/p3p1pp/8/1p6/8/N7/PPP2PPP/R1BK3R w - - 0 11",
            "rnb1k1nr/pBp4p/4p3/8/8/8/PPPbP3/RNB5 b - - 0 12",
            "3k1bnr/p6p/3Q4/8/8/5P2/P5rP/RN3BNR w - - 0 15",
        ],
        Variant::Losers => &[
            "rnb1kbnr/p1pp1p1p/4p3/1q6/P5P1/3P4/1P2PP1P/RN1QKBNR w HAha - 0 7",
            "1nbqk1nr/1ppp1p2/4p2p/8/2PP4/P7/4PPPP/2b1KBNR b Hh - 0 9",
            "1nbqkb2/rpppp1p1/p7/P7/2P2p2/R6P/1P2KP1P/1N3B1R w - - 0 12",
            "r1b4r/p1pp1k1p/7p/5p2/P7/N2P3P/1PP2PP1/R4KNR b - - 2 14",
            "2kr4/p2p1pp1/P7/3p4/2p5/b7/3PPP1P/4K2R w H - 0 19",
            "5k2/2p2p2/5P2/5P2/2b4p/8/2P5/3K4 b - - 0 23",
        ],
        Variant::Crazyhouse => &[
            "rn1qk2r/p1pbpp1p/3p1n1b/QP4p1/3P4/5N1P/PP2PPP1/RNB1KB1R[P] b HAha - 2 8",
            "3rkbnr/2pp1pp1/b3p2p/p3P3/8/2N5/PPp1PPPP/R1B1KBNR[QNPq] w h - 0 13",
            "r4rk1/pp2Pp1p/4b1pn/qn2P3/P3B3/1P6/R1PPP1PP/3QKB1R[NPbnp] b H - 0 18",
            "3k1b1r/pqppp1pp/np3p2/8/3N2n1/2P1pNPP/bP2P1R1/R1BQKB1R[Pp] w - - 0 24",
            "rnb5/1pppkrQ1/5np1/p1B4p/1n~P5/bPN1q1pP/PP1P4/RK5B[RPnp] b - - 2 31",
            "2bBnbkr/4ppp1/1Np3pp/3p1p2/8/2nBqP2/R1P3P1/K2n4[QRPPPPrp] w - - 0 39",
        ],
    }
}

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
    /// Whether all positions were searched, with no stop in between.
    pub is_complete: bool,
    /// Total nodes: the signature.
    pub nodes: u64,
    /// Total time.
    pub time: Duration,
}

/// Searches all positions of a game to `depth` plies, or as many as it can before a stop. Call it on a thread
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
    variant: Variant,
    depth: u32,
    evaluation: &Evaluation,
    stop: &Arc<StopToken>,
) -> Result<BenchResult, AllocationError> {
    let mut searcher = Searcher::new(HASH, evaluation.clone())?;
    let start = Instant::now();
    let mut results: Vec<PositionResult> = Vec::new();
    let mut is_complete = true;
    for fen in iter::once(variant.start_fen()).chain(positions(variant).iter().copied()) {
        let position =
            fen::parse_as(variant, fen).expect("the positions of the benchmark are legal");
        searcher.new_game();
        let limits = Limits {
            stop: Some(Arc::clone(stop)),
            ..Limits::depth(depth)
        };
        let nodes = searcher.search(&position, &limits).nodes;
        if stop.is_stopped() {
            is_complete = false;
            break;
        }
        results.push(PositionResult { fen, nodes });
    }
    Ok(BenchResult {
        nodes: results.iter().map(|result| result.nodes).sum(),
        positions: results,
        is_complete,
        time: start.elapsed(),
    })
}
