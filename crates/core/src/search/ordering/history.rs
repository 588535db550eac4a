//! History heuristics: what was learned about moves, for ordering, pruning and reductions.

use arrayvec::ArrayVec;

use crate::position::{Position, Rules};
use crate::search::params;
use crate::search::prefetch::prefetch;
use crate::types::{
    Bitboard, Color, ColorMap, File, Move, Piece, PieceMap, PieceType, PieceTypeMap, Rank, Square,
    SquareMap,
};

/// The largest history value, positive or negative.
const MAX_HISTORY: i32 = 16_384;

/// A move of the path as histories identify it, by the piece and the square it went to; or that there
/// was none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PathMove(u16);

impl PathMove {
    /// How many moves there are.
    pub(crate) const COUNT: usize = Piece::ALL.len() * Square::ALL.len();

    /// A null move, or before the root.
    pub(crate) const NONE: Self = Self(Self::COUNT as u16);

    pub(crate) const fn new(piece: Piece, to: Square) -> Self {
        Self((piece as usize * Square::ALL.len() + to as usize) as u16)
    }

    pub(crate) const fn is_none(self) -> bool {
        self.0 == Self::NONE.0
    }

    /// Below [`PathMove::COUNT`], or that number if there is no move.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Default for PathMove {
    fn default() -> Self {
        Self::NONE
    }
}

/// The moves one and two plies before: the rows of continuation history that count.
pub(crate) type Conthist = [PathMove; 2];

/// A quiet move as butterfly history knows it after it has been made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuietMove {
    side: Color,
    row: Square,
    to: Square,
    dangers: (usize, usize),
}

impl QuietMove {
    /// What is to be known of a move that is about to be made; `None` if it is not quiet.
    pub(crate) fn new<R: Rules>(position: &Position<R>, mv: Move) -> Option<Self> {
        (!mv.is_tactical()).then(|| Self::of(position, mv))
    }

    fn of<R: Rules>(position: &Position<R>, mv: Move) -> Self {
        Self {
            side: position.side_to_move(),
            row: butterfly_row(position, mv),
            to: mv.to(),
            dangers: dangers(position.threats(), position, mv),
        }
    }
}

/// The moves of a node that were searched before its best one. Of more than there is room for the rest is
/// forgotten.
#[derive(Default)]
pub(crate) struct Tried {
    quiets: ArrayVec<Move, 64>,
    captures: ArrayVec<Move, 64>,
}

impl Tried {
    pub(crate) fn note(&mut self, mv: Move) {
        let _ = self.of_kind(mv).try_push(mv);
    }

    pub(crate) fn take_out(&mut self, mv: Move) {
        self.of_kind(mv).retain(|tried| *tried != mv);
    }

    fn of_kind(&mut self, mv: Move) -> &mut ArrayVec<Move, 64> {
        if mv.is_tactical() {
            &mut self.captures
        } else {
            &mut self.quiets
        }
    }
}

/// One value per side, origin and target.
type Butterfly = ColorMap<SquareMap<SquareMap<i16>>>;
/// One value per piece and target square: see [`PathMove`].
type ByMove = [i16; PathMove::COUNT];

/// A row for each earlier move, and one of zeros for none.
type Continuation = [ByMove; PathMove::COUNT + 1];

/// One value per piece, target and captured piece type.
type Capture = PieceMap<SquareMap<PieceTypeMap<i16>>>;

/// The histories of one thread.
pub(crate) struct Histories {
    /// Quiet moves by side, origin and target (Jonathan Schaeffer's history heuristic), and by
    /// whether the opponent attacks the origin and the target: a move out of danger, or into it,
    /// counts as a different move.
    butterfly: [[Butterfly; 2]; 2],
    /// Captures by piece, target and captured piece type, and by whether the opponent attacks the
    /// target.
    capture: [Capture; 2],
    /// Quiet moves after an earlier move, one or two plies back. What follows none is never learned.
    continuation: Box<Continuation>,
    /// Quiet moves by the pawns on the board: the low bits of their key.
    pawn: Box<[ByMove]>,
    /// Quiet moves of the first plies, each by itself, in the search that runs (after Stockfish).
    low_ply: [SquareMap<SquareMap<i16>>; LOW_PLIES],
}

