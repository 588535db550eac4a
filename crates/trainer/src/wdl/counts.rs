//! How often each score, with each material, was followed by a win, a draw or a loss.

use std::collections::BTreeMap;

use orthrus_core::evaluation::wdl::{self, Model};
use orthrus_core::types::{Color, Score};

use crate::data::{GameRecord, GameResult, StartError};

/// Scores beyond this many centipawns are left out: most such games were ended by adjudication.
pub(crate) const SCORE_LIMIT: i32 = 1_000;

/// Scores that one row of a calibration spans, in centipawns; a score of exactly 0 has its own.
const STEP: i32 = 100;

/// How games ended, from the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcomes {
    /// It won.
    pub wins: u64,
    /// Nobody did.
    pub draws: u64,
    /// It lost.
    pub losses: u64,
}

impl Outcomes {
    /// All together.
    pub(crate) fn total(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    fn add(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// Outcomes by score and material, both in centipawns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts(BTreeMap<(i32, i32), Outcomes>);

impl Counts {
    /// Counts every ply of a game whose score is not too large.
    ///
    /// # Errors
    ///
    /// If the start of the game cannot be played.
    pub(crate) fn add_game(&mut self, game: &GameRecord) -> Result<(), StartError> {
        let mut replay = game.replay()?;
        while let Some(ply) = replay.next_ply() {
            if let Some(score) = ply.score {
                let (material, side) = (wdl::material(ply.position), ply.position.side_to_move());
                self.add_result(score, material, ply.result, side);
            }
        }
        Ok(())
    }

    /// Counts how a game ended for a side with this score and material, unless the score is too large.
    pub(crate) fn add_result(
        &mut self,
        score: Score,
        material: i32,
        result: GameResult,
        side: Color,
    ) {
        let won = GameResult::won_by(side);
        let outcome = match result {
            GameResult::Draw => [0, 1, 0],
            result if result == won => [1, 0, 0],
            GameResult::WhiteWins | GameResult::BlackWins => [0, 0, 1],
        };
        if score.value().abs() <= SCORE_LIMIT {
            self.add(score, material, outcome);
        }
    }

    /// Adds wins, draws and losses of a score with this material.
    pub(crate) fn add(&mut self, score: Score, material: i32, [wins, draws, losses]: [u64; 3]) {
        let key = (score.value(), material);
        self.0.entry(key).or_default().add(Outcomes {
            wins,
            draws,
            losses,
        });
    }

    /// Score, material and outcomes, in a fixed order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Score, i32, Outcomes)> {
        self.0
            .iter()
            .map(|(&(score, material), &outcomes)| (Score::evaluation(score), material, outcomes))
    }

    /// How many plies were counted.
    pub(crate) fn total(&self) -> u64 {
        self.0.values().map(|outcomes| outcomes.total()).sum()
    }

    /// Expected (by `model`) and actual outcomes of these games, for each step of the score.
    pub(crate) fn calibration(&self, model: &Model) -> Vec<Row> {
        let mut rows: BTreeMap<_, Row> = BTreeMap::new();
        for (score, material, outcomes) in self.iter() {
            let step = (score.value() + STEP / 2).div_euclid(STEP) * STEP;
            let row = rows.entry((step, score == Score::DRAW)).or_default();
            row.is_draw = score == Score::DRAW;
            let [win, _, loss] = model.chances(score, material);
            let count = outcomes.total() as f64;
            row.score = step;
            row.came.add(outcomes);
            row.wins += win * count;
            row.losses += loss * count;
        }
        rows.into_values().collect()
    }

    /// The mean log loss of `model`: minus the logarithm of the chance that it gave to the actual
    /// outcome.
    pub(crate) fn log_loss(&self, model: &Model) -> f64 {
        let loss_of = |(score, material, outcomes): (Score, i32, Outcomes)| {
            let [win, draw, loss] = model.chances(score, material);
            outcomes.wins as f64 * -win.ln()
                + outcomes.draws as f64 * -draw.ln()
                + outcomes.losses as f64 * -loss.ln()
        };
        self.iter().map(loss_of).sum::<f64>() / self.total() as f64
    }
}

/// Plies with nearly the same score.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Row {
    /// The middle of the step, in centipawns.
    pub score: i32,
    /// Whether the score was exactly 0.
    pub is_draw: bool,
    /// How their games ended.
    pub came: Outcomes,
    /// How many wins the model expects.
    pub wins: f64,
    /// How many losses the model expects.
    pub losses: f64,
}

impl Row {
    /// How many draws the model expects.
    pub(crate) fn draws(&self) -> f64 {
        self.came.total() as f64 - self.wins - self.losses
    }
}
