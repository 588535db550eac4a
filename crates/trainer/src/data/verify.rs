//! Whether a game ended as its record says.

use orthrus_core::position::{Outcome, Position};
use thiserror::Error;

use super::record::{GameRecord, GameResult, Reason, StartError};

/// A contradiction in a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Flaw {
    /// The start position is not one.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A move is not legal where it was played.
    #[error("the move at ply {0} is illegal")]
    IllegalMove(usize),
    /// There are more or fewer scores than moves after the opening.
    #[error("{scores} scores for {plies} plies, {opening_plies} of them opening")]
    ScoreCount {
        /// How many scores there are.
        scores: usize,
        /// Plies of the game.
        plies: usize,
        /// Plies of the opening.
        opening_plies: usize,
    },
    /// Moves were played after the game was over.
    #[error("the game was over by {} at ply {ply}", reason.text())]
    PlayedOn {
        /// How many plies had been played then.
        ply: usize,
        /// Why it was over.
        reason: Reason,
    },
    /// The last position, or its score, does not end the game as the record says.
    #[error("recorded: {} by {}; found: {found}", result.text(), reason.text())]
    Ending {
        /// The recorded result.
        result: GameResult,
        /// The recorded reason.
        reason: Reason,
        /// What the rules or the last score say.
        found: String,
    },
}

impl GameRecord {
    /// Replays the game and checks that it was over when it ended, not before, and for the reason
    /// recorded. Whether an adjudication agrees with the scores is checked by
    /// [`verify_adjudication`](Self::verify_adjudication).
    ///
    /// # Errors
    ///
    /// The first contradiction.
    pub fn verify(&self) -> Result<(), Flaw> {
        if self.opening_plies + self.scores.len() != self.moves.len() {
            return Err(Flaw::ScoreCount {
                scores: self.scores.len(),
                plies: self.moves.len(),
                opening_plies: self.opening_plies,
            });
        }
        let mut replay = self.replay()?;
        let mut plies = 0;
        while let Some(ply) = replay.next_ply() {
            if let Some((_, reason)) = ending(ply.position) {
                return Err(Flaw::PlayedOn { ply: plies, reason });
            }
            plies += 1;
        }
        if plies < self.moves.len() {
            return Err(Flaw::IllegalMove(plies));
        }
        self.verify_ending(replay.position())
    }

    fn verify_ending(&self, last: &Position) -> Result<(), Flaw> {
        let found = ending(last);
        let agrees = match self.reason {
            Reason::WinAdjudicated => found.is_none() && self.result != GameResult::Draw,
            Reason::DrawAdjudicated | Reason::TooLong => {
                found.is_none() && self.result == GameResult::Draw
            }
            _ => found == Some((self.result, self.reason)),
        };
        if agrees {
            return Ok(());
        }
        Err(Flaw::Ending {
            result: self.result,
            reason: self.reason,
            found: found.map_or("not over".to_owned(), |(result, reason)| {
                format!("{} by {}", result.text(), reason.text())
            }),
        })
    }

    /// Checks that an adjudicated game was won by the side that the last score says is ahead.
    /// Scores of a later rescoring need not agree.
    ///
    /// # Errors
    ///
    /// [`Flaw::Ending`] if another side won.
    pub fn verify_adjudication(&self) -> Result<(), Flaw> {
        if self.reason != Reason::WinAdjudicated {
            return Ok(());
        }
        let start = self.start.position(self.variant)?.side_to_move();
        let mover = if self.moves.len() % 2 == 1 {
            start
        } else {
            !start
        };
        let (found, leader) = match self.scores.last().map_or(0, |score| score.value()) {
            1.. => ("the last mover ahead", GameResult::won_by(mover)),
            ..0 => ("the last mover behind", GameResult::won_by(!mover)),
            0 => ("nobody ahead", GameResult::Draw),
        };
        if leader == self.result {
            return Ok(());
        }
        Err(Flaw::Ending {
            result: self.result,
            reason: self.reason,
            found: found.to_owned(),
        })
    }
}

/// How the rules end the game here, if they do.
pub fn ending(position: &Position) -> Option<(GameResult, Reason)> {
    let outcome = position.outcome()?;
    let reason = match outcome {
        Outcome::Checkmate(_) => Reason::Checkmate,
        Outcome::Stalemate => Reason::Stalemate,
        Outcome::Repetition => Reason::Repetition,
        Outcome::FiftyMoves => Reason::FiftyMoves,
        Outcome::InsufficientMaterial => Reason::InsufficientMaterial,
        Outcome::Variant(_) => Reason::VariantEnd,
    };
    let result = outcome
        .winner()
        .map_or(GameResult::Draw, GameResult::won_by);
    Some((result, reason))
}

#[cfg(test)]
mod tests {
    use orthrus_core::types::Score;

    use super::*;
    use crate::testing::random_game;

    #[test]
    fn games_that_end_by_rule_are_right() {
        let mut ended = 0;
        for game in (0..300).map(random_game) {
            assert_eq!(game.verify(), Ok(()), "{game:?}");
            ended += usize::from(game.reason != Reason::TooLong);
        }
        assert!(ended > 50);
    }

    #[test]
    fn contradictions_are_named() {
        let mated = (0..1_000)
            .map(random_game)
            .find(|game| game.reason == Reason::Checkmate && game.moves.len() > 20)
            .unwrap();
        let winner = mated.result;

        let mut game = mated.clone();
        game.result = GameResult::Draw;
        assert!(matches!(game.verify(), Err(Flaw::Ending { .. })));

        let mut game = mated.clone();
        game.reason = Reason::WinAdjudicated;
        assert!(matches!(game.verify(), Err(Flaw::Ending { .. })));

        let mut game = mated.clone();
        game.scores.pop();
        assert!(matches!(game.verify(), Err(Flaw::ScoreCount { .. })));

        let mut game = mated.clone();
        game.moves.swap(0, 1);
        assert_eq!(game.verify(), Err(Flaw::IllegalMove(0)));

        // One move before the mate the winner is to move: an adjudication must agree with it.
        let mut game = mated;
        game.moves.pop();
        game.scores.pop();
        game.reason = Reason::WinAdjudicated;
        let last = game.scores.last_mut().unwrap();
        *last = Score::centipawns(-900);
        assert_eq!(game.verify(), Ok(()));
        let verdict = game.verify_adjudication();
        assert_eq!(verdict, Ok(()), "the loser moved last: {winner:?}");
        *game.scores.last_mut().unwrap() = Score::centipawns(900);
        assert_eq!(game.verify(), Ok(()));
        let verdict = game.verify_adjudication();
        assert!(matches!(verdict, Err(Flaw::Ending { .. })), "{verdict:?}");
    }

    #[test]
    fn playing_on_after_the_end_is_a_flaw() {
        let mut position = orthrus_core::fen::parse("4k3/8/8/8/8/8/8/4K2B w - - 0 1").unwrap();
        let start = crate::data::Start::of(&position);
        let mv = position.legal_moves()[0];
        position.make_move(mv);
        let game = GameRecord {
            variant: position.variant(),
            start,
            opening_plies: 0,
            moves: vec![mv],
            scores: vec![Score::DRAW],
            result: GameResult::Draw,
            reason: Reason::InsufficientMaterial,
        };
        assert_eq!(
            game.verify(),
            Err(Flaw::PlayedOn {
                ply: 0,
                reason: Reason::InsufficientMaterial
            })
        );
    }
}
