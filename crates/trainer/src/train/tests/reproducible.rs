//! A training depends only on data, settings and seed.

use std::time::Duration;

use orthrus_core::evaluation::network::{QS, Scaling};

use super::super::checkpoint::{Checkpoint, CheckpointError};
use super::super::dataset::Dataset;
use super::super::gradient::{Network, Scratch};
use super::super::model::{Parameters, Rounded, Shape};
use super::super::objective::Objective;
use super::super::optimizer::{Optimizer, Settings};
use super::super::schedule::Schedule;
use super::super::session::{Plan, Session};
use super::super::simd::Level;
use super::super::trainer::Trainer;
use super::{SHAPE, dataset, plan, samples};

fn results(result_weight: f32) -> Objective {
    Objective {
        result_weight,
        ..Objective::default()
    }
}

fn session(dataset: &Dataset, shape: Shape, threads: usize) -> Session<'_> {
    let scaling = Scaling {
        factor: QS - 1_000,
        bonus: 400,
    };
    let parameters = Parameters {
        scaling: vec![scaling; shape.buckets],
        ..Parameters::random(shape, 1)
    };
    let trainer = Trainer::new(
        shape,
        parameters,
        results(0.2),
        Settings::default(),
        threads,
    )
    .unwrap();
    Session::new(plan(20_000), dataset, trainer)
}

fn run_to_the_end(session: &mut Session<'_>) {
    while !session.is_finished() {
        session.step();
    }
}

#[test]
fn every_level_of_instructions_gives_the_same_bits() {
    let samples = samples(31, 300);
    let start = Parameters::random(SHAPE, 3);
    let weights = Rounded::new(&start);
    let results: Vec<_> = Level::available()
        .into_iter()
        .map(|level| {
            let mut gradient = Parameters::zero(SHAPE);
            let network = Network {
                shape: SHAPE,
                weights: &weights,
                level,
            };
            let mut scratch = Scratch::new(SHAPE);
            let loss = network.accumulate(
                samples.iter(),
                results(0.0),
                false,
                &mut scratch,
                &mut gradient,
            );
            let mut optimizer = Optimizer::new(SHAPE, start.clone());
            let mut rounded = weights.clone();
            let gradients = [&gradient, &gradient];
            let settings = Settings::default();
            optimizer.step(&mut rounded, &gradients, 600, 1e-3, settings, level);
            (loss, gradient, rounded, optimizer)
        })
        .collect();
    let (_, _, rounded, optimizer) = &results[0];
    assert_ne!(optimizer.exact, start);
    assert!(*rounded == Rounded::new(&optimizer.exact));
    assert!(results.iter().all(|result| *result == results[0]));
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let samples = samples(37, 5_000);
    let [one, three] = [1, 3].map(|threads| {
        let parameters = Parameters::random(SHAPE, 3);
        let objective = results(0.5);
        let mut trainer =
            Trainer::new(SHAPE, parameters, objective, Settings::default(), threads).unwrap();
        let losses = [1e-3, 1e-3, 5e-4]
            .map(|rate| trainer.step(samples.len(), |n| &samples[n], rate, objective));
        (
            losses,
            trainer.validate(&samples),
            trainer.optimizer().clone(),
        )
    });
    assert!(one == three);
}

#[test]
fn an_interrupted_training_goes_on_as_if_nothing_had_happened() {
    let dataset = dataset(6_000); // several epochs
    let mut whole = session(&dataset, SHAPE, 2);
    run_to_the_end(&mut whole);

    let mut first = session(&dataset, SHAPE, 2);
    for _ in 0..13 {
        first.step();
    }
    let bytes = first.checkpoint().to_bytes().unwrap();
    let mut second = session(&dataset, SHAPE, 1);
    second
        .restore(Checkpoint::from_bytes(&bytes).unwrap())
        .unwrap();
    assert_eq!(second.visits(), first.visits());
    run_to_the_end(&mut second);

    assert!(whole.trainer().optimizer() == second.trainer().optimizer());
    let losses = |session: &Session<'_>| -> Vec<[f64; 2]> {
        session
            .rows()
            .iter()
            .map(|row| [row.training, row.validation])
            .collect()
    };
    assert_eq!(losses(&whole), losses(&second));
}

