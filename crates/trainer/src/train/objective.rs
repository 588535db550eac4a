//! What the network learns, and how far it is from that.

use orthrus_core::evaluation::network::SCALE;
use serde::{Deserialize, Serialize};

use super::sample::Sample;
use super::worth::{Worth, sigmoid};

/// The loss: a power, such as the square, of the difference between the expected points of a position by the
/// network and by its labels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Objective {
    /// Weight of the game's result in the target, `0.0..=1.0` (WDL lambda); the rest is the search
    /// score's.
    pub result_weight: f32,
    /// A side that is this many centipawns ahead expects 1 / (1 + 1/e) of a point, 0.73. Has no
    /// effect on what an output means in centipawns.
    pub scale: f32,
    /// What [`scale`](Self::scale) is for the scores of the data, in their centipawns: the same where
    /// they mean in games what the outputs shall mean.
    pub score_scale: f32,
    /// That power, `1.0..=4.0`. The higher, the more count the positions that the network misjudges most.
    pub exponent: f32,
    /// What outputs are worth, in place of a logistic function of [`scale`](Self::scale).
    pub worth: Option<Worth>,
}

impl Default for Objective {
    fn default() -> Self {
        Self {
            result_weight: 0.0,
            scale: SCALE as f32,
            score_scale: SCALE as f32,
            exponent: 2.0,
            worth: None,
        }
    }
}

impl Objective {
    /// The expected points, `0.0..=1.0`, for an output of the network in this position. The output is in
    /// units of [`SCALE`] centipawns.
    pub(crate) fn expected(self, sample: &Sample, output: f32) -> f32 {
        self.points(sample, output * self.steepness(sample))[0]
    }

    /// The expected points for the search's score.
    pub(crate) fn searched(self, sample: &Sample) -> f32 {
        self.points(sample, f32::from(sample.score()) / self.score_scale)[0]
    }

    /// What the network should give for a position, in expected points of the side to move.
    pub(crate) fn target(self, sample: &Sample) -> f32 {
        self.result_weight * sample.points() + (1.0 - self.result_weight) * self.searched(sample)
    }

    /// The loss of an output, and its slope by the output.
    pub(crate) fn loss(self, sample: &Sample, output: f32) -> (f64, f32) {
        let steepness = self.steepness(sample);
        let [expected, by_lead] = self.points(sample, output * steepness);
        let error = expected - self.target(sample);
        let rise = error.abs().powf(self.exponent - 1.0);
        let slope = self.exponent * rise.copysign(error);
        let by_output = by_lead * steepness;
        (f64::from(rise * error.abs()), slope * by_output)
    }

    /// The expected points of a lead, which is in units of [`scale`](Self::scale), and their slope by it.
    fn points(self, sample: &Sample, lead: f32) -> [f32; 2] {
        if let Some(worth) = self.worth {
            let [points, slope] = worth.points(sample, lead * self.scale);
            return [points, slope * self.scale];
        }
        let points = sigmoid(lead);
        [points, points * (1.0 - points)]
    }

    /// What an output of one is in units of [`scale`](Self::scale), as far as the search believes it.
    fn steepness(self, sample: &Sample) -> f32 {
        sample.fade() * SCALE as f32 / self.scale
    }
}

#[cfg(test)]
mod tests {
    use orthrus_core::position::Position;

    use super::*;
    use crate::data::GameResult;

    #[test]
    fn the_target_lies_between_score_and_result() {
        let position = Position::startpos();
        let sample = Sample::new(&position, 260, GameResult::BlackWins);
        let objective = |result_weight| Objective {
            result_weight,
            scale: 260.0,
            score_scale: 260.0,
            ..Objective::default()
        };
        let [score, half, result] = [0.0, 0.5, 1.0].map(|weight| objective(weight).target(&sample));
        assert!((score - 0.731_06).abs() < 1e-4, "{score}");
        assert!((half - score / 2.0).abs() < 1e-6, "{half}");
        assert!(result.abs() < 1e-6, "{result}");
        // An output of the same score means the same, whatever the scale.
        let expected = objective(0.0).expected(&sample, 260.0 / SCALE as f32);
        assert!((expected - score).abs() < 1e-6, "{expected}");
        let (loss, slope) = objective(0.0).loss(&sample, 260.0 / SCALE as f32);
        assert!(loss < 1e-9 && slope.abs() < 1e-5, "{loss} {slope}");
        // Half of the score is learned from data whose scores mean half as much.
        let halved = Objective {
            score_scale: 520.0,
            ..objective(0.0)
        };
        let (loss, _) = halved.loss(&sample, 130.0 / SCALE as f32);
        assert!(loss < 1e-9, "{loss}");
        // What both are worth in games is another question.
        let worth = Worth {
            steepness: [0.4, 0.1, 0.2],
            margin: [1.0, 0.5, -0.5],
        };
        let in_games = Objective {
            worth: Some(worth),
            ..halved
        };
        let (loss, slope) = in_games.loss(&sample, 130.0 / SCALE as f32);
        assert!(loss < 1e-9 && slope.abs() < 1e-5, "{loss} {slope}");
        assert!((in_games.searched(&sample) - score).abs() > 0.01);
    }

    #[test]
    fn an_output_counts_as_far_as_the_search_believes_it() {
        let labelled = |clock| {
            let fen = format!("8/5k2/8/3R4/8/2K5/8/8 b - - {clock} 90");
            let position = orthrus_core::fen::parse(&fen).unwrap();
            Sample::new(&position, -400, GameResult::WhiteWins)
        };
        let objective = Objective::default();
        // A loss is still a loss, and no clock counts beyond the fifty moves of the rule.
        for (clock, left) in [(0, 1.0), (50, 0.75), (51, 0.75), (99, 0.51), (120, 0.5)] {
            let sample = labelled(clock);
            assert_eq!(
                (sample.result(), sample.points()),
                (GameResult::BlackWins, 0.0)
            );
            let [faded, expected] = [
                objective.expected(&sample, -1.2),
                objective.expected(&labelled(0), -1.2 * left),
            ];
            assert!((faded - expected).abs() < 1e-6, "{clock}: {faded}");
            let searched = objective.searched(&sample);
            assert!(
                (searched - sigmoid(-1.0)).abs() < 1e-6,
                "{clock}: {searched}"
            );
        }
        // The slope by the output is that of the loss.
        let sample = labelled(60);
        let loss = |output| objective.loss(&sample, output);
        let slope = (loss(-0.69).0 - loss(-0.71).0) / 0.02;
        assert!((slope - f64::from(loss(-0.7).1)).abs() < 1e-4, "{slope}");
    }

    #[test]
    fn the_higher_the_exponent_the_more_counts_a_large_error() {
        let sample = |score| Sample::new(&Position::startpos(), score, GameResult::Draw);
        let ratio = |exponent| {
            let objective = Objective {
                exponent,
                ..Objective::default()
            };
            let [small, large] = [20, 80].map(|score| objective.loss(&sample(score), 0.0));
            (large.0 / small.0, large.1 / small.1)
        };
        // Expected points are nearly in proportion to such scores.
        for (exponent, loss, slope) in [(1.0, 4.0, 1.0), (2.0, 16.0, 4.0), (2.5, 32.0, 8.0)] {
            let (by_loss, by_slope) = ratio(exponent);
            assert!((by_loss / loss - 1.0).abs() < 0.05, "{exponent}: {by_loss}");
            assert!(
                (by_slope / slope - 1.0).abs() < 0.05,
                "{exponent}: {by_slope}"
            );
        }
    }
}
