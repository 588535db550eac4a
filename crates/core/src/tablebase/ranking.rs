//! Ordering the moves of a position by what the tables say, with regard to the fifty-move count and
//! repetitions.

use std::ops::Neg as _;

use super::probe::after;
use super::{Tablebase, Wdl};
use crate::position::{Position, Rules};
use crate::types::Move;

/// Plies until the fifty-move rule makes a draw.
const FIFTY_MOVES: i32 = 100;
/// While the count is below this, winning moves a little slower than the fastest rank equal with
/// it: the one that the search prefers looks better than haste. From there on, only the fastest
/// moves have the top rank.
const LEISURE: i32 = 16;

/// What the tables say of one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// The result it leads to, for the side that makes it.
    pub wdl: Wdl,
    /// Larger is better; moves of the same rank are equally good.
    pub rank: i32,
    /// Plies to the next capture or pawn move, this one included; 1 or more in a win, -1 or less in
    /// a loss. 0 in a draw, or if only results are known.
    pub dtz: i32,
}

/// What the tables say of the moves of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// All legal moves, those of the highest rank first.
    pub moves: Vec<RankedMove>,
    /// Whether distances were known, not just results: then moves of the highest rank secure the
    /// result.
    pub by_distance: bool,
}

impl Tablebase {
    /// Ranks the legal moves of a position of chess; `None` if it has none, if castling rights are left, or
    /// if a table is missing. `fifty_moves` says whether the fifty-move rule holds.
    pub fn rank<R: Rules>(&self, position: &Position<R>, fifty_moves: bool) -> Option<Ranking> {
        self.rank_until(position, fifty_moves, &|| false)
    }

    /// As [`Tablebase::rank`]; also `None` if `is_over` says so before all is known. It is asked
    /// before each move, as files may be slow.
    pub fn rank_until<R: Rules>(
        &self,
        position: &Position<R>,
        fifty_moves: bool,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Ranking> {
        if position.has_castling() || position.occupied().count() > self.max_pieces {
            return None;
        }
        let mut position = position.clone();
        let distances = self.rank_by_distance(&mut position, fifty_moves, is_over);
        let by_distance = distances.is_some();
        let results = || self.rank_by_result(&mut position, fifty_moves, is_over);
        let mut moves = distances.or_else(results)?;
        moves.sort_by_key(|ranked| std::cmp::Reverse(ranked.rank));
        (!moves.is_empty()).then_some(Ranking { moves, by_distance })
    }

    fn rank_by_distance<R: Rules>(
        &self,
        position: &mut Position<R>,
        fifty_moves: bool,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Vec<RankedMove>> {
        let mut distances = Vec::new();
        for mv in position.legal_moves() {
            if is_over() {
                return None;
            }
            let (dtz, repeats) = after(position, mv, |position| {
                let dtz = if is_drawn(position) {
                    0
                } else {
                    self.dtz_of_move(position)?
                };
                Some((dtz, position.repetitions() > 0))
            })?;
            distances.push((mv, dtz, repeats));
        }
        let wins = distances
            .iter()
            .map(|&(_, dtz, _)| dtz)
            .filter(|&dtz| dtz > 0);
        let clock = Clock {
            count: i32::from(position.halfmove_clock()),
            fifty_moves,
            hurry: position.has_repeated(),
            fastest: wins.min().unwrap_or_default(),
        };
        let ranked = |(mv, dtz, repeats)| {
            let wdl = clock.result(dtz);
            let rank = clock.rank(wdl, dtz, repeats);
            RankedMove { mv, wdl, rank, dtz }
        };
        Some(distances.into_iter().map(ranked).collect())
    }

    fn rank_by_result<R: Rules>(
        &self,
        position: &mut Position<R>,
        fifty_moves: bool,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Vec<RankedMove>> {
        let mut moves = Vec::new();
        for mv in position.legal_moves() {
            if is_over() {
                return None;
            }
            let wdl = after(position, mv, |position| {
                if is_drawn(position) {
                    Some(Wdl::Draw)
                } else {
                    self.wdl(position).map(Wdl::neg)
                }
            })?;
            let wdl = wdl.under(fifty_moves);
            moves.push(RankedMove {
                mv,
                wdl,
                rank: base(wdl),
                dtz: 0,
            });
        }
        Some(moves)
    }
}

/// Whether the game itself is drawn, not only a line of the search.
fn is_drawn<R: Rules>(position: &Position<R>) -> bool {
    position.repetitions() >= 2 || position.has_insufficient_material()
}

/// What counts besides the distance of a move.
struct Clock {
    /// Plies since the last capture or pawn move.
    count: i32,
    /// Whether the fifty-move rule holds.
    fifty_moves: bool,
    /// A position has occurred twice: from now on only the fastest moves are sure to win.
    hurry: bool,
    /// The least distance of a winning move.
    fastest: i32,
}

impl Clock {
    /// The result of a move with this distance at the present count.
    fn result(&self, dtz: i32) -> Wdl {
        let in_time = !self.fifty_moves || dtz.abs() + self.count <= FIFTY_MOVES;
        match (dtz.signum(), in_time) {
            (1, true) => Wdl::Win,
            (1, false) => Wdl::CursedWin,
            (-1, true) => Wdl::Loss,
            (-1, false) => Wdl::BlessedLoss,
            _ => Wdl::Draw,
        }
    }

    /// `repeats` says whether the move brings back a position of the game, which is no progress: it
    /// never shares the top rank of a win, but is ranked by its distance.
    fn rank(&self, wdl: Wdl, dtz: i32, repeats: bool) -> i32 {
        let within = |plies: i32| !self.fifty_moves || plies + self.count < FIFTY_MOVES;
        let equal = match wdl {
            Wdl::Win => {
                let in_time = dtz <= self.fastest + (LEISURE - self.count).max(0);
                within(dtz) && in_time && !self.hurry && !repeats
            }
            // If the rule is out of reach, the search may choose what is hardest to win against.
            Wdl::Loss => within(-2 * dtz),
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => false,
        };
        base(wdl) - if equal { 0 } else { dtz }
    }
}

/// The rank of a result; distances are much smaller than the steps between results.
fn base(wdl: Wdl) -> i32 {
    const STEP: i32 = 10_000;
    match wdl {
        Wdl::Loss => -2 * STEP,
        Wdl::BlessedLoss => -STEP,
        Wdl::Draw => 0,
        Wdl::CursedWin => STEP,
        Wdl::Win => 2 * STEP,
    }
}
