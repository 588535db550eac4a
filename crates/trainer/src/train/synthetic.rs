//! Positions of random games with material scores: for tests and for measuring speed.

use orthrus_core::fen;
use orthrus_core::position::{Position, Variant, see_value};
use orthrus_core::types::{Color, PieceType};

use super::sample::Sample;
use crate::data::GameResult;

/// Positions of games of random moves, each game with its number.
///
/// Endless; a pure function of `seed`.
pub(crate) fn positions(variant: Variant, seed: u64) -> impl Iterator<Item = (u64, Position)> {
    const PLIES: usize = 120;
    let mut random = fastrand::Rng::with_seed(seed);
    (0..).flat_map(move |game| {
        let mut position = fen::start(variant);
        let plies = random.usize(PLIES / 2..PLIES);
        let mut visited = Vec::with_capacity(plies);
        for _ in 0..plies {
            let moves = position.legal_moves();
            let Some(&mv) = random.choice(&moves) else {
                break;
            };
            position.make_move(mv);
            visited.push((game, position.clone()));
        }
        visited
    })
}

/// Samples of random games of chess: scored by counting material, the side ahead wins.
pub(crate) fn samples(seed: u64) -> impl Iterator<Item = (u64, Sample)> {
    samples_of(Variant::Standard, seed)
}

/// The same of any game.
pub(crate) fn samples_of(variant: Variant, seed: u64) -> impl Iterator<Item = (u64, Sample)> {
    positions(variant, seed).map(|(game, position)| {
        let score = material(&position);
        let result = match score {
            -299..300 => GameResult::Draw,
            300.. => GameResult::won_by(position.side_to_move()),
            _ => GameResult::won_by(!position.side_to_move()),
        };
        (game, Sample::new(&position, score, result))
    })
}

/// The material balance of the side to move, in centipawns.
pub(crate) fn material(position: &Position) -> i16 {
    let worth = |color: Color| -> i32 {
        PieceType::ALL
            .into_iter()
            .map(|kind| see_value(kind) * position.pieces_of(color, kind).count() as i32)
            .sum()
    };
    let us = position.side_to_move();
    (worth(us) - worth(!us)) as i16
}
