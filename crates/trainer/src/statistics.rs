//! Counting what data files hold.

use std::collections::{BTreeMap, HashSet};

use orthrus_core::types::Key;
use serde::Serialize;

use crate::data::{Filter, GameRecord, GameResult, NOT_QUIET, Reason, Start, StartError};

/// Scores are counted in steps of this many centipawns.
const SCORE_STEP: i32 = 200;

/// Scores beyond this many steps are counted together.
const LAST_STEP: i32 = 5;

/// What some games hold together.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Statistics {
    /// Games.
    pub games: u64,
    /// Their moves, openings included.
    pub plies: u64,
    /// Positions with a score.
    pub scored: u64,
    /// Positions that were rescored and found not to be quiet: they have no score.
    pub not_quiet: u64,
    /// Positions that the filter keeps to learn from.
    pub kept: u64,
    /// Games that begin with a Chess960 position.
    pub chess960: u64,
    /// Games whose opening ends in the same position as that of an earlier one.
    pub duplicate_openings: u64,
    /// Games by result.
    pub results: BTreeMap<&'static str, u64>,
    /// Games by the reason for their end.
    pub reasons: BTreeMap<&'static str, u64>,
    /// Scores from White, by the lower bound in centipawns of a step of 200; the first and the
    /// last step hold all that lies beyond.
    pub scores: BTreeMap<i32, u64>,
    #[serde(skip)]
    openings: HashSet<Key>,
}

impl Statistics {
    /// No games; every result and reason is listed, with 0.
    pub(crate) fn new() -> Self {
        Self {
            results: GameResult::ALL.map(|result| (result.text(), 0)).into(),
            reasons: Reason::ALL.map(|reason| (reason.text(), 0)).into(),
            ..Self::default()
        }
    }

    /// Counts a game.
    ///
    /// # Errors
    ///
    /// If its start cannot be played; then nothing is counted.
    pub(crate) fn add(&mut self, game: &GameRecord) -> Result<(), StartError> {
        let mut replay = game.replay()?;
        if !self.openings.insert(game.opening_key()?) {
            self.duplicate_openings += 1;
        }
        self.games += 1;
        self.plies += game.moves.len() as u64;
        self.chess960 += u64::from(matches!(game.start, Start::Chess960 { .. }));
        *self.results.entry(game.result.text()).or_default() += 1;
        *self.reasons.entry(game.reason.text()).or_default() += 1;
        let filter = Filter::default();
        while let Some(ply) = replay.next_ply() {
            self.kept += u64::from(filter.keeps(&ply));
            let Some(score) = ply.score else { continue };
            if score == NOT_QUIET {
                self.not_quiet += 1;
                continue;
            }
            self.scored += 1;
            let white_score = score.white_relative(ply.position.side_to_move());
            let step = white_score
                .value()
                .div_euclid(SCORE_STEP)
                .clamp(-LAST_STEP - 1, LAST_STEP);
            *self.scores.entry(step * SCORE_STEP).or_default() += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_game;

    #[test]
    fn counts_agree_with_the_games() {
        let games: Vec<GameRecord> = (0..100).map(random_game).collect();
        let mut statistics = Statistics::new();
        for game in &games {
            statistics.add(game).unwrap();
        }
        let plies: usize = games.iter().map(|game| game.moves.len()).sum();
        let scored: usize = games.iter().map(|game| game.scores.len()).sum();
        assert_eq!(statistics.games, 100);
        assert_eq!(statistics.plies, plies as u64);
        assert_eq!(statistics.scored, scored as u64);
        assert_eq!(statistics.chess960, 25, "one start in four");
        assert_eq!(statistics.results.values().sum::<u64>(), 100);
        assert_eq!(statistics.reasons.values().sum::<u64>(), 100);
        assert_eq!(statistics.scores.values().sum::<u64>(), scored as u64);
        assert!(statistics.kept > 0 && statistics.kept < statistics.scored);
        assert!(
            statistics
                .scores
                .keys()
                .all(|step| (-1_200..=1_000).contains(step))
        );
    }

    #[test]
    fn the_same_opening_counts_once() {
        let mut statistics = Statistics::new();
        let game = (0..1_000)
            .map(random_game)
            .find(|game| game.opening_plies > 4)
            .unwrap();
        let mut other = game.clone();
        other.moves.pop();
        other.scores.pop();
        statistics.add(&game).unwrap();
        assert_eq!(statistics.duplicate_openings, 0);
        statistics.add(&other).unwrap();
        assert_eq!(statistics.duplicate_openings, 1);
    }
}
