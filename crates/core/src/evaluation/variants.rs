//! What the aim of a variant adds to the evaluation. The numbers are guesses that make play sensible:
//! there is no network of any variant yet.

use crate::attacks;
use crate::position::{Position, Rules, Variant};
use crate::types::{Bitboard, Color, PieceType, Rank, Square};

/// By how many checks a side has still to give.
const CHECKS_LEFT: [i32; 4] = [1500, 450, 130, 0];
/// By how many steps the king is away from the hill.
const STEPS_TO_HILL: [i32; 4] = [1000, 160, 60, 0];
/// By the rank of a king in a race, from the first.
const RANK_IN_RACE: [i32; 8] = [0, 60, 140, 240, 360, 520, 720, 1200];
/// What a square in front of the racing king that no enemy attacks adds.
const FREE_STEP: i32 = 40;
/// By the rank of a pawn of the horde, from the first.
const RANK_IN_HORDE: [i32; 8] = [0, 5, 10, 20, 40, 70, 120, 0];
/// What a square beside the king that an enemy attacks takes where men are dropped, and what each man
/// adds to that which the enemy has in hand, up to the last number.
const OPEN_SQUARE: (i32, i32, u32) = (14, 4, 10);

/// Centipawns from the side to move's point of view; 0 in standard chess.
#[inline]
pub(super) fn terms<R: Rules>(position: &Position<R>) -> i32 {
    let us = position.side_to_move();
    let of: fn(&Position<R>, Color) -> i32 = match position.variant() {
        Variant::Standard
        | Variant::Atomic
        | Variant::Antichess
        | Variant::Giveaway
        | Variant::Suicide
        | Variant::Losers => return 0,
        Variant::KingOfTheHill => steps_to_hill,
        Variant::ThreeCheck => |position, color| {
            let left = usize::from(position.checks_left(color));
            CHECKS_LEFT[left.min(CHECKS_LEFT.len() - 1)]
        },
        Variant::RacingKings => race,
        Variant::Horde => horde,
        Variant::Crazyhouse => shelter,
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

/// What the place of a king in the race is worth.
fn race<R: Rules>(position: &Position<R>, color: Color) -> i32 {
    let king = position.king(color);
    let rank = king.rank() as u8;
    let next = Rank::from_index(rank + 1).map_or(Bitboard::EMPTY, Bitboard::rank);
    let ahead = attacks::king(king) & next;
    let is_free = |&square: &Square| {
        let attackers = position.attackers(square, !color, position.occupied());
        attackers.is_empty() && !position.color(color).contains(square)
    };
    let free = ahead.into_iter().filter(is_free).count() as i32;
    RANK_IN_RACE[usize::from(rank)] + FREE_STEP * free
}

/// What the pawns of a side without a king are worth besides material.
fn horde<R: Rules>(position: &Position<R>, color: Color) -> i32 {
    if position.pieces_of(color, PieceType::King).any() {
        return 0;
    }
    let pawns = position.pieces_of(color, PieceType::Pawn).into_iter();
    pawns
        .map(|pawn| RANK_IN_HORDE[color.relative_rank(pawn.rank()) as usize])
        .sum()
}

/// What the squares around a king are worth that no enemy attacks: on the others men can be dropped
/// with check.
fn shelter<R: Rules>(position: &Position<R>, color: Color) -> i32 {
    let (alone, with_man, most) = OPEN_SQUARE;
    let beside = attacks::king(position.king(color));
    let open = (beside & position.attacked_by(!color)).count() as i32;
    -open * (alone + with_man * position.hand(!color).total().min(most) as i32)
}
