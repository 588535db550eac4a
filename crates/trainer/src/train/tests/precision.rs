//! The integer network, as the engine computes it, against the one in floating point.

use std::sync::Arc;

use orthrus_core::evaluation::network::{QB, QS, RawNetwork, SCALE, Scaling};
use orthrus_core::evaluation::{CpuLevel, Evaluation, Evaluator, Network as Quantised};
use orthrus_core::position::{Position, Setup, Variant};
use orthrus_core::types::{CastlingRights, Piece, Square};

use super::super::dataset::Dataset;
use super::super::gradient::{Network, Scratch};
use super::super::model::{Block, Lanes, Parameters, Rounded, Shape};
use super::super::objective::Objective;
use super::super::optimizer::Settings;
use super::super::quantise::{dequantise, quantise};
use super::super::sample::Sample;
use super::super::session::Session;
use super::super::simd::Level;
use super::super::synthetic;
use super::super::trainer::Trainer;
use super::{SHAPE, plan};
use crate::data::GameResult;
use crate::testing::shape;

/// A network that has learned a little, so that its weights are realistic.
fn trained(shape: Shape) -> Rounded {
    let samples = synthetic::samples_of(shape.variant, 1).take(20_000);
    let dataset = Dataset::new(samples, 50, 1).unwrap();
    let parameters = Parameters::random(shape, 1);
    let trainer = Trainer::new(
        shape,
        parameters,
        Objective::default(),
        Settings::default(),
        2,
    )
    .unwrap();
    let mut session = Session::new(plan(60_000), &dataset, trainer);
    while !session.is_finished() {
        session.step();
    }
    session.trainer().network().weights.clone()
}

fn untrained() -> RawNetwork {
    quantise(SHAPE, &Rounded::new(&Parameters::random(SHAPE, 3)))
}

fn evaluator(network: &RawNetwork) -> Evaluator {
    let network = Quantised::new(network, CpuLevel::detect()).unwrap();
    Evaluator::new(Evaluation::Network(Arc::new(network)))
}

fn evaluate(evaluator: &mut Evaluator, position: &Position) -> i32 {
    evaluator.reset(position);
    evaluator.evaluate(position).value()
}

fn positions(count: usize) -> impl Iterator<Item = Position> {
    positions_of(Variant::Standard, count)
}

fn positions_of(variant: Variant, count: usize) -> impl Iterator<Item = Position> {
    synthetic::positions(variant, 17)
        .map(|(_, position)| position)
        .take(count)
}

#[test]
fn the_engine_evaluates_as_the_trainer_does() {
    let of_variants = Variant::ALL.map(|variant| Shape { variant, ..SHAPE });
    let direct = Shape {
        residual: false,
        ..SHAPE
    };
    let plain = shape(64, 1, false);
    for shape in of_variants.into_iter().chain([direct, plain]) {
        let mut weights = trained(shape);
        if shape.residual {
            let scaling = |bucket| Scaling {
                factor: QS - 700 * bucket,
                bonus: 100 * bucket,
            };
            weights.scaling = (0..shape.buckets as i32).map(scaling).collect();
        }
        let network = Network {
            shape,
            weights: &weights,
            level: Level::widest(),
        };
        let raw = quantise(shape, &weights);
        let bytes = raw.to_bytes();
        assert_eq!(RawNetwork::from_bytes(&bytes), Ok(raw.clone()));
        let (again, parameters) = dequantise(&raw).unwrap();
        assert_eq!(again, shape);
        assert_eq!(quantise(again, &Rounded::new(&parameters)), raw);
        let mut evaluator = evaluator(&raw);

        let positions: Vec<Position> = positions_of(shape.variant, 3_000).collect();
        let samples: Vec<Sample> = positions
            .iter()
            .map(|position| Sample::new(position, 0, GameResult::Draw))
            .collect();
        let mut exact = Vec::new();
        network.evaluate(samples.iter(), &mut Scratch::new(shape), |_, output| {
            exact.push(output * SCALE as f32);
        });
        let spread = exact
            .iter()
            .fold(0.0_f32, |spread, value| spread.max(value.abs()));
        assert!(spread > 200.0, "{shape} has learned nothing");

        let errors: Vec<f32> = positions
            .iter()
            .zip(&exact)
            .map(|(position, exact)| (evaluate(&mut evaluator, position) as f32 - exact).abs())
            .collect();
        let mean = errors.iter().sum::<f32>() / errors.len() as f32;
        let largest = errors.iter().copied().fold(0.0, f32::max);
        // A residual layer sees the output so far in steps of six centipawns, and where all men are to
        // be given away, far larger counts of threatened ones than its weights are rounded for.
        let bound = match shape.variant {
            Variant::Antichess | Variant::Giveaway | Variant::Suicide => 4.0,
            _ if shape.residual => 3.0,
            _ => 2.0,
        };
        assert!(
            mean < 1.0 && largest < bound,
            "{shape}: mean {mean}, largest {largest}"
        );
    }
}

