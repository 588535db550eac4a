//! The value of any position: what the tables say, and what they leave out. If a capture is best, a
//! table may hold any value below the true one; it knows nothing of en passant.

use super::table::Distance;
use super::{Tablebase, Wdl};
use crate::position::{MoveSet, Position, Rules};
use crate::types::{Move, MoveKind, MoveList, PieceType};

/// A result, and how it is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Found {
    wdl: Wdl,
    /// A capture achieves the result: then DTZ tables do not cover the position.
    by_capture: bool,
}

impl Tablebase {
    /// The result for the side to move if the fifty-move count were zero; `None` if the position,
    /// or one that a capture leads to, is in no table. It has to be a position of chess, without
    /// castling rights: others are taken for one.
    ///
    /// The position is unchanged afterwards.
    pub fn wdl<R: Rules>(&self, position: &mut Position<R>) -> Option<Wdl> {
        self.result(position).map(|found| found.wdl)
    }

    /// Plies to the next capture or pawn move if the winning side hurries and the other delays:
    /// positive in a win, negative in a loss, 0 in a draw. A win or loss that the fifty-move rule
    /// makes a draw has more than 100. The value may be one too low, as the format rounds: a caller
    /// that must be in time needs a ply to spare.
    ///
    /// `None` if a table is missing. It has to be a position of chess, without castling rights. It is
    /// unchanged afterwards.
    pub fn dtz<R: Rules>(&self, position: &mut Position<R>) -> Option<i32> {
        let found = self.result(position)?;
        let wdl = found.wdl;
        if wdl == Wdl::Draw {
            return Some(0);
        }
        if found.by_capture || (wdl > Wdl::Draw && self.pawn_move_keeps(position, wdl)?) {
            return Some(at_once(wdl));
        }
        let (tables, swapped) = self.find(position)?;
        match tables.dtz.as_ref()?.distance(position, swapped, wdl)? {
            Distance::Plies(plies) => {
                let plies = plies as i32;
                Some(at_once(wdl) + if wdl > Wdl::Draw { plies } else { -plies })
            }
            Distance::OtherSide => self.dtz_after_a_move(position, wdl),
        }
    }

    /// The distance for the side that has just moved, counting that move.
    pub(super) fn dtz_of_move<R: Rules>(&self, position: &mut Position<R>) -> Option<i32> {
        if position.halfmove_clock() == 0 {
            return Some(at_once(-self.wdl(position)?));
        }
        let dtz = -self.dtz(position)?;
        let mate = dtz == 1 && position.in_check() && !position.has_legal_move();
        Some(if mate { 1 } else { dtz + dtz.signum() })
    }

    fn result<R: Rules>(&self, position: &mut Position<R>) -> Option<Found> {
        let mut captures = MoveList::new();
        position.generate_into(MoveSet::Tactical, &mut captures);
        captures.retain(|mv| mv.is_capture());
        let mut best = None;
        let mut en_passant = None;
        for mv in captures {
            let bound = -best.unwrap_or(Wdl::Loss);
            let wdl = -after(position, mv, |position| {
                self.search(position, Wdl::Loss, bound)
            })?;
            if wdl == Wdl::Win {
                return Some(Found {
                    wdl,
                    by_capture: true,
                });
            }
            let kind = if mv.kind() == MoveKind::EnPassant {
                &mut en_passant
            } else {
                &mut best
            };
            *kind = (*kind).max(Some(wdl));
        }
        let stored = self.stored(position)?;
        // Without en passant, a side that can do nothing else would be stalemated or mated.
        let is_en_passant = |mv: &Move| mv.kind() == MoveKind::EnPassant;
        if let Some(wdl) = en_passant
            && (Some(wdl) > best.max(Some(stored))
                || position.legal_moves().iter().all(is_en_passant))
        {
            return Some(Found {
                wdl,
                by_capture: true,
            });
        }
        let taken = best.max(en_passant).filter(|&wdl| wdl >= stored);
        Some(Found {
            wdl: taken.unwrap_or(stored),
            // If the best capture loses, another move may lose later: the DTZ tables know that.
            by_capture: taken > Some(Wdl::Draw),
        })
    }

    /// The result between two bounds, by captures and the table; there is no en passant after a
    /// capture.
    fn search<R: Rules>(
        &self,
        position: &mut Position<R>,
        mut alpha: Wdl,
        beta: Wdl,
    ) -> Option<Wdl> {
        let mut captures = MoveList::new();
        position.generate_into(MoveSet::Tactical, &mut captures);
        for mv in captures.into_iter().filter(|mv| mv.is_capture()) {
            let wdl = -after(position, mv, |position| {
                self.search(position, -beta, -alpha)
            })?;
            if wdl >= beta {
                return Some(wdl);
            }
            alpha = alpha.max(wdl);
        }
        Some(alpha.max(self.stored(position)?))
    }

    fn stored<R: Rules>(&self, position: &Position<R>) -> Option<Wdl> {
        if position.occupied().count() == 2 {
            return Some(Wdl::Draw);
        }
        let (tables, swapped) = self.find(position)?;
        tables.wdl.as_ref()?.wdl(position, swapped)
    }

    /// Whether a pawn move that is no capture keeps a win.
    fn pawn_move_keeps<R: Rules>(&self, position: &mut Position<R>, wdl: Wdl) -> Option<bool> {
        if position.pieces(PieceType::Pawn).is_empty() {
            return Some(false);
        }
        for mv in position.legal_moves() {
            let pawn = position.moved_by(mv).piece_type() == PieceType::Pawn;
            if pawn
                && !mv.is_capture()
                && after(position, mv, |position| self.wdl(position))? == -wdl
            {
                return Some(true);
            }
        }
        Some(false)
    }

    /// The distance if only positions with the other side to move are stored: found by looking one
    /// move ahead.
    fn dtz_after_a_move<R: Rules>(&self, position: &mut Position<R>, wdl: Wdl) -> Option<i32> {
        // The losing side may also reset the count at once.
        let mut best = (wdl < Wdl::Draw).then(|| at_once(wdl));
        for mv in position.legal_moves() {
            if is_zeroing(position, mv) {
                continue;
            }
            let dtz = after(position, mv, |position| self.dtz_of_move(position))?;
            let better = |best: i32| {
                if wdl > Wdl::Draw {
                    dtz > 0 && dtz < best
                } else {
                    dtz < best
                }
            };
            if best.map_or(wdl < Wdl::Draw || dtz > 0, better) {
                best = Some(dtz);
            }
        }
        best
    }
}

/// What `value` says of the position after a move.
pub(super) fn after<R: Rules, T>(
    position: &mut Position<R>,
    mv: Move,
    value: impl FnOnce(&mut Position<R>) -> T,
) -> T {
    position.make_move(mv);
    let value = value(position);
    position.unmake_move();
    value
}

/// Whether a move resets the fifty-move count.
fn is_zeroing<R: Rules>(position: &Position<R>, mv: Move) -> bool {
    mv.is_capture() || position.moved_by(mv).piece_type() == PieceType::Pawn
}

/// The distance of a position in which the next move resets the count.
fn at_once(wdl: Wdl) -> i32 {
    match wdl {
        Wdl::Loss => -1,
        Wdl::BlessedLoss => -101,
        Wdl::Draw => 0,
        Wdl::CursedWin => 101,
        Wdl::Win => 1,
    }
}
