//! How games begin: from a start position, a few random plies, and balanced enough.

use fastrand::Rng;
use orthrus_core::position::{Position, Variant};
use orthrus_core::types::{Move, MoveList};

use super::player::Player;
use crate::data::{OpeningRules, Start, StartError};

/// The soft limit of a search is exceeded by at most this factor.
const HARD_FACTOR: u64 = 10;

/// Legal moves that are compared for one ply of an opening with noise, drawn at random. To compare
/// fewer than all saves time, and makes openings differ more.
const CANDIDATES: usize = 10;
/// Nodes of the searches that compare them: the first iteration or two.
const CANDIDATE_NODES: u64 = 20;

/// The beginning of a game.
#[derive(Clone, Debug)]
pub(super) struct Opening {
    pub(super) start: Start,
    pub(super) moves: Vec<Move>,
    /// The position after the moves.
    pub(super) position: Position,
}

/// Draws openings until one is balanced; `None` if `attempts` were not enough.
pub(super) fn draw_balanced(
    variant: Variant,
    rules: &OpeningRules,
    random: &mut Rng,
    player: &mut impl Player,
    attempts: usize,
) -> Result<Option<Opening>, StartError> {
    for _ in 0..attempts {
        let opening = draw(variant, rules, random, player)?;
        if let Some(opening) = opening
            && is_balanced(rules, &opening.position, player)
        {
            return Ok(Some(opening));
        }
    }
    Ok(None)
}

/// Draws an opening; `None` if the game was over before the opening was.
fn draw(
    variant: Variant,
    rules: &OpeningRules,
    random: &mut Rng,
    player: &mut impl Player,
) -> Result<Option<Opening>, StartError> {
    let start = draw_start(rules, random);
    let mut position = start.position(variant)?;
    let plies = random.usize(rules.min_plies..=rules.max_plies.max(rules.min_plies));
    let mut moves = Vec::with_capacity(plies);
    for _ in 0..plies {
        // In canonical order, so that a seed means the same whatever the generator does.
        let legal = crate::data::canonical_moves(&position);
        let mv = match rules.noise {
            None => random.choice(legal),
            Some(noise) => choose_by_search(&mut position, legal, noise, random, player),
        };
        let Some(mv) = mv else {
            return Ok(None);
        };
        position.make_move(mv);
        moves.push(mv);
        if position.outcome().is_some() {
            return Ok(None);
        }
    }
    Ok(Some(Opening {
        start,
        moves,
        position,
    }))
}

/// The best of a few random moves by short searches with up to `noise` centipawns of error; `None` if
/// none of them can be answered.
fn choose_by_search(
    position: &mut Position,
    legal: MoveList,
    noise: u16,
    random: &mut Rng,
    player: &mut impl Player,
) -> Option<Move> {
    let candidates = random.choose_multiple(legal, CANDIDATES);
    let mut score_after = |mv| {
        position.make_move(mv);
        let reply_score = score(position, CANDIDATE_NODES, player);
        position.unmake_move();
        Some(-reply_score? + i32::from(random.u16(0..=noise)))
    };
    candidates
        .into_iter()
        .filter_map(|mv| Some((score_after(mv)?, mv)))
        .max_by_key(|&(score, _)| score)
        .map(|(_, mv)| mv)
}

fn draw_start(rules: &OpeningRules, random: &mut Rng) -> Start {
    let mut back_rank = || random.u16(0..960);
    let (white, black) = (back_rank(), back_rank());
    let lot = random.u8(0..100);
    if lot < rules.double_chess960_percent {
        Start::Chess960 { white, black }
    } else if lot
        < rules
            .double_chess960_percent
            .saturating_add(rules.chess960_percent)
    {
        Start::Chess960 {
            white,
            black: white,
        }
    } else {
        Start::Standard
    }
}

fn is_balanced(rules: &OpeningRules, position: &Position, player: &mut impl Player) -> bool {
    score(position, rules.verification_nodes, player)
        .is_some_and(|score| score.abs() <= rules.max_score)
}

