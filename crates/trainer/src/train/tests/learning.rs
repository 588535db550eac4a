//! The network learns what it is taught.

use orthrus_core::position::Variant;

use super::super::gradient::{Network, Scratch};
use super::super::model::{Parameters, Shape};
use super::super::objective::Objective;
use super::super::optimizer::Settings;
use super::super::session::Session;
use super::super::simd::Level;
use super::super::synthetic;
use super::super::trainer::Trainer;
use super::{SHAPE, dataset, plan, samples};
use crate::testing::shape;

fn trainer(shape: Shape) -> Trainer {
    let parameters = Parameters::random(shape, 1);
    Trainer::new(
        shape,
        parameters,
        Objective::default(),
        Settings::default(),
        2,
    )
    .unwrap()
}

#[test]
fn the_loss_of_a_few_positions_falls_towards_zero() {
    let samples = samples(23, 64);
    let mut trainer = trainer(SHAPE);
    let mut step = |_| {
        let objective = trainer.objective();
        let loss = trainer.step(samples.len(), |n| &samples[n], 1e-2, objective);
        loss.mean()
    };
    let losses: Vec<f64> = (0..200).map(&mut step).collect();
    assert!(losses[199] < 1e-4, "{losses:?}");
    assert!(losses[199] < losses[0] / 20.0, "{losses:?}");
}

#[test]
fn a_frozen_network_learns_only_what_goes_straight_to_its_outputs() {
    let dataset = dataset(20_000);
    let start = Parameters::random(SHAPE, 3);
    let settings = Settings {
        frozen: true,
        ..Settings::default()
    };
    let trainer = Trainer::new(SHAPE, start.clone(), Objective::default(), settings, 2).unwrap();
    let mut session = Session::new(plan(50_000), &dataset, trainer);
    while !session.is_finished() {
        session.step();
    }
    let learned = &session.trainer().optimizer().exact;
    assert_eq!(learned.blocks, start.blocks);
    for (learned, before) in [
        (&learned.output_bias[..], &start.output_bias[..]),
        (learned.direct.as_flattened(), start.direct.as_flattened()),
        (
            learned.residual.as_flattened(),
            start.residual.as_flattened(),
        ),
    ] {
        assert!(
            learned
                .iter()
                .zip(before)
                .any(|(new, old)| (new - old).abs() > 1e-3)
        );
    }
    let rows = session.rows();
    assert!(rows[rows.len() - 1].validation < rows[0].validation);
}

#[test]
fn a_network_taught_material_counts_material() {
    let shape = shape(32, 1, true);
    let dataset = dataset(60_000);
    let mut session = Session::new(plan(300_000), &dataset, trainer(shape));
    while !session.is_finished() {
        session.step();
    }

    // On games that it has not seen.
    let (positions, samples): (Vec<_>, Vec<_>) = synthetic::positions(Variant::Standard, 99)
        .map(|(_, position)| position)
        .zip(samples(99, 4_000))
        .unzip();
    let network = Network {
        shape,
        weights: session.trainer().network().weights,
        level: Level::widest(),
    };
    let mut outputs = Vec::new();
    network.evaluate(samples.iter(), &mut Scratch::new(shape), |_, output| {
        outputs.push(f64::from(output));
    });
    let material: Vec<f64> = positions
        .iter()
        .map(|position| f64::from(synthetic::material(position)) / 400.0)
        .collect();
    let found = correlation(&material, &outputs);
    assert!(found > 0.97, "correlation {found}");

    let rows = session.rows();
    assert!(rows.len() > 50);
    assert_eq!(rows.last().unwrap().visits, session.visits());
    assert!(rows.last().unwrap().validation < rows[0].validation / 2.0);
    assert!(
        rows.iter()
            .all(|row| row.training.is_finite() && row.phases[0].is_finite())
    );
}

/// Pearson's coefficient.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let products = |a: &[f64], b: &[f64], mean_a: f64, mean_b: f64| -> f64 {
        a.iter()
            .zip(b)
            .map(|(a, b)| (a - mean_a) * (b - mean_b))
            .sum()
    };
    let spread = products(a, a, mean_a, mean_a) * products(b, b, mean_b, mean_b);
    products(a, b, mean_a, mean_b) / spread.sqrt()
}
