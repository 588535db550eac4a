//! Correction history: the errors of the static evaluation that searches found in positions with
//! the same pawns, or with the same other pieces of one side (after Caissa and Stockfish).

use crate::position::Position;
use crate::search::params;
use crate::types::{Color, ColorMap, HalfKey, Score};

/// Entries per key: a power of two.
const SIZE: usize = 1 << 14;
/// Corrections are kept in 256ths of a centipawn.
const SCALE: i32 = 256;
/// The largest correction by one key.
const LIMIT: i32 = 64 * SCALE;
/// A new error weighs its depth plus one, at most this, out of [`params::corrhist_weight_divisor`].
const MAX_WEIGHT: i32 = 16;

/// Corrections by the low bits of a key.
type ByKey = Box<[i16]>;

/// The corrections for one side to move.
struct ForSide {
    /// By the pawns of both sides.
    pawn: ByKey,
    /// By the other pieces of each side.
    non_pawn: ColorMap<ByKey>,
}

/// The correction histories of one thread.
pub(crate) struct Corrections(ColorMap<ForSide>);

impl Corrections {
    pub(crate) fn new() -> Self {
        let zeros = || vec![0; SIZE].into_boxed_slice();
        Self(ColorMap::from_fn(|_| ForSide {
            pawn: zeros(),
            non_pawn: ColorMap::from_fn(|_| zeros()),
        }))
    }

    pub(crate) fn clear(&mut self) {
        for side in Color::ALL {
            let corrections = &mut self.0[side];
            corrections.pawn.fill(0);
            for color in Color::ALL {
                corrections.non_pawn[color].fill(0);
            }
        }
    }

    /// The corrected evaluation of a position.
    pub(crate) fn apply(&self, position: &Position, evaluation: Score) -> Score {
        let corrections = &self.0[position.side_to_move()];
        let mut correction = i32::from(corrections.pawn[index(position.pawn_key())]);
        for color in Color::ALL {
            correction +=
                i32::from(corrections.non_pawn[color][index(position.non_pawn_key(color))]);
        }
        // All three learn the same error, which must not count three times.
        let divisor = params::corrhist_divisor() * SCALE;
        Score::evaluation(evaluation.value() + correction * 100 / divisor)
    }

    /// Records that a search of this depth scored `error` centipawns above the evaluation.
    pub(crate) fn update(&mut self, position: &Position, depth: i32, error: i32) {
        let weight = (depth + 1).clamp(1, MAX_WEIGHT);
        let corrections = &mut self.0[position.side_to_move()];
        learn(
            &mut corrections.pawn[index(position.pawn_key())],
            error,
            weight,
        );
        for color in Color::ALL {
            let entry = &mut corrections.non_pawn[color][index(position.non_pawn_key(color))];
            learn(entry, error, weight);
        }
    }
}

fn index(key: HalfKey) -> usize {
    key.0 as usize % SIZE
}

/// Moves an entry towards the error found, by its weight.
fn learn(entry: &mut i16, error: i32, weight: i32) {
    let found = (error * SCALE).clamp(-LIMIT, LIMIT);
    let old = i32::from(*entry);
    *entry = (old + (found - old) * weight / params::corrhist_weight_divisor()) as i16;
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
        let most = 3 * 30 * 100 / params::corrhist_divisor();
        assert!((most * 8 / 9..=most).contains(&value), "{value}");
        for _ in 0..1000 {
            corrections.update(&position, 10, -30_000);
        }
        assert!(corrected(&corrections).value() >= -3 * LIMIT / SCALE);
    }
}