/// Plies from the root on that have a history of their own.
const LOW_PLIES: usize = 4;
/// Rows of pawn history: a power of two.
const PAWN_ROWS: usize = 1 << 9;

impl Histories {
    pub(crate) fn new() -> Box<Self> {
        Box::new(Self {
            butterfly: NO_BUTTERFLY,
            capture: NO_CAPTURE,
            // Straight to the heap: it is larger than a thread's first stack pages.
            continuation: Box::new(NO_CONTINUATION),
            pawn: vec![[0; PathMove::COUNT]; PAWN_ROWS].into_boxed_slice(),
            low_ply: NO_LOW_PLY,
        })
    }

    /// Forgets everything, without allocating.
    pub(crate) fn clear(&mut self) {
        self.butterfly = NO_BUTTERFLY;
        self.capture = NO_CAPTURE;
        *self.continuation = NO_CONTINUATION;
        self.pawn.fill([0; PathMove::COUNT]);
        self.low_ply = NO_LOW_PLY;
    }

    /// Lets butterfly history count less, and forgets that of the first plies: a new search begins.
    pub(crate) fn age(&mut self) {
        self.low_ply = NO_LOW_PLY;
        let sides = self.butterfly.iter_mut().flatten();
        for row in sides
            .flat_map(ColorMap::values_mut)
            .flat_map(SquareMap::values_mut)
        {
            // A loop of its own, which the compiler turns into vectors of 16 bits, as it need not
            // round: short searches notice it.
            for value in row.values_mut() {
                *value -= ((i32::from(*value) * (16 - params::history_ageing())) >> 4) as i16;
            }
        }
    }

    /// The history of a legal move of `position`; 0 for promotions without a capture.
    pub(crate) fn of<R: Rules>(&self, position: &Position<R>, conthist: Conthist, mv: Move) -> i32 {
        match position.captured_by(mv) {
            Some(captured) => self.captures(position)(mv, captured),
            None if mv.is_tactical() => 0,
            None => self.quiets(position, conthist)(mv),
        }
    }

