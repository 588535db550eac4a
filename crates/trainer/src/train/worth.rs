//! What scores, and the outputs of a network, are worth in expected points.

use orthrus_core::evaluation::wdl::Model;
use orthrus_core::types::{Color, Score};
use serde::{Deserialize, Serialize};

use super::sample::Sample;
use crate::wdl::{Counts, FitError, fit};

/// The expected points of a score in units of the one that means 0.73.
pub(super) fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// The score that means these expected points, in centipawns, where `scale` means 0.73.
pub(super) fn log_odds(expected: f64, scale: f32) -> i16 {
    let odds = expected / (1.0 - expected);
    (odds.ln() * f64::from(scale))
        .round()
        .clamp(-32_000.0, 32_000.0) as i16
}

/// What the outputs of a network were worth in games, by the material left: the expected points of an ordered
/// logistic model of wins, draws and losses ([`Model`]).
///
/// From results a network learns two things: what it does not know, and that its outputs mean something else in
/// games than a logistic function says, the more so the fewer men are left and the larger they are. The search is
/// tuned to what they mean. If they are read as what they were worth before the training, the first alone is left to
/// learn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Worth {
    /// Coefficients of the steepness, as in [`Model`].
    pub steepness: [f64; Model::TERMS],
    /// Coefficients of the margin.
    pub margin: [f64; Model::TERMS],
}

impl Worth {
    /// Fits it to the results of positions with these outputs, in centipawns.
    ///
    /// # Errors
    ///
    /// If they do not determine it.
    pub(crate) fn fitted<'s>(
        outputs: impl IntoIterator<Item = (&'s Sample, f32)>,
    ) -> Result<Self, FitError> {
        let mut counts = Counts::default();
        for (sample, output) in outputs {
            let score = Score::evaluation(output.round() as i32);
            counts.add_result(score, sample.material(), sample.result(), Color::White);
        }
        let model = fit(&counts)?;
        Ok(Self {
            steepness: model.steepness,
            margin: model.margin,
        })
    }

    /// The expected points, `0.0..=1.0`, of an output in this position, in centipawns, and their slope by it.
    pub(crate) fn points(self, sample: &Sample, output: f32) -> [f32; 2] {
        let curve = self.model().curve(sample.material());
        let [steepness, margin] = curve.map(|value| value as f32);
        let lean = steepness / 100.0;
        // A win is a point, and a draw half of one: the mean of the chances to win and not to lose.
        let chances = [-margin, margin].map(|margin| sigmoid(lean * output + margin));
        let slopes = chances.map(|chance| lean * chance * (1.0 - chance));
        [chances, slopes].map(|[win, no_loss]| f32::midpoint(win, no_loss))
    }

    /// The model, to which an output of 0 is an evaluation like any other.
    fn model(self) -> Model {
        Model {
            steepness: self.steepness,
            margin: self.margin,
            draw_margin: self.margin,
        }
    }
}

#[cfg(test)]
mod tests {
    use orthrus_core::evaluation::wdl;
    use orthrus_core::position::Variant;

    use super::*;
    use crate::data::GameResult;
    use crate::train::synthetic;

    const TRUE: Worth = Worth {
        steepness: [1.2, -1.4, 0.9],
        margin: [2.4, -2.6, 1.2],
    };

    /// Positions with random outputs, in centipawns, and results that come of them by [`TRUE`].
    fn outputs() -> impl Iterator<Item = (Sample, f32)> {
        let mut random = fastrand::Rng::with_seed(9);
        let positions = synthetic::positions(Variant::Standard, 5);
        positions.step_by(3).take(40_000).map(move |(_, position)| {
            let output = (random.f32() * 3.0 - 1.5) * 400.0;
            let of = |result| Sample::new(&position, 0, result);
            let score = Score::centipawns(output.round() as i32);
            let material = of(GameResult::Draw).material();
            let [win, draw, _] = TRUE.model().chances(score, material);
            let us = position.side_to_move();
            let result = match random.f64() {
                x if x < win => GameResult::won_by(us),
                x if x < win + draw => GameResult::Draw,
                _ => GameResult::won_by(!us),
            };
            (of(result), output)
        })
    }

    #[test]
    fn material_is_that_of_the_engine_in_every_game() {
        for variant in Variant::ALL {
            for (_, position) in synthetic::positions(variant, 2).step_by(7).take(40) {
                let sample = Sample::new(&position, 0, GameResult::Draw);
                assert_eq!(sample.material(), wdl::material(&position));
                assert!(sample.material() > 0);
            }
        }
    }

    #[test]
    fn the_worth_that_results_came_from_is_found() {
        let outputs: Vec<_> = outputs().collect();
        let found = Worth::fitted(outputs.iter().map(|(sample, output)| (sample, *output)));
        let found = found.unwrap();
        for (sample, output) in outputs.iter().step_by(100) {
            let [[points, _], [expected, _]] =
                [found, TRUE].map(|worth| worth.points(sample, *output));
            assert!(
                (points - expected).abs() < 0.03,
                "{output}: {points}, not {expected}"
            );
        }
    }

    #[test]
    fn the_slope_is_that_of_the_points_and_both_sides_share_one_point() {
        for (sample, output) in outputs().step_by(500) {
            let [points, slope] = TRUE.points(&sample, output);
            let [[above, _], [below, _]] =
                [4.0, -4.0].map(|step| TRUE.points(&sample, output + step));
            assert!(
                ((above - below) / 8.0 - slope).abs() * 400.0 < 1e-3,
                "{output}"
            );
            let [reversed, _] = TRUE.points(&sample, -output);
            assert!((points + reversed - 1.0).abs() < 1e-5, "{output}");
        }
    }
}