#[test]
fn a_training_on_other_data_goes_on_with_network_and_moments() {
    let (first_data, second_data) = (dataset(6_000), dataset(4_000));
    let mut first = session(&first_data, SHAPE, 1);
    run_to_the_end(&mut first);
    let bytes = first.checkpoint().to_bytes().unwrap();
    let earlier = Checkpoint::from_bytes(&bytes).unwrap().optimizer;
    let steps = earlier.steps;

    let mut second = session(&second_data, SHAPE, 1);
    second.follow(earlier);
    assert_eq!(second.visits(), 0);
    assert!(second.trainer().optimizer() == first.trainer().optimizer());
    assert!(second.trainer().network().weights == first.trainer().network().weights);
    run_to_the_end(&mut second);
    assert_eq!(second.trainer().optimizer().steps, 2 * steps);
    // It has not forgotten what it knew.
    let [begun, continued] = [&first, &second].map(|session| session.rows()[0].training);
    assert!(continued < begun, "{continued}, at first {begun}");
}

#[test]
fn the_weight_of_the_result_changes_evenly() {
    let dataset = dataset(6_000);
    let mut session = session(&dataset, SHAPE, 1);
    let mut weights = vec![session.objective().result_weight];
    while !session.is_finished() {
        session.step();
        weights.push(session.objective().result_weight);
    }
    assert!(weights.is_sorted());
    let steps = weights.len() - 1;
    for (step, expected) in [(0, 0.0), (steps / 2, 0.1), (steps, 0.2)] {
        assert!((weights[step] - expected).abs() < 0.01, "{weights:?}");
    }
}

#[test]
fn a_checkpoint_of_another_training_is_refused() {
    let data = dataset(6_000);
    let checkpoint = session(&data, SHAPE, 1).checkpoint();
    let other_shape = Shape {
        mirrored: false,
        ..SHAPE
    };
    let error = session(&data, other_shape, 1)
        .restore(checkpoint.clone())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the checkpoint has the shape (768 -> 32)x2 + 26 + (37 -> 32) -> 8, mirrored, \
         this training (768 -> 32)x2 + 26 + (37 -> 32) -> 8"
    );
    let other_data = dataset(3_000);
    let error = session(&other_data, SHAPE, 1)
        .restore(checkpoint.clone())
        .unwrap_err();
    assert!(matches!(error, CheckpointError::Other { .. }), "{error}");

    let trainer = |objective| {
        let parameters = Parameters::random(SHAPE, 1);
        Trainer::new(SHAPE, parameters, objective, Settings::default(), 1).unwrap()
    };
    let plan = plan(20_000);
    let mut same = Session::new(plan, &data, trainer(results(0.2)));
    same.restore(checkpoint.clone()).unwrap();
    let mut other = Session::new(plan, &data, trainer(results(0.3)));
    let error = other.restore(checkpoint.clone()).unwrap_err();
    assert!(error.to_string().contains("result weight"), "{error}");
    let slower = Plan {
        schedule: Schedule {
            last: 1e-7,
            ..plan.schedule
        },
        ..plan
    };
    let shorter = Plan {
        time: Some(Duration::from_secs(60)),
        ..plan
    };
    for (other, named) in [(slower, "learning rate"), (shorter, "seconds in all")] {
        let mut other = Session::new(other, &data, trainer(results(0.2)));
        let error = other.restore(checkpoint.clone()).unwrap_err();
        assert!(error.to_string().contains(named), "{error}");
    }
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let dataset = dataset(3_000);
    let bytes = session(&dataset, SHAPE, 1).checkpoint().to_bytes().unwrap();
    assert!(Checkpoint::from_bytes(&bytes).is_ok());
    for at in [0, 9, 13, 40, bytes.len() / 2, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert!(Checkpoint::from_bytes(&damaged).is_err(), "byte {at}");
    }
    for length in [0, 7, 8, 12, 16, 100, bytes.len() - 1] {
        assert!(
            Checkpoint::from_bytes(&bytes[..length]).is_err(),
            "{length} bytes"
        );
    }
}