/// The score after about so many nodes, in centipawns from the side to move; `None` if it has no legal
/// move.
fn score(position: &Position, nodes: u64, player: &mut impl Player) -> Option<i32> {
    player
        .think(position, nodes, nodes.saturating_mul(HARD_FACTOR))
        .map(|(_, score)| score.value())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use orthrus_core::types::Square;

    use super::*;
    use crate::testing::GreedyPlayer;

    fn openings(rules: OpeningRules, count: u64) -> Vec<Opening> {
        let draw = |seed| {
            let mut random = Rng::with_seed(seed);
            draw_balanced(
                Variant::Standard,
                &rules,
                &mut random,
                &mut GreedyPlayer::new(0),
                1_000,
            )
        };
        (0..count)
            .map(|seed| draw(seed).unwrap().unwrap())
            .collect()
    }

    #[test]
    fn openings_have_the_plies_asked_for_and_differ() {
        let openings = openings(OpeningRules::default(), 500);
        let lengths: HashSet<usize> = openings.iter().map(|o| o.moves.len()).collect();
        assert_eq!(lengths, HashSet::from([8, 9]));
        let keys: HashSet<_> = openings.iter().map(|o| o.position.key()).collect();
        assert!(keys.len() >= 498, "{} different of 500", keys.len());
        for opening in openings {
            let mut position = opening.start.position(Variant::Standard).unwrap();
            for &mv in &opening.moves {
                assert!(position.is_legal(mv));
                position.make_move(mv);
            }
            assert_eq!(position.key(), opening.position.key());
            assert_eq!(position.outcome(), None);
        }
    }

    #[test]
    fn unbalanced_openings_are_drawn_anew() {
        let strict = OpeningRules {
            max_score: 30,
            ..OpeningRules::default()
        };
        for opening in openings(strict, 100) {
            let (_, score) = GreedyPlayer::new(0).think(&opening.position, 1, 1).unwrap();
            assert!(score.value().abs() <= 30);
        }
        let impossible = OpeningRules {
            max_score: -1,
            ..OpeningRules::default()
        };
        let mut random = Rng::with_seed(0);
        let none = draw_balanced(
            Variant::Standard,
            &impossible,
            &mut random,
            &mut GreedyPlayer::new(0),
            50,
        );
        assert!(none.unwrap().is_none());
    }

    #[test]
    fn noise_up_to_the_value_of_a_queen_does_not_miss_one() {
        let mut position = orthrus_core::fen::parse("k7/8/8/8/4q3/8/3N4/K7 w - - 0 1").unwrap();
        let legal = crate::data::canonical_moves(&position);
        assert!(legal.len() <= CANDIDATES);
        let capture = legal.iter().copied().find(|mv| mv.to() == Square::E4);
        let mut captures = |noise| {
            let mut random = Rng::with_seed(1);
            let mut choose = || {
                let player = &mut GreedyPlayer::new(0);
                choose_by_search(&mut position, legal.clone(), noise, &mut random, player)
            };
            (0..100).filter(|_| choose() == capture).count()
        };
        assert_eq!(captures(0), 100);
        assert_eq!(captures(500), 100);
        assert!((10..90).contains(&captures(5_000)));
    }

    #[test]
    fn openings_with_noise_differ_and_are_calmer() {
        let rules = OpeningRules {
            max_score: 10_000,
            ..OpeningRules::default()
        };
        let uneven = |openings: &[Opening]| {
            let mut player = GreedyPlayer::new(0);
            let scores = openings
                .iter()
                .map(|opening| player.think(&opening.position, 1, 1).unwrap().1);
            scores.filter(|score| score.value().abs() > 250).count()
        };
        let random = openings(rules, 300);
        let chosen = openings(
            OpeningRules {
                noise: Some(60),
                ..rules
            },
            300,
        );
        let keys: HashSet<_> = chosen
            .iter()
            .map(|opening| opening.position.key())
            .collect();
        assert!(keys.len() >= 295, "{} different of 300", keys.len());
        assert!(
            uneven(&chosen) * 2 < uneven(&random),
            "{} {}",
            uneven(&chosen),
            uneven(&random)
        );
    }

    #[test]
    fn shares_of_chess960_are_kept() {
        let rules = OpeningRules {
            chess960_percent: 30,
            double_chess960_percent: 20,
            ..OpeningRules::default()
        };
        let (mut single, mut double) = (0, 0);
        for opening in openings(rules, 1_000) {
            match opening.start {
                Start::Chess960 { white, black } if white == black => single += 1,
                Start::Chess960 { .. } => double += 1,
                Start::Standard | Start::Fen(_) => {}
            }
        }
        assert!((250..350).contains(&single), "{single}");
        assert!((150..250).contains(&double), "{double}");
    }
}
