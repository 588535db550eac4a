//! Correction history: the errors of the static evaluation that searches found in positions with
//! the same pawns, or with the same other pieces of one side (after Caissa and Stockfish).

use super::params;
use crate::position::Position;
use crate::types::{Color, ColorMap, Key, Score};

/// Entries per table: a power of two.
const SIZE: usize = 1 << 14;
/// Corrections are kept in this many parts of a centipawn.
const GRAIN: i32 = 256;
/// The largest correction of one table, in parts of a centipawn.
const LIMIT: i32 = 64 * GRAIN;
/// A new error weighs its depth plus one, at most this, out of [`params::correction_parts`].
const MAX_WEIGHT: i32 = 16;

/// Corrections by the low bits of a key.
type Table = Box<[i16]>;

/// The corrections for one side to move.
struct Tables {
    /// By the pawns of both sides.
    pawns: Table,
    /// By the other pieces of each side.
    men: ColorMap<Table>,
}

/// The correction histories of one thread.
pub(super) struct Corrections(ColorMap<Tables>);

impl Corrections {
    /// Tables that correct nothing.
    pub(super) fn new() -> Self {
        let table = || vec![0; SIZE].into_boxed_slice();
        Self(ColorMap::from_fn(|_| Tables {
            pawns: table(),
            men: ColorMap::from_fn(|_| table()),
        }))
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        for side in Color::ALL {
            let tables = &mut self.0[side];
            tables.pawns.fill(0);
            for color in Color::ALL {
                tables.men[color].fill(0);
            }
        }
    }

    /// The corrected evaluation of a position.
    pub(super) fn apply(&self, position: &Position, evaluation: Score) -> Score {
        let tables = &self.0[position.side_to_move()];
        let mut correction = i32::from(tables.pawns[index(position.pawn_key())]);
        for color in Color::ALL {
            correction += i32::from(tables.men[color][index(position.non_pawn_key(color))]);
        }
        // The three tables learn the same error, which must not count three times.
        let divisor = params::correction_divisor() * GRAIN;
        Score::evaluation(evaluation.value() + correction * 100 / divisor)
    }

    /// Records that a search of this depth scored `error` centipawns above the evaluation.
    pub(super) fn update(&mut self, position: &Position, depth: i32, error: i32) {
        let weight = (depth + 1).clamp(1, MAX_WEIGHT);
        let tables = &mut self.0[position.side_to_move()];
        learn(&mut tables.pawns[index(position.pawn_key())], error, weight);
        for color in Color::ALL {
            let entry = &mut tables.men[color][index(position.non_pawn_key(color))];
            learn(entry, error, weight);
        }
    }
}

fn index(key: Key) -> usize {
    key.0 as usize % SIZE
}

/// Moves an entry towards the error found, by its weight.
fn learn(entry: &mut i16, error: i32, weight: i32) {
    let found = (error * GRAIN).clamp(-LIMIT, LIMIT);
    let old = i32::from(*entry);
    *entry = (old + (found - old) * weight / params::correction_parts()) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_follow_the_errors_and_stay_bounded() {
        let position = Position::startpos();
        let mut corrections = Corrections::new();
        let corrected = |corrections: &Corrections| corrections.apply(&position, Score::DRAW);
        assert_eq!(corrected(&corrections), Score::DRAW);
        for _ in 0..1000 {
            corrections.update(&position, 10, 30);
        }
        let value = corrected(&corrections).value();
        let most = 3 * 30 * 100 / params::correction_divisor();
        assert!((most * 8 / 9..=most).contains(&value), "{value}");
        for _ in 0..1000 {
            corrections.update(&position, 10, -30_000);
        }
        assert!(corrected(&corrections).value() >= -3 * LIMIT / GRAIN);
    }
}
