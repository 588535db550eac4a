//! The speed of evaluating, in nanoseconds: for each size of network and each level of instructions
//! that this processor has; and what it costs a search, in nodes per second compared with a search
//! that counts material, which takes next to no time.
//!
//! - *forward*: a position whose hidden values are known
//! - *move*: a move made, its position evaluated, the move taken back; the part beyond *forward*
//!   updates the hidden values of both sides
//! - *refresh*: the hidden values of both sides from the board alone
//!
//! `cargo bench -p orthrus-core --bench evaluation`
#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fastrand::Rng;
use orthrus_core::bench::{self, DEFAULT_DEPTH};
use orthrus_core::evaluation::network::{
    DIRECT_INPUTS, INPUTS, RESIDUAL_INPUTS, RESIDUAL_NEURONS, RawNetwork, RawResidual,
};
use orthrus_core::evaluation::{CpuLevel, Evaluation, Evaluator, Material, Network};
use orthrus_core::position::{Position, Variant};
use orthrus_core::search::{nodes_per_second, on_search_stack};
use orthrus_core::types::Move;

const SIZES: [usize; 6] = [64, 128, 256, 384, 512, 768];

/// Runs of each measurement; the machine's other work can only slow one down, so the best counts.
const RUNS: usize = 15;

/// Runs of each search.
const SEARCH_RUNS: usize = 5;

/// A position with its moves and the positions after them.
struct Node {
    position: Position,
    children: Vec<(Move, Position)>,
}

fn main() {
    let nodes = nodes();
    println!("| evaluation | level | forward | move | refresh |");
    println!("|---|---|---|---|---|");
    for hidden in SIZES {
        let raw = random_network(hidden);
        for level in CpuLevel::ALL.into_iter().filter(|l| l.is_available()) {
            let network = Network::new(&raw, level).expect("the weights are small");
            let evaluation = Evaluation::Network(Arc::new(network));
            print_row(&format!("N = {hidden}"), level.name(), &nodes, evaluation);
        }
    }
    print_searches();
}

/// The searches of `orthrus bench` with the network of this build and with material values, in
/// turn, the best run of each.
fn print_searches() {
    // With material alone too many positions are equal for a normal tree; noise separates them.
    let evaluations = [
        ("material", Evaluation::Material(Material::noisy(1, 30))),
        ("network", Evaluation::default()),
    ];
    let mut best = [0; 2];
    for _ in 0..SEARCH_RUNS {
        for ((_, evaluation), best) in evaluations.iter().zip(&mut best) {
            let result = on_search_stack(|| {
                bench::run(
                    Variant::Standard,
                    DEFAULT_DEPTH,
                    evaluation,
                    &Arc::default(),
                )
            })
            .expect("a thread can be started")
            .expect("there is memory for a small table");
            *best = nodes_per_second(result.nodes, result.time).max(*best);
        }
    }
    println!("\n| search with | nodes per second | ratio |");
    println!("|---|---|---|");
    for ((name, _), nodes) in evaluations.iter().zip(best) {
        println!(
            "| {name} | {nodes} | {:.2} |",
            nodes as f64 / best[0] as f64
        );
    }
}

fn print_row(name: &str, level: &str, nodes: &[Node], evaluation: Evaluation) {
    let mut evaluator = Evaluator::new(evaluation);
    let [forward, moves, refresh] = [forward, moves, refresh].map(|measure| {
        let runs = (0..RUNS).map(|_| measure(&mut evaluator, nodes));
        runs.fold(f64::INFINITY, f64::min)
    });
    println!("| {name} | {level} | {forward:.0} | {moves:.0} | {refresh:.0} |");
}

fn forward(evaluator: &mut Evaluator, nodes: &[Node]) -> f64 {
    const REPEATS: usize = 50;
    let mut time = Duration::ZERO;
    for Node { position, .. } in nodes {
        evaluator.reset(position);
        let start = Instant::now();
        for _ in 0..REPEATS {
            black_box(evaluator.evaluate(black_box(position)));
        }
        time += start.elapsed();
    }
    nanoseconds(time, nodes.len() * REPEATS)
}

fn moves(evaluator: &mut Evaluator, nodes: &[Node]) -> f64 {
    let mut time = Duration::ZERO;
    let mut moves = 0;
    for Node { position, children } in nodes {
        evaluator.reset(position);
        let start = Instant::now();
        for (mv, child) in children {
            evaluator.make_move(position, *mv);
            black_box(evaluator.evaluate(child));
            evaluator.unmake_move();
        }
        time += start.elapsed();
        moves += children.len();
    }
    nanoseconds(time, moves)
}

fn refresh(evaluator: &mut Evaluator, nodes: &[Node]) -> f64 {
    let start = Instant::now();
    for Node { position, .. } in nodes {
        evaluator.reset(black_box(position));
    }
    nanoseconds(start.elapsed(), nodes.len())
}

fn nanoseconds(time: Duration, times: usize) -> f64 {
    time.as_nanos() as f64 / times as f64
}

/// The positions of random games, each with all its moves.
fn nodes() -> Vec<Node> {
    let mut random = Rng::with_seed(1);
    let mut nodes = Vec::new();
    while nodes.len() < 1000 {
        let mut position = Position::startpos();
        for _ in 0..80 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let after = |&mv| {
                let mut child = position.clone();
                child.make_move(mv);
                (mv, child)
            };
            nodes.push(Node {
                position: position.clone(),
                children: moves.iter().map(after).collect(),
            });
            position.make_move(moves[random.usize(..moves.len())]);
        }
    }
    nodes
}

/// Speed does not depend on the weights, so random ones do.
fn random_network(hidden: usize) -> RawNetwork {
    let mut random = Rng::with_seed(2);
    let mut weights = |count| (0..count).map(|_| random.i16(-20..=20)).collect();
    RawNetwork {
        variant: Variant::Standard,
        hidden,
        buckets: 8,
        mirrored: true,
        direct: true,
        feature_weights: weights(INPUTS * hidden),
        feature_bias: weights(hidden),
        output_weights: weights(8 * 2 * hidden),
        output_bias: vec![0; 8],
        direct_weights: weights(8 * 2 * DIRECT_INPUTS),
        residual: Some(RawResidual {
            input_weights: weights(RESIDUAL_INPUTS * RESIDUAL_NEURONS),
            bias: vec![0; 8 * RESIDUAL_NEURONS],
            output_weights: weights(8 * RESIDUAL_NEURONS),
        }),
        scaling: Vec::new(),
    }
}