    /// The histories of quiet moves in this situation: what all of them share is looked up once.
    pub(crate) fn quiets<'a, R: Rules>(
        &'a self,
        position: &'a Position<R>,
        conthist: Conthist,
    ) -> impl Fn(Move) -> i32 + 'a {
        let side = position.side_to_move();
        let threats = position.threats();
        let pawn = &self.pawn[pawn_row(position)];
        let continuation = conthist.map(|earlier| &self.continuation[earlier.index()]);
        move |mv| {
            let piece = position.moved_by(mv);
            let (from, to) = dangers(threats, position, mv);
            let row = butterfly_row(position, mv);
            let butterfly = self.butterfly[from][to][side][row][mv.to()];
            let moved = PathMove::new(piece, mv.to()).index();
            let known = |row: &ByMove| i32::from(row[moved]);
            let others = known(pawn) * params::pawn_history_weight()
                + known(continuation[0]) * params::conthist_1_weight()
                + known(continuation[1]) * params::conthist_2_weight();
            i32::from(butterfly) + others / 16
        }
    }

    /// Fetches what [`quiets`](Self::quiets) looks up, but for butterfly history.
    pub(crate) fn prefetch_quiets<R: Rules>(&self, position: &Position<R>, conthist: Conthist) {
        let [last, before] = conthist.map(|earlier| &self.continuation[earlier.index()]);
        for row in [&self.pawn[pawn_row(position)], last, before] {
            for kind in PieceType::ALL {
                let piece = Piece::new(position.side_to_move(), kind);
                // 128 bytes, which lie in two or three lines.
                for square in [Square::A1, Square::A5, Square::H8] {
                    prefetch(&row[PathMove::new(piece, square).index()]);
                }
            }
        }
    }

    /// The histories of captures in this position, each of a move and the type of the piece that it takes:
    /// what all of them share is looked up once.
    pub(crate) fn captures<'a, R: Rules>(
        &'a self,
        position: &'a Position<R>,
    ) -> impl Fn(Move, PieceType) -> i32 + 'a {
        let threats = position.threats();
        move |mv, captured| {
            let danger = usize::from(threats.contains(mv.to()));
            i32::from(self.capture[danger][position.moved_by(mv)][mv.to()][captured])
        }
    }

    /// The histories of quiet moves at this ply of the search, 0 beyond the first ones.
    pub(crate) fn low_ply<'a, R: Rules>(
        &'a self,
        position: &'a Position<R>,
        ply: usize,
    ) -> impl Fn(Move) -> i32 + 'a {
        let table = self.low_ply.get(ply);
        move |mv| {
            table.map_or(0, |table| {
                // The nearer the root, the oftener a move has been tried.
                i32::from(table[butterfly_row(position, mv)][mv.to()]) / (1 + ply as i32)
            })
        }
    }

    /// A search of this depth has failed high at this ply: see [`update`](Self::update).
    pub(crate) fn update_low_ply<R: Rules>(
        &mut self,
        position: &Position<R>,
        ply: usize,
        mv: Move,
        tried: &Tried,
        depth: i32,
    ) {
        let Some(table) = self.low_ply.get_mut(ply).filter(|_| !mv.is_tactical()) else {
            return;
        };
        let bonus = bonus(depth);
        apply(&mut table[butterfly_row(position, mv)][mv.to()], bonus);
        for &tried in &tried.quiets {
            let row = butterfly_row(position, tried);
            apply(&mut table[row][tried.to()], -bonus);
        }
    }

    /// A search of this depth has failed high: a bonus for the move that did, a malus for the moves
    /// tried before it; for quiet ones only if it is quiet itself. Both count `weight` hundredths.
    pub(crate) fn update<R: Rules>(
        &mut self,
        position: &Position<R>,
        conthist: Conthist,
        mv: Move,
        tried: &Tried,
        depth: i32,
        weight: i32,
    ) {
        let bonus = bonus(depth) * weight / 100;
        let malus = -bonus * params::history_malus() / 100;
        if mv.is_tactical() {
            self.update_capture(position, mv, bonus);
        } else {
            let is_trivial =
                depth <= params::history_trivial_max_depth() && tried.quiets.is_empty();
            if !is_trivial {
                self.update_quiet(position, conthist, mv, bonus);
            }
            for (&tried, number) in tried.quiets.iter().zip(0..) {
                let malus = malus * 1024 / (1024 + params::history_malus_step() * number);
                self.update_quiet(position, conthist, tried, malus);
            }
        }
        for &tried in &tried.captures {
            self.update_capture(position, tried, malus);
        }
    }

    fn update_quiet<R: Rules>(
        &mut self,
        position: &Position<R>,
        conthist: Conthist,
        mv: Move,
        bonus: i32,
    ) {
        let quiet = QuietMove::of(position, mv);
        self.update_made(quiet, bonus * params::butterfly_rate() / 100);
        let moved = PathMove::new(position.moved_by(mv), mv.to());
        apply(&mut self.pawn[pawn_row(position)][moved.index()], bonus);
        let rate = params::conthist_rate();
        self.update_continuation(conthist, moved, bonus * rate / 100);
    }

    /// Gives a quiet move a bonus in continuation history alone. How far its values are from their
    /// limit is measured by their mean.
    pub(crate) fn update_continuation(&mut self, conthist: Conthist, mv: PathMove, bonus: i32) {
        let [last, before] = conthist;
        // Of none, it is 0.
        let value = |it: PathMove| i32::from(self.continuation[it.index()][mv.index()]);
        let mean = if last.is_none() || before.is_none() {
            value(last) + value(before)
        } else {
            i32::midpoint(value(last), value(before))
        };
        let step = bonus - mean * bonus.abs() / MAX_HISTORY;
        for earlier in conthist.into_iter().filter(|it| !it.is_none()) {
            let value = &mut self.continuation[earlier.index()][mv.index()];
            *value = (i32::from(*value) + step).clamp(-MAX_HISTORY, MAX_HISTORY) as i16;
        }
    }

    /// Gives a quiet move that has been made a bonus in butterfly history alone.
    pub(crate) fn update_made(&mut self, quiet: QuietMove, bonus: i32) {
        let QuietMove {
            side,
            row,
            to,
            dangers,
        } = quiet;
        let butterfly = &mut self.butterfly[dangers.0][dangers.1][side];
        apply(&mut butterfly[row][to], bonus);
    }

    fn update_capture<R: Rules>(&mut self, position: &Position<R>, mv: Move, bonus: i32) {
        if let Some(captured) = position.captured_by(mv) {
            let piece = position.moved_by(mv);
            let danger = usize::from(position.threats().contains(mv.to()));
            apply(&mut self.capture[danger][piece][mv.to()][captured], bonus);
        }
    }
}

