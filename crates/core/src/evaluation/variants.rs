//! What the aim of a variant adds to the evaluation by the network of another game. The numbers are
//! guesses that make play sensible.

use crate::position::{Position, Rules, Variant};
use crate::types::Color;

/// By how many checks a side has still to give.
const CHECKS_LEFT: [i32; 4] = [1500, 450, 130, 0];
/// By how many steps the king is away from the hill.
const STEPS_TO_HILL: [i32; 4] = [1000, 160, 60, 0];

/// Centipawns from the side to move's point of view; 0 where there is nothing to add.
#[inline]
pub(super) fn terms<R: Rules>(position: &Position<R>) -> i32 {
    let us = position.side_to_move();
    let of: fn(&Position<R>, Color) -> i32 = match position.variant() {
        Variant::Standard
        | Variant::RacingKings
        | Variant::Horde
        | Variant::Atomic
        | Variant::Antichess
        | Variant::Giveaway
        | Variant::Suicide
        | Variant::Losers
        | Variant::Crazyhouse => return 0,
        Variant::KingOfTheHill => steps_to_hill,
        Variant::ThreeCheck => |position, color| {
            let left = usize::from(position.checks_left(color));
            CHECKS_LEFT[left.min(CHECKS_LEFT.len() - 1)]
        },
    };
    of(position, us) - of(position, !us)
}

/// What the way of a king to the middle of the board is worth.
fn steps_to_hill<R: Rules>(position: &Position<R>, color: Color) -> i32 {
    let king = position.king(color);
    // A coordinate of 0 to 7 is as far from the nearer of 3 and 4 as 7 minus it.
    let away = |coordinate: u8| usize::from(3u8.saturating_sub(coordinate.min(7 - coordinate)));
    STEPS_TO_HILL[away(king.file() as u8).max(away(king.rank() as u8))]
}
