//! History heuristics: what was learned about moves, for ordering, pruning and reductions.

use super::params;
use crate::types::{
    Bitboard, Color, ColorMap, Key, Move, Piece, PieceMap, PieceType, PieceTypeMap, Square,
    SquareMap,
};

/// The largest history value, positive or negative.
pub(super) const MAX_HISTORY: i32 = 16_384;

/// The largest sum of a quiet move's history over all tables, positive or negative.
#[inline]
pub(super) fn max_quiet() -> i32 {
    let weights = params::history_pawn_weight()
        + params::history_answer_weight()
        + params::history_follow_up_weight();
    MAX_HISTORY + MAX_HISTORY * weights / 16
}

/// A piece and the square it went to: how continuation history identifies an earlier move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moved {
    pub(super) piece: Piece,
    pub(super) to: Square,
}

/// The context in which the histories rate the quiet moves of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Situation {
    pub(super) side_to_move: Color,
    /// The squares that the opponent attacks.
    pub(super) threats: Bitboard,
    pub(super) pawns: Key,
    /// The moves one and two plies before.
    pub(super) before: [Option<Moved>; 2],
}

/// One value per side, origin and target.
type Butterfly = ColorMap<SquareMap<SquareMap<i16>>>;
/// One value per piece and target square.
type ByMoved = PieceMap<SquareMap<i16>>;

/// The history tables of one thread.
pub(super) struct Histories {
    /// Quiet moves by side, origin and target (Jonathan Schaeffer's history heuristic), and by
    /// whether the opponent attacks the origin and the target: a move out of danger, or into it,
    /// counts as a different move.
    butterfly: [[Butterfly; 2]; 2],
    /// Captures by piece, target and captured piece type.
    capture: PieceMap<SquareMap<PieceTypeMap<i16>>>,
    /// Quiet moves after an earlier move, one or two plies back.
    continuation: Box<PieceMap<SquareMap<ByMoved>>>,
    /// Quiet moves by the pawns on the board: the low bits of their key.
    pawn: Box<[ByMoved]>,
}

/// Rows of pawn history: a power of two.
const PAWN_ROWS: usize = 1 << 9;

impl Situation {
    /// Whether the opponent attacks the origin and the target of a move, as indices.
    #[inline]
    fn dangers(&self, mv: Move) -> (usize, usize) {
        let attacked = |square| usize::from(self.threats.contains(square));
        (attacked(mv.from()), attacked(mv.to()))
    }

    /// Whether the opponent may be able to capture the piece that makes this quiet move. A slider
    /// whose line is opened by the move already attacks the origin.
    #[inline]
    pub(super) fn can_be_answered(&self, mv: Move) -> bool {
        self.threats.contains(mv.from()) || self.threats.contains(mv.to())
    }

    #[inline]
    fn pawn_row(&self) -> usize {
        self.pawns.0 as usize % PAWN_ROWS
    }
}

impl Histories {
    /// Empty tables.
    pub(super) fn new() -> Box<Self> {
        Box::new(Self {
            butterfly: NO_BUTTERFLY,
            capture: NO_CAPTURE,
            // Straight to the heap: the table is larger than a thread's first stack pages.
            continuation: Box::new(NO_CONTINUATION),
            pawn: vec![NO_MOVES; PAWN_ROWS].into_boxed_slice(),
        })
    }

    /// Clears all tables without allocating.
    pub(super) fn clear(&mut self) {
        self.butterfly = NO_BUTTERFLY;
        self.capture = NO_CAPTURE;
        *self.continuation = NO_CONTINUATION;
        self.pawn.fill(NO_MOVES);
    }

    /// The history of a quiet move by `piece`.
    #[inline]
    pub(super) fn quiet(&self, situation: &Situation, piece: Piece, mv: Move) -> i32 {
        let (from, to) = situation.dangers(mv);
        let butterfly = &self.butterfly[from][to][situation.side_to_move];
        let mut value = i32::from(butterfly[mv.from()][mv.to()]);
        let pawn = i32::from(self.pawn[situation.pawn_row()][piece][mv.to()]);
        value += pawn * params::history_pawn_weight() / 16;
        let weights = [
            params::history_answer_weight(),
            params::history_follow_up_weight(),
        ];
        for (earlier, weight) in situation.before.into_iter().zip(weights) {
            let Some(earlier) = earlier else { continue };
            let known = i32::from(self.continuation[earlier.piece][earlier.to][piece][mv.to()]);
            value += known * weight / 16;
        }
        value
    }

    /// The history of a capture.
    #[inline]
    pub(super) fn capture(&self, piece: Piece, to: Square, captured: PieceType) -> i32 {
        i32::from(self.capture[piece][to][captured])
    }

    /// Rewards (or, with a negative bonus, blames) a quiet move.
    pub(super) fn update_quiet(
        &mut self,
        situation: &Situation,
        piece: Piece,
        mv: Move,
        bonus: i32,
    ) {
        let (from, to) = situation.dangers(mv);
        let butterfly = &mut self.butterfly[from][to][situation.side_to_move];
        apply(&mut butterfly[mv.from()][mv.to()], bonus);
        let pawn_row = situation.pawn_row();
        apply(&mut self.pawn[pawn_row][piece][mv.to()], bonus);
        for earlier in situation.before.into_iter().flatten() {
            apply(
                &mut self.continuation[earlier.piece][earlier.to][piece][mv.to()],
                bonus,
            );
        }
    }

    /// Rewards (or, with a negative bonus, blames) a capture.
    pub(super) fn update_capture(
        &mut self,
        piece: Piece,
        to: Square,
        captured: PieceType,
        bonus: i32,
    ) {
        apply(&mut self.capture[piece][to][captured], bonus);
    }
}

static NO_BUTTERFLY: [[Butterfly; 2]; 2] = {
    const BUTTERFLY: Butterfly =
        ColorMap::new([const { SquareMap::new([const { SquareMap::new([0; 64]) }; 64]) }; 2]);
    [const { [BUTTERFLY; 2] }; 2]
};

const NO_CAPTURE: PieceMap<SquareMap<PieceTypeMap<i16>>> =
    PieceMap::new([const { SquareMap::new([PieceTypeMap::new([0; 6]); 64]) }; 12]);

const NO_MOVES: ByMoved = PieceMap::new([const { SquareMap::new([0; 64]) }; 12]);

static NO_CONTINUATION: PieceMap<SquareMap<ByMoved>> =
    PieceMap::new([const { SquareMap::new([NO_MOVES; 64]) }; 12]);

/// The bonus for a move that failed high at this depth.
pub(super) fn bonus(depth: i32) -> i32 {
    (params::history_bonus() * depth - params::history_bonus_offset())
        .min(params::history_bonus_max())
}

/// Adds a bonus so that the value approaches its limit ever more slowly (history gravity).
#[inline]
fn apply(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / MAX_HISTORY) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_within_their_limit() {
        let mut value = 0;
        for _ in 0..10_000 {
            apply(&mut value, params::history_bonus_max());
            assert!(i32::from(value).abs() <= MAX_HISTORY);
        }
        assert!(value > 15_000);
        for _ in 0..10_000 {
            apply(&mut value, -params::history_bonus_max());
            assert!(i32::from(value).abs() <= MAX_HISTORY);
        }
        assert!(value < -15_000);
    }
}
