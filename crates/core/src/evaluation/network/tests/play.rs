//! Incremental values equal those computed from scratch, over random games.

use std::sync::Arc;

use fastrand::Rng;

use super::super::{
    CpuLevel, DIRECT_INPUTS, INPUTS, Network, RESIDUAL_NEURONS, RawNetwork, RawResidual, Scaling,
    View, counts, held, inputs, output_bucket,
};
use super::{network_for, random_network};
use crate::evaluation::{Evaluation, Evaluator};
use crate::fen;
use crate::position::{Position, Setup, Variant};
use crate::types::{Color, Move, MoveKind};

/// Moves made by each of the four walks: a million in all.
const PLIES: usize = 250_000;

/// The output straight from its definition, in 64-bit integers.
fn by_definition(network: &RawNetwork, position: &Position) -> i64 {
    let us = position.side_to_move();
    let bucket = output_bucket(position.occupied().count(), network.buckets);
    let mut sum = 0;
    for (half, perspective) in [us, !us].into_iter().enumerate() {
        let view = View::new(
            network.variant,
            perspective,
            position.royal(perspective),
            network.mirrored,
        );
        let mut hidden: Vec<i64> = network.feature_bias.iter().map(|&b| b.into()).collect();
        let men = position.occupied().into_iter();
        let men = men.map(|square| view.input(position.piece_on(square).unwrap(), square));
        let held = Color::ALL.into_iter().flat_map(|owner| {
            held(position, owner).map(move |number| view.holding(network.variant, owner, number))
        });
        for input in men.chain(held) {
            let weights = &network.feature_weights[input * network.hidden..];
            for (value, &weight) in hidden.iter_mut().zip(weights) {
                *value += i64::from(weight);
            }
        }
        let weights = &network.output_weights[(bucket * 2 + half) * network.hidden..];
        for (value, &weight) in hidden.iter().zip(weights) {
            sum += value.clamp(&0, &255).pow(2) * i64::from(weight);
        }
    }
    let mut output = sum / 255 + i64::from(network.output_bias[bucket]);
    if network.direct {
        let (pieces, colors) = position.boards();
        let weights = &network.direct_weights[bucket * 2 * DIRECT_INPUTS..];
        let counts = counts(pieces, colors, us);
        let direct = counts.iter().flat_map(|side| &side[..DIRECT_INPUTS]);
        for (&input, &weight) in direct.zip(weights) {
            output += i64::from(input) * i64::from(weight);
        }
        if let Some(residual) = &network.residual {
            let [own, other] = counts;
            let pairs = own.into_iter().zip(other);
            let counts = pairs.flat_map(|(own, other)| [own.into(), other.into()]);
            output += correction(residual, counts, output, bucket);
        }
    }
    if let Some(scaling) = network.scaling.get(bucket) {
        output = output * i64::from(scaling.factor) / 16_384 + i64::from(scaling.bonus);
    }
    output * 400 / (255 * 64)
}

/// What the residual layer adds to `output`, for these counts.
fn correction(
    layer: &RawResidual,
    counts: impl Iterator<Item = i64>,
    output: i64,
    bucket: usize,
) -> i64 {
    let inputs: Vec<i64> = counts
        .chain([(output + 128).div_euclid(256).clamp(-83, 83)])
        .collect();
    let neuron = |n: usize| {
        let rows = layer.input_weights.chunks(RESIDUAL_NEURONS);
        let products = rows.zip(&inputs).map(|(row, x)| i64::from(row[n]) * x);
        let at = bucket * RESIDUAL_NEURONS + n;
        let sum = i64::from(layer.bias[at]) + products.sum::<i64>();
        sum.div_euclid(32).clamp(0, 255) * i64::from(layer.output_weights[at])
    };
    (0..RESIDUAL_NEURONS).map(neuron).sum::<i64>() / 16
}

/// An evaluator for every level that this processor has.
fn evaluators(network: &RawNetwork) -> Vec<Evaluator> {
    let available = CpuLevel::ALL
        .into_iter()
        .filter(|level| level.is_available());
    let evaluator = |level| {
        let network = Network::new(network, level).unwrap();
        Evaluator::new(Evaluation::Network(Arc::new(network)))
    };
    available.map(evaluator).collect()
}

/// What a random walk has met.
#[derive(Default)]
struct Met {
    plies: usize,
    castlings: usize,
    en_passants: usize,
    promotions: usize,
    nulls: usize,
    /// Positions evaluated with something held.
    holdings: usize,
}

impl Met {
    fn note(&mut self, mv: Move) {
        self.plies += 1;
        match mv.kind() {
            MoveKind::Castling => self.castlings += 1,
            MoveKind::EnPassant => self.en_passants += 1,
            MoveKind::Promotion(_) | MoveKind::CapturePromotion(_) => self.promotions += 1,
            _ => {}
        }
    }
}

