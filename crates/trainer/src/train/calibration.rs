//! Scores as what they were worth in games, by the material left.

use std::path::PathBuf;

use orthrus_core::evaluation::wdl::{self, Model};
use orthrus_core::types::Score;
use thiserror::Error;

use super::worth::log_odds;
use crate::data::{DataError, DataReader, NOT_QUIET, Replay, StartError, intact};
use crate::wdl::{Counts, FitError, fit};

/// Why scores cannot be calibrated.
#[derive(Debug, Error)]
pub(crate) enum CalibrationError {
    /// A file could not be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A game cannot be replayed.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The games do not say what scores are worth.
    #[error(transparent)]
    Fit(#[from] FitError),
}

/// Reads scores by what they were worth in some games.
///
/// A search that only learns from itself is not consistent across a game: nothing tells it that an
/// advantage which wins with all men on the board seldom does in a rook ending, so its endings look
/// better than they are. In games that are played well enough results tell it,
/// and a model of all of them does so without the chance of the single one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Calibration {
    /// What scores with some material were worth.
    model: Model,
    /// The score that shall mean 0.73 expected points with any material, in centipawns.
    scale: f32,
}

impl Calibration {
    /// Fits the worth of scores to the games of data files. Damaged blocks are logged and skipped.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or its games do not determine a model.
    pub(crate) fn fitted(files: &[PathBuf], scale: f32) -> Result<Self, CalibrationError> {
        let mut counts = Counts::default();
        for path in files {
            let games = DataReader::open(path)?.games();
            for game in intact(games, |damaged| log::warn!("left out: {damaged}")) {
                counts.add_game(&game?)?;
            }
        }
        let model = fit(&counts)?;
        Ok(Self { model, scale })
    }

    /// The scores of a game from its start, in centipawns that mean the same with any material.
    pub(crate) fn scores(&self, mut replay: Replay<'_>) -> Vec<i16> {
        let mut scores = Vec::new();
        while let Some(ply) = replay.next_ply() {
            if let Some(score) = ply.score {
                scores.push(self.score(score, wdl::material(ply.position)));
            }
        }
        scores
    }

    fn score(&self, score: Score, material: i32) -> i16 {
        if score == NOT_QUIET || score.is_decided() {
            return score.value() as i16;
        }
        let [win, draw, _] = self.model.chances(score, material);
        log_odds(win + draw / 2.0, self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TempFolder, random_game, write_file};

    const ENGINE: Calibration = Calibration {
        model: Model::CURRENT,
        scale: 260.0,
    };

    fn score(centipawns: i32, material: i32) -> i32 {
        ENGINE.score(Score::centipawns(centipawns), material).into()
    }

    #[test]
    fn a_score_means_as_many_points_as_it_was_worth() {
        let material = 2_000;
        let [win, draw, _] = Model::CURRENT.chances(Score::centipawns(150), material);
        let points = 1.0 / (1.0 + (-f64::from(score(150, material)) / 260.0).exp());
        assert!((points - (win + draw / 2.0)).abs() < 1e-3, "{points}");
    }

    #[test]
    fn few_men_are_worth_less_and_sides_are_alike() {
        assert!(score(100, 1_000) < score(100, 7_800) / 2);
        for material in [0, 1_000, 4_000, 7_800, 10_300] {
            assert_eq!(score(0, material), 0);
            let mut before = 0;
            // Beyond that a chance is 1 as nearly as a number can say.
            for centipawns in 1..=1_800 {
                let ours = score(centipawns, material);
                assert!(ours >= before, "{material}, {centipawns}");
                assert!((ours + score(-centipawns, material)).abs() <= 1);
                before = ours;
            }
        }
    }

    #[test]
    fn what_is_decided_stays_so() {
        for decided in [NOT_QUIET, Score::mate_in(3), Score::mated_in(2)] {
            let left = ENGINE.score(decided, 7_800);
            assert_eq!(i32::from(left), decided.value());
        }
    }

    #[test]
    fn scores_are_read_by_what_they_were_worth_in_the_games_of_files() {
        let folder = TempFolder::new();
        let path = folder.file("games.data");
        let games: Vec<_> = (0..200).map(random_game).collect();
        write_file(&path, &games);
        let calibration = Calibration::fitted(&[path.clone(), path], 260.0).unwrap();
        let mut counts = Counts::default();
        for game in &games {
            counts.add_game(game).unwrap();
            let scores = ENGINE.scores(game.replay().unwrap());
            assert_eq!(scores.len(), game.scores.len());
        }
        let model = fit(&counts).unwrap();
        assert!((calibration.model.margin[0] - model.margin[0]).abs() < 1e-4);
        let missing = Calibration::fitted(&[folder.file("missing")], 260.0);
        assert!(matches!(missing, Err(CalibrationError::Data(_))));
    }
}
