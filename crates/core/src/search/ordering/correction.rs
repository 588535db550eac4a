//! Correction history: the errors of the static evaluation that searches found in positions with
//! the same pawns, with the same other pieces of one side, or after the same moves (after Caissa and
//! Stockfish).

use super::history::PathMove;
use crate::position::{Position, Rules};
use crate::search::params;
use crate::search::prefetch::prefetch;
use crate::types::{Color, ColorMap, HalfKey, Score};

/// Entries per key: a power of two.
const SIZE: usize = 1 << 14;
/// Corrections are kept in 256ths of a centipawn.
const SCALE: i32 = 256;
/// The largest correction by one key.
const LIMIT: i32 = 64 * SCALE;
/// The most that one error changes a correction.
const MAX_STEP: i32 = LIMIT / 4;

/// Two moves of the path, or that one of them is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MovePair(u32);

impl MovePair {
    const COUNT: usize = PathMove::COUNT * PathMove::COUNT;

    pub(crate) const NONE: Self = Self(Self::COUNT as u32);

    pub(crate) const fn new(earlier: PathMove, later: PathMove) -> Self {
        if earlier.is_none() || later.is_none() {
            Self::NONE
        } else {
            Self((earlier.index() * PathMove::COUNT + later.index()) as u32)
        }
    }

    const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Default for MovePair {
    fn default() -> Self {
        Self::NONE
    }
}

/// Corrections by the low bits of a key.
type ByKey = [i16; SIZE];

/// The corrections for one side to move.
#[derive(Clone, Copy)]
struct ForSide {
    /// By the pawns of both sides.
    pawn: ByKey,
    /// By the other pieces of each side.
    non_pawn: ColorMap<ByKey>,
}

/// One for each pair of moves, and a zero, which is never learned, for none.
type ByMoves = [i16; MovePair::COUNT + 1];

/// The correction histories of one thread.
pub(crate) struct Corrections {
    by_side: Box<ColorMap<ForSide>>,
    /// By two moves of the path.
    continuation: Box<ByMoves>,
}

static NO_CONTINUATION: ByMoves = [0; MovePair::COUNT + 1];

static NO_KEYS: ColorMap<ForSide> = {
    const NONE: ForSide = ForSide {
        pawn: [0; SIZE],
        non_pawn: ColorMap::new([[0; SIZE]; 2]),
    };
    ColorMap::new([NONE; 2])
};

impl Corrections {
    pub(crate) fn new() -> Self {
        Self {
            by_side: Box::new(NO_KEYS),
            continuation: Box::new(NO_CONTINUATION),
        }
    }

    pub(crate) fn clear(&mut self) {
        *self.by_side = NO_KEYS;
        *self.continuation = NO_CONTINUATION;
    }

    /// Fetches what [`apply`](Self::apply) will need.
    pub(crate) fn prefetch<R: Rules>(&self, position: &Position<R>, moves: [MovePair; 2]) {
        let corrections = &self.by_side[position.side_to_move()];
        prefetch(&corrections.pawn[index(position.pawn_key())]);
        for color in Color::ALL {
            prefetch(&corrections.non_pawn[color][index(position.non_pawn_key(color))]);
        }
        for pair in moves {
            prefetch(&self.continuation[pair.index()]);
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
            let by_pieces = corrections.non_pawn[color][index(position.non_pawn_key(color))];
            correction += i32::from(by_pieces) * params::corrhist_non_pawn_weight() / 100;
        }
        for pair in moves {
            correction += i32::from(self.continuation[pair.index()]);
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
        let weight = if error < 0 {
            params::corrhist_too_high()
        } else {
            100
        };
        let step = (error.saturating_mul(depth * params::corrhist_rate()) / 100 * weight / 100)
            .clamp(-MAX_STEP, MAX_STEP);
        let corrections = &mut self.by_side[position.side_to_move()];
        learn(&mut corrections.pawn[index(position.pawn_key())], step);
        for color in Color::ALL {
            let entry = &mut corrections.non_pawn[color][index(position.non_pawn_key(color))];
            learn(entry, step);
        }
        for pair in moves.into_iter().filter(|&pair| pair != MovePair::NONE) {
            learn(&mut self.continuation[pair.index()], step);
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
        let corrected = |corrections: &Corrections| {
            corrections.apply(&position, [MovePair::NONE; 2], Score::DRAW)
        };
        assert_eq!(corrected(&corrections), Score::DRAW);
        for _ in 0..1000 {
            let remaining = 30 - corrected(&corrections).value();
            corrections.update(&position, [MovePair::NONE; 2], 10, remaining);
        }
        let value = corrected(&corrections).value();
        assert!((28..=32).contains(&value), "{value}");
        for _ in 0..1000 {
            corrections.update(&position, [MovePair::NONE; 2], 10, -30_000);
        }
        assert!(corrected(&corrections).value() >= -3 * LIMIT / SCALE);
    }

    #[test]
    fn errors_after_the_same_moves_are_known_wherever_they_are_made() {
        let pair = |to| {
            let piece = Piece::WhiteKnight;
            let made = |to| PathMove::new(piece, to);
            [MovePair::new(made(Square::F3), made(to)), MovePair::NONE]
        };
        let mut corrections = Corrections::new();
        corrections.update(&Position::startpos(), pair(Square::E5), 10, 30);
        let other = fen::parse("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1").unwrap();
        let corrected = |moves| corrections.apply(&other, moves, Score::DRAW);
        assert_eq!(corrected(pair(Square::G5)), Score::DRAW);
        assert!(corrected(pair(Square::E5)) > Score::DRAW);
    }
}