/// Prefers the rarer kinds of moves, so that a walk meets many.
fn choose(random: &mut Rng, moves: &[Move]) -> Move {
    use MoveKind::{Capture, DoublePush, Quiet};
    let rare = |mv: &&Move| !matches!(mv.kind(), Quiet | DoublePush | Capture);
    match moves.iter().find(rare) {
        Some(&mv) if random.usize(..2) == 0 => mv,
        _ => moves[random.usize(..moves.len())],
    }
}

/// Walks forwards and back as a search does, evaluating now and then.
fn walk(
    network: &RawNetwork,
    evaluators: &mut [Evaluator],
    start: &Position,
    random: &mut Rng,
    met: &mut Met,
) {
    let mut position = start.clone();
    for evaluator in &mut *evaluators {
        evaluator.reset(&position);
    }
    let mut depth = 0;
    for _ in 0..400 {
        let moves = position.legal_moves();
        if depth > 0 && (moves.is_empty() || random.usize(..6) == 0) {
            if position.last_move().is_some() {
                evaluators.iter_mut().for_each(Evaluator::unmake_move);
            }
            position.unmake_move();
            depth -= 1;
        } else if moves.is_empty() || position.occupied().count() < 4 {
            break;
        } else if random.usize(..20) == 0 && !position.in_check() {
            position.make_null_move();
            met.nulls += 1;
            depth += 1;
        } else {
            let mv = choose(random, &moves);
            for evaluator in &mut *evaluators {
                evaluator.make_move(&position, mv);
            }
            position.make_move(mv);
            met.note(mv);
            depth += 1;
        }
        if random.usize(..3) == 0 && position.ending().is_none() {
            met.holdings += usize::from(held(&position, position.side_to_move()).next().is_some());
            let expected = by_definition(network, &position);
            for evaluator in &mut *evaluators {
                let score = evaluator.evaluate(&position);
                assert_eq!(i64::from(score.value()), expected, "{position:?}");
            }
        }
    }
}

fn walks(network: &RawNetwork, starts: impl Fn(&mut Rng) -> Position) {
    let met = walks_of(network, PLIES, starts);
    assert!(met.castlings > 200, "{} castlings", met.castlings);
    assert!(met.en_passants > 100, "{} en passants", met.en_passants);
    assert!(met.promotions > 1000, "{} promotions", met.promotions);
    assert!(met.nulls > 1000, "{} null moves", met.nulls);
}

fn walks_of(network: &RawNetwork, plies: usize, starts: impl Fn(&mut Rng) -> Position) -> Met {
    let mut random = Rng::with_seed(20);
    let mut met = Met::default();
    let mut evaluators = evaluators(network);
    while met.plies < plies {
        let start = starts(&mut random);
        walk(network, &mut evaluators, &start, &mut random, &mut met);
    }
    met
}

/// In the variants too: a horde has no king and more men, and checks given are inputs.
#[test]
fn incremental_equals_definition_in_variants() {
    let variants = Variant::ALL.into_iter().skip(1);
    for (seed, variant) in (30..).zip(variants) {
        for mirrored in [false, true] {
            let network = network_for(variant, seed, 32, 8, mirrored);
            let met = walks_of(&network, PLIES / 10, |_| fen::start(variant));
            assert!(met.nulls > 100, "{} null moves", met.nulls);
            let has_holdings = inputs(variant) > INPUTS;
            assert_eq!(met.holdings > 500, has_holdings);
        }
    }
}

#[test]
fn incremental_equals_definition_in_standard_chess() {
    walks(&random_network(3, 32, 1, false), |_| Position::startpos());
}

#[test]
fn incremental_equals_definition_in_chess960() {
    let chess960 = |random: &mut Rng| {
        let setup = Setup::chess960(random.u16(..960)).unwrap();
        Position::from_setup(&setup).unwrap()
    };
    walks(&random_network(4, 64, 8, false), chess960);
    walks(&random_network(5, 32, 8, true), chess960);
}

#[test]
fn incremental_equals_definition_when_mirrored() {
    walks(&random_network(6, 32, 1, true), |_| Position::startpos());
}

#[test]
fn extreme_networks_never_claim_a_mate() {
    let mut network = random_network(8, 32, 1, false);
    for sign in [1, -1] {
        network.output_bias[0] = sign * i32::MAX;
        network.output_weights.fill(sign as i16 * 127);
        network.scaling = vec![Scaling {
            factor: Scaling::MAX_FACTOR,
            bonus: sign * i32::MAX,
        }];
        for mut evaluator in evaluators(&network) {
            let position = fen::parse("4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1").unwrap();
            evaluator.reset(&position);
            let score = evaluator.evaluate(&position);
            assert!(!score.is_mate() && score.value() * sign > 10_000, "{score}");
        }
    }
}