/// The same board with every piece where `place` puts it and in the colour that `paint` gives it,
/// without castling rights.
fn moved(position: &Position, place: fn(Square) -> Square, paint: fn(Piece) -> Piece) -> Setup {
    let mut setup = position.setup();
    setup.castling = CastlingRights::default();
    setup.en_passant = None;
    for square in Square::ALL {
        setup.board[place(square)] = position.piece_on(square).map(paint);
    }
    setup
}

#[test]
fn exchanging_the_colors_changes_nothing() {
    let mut evaluator = evaluator(&untrained());
    for position in positions(500) {
        let repaint = |piece: Piece| Piece::new(!piece.color(), piece.piece_type());
        let mut setup = moved(&position, Square::flipped, repaint);
        setup.side_to_move = !position.side_to_move();
        let flipped = Position::from_setup(&setup).unwrap();

        let winner = GameResult::won_by(position.side_to_move());
        let loser = GameResult::won_by(!position.side_to_move());
        assert_eq!(
            Sample::new(&position, 35, winner),
            Sample::new(&flipped, 35, loser)
        );
        let expected = evaluate(&mut evaluator, &position);
        assert_eq!(evaluate(&mut evaluator, &flipped), expected);
    }
}

#[test]
fn mirroring_the_board_changes_nothing_in_a_mirrored_network() {
    let mut evaluator = evaluator(&untrained());
    for position in positions(500) {
        let setup = moved(&position, Square::mirrored, |piece| piece);
        let mirrored = Position::from_setup(&setup).unwrap();

        let [rows, mirrored_rows] = [&position, &mirrored].map(|position| {
            let inputs = Sample::new(position, 0, GameResult::Draw).inputs(SHAPE);
            let [mut own, mut other]: [Vec<u16>; 2] =
                [0, 1].map(|side| inputs.rows().iter().map(|row| row[side]).collect());
            own.sort_unstable();
            other.sort_unstable();
            [own, other]
        });
        assert_eq!(rows, mirrored_rows);
        let expected = evaluate(&mut evaluator, &position);
        assert_eq!(evaluate(&mut evaluator, &mirrored), expected);
    }
}

#[test]
fn a_widened_network_says_the_same_until_it_learns() {
    let small = shape(32, 1, true);
    let raw = quantise(small, &trained(small));
    let (_, parameters) = dequantise(&raw).unwrap();
    let mut known = evaluator(&raw);
    for (hidden, buckets, direct) in [(32, 1, false), (64, 1, true), (32, 8, false), (96, 8, true)]
    {
        let large = Shape {
            direct,
            residual: direct && buckets > 1,
            ..shape(hidden, buckets, true)
        };
        let wide = parameters.widened(small, large, 5).unwrap();
        let mut evaluator = evaluator(&quantise(large, &Rounded::new(&wide)));
        for position in positions(300) {
            let expected = evaluate(&mut known, &position);
            assert_eq!(evaluate(&mut evaluator, &position), expected, "{large}");
        }
        let fresh = &wide.blocks[small.blocks()..];
        let sees = |block: &Block| block.rows()[0].0.iter().any(|weight| weight.abs() > 0.0);
        let speaks = |block: &Block| {
            let mut weights = block.output().iter().flatten().flat_map(|row| row.0);
            weights.all(|weight| weight.abs() >= 1.0 / QB as f32)
        };
        assert!(fresh.iter().all(|block| sees(block) && speaks(block)));
        for narrow in [small, shape(hidden, buckets, false)] {
            let refused = wide.widened(large, narrow, 5);
            assert_eq!(refused.is_err(), narrow != large, "{large} to {narrow}");
        }
    }
    let direct = Shape {
        direct: true,
        ..small
    };
    let wide = parameters.widened(small, direct, 5).unwrap();
    assert!(wide.widened(direct, small, 5).is_err());
    let layered = |shape| Shape {
        residual: true,
        ..shape
    };
    assert!(
        layered(small).checked().is_err(),
        "there is nothing for it to see"
    );
    let layered = layered(direct).checked().unwrap();
    let wide = wide.widened(direct, layered, 5).unwrap();
    assert!(wide.widened(layered, direct, 5).is_err());
    let checks = Shape {
        variant: Variant::ThreeCheck,
        ..layered
    };
    let parameters = wide;
    let wide = parameters.widened(layered, checks, 5).unwrap();
    assert_eq!(wide.direct, parameters.direct);
    assert_eq!(wide.residual, parameters.residual);
    for (block, known) in wide.blocks.iter().zip(&parameters.blocks) {
        let (shared, added) = block.rows().split_at(known.rows().len());
        assert_eq!(shared, known.rows());
        assert!(!added.is_empty() && added.iter().all(|row| *row == Lanes::splat(0.0)));
    }
    assert!(wide.widened(checks, layered, 5).is_err());
}
