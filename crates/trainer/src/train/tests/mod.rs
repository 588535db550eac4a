//! What the parts of the trainer must do together.

mod gradients;
mod learning;
mod precision;
mod reproducible;

use orthrus_core::position::Variant;

use super::dataset::Dataset;
use super::model::Shape;
use super::sample::Sample;
use super::schedule::Schedule;
use super::session::Plan;
use super::synthetic;

/// A small network with every feature.
const SHAPE: Shape = Shape {
    variant: Variant::Standard,
    hidden: 32,
    buckets: 8,
    mirrored: true,
    direct: true,
    residual: true,
};

fn samples(seed: u64, count: usize) -> Vec<Sample> {
    synthetic::samples(seed)
        .map(|(_, sample)| sample)
        .take(count)
        .collect()
}

fn dataset(count: usize) -> Dataset {
    Dataset::new(synthetic::samples(1).take(count), 50, 1).unwrap()
}

/// `visits` positions in steps of 512.
fn plan(visits: u64) -> Plan {
    Plan {
        visits,
        time: None,
        batch: 512,
        schedule: Schedule {
            initial: 1e-2,
            last: 1e-4,
        },
        initial_result_weight: 0.0,
        report_every: 4_096,
    }
}
