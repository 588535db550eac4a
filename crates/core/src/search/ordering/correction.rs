//! Correction history: the errors of the static evaluation that searches found in positions with
//! the same pawns, with the same other pieces of one side, or after the same moves (after Caissa and
//! Stockfish).

use super::history::PieceTo;
use crate::position::{Position, Rules};
use crate::search::params;
use crate::search::prefetch::prefetch;
use crate::types::{Color, ColorMap, HalfKey, PieceMap, Score, SquareMap};

/// Entries per key: a power of two.
const SIZE: usize = 1 << 14;
/// Corrections are kept in 256ths of a centipawn.
const SCALE: i32 = 256;
/// The largest correction by one key.
const LIMIT: i32 = 64 * SCALE;
/// The most that one error changes a correction.
const MAX_STEP: i32 = LIMIT / 4;

/// Two moves of the path, the earlier one first, if neither is a null move.
pub(crate) type MovePair = Option<(PieceTo, PieceTo)>;

/// Corrections by the low bits of a key.
type ByKey = Box<[i16]>;

/// The corrections for one side to move.
struct ForSide {
    /// By the pawns of both sides.
    pawn: ByKey,
    /// By the other pieces of each side.
    non_pawn: ColorMap<ByKey>,
}

type ByMove<T> = PieceMap<SquareMap<T>>;

/// The correction histories of one thread.
pub(crate) struct Corrections {
    by_side: ColorMap<ForSide>,
    /// By two moves of the path.
    continuation: Box<ByMove<ByMove<i16>>>,
}

static NO_CONTINUATION: ByMove<ByMove<i16>> = {
    const NONE: ByMove<i16> = PieceMap::new([const { SquareMap::new([0; 64]) }; 12]);
    PieceMap::new([const { SquareMap::new([NONE; 64]) }; 12])
};

impl Corrections {
    pub(crate) fn new() -> Self {
        let zeros = || vec![0; SIZE].into_boxed_slice();
        Self {
            by_side: ColorMap::from_fn(|_| ForSide {
                pawn: zeros(),
                non_pawn: ColorMap::from_fn(|_| zeros()),
            }),
            continuation: Box::new(NO_CONTINUATION),
        }
    }

    pub(crate) fn clear(&mut self) {
        for side in Color::ALL {
            let corrections = &mut self.by_side[side];
            corrections.pawn.fill(0);
            for color in Color::ALL {
                corrections.non_pawn[color].fill(0);
            }
        }
        *self.continuation = NO_CONTINUATION;
    }

    /// Fetches what [`apply`](Self::apply) will need.
    pub(crate) fn prefetch<R: Rules>(&self, position: &Position<R>, moves: [MovePair; 2]) {
        let corrections = &self.by_side[position.side_to_move()];
        prefetch(&corrections.pawn[index(position.pawn_key())]);
        for color in Color::ALL {
            prefetch(&corrections.non_pawn[color][index(position.non_pawn_key(color))]);
        }
        for (earlier, later) in moves.into_iter().flatten() {
            prefetch(&self.continuation[earlier.piece][earlier.to][later.piece][later.to]);
        }
    }

    /// The corrected evaluation of a position that was reached by these moves.
    pub(crate) fn apply<R: Rules>(
        &self,
        position: &Position<R>,
        moves: [MovePair; 2],
        evaluation: Score,
    ) -> Score {
        let corrections = &self.by_side[position.side_to_move()];
        let mut correction = i32::from(corrections.pawn[index(position.pawn_key())]);
        for color in Color::ALL {
            correction +=
                i32::from(corrections.non_pawn[color][index(position.non_pawn_key(color))]);
        }
        for (earlier, later) in moves.into_iter().flatten() {
            let row = &self.continuation[earlier.piece][earlier.to];
            correction += i32::from(row[later.piece][later.to]);
        }
        // All of them learn the same error, which must not count several times.
        let divisor = params::corrhist_divisor() * SCALE;
        Score::evaluation(evaluation.value() + correction * 100 / divisor)
    }

    /// Records that a search of this depth scored `error` centipawns above the corrected evaluation.
    pub(crate) fn update<R: Rules>(
        &mut self,
        position: &Position<R>,
        moves: [MovePair; 2],
        depth: i32,
        error: i32,
    ) {
        let step = (error.saturating_mul(depth * params::corrhist_rate()) / 100)
            .clamp(-MAX_STEP, MAX_STEP);
        let corrections = &mut self.by_side[position.side_to_move()];
        learn(&mut corrections.pawn[index(position.pawn_key())], step);
        for color in Color::ALL {
            let entry = &mut corrections.non_pawn[color][index(position.non_pawn_key(color))];
            learn(entry, step);
        }
        for (earlier, later) in moves.into_iter().flatten() {
            let row = &mut self.continuation[earlier.piece][earlier.to];
            learn(&mut row[later.piece][later.to], step);
        }
    }
}

fn index(key: HalfKey) -> usize {
    key.0 as usize % SIZE
}

/// Moves an entry by a step, the less the nearer it is to its limit (gravity).
fn learn(entry: &mut i16, step: i32) {
    let old = i32::from(*entry);
    *entry = (old + step - old * step.abs() / LIMIT) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;
    use crate::types::{Piece, Square};

    #[test]
    fn corrections_make_up_for_the_errors_and_stay_bounded() {
        let position = Position::startpos();
        let mut corrections = Corrections::new();
        let corrected =
            |corrections: &Corrections| corrections.apply(&position, [None; 2], Score::DRAW);
        assert_eq!(corrected(&corrections), Score::DRAW);
        for _ in 0..1000 {
            let remaining = 30 - corrected(&corrections).value();
            corrections.update(&position, [None; 2], 10, remaining);
        }
        let value = corrected(&corrections).value();
        assert!((28..=32).contains(&value), "{value}");
        for _ in 0..1000 {
            corrections.update(&position, [None; 2], 10, -30_000);
        }
        assert!(corrected(&corrections).value() >= -3 * LIMIT / SCALE);
    }

    #[test]
    fn errors_after_the_same_moves_are_known_wherever_they_are_made() {
        let pair = |to| {
            let piece = Piece::WhiteKnight;
            let made = |to| PieceTo { piece, to };
            [Some((made(Square::F3), made(to))), None]
        };
        let mut corrections = Corrections::new();
        corrections.update(&Position::startpos(), pair(Square::E5), 10, 30);
        let other = fen::parse("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1").unwrap();
        let corrected = |moves| corrections.apply(&other, moves, Score::DRAW);
        assert_eq!(corrected(pair(Square::G5)), Score::DRAW);
        assert!(corrected(pair(Square::E5)) > Score::DRAW);
    }
}