/// The bonus of a move after a search of this depth.
fn bonus(depth: i32) -> i32 {
    (params::history_bonus() * depth - params::history_bonus_offset())
        .min(params::history_bonus_max())
}

/// Whether the opponent, who attacks these squares, attacks the origin and the target of a move, as
/// indices.
fn dangers<R: Rules>(threats: Bitboard, position: &Position<R>, mv: Move) -> (usize, usize) {
    let threatened = |squares| usize::from(threats.intersects(squares));
    (threatened(position.left_by(mv)), threatened(mv.to().into()))
}

/// The square under which butterfly history knows the origin of a move: for a drop, which has none,
/// one for each kind on the last rank, from where few men move.
fn butterfly_row<R: Rules>(position: &Position<R>, mv: Move) -> Square {
    if let Some(dropped) = position.dropped_by(mv) {
        let file = File::ALL[dropped.piece_type() as usize];
        let rank = position.side_to_move().relative_rank(Rank::Eighth);
        return Square::new(file, rank);
    }
    mv.from()
}

fn pawn_row<R: Rules>(position: &Position<R>) -> usize {
    position.pawn_key().0 as usize % PAWN_ROWS
}

static NO_BUTTERFLY: [[Butterfly; 2]; 2] = {
    const BUTTERFLY: Butterfly =
        ColorMap::new([const { SquareMap::new([const { SquareMap::new([0; 64]) }; 64]) }; 2]);
    [const { [BUTTERFLY; 2] }; 2]
};

static NO_LOW_PLY: [SquareMap<SquareMap<i16>>; LOW_PLIES] =
    [const { SquareMap::new([const { SquareMap::new([0; 64]) }; 64]) }; LOW_PLIES];

static NO_CAPTURE: [Capture; 2] = {
    const CAPTURE: Capture =
        PieceMap::new([const { SquareMap::new([PieceTypeMap::new([0; 6]); 64]) }; 12]);
    [const { CAPTURE }; 2]
};

static NO_CONTINUATION: Continuation = [[0; PathMove::COUNT]; PathMove::COUNT + 1];

/// Adds a bonus so that the value approaches its limit ever more slowly (history gravity).
fn apply(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / MAX_HISTORY) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_of_the_first_plies_is_known_at_its_ply_until_the_next_search() {
        let position = Position::startpos();
        let [good, bad] = [Square::E4, Square::D3].map(|to| {
            let mut moves = position.legal_moves().into_iter();
            moves.find(|mv| mv.to() == to).unwrap()
        });
        let mut histories = Histories::new();
        let mut tried = Tried::default();
        tried.note(bad);
        for ply in [1, LOW_PLIES] {
            histories.update_low_ply(&position, ply, good, &tried, 5);
        }
        let known = |histories: &Histories, mv| {
            let plies = 0..=LOW_PLIES;
            plies
                .map(|ply| histories.low_ply(&position, ply)(mv).signum())
                .collect::<Vec<_>>()
        };
        assert_eq!(known(&histories, good), [0, 1, 0, 0, 0]);
        assert_eq!(known(&histories, bad), [0, -1, 0, 0, 0]);
        histories.age();
        assert_eq!(known(&histories, good), [0; 5]);
    }

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
