//! One game from its opening to its end.

use fastrand::Rng;
use orthrus_core::fen::{self, CastlingLetters};
use orthrus_core::types::mix;
use thiserror::Error;

use super::adjudication::Adjudicator;
use super::opening::{self, Opening};
use super::player::Player;
use crate::data::{GameRecord, Run, StartError, ending};

/// This many unbalanced openings in a row mean that the rules or the evaluation are wrong.
const OPENING_ATTEMPTS: usize = 1_000;

/// Why a game could not be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum PlayError {
    /// No opening was balanced.
    #[error("{OPENING_ATTEMPTS} openings in a row were not balanced")]
    NoOpening,
    /// The player did not play a legal move.
    #[error("no legal move was played in {0}")]
    NoMove(String),
    /// A start position is invalid.
    #[error(transparent)]
    Start(#[from] StartError),
}

/// Plays game number `index` of a run. The same run, number and player give the same game.
///
/// # Errors
///
/// If no opening is balanced or the player does not play a legal move.
pub(crate) fn play_game(
    run: &Run,
    index: u64,
    player: &mut impl Player,
) -> Result<GameRecord, PlayError> {
    let mut random = Rng::with_seed(game_seed(run.seed, index));
    let patient = random.u8(0..100) < run.adjudication.real_end_percent;
    player.new_game();
    let opening = opening::draw_balanced(
        run.variant,
        &run.opening,
        &mut random,
        player,
        OPENING_ATTEMPTS,
    )?
    .ok_or(PlayError::NoOpening)?;
    play_on(
        run,
        opening,
        Adjudicator::new(run.adjudication, patient),
        player,
    )
}

fn play_on(
    run: &Run,
    opening: Opening,
    mut adjudicator: Adjudicator,
    player: &mut impl Player,
) -> Result<GameRecord, PlayError> {
    let Opening {
        start,
        mut moves,
        mut position,
    } = opening;
    let opening_plies = moves.len();
    let mut scores = Vec::new();
    let (result, reason) = loop {
        let (mv, score) = player
            .think(&position, run.search.soft_nodes, run.search.hard_nodes)
            .filter(|&(mv, _)| position.is_legal(mv))
            .ok_or_else(|| PlayError::NoMove(fen::write(&position, CastlingLetters::RookFiles)))?;
        let white_score = score.white_relative(position.side_to_move()).value();
        position.make_move(mv);
        moves.push(mv);
        scores.push(score);
        let ended = ending(&position).or_else(|| adjudicator.observe(white_score, moves.len()));
        if let Some(ending) = ended {
            break ending;
        }
    };
    Ok(GameRecord {
        variant: run.variant,
        start,
        opening_plies,
        moves,
        scores,
        result,
        reason,
    })
}

/// The seed of one game. Games of one run differ, and so do runs with different seeds: [`mix`] maps
/// no two inputs to the same output.
fn game_seed(run_seed: u64, index: u64) -> u64 {
    mix(mix(run_seed).wrapping_add(index))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use orthrus_core::position::Position;
    use orthrus_core::types::{Move, Score};

    use super::*;
    use crate::data::Reason;
    use crate::testing::{GreedyPlayer, test_run};

    #[test]
    fn a_game_is_legal_and_ends_for_its_reason() {
        let mut reasons = HashSet::new();
        for index in 0..200 {
            let game = play_game(&test_run(1), index, &mut GreedyPlayer::new(1)).unwrap();
            let mut replay = game.replay().unwrap();
            let mut plies = 0;
            while replay.next_ply().is_some() {
                plies += 1;
            }
            assert_eq!(plies, game.moves.len());
            assert_eq!(game.opening_plies + game.scores.len(), plies);
            assert_eq!(game.verify(), Ok(()));
            assert_eq!(game.verify_adjudication(), Ok(()));
            reasons.insert(game.reason);
        }
        assert!(reasons.contains(&Reason::WinAdjudicated), "{reasons:?}");
        assert!(reasons.len() >= 3, "some played to the end: {reasons:?}");
    }

    #[test]
    fn a_game_depends_on_seed_and_number_only() {
        let play = |seed, index, player: &mut GreedyPlayer| {
            play_game(&test_run(seed), index, player).unwrap()
        };
        let mut player = GreedyPlayer::new(1);
        let first = play(1, 5, &mut player);
        let other = play(1, 6, &mut player);
        assert_ne!(first, other);
        assert_ne!(first, play(2, 5, &mut player));
        assert_eq!(first, play(1, 5, &mut player));
    }

    #[test]
    fn seeds_do_not_overlap() {
        let seeds: HashSet<u64> = (0..100)
            .flat_map(|run| (0..1_000).map(move |index| game_seed(run, index)))
            .collect();
        assert_eq!(seeds.len(), 100_000);
    }

    /// Plays nothing.
    struct Idle;

    impl Player for Idle {
        fn new_game(&mut self) {}

        fn think(&mut self, _: &Position, soft: u64, _: u64) -> Option<(Move, Score)> {
            let illegal = Move::from_bits(1).filter(|_| soft == 1_000);
            illegal.map(|mv| (mv, Score::DRAW))
        }
    }

    #[test]
    fn a_player_without_legal_moves_is_an_error() {
        assert_eq!(
            play_game(&test_run(0), 0, &mut Idle),
            Err(PlayError::NoOpening)
        );
        let mut run = test_run(0);
        run.opening.verification_nodes = 1_000;
        run.opening.min_plies = 0;
        run.opening.max_plies = 0;
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";
        assert_eq!(
            play_game(&run, 0, &mut Idle),
            Err(PlayError::NoMove(start.to_owned()))
        );
    }
}
