//! What a network learns from a position of a game: options of training and of what measures it.

use orthrus_core::evaluation::network::SCALE;
use orthrus_core::types::Score;

use super::numbers::{exponent, share};
use crate::data::Filter;
use crate::train::dataset::Labels;
use crate::train::gradient::Network;
use crate::train::lookahead::Lookahead;
use crate::train::objective::Objective;
use crate::train::sample::Sample;
use crate::train::worth::Worth;
use crate::wdl::FitError;

/// Which positions count, and what their scores and results mean.
#[derive(Debug, clap::Args)]
pub(super) struct LabelArgs {
    /// Weight of the game result in the target (WDL lambda); the rest is the search score's.
    #[arg(long, value_name = "0..1", default_value_t = 0.0, value_parser = share)]
    pub(super) wdl: f32,
    /// The score that means 0.73 expected points in training.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 400, value_parser = clap::value_parser!(u16).range(50..=2_000))]
    scale: u16,
    /// The score of the data that means as much, if it is another [default: that of --scale].
    #[arg(long, value_name = "CENTIPAWNS", value_parser = clap::value_parser!(u16).range(50..=2_000))]
    score_scale: Option<u16>,
    /// Outputs and scores mean what the outputs of the network that there is were worth in these games, with the
    /// material left, in place of what --scale says: so that it learns from results without a change of scale.
    #[arg(long)]
    worth: bool,
    /// How much of a position's score is what the search said later in the game (TD lambda).
    #[arg(long, value_name = "0..1", default_value_t = 0.0, value_parser = share)]
    lookahead: f32,
    /// The power of its error that a position adds to the loss, from 1 to 4: the higher, the more count those
    /// that the network misjudges most.
    #[arg(long, value_name = "1..4", default_value_t = 2.0, value_parser = exponent)]
    exponent: f32,
    /// Leaves out positions with a larger score for either side, in centipawns.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 2999, value_parser = clap::value_parser!(u16).range(1..=20_000))]
    max_score: u16,
    /// Leaves out so many plies after the random opening of each game.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    skip_plies: usize,
}

impl LabelArgs {
    /// The score of the data that means 0.73 expected points.
    fn score_scale(&self) -> f32 {
        self.score_scale.unwrap_or(self.scale).into()
    }

    /// What the options say of the loss, for a network to begin or to compare with and games, or parts of games.
    ///
    /// # Errors
    ///
    /// If the worth of its outputs is asked for, and the games do not determine it.
    pub(super) fn objective<S: AsRef<[Sample]> + Sync>(
        &self,
        first: Network<'_>,
        games: &[S],
    ) -> Result<Objective, FitError> {
        let worth = self.worth.then(|| worth(first, games));
        Ok(Objective {
            result_weight: self.wdl,
            scale: self.scale.into(),
            score_scale: self.score_scale(),
            exponent: self.exponent,
            worth: worth.transpose()?,
        })
    }

    /// What they say of positions and scores.
    pub(super) fn labels(&self) -> Labels {
        Labels {
            filter: Filter {
                largest_score: Score::centipawns(i32::from(self.max_score)),
                skipped_plies: self.skip_plies,
            },
            lookahead: Lookahead {
                lambda: self.lookahead,
                scale: self.score_scale(),
            },
        }
    }
}

/// What the outputs of a network were worth in these games.
fn worth<S: AsRef<[Sample]> + Sync>(network: Network<'_>, games: &[S]) -> Result<Worth, FitError> {
    let outputs = network.per_game(games, |samples, scratch| {
        let mut outputs = Vec::with_capacity(samples.len());
        network.evaluate(samples.iter(), scratch, |sample, output| {
            outputs.push(sample.fade() * output * SCALE as f32);
        });
        outputs
    });
    let samples = games.iter().flat_map(AsRef::as_ref);
    Worth::fitted(samples.zip(outputs.into_iter().flatten()))
}
