//! How fast training is on this machine.

use std::time::{Duration, Instant};

use rayon::ThreadPoolBuildError;

use super::model::{Parameters, Shape};
use super::objective::Objective;
use super::optimizer::Settings;
use super::sample::Sample;
use super::synthetic;
use super::trainer::Trainer;

/// Positions per step.
const BATCH: usize = 16_384;

/// Trains on positions of random games for `time` and returns the positions per second.
///
/// # Errors
///
/// If the threads cannot be started.
pub(crate) fn measure(
    shape: Shape,
    threads: usize,
    time: Duration,
) -> Result<f64, ThreadPoolBuildError> {
    let samples: Vec<Sample> = synthetic::samples(1)
        .map(|(_, sample)| sample)
        .take(8 * BATCH)
        .collect();
    let (parameters, objective) = (Parameters::random(shape, 1), Objective::default());
    let mut trainer = Trainer::new(shape, parameters, objective, Settings::default(), threads)?;

    let mut visits = 0;
    let start = Instant::now();
    while start.elapsed() < time {
        let first = visits % samples.len();
        trainer.step(BATCH, |n| &samples[first + n], 1e-3, objective);
        visits += BATCH;
    }
    Ok(visits as f64 / start.elapsed().as_secs_f64())
}
