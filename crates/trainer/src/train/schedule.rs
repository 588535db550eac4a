//! How the learning rate falls from the first to the last step.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

/// Half a cosine wave from one learning rate to another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Schedule {
    /// The learning rate of the first step.
    pub initial: f32,
    /// The learning rate at the end.
    pub last: f32,
}

impl Schedule {
    /// The learning rate after `progress` (`0.0..=1.0`) of the training.
    pub(crate) fn rate(self, progress: f64) -> f32 {
        let wave = f64::midpoint(1.0, (progress.clamp(0.0, 1.0) * PI).cos());
        self.last + (self.initial - self.last) * wave as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn falls_from_the_first_rate_to_the_last() {
        let schedule = Schedule {
            initial: 1e-3,
            last: 1e-5,
        };
        let rates: Vec<f32> = (0..=10)
            .map(|n| schedule.rate(f64::from(n) / 10.0))
            .collect();
        assert!((rates[0] - 1e-3).abs() < 1e-9);
        assert!((rates[5] - 5.05e-4).abs() < 1e-7);
        assert!((rates[10] - 1e-5).abs() < 1e-9);
        assert!(rates.is_sorted_by(|a, b| a > b));
        assert_eq!(schedule.rate(1.5).to_bits(), rates[10].to_bits());
    }
}
