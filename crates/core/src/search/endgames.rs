//! What the search gets from endgame tables: which root moves keep the result, the value of a
//! position in the tree, and how a won or lost line goes on.

use std::cmp::Reverse;
use std::sync::Arc;

use super::bound::Bound;
use super::shared::Shared;
use super::tt::Entry;
use super::worker::Worker;
use crate::position::Position;
use crate::tablebase::{RankedMove, Ranking, Tablebase, Wdl};
use crate::types::{MAX_PLY, Move, Score};

/// Endgame tables, and when a search may probe them.
#[derive(Clone, Debug)]
pub(crate) struct Endgames {
    /// The tables.
    pub tables: Arc<Tablebase>,
    /// Positions with the largest number of pieces that is probed are probed from this depth on,
    /// those with fewer at any depth.
    pub min_depth: i32,
    /// Positions with more pieces than this are not probed.
    pub max_men: u32,
    /// Whether the fifty-move rule holds.
    pub fifty_moves: bool,
}

/// A win or loss that the fifty-move rule makes a draw is worth this many centipawns.
const CURSED: i32 = 2;
/// Added to the depth of a stored table result, as no search will know better.
const CERTAINTY: i32 = 6;

impl Endgames {
    /// The most pieces that a probed position may have.
    fn men(&self) -> u32 {
        self.tables.max_men().min(self.max_men)
    }

    /// Ranks the moves of a position, unless it `is_over` before that is done.
    pub(super) fn rank(&self, position: &Position, is_over: &dyn Fn() -> bool) -> Option<Ranking> {
        let few = position.occupied().count() <= self.men();
        few.then(|| self.tables.rank_until(position, self.fifty_moves, is_over))?
    }

    /// Whether a position may be probed in the tree: the tables assume a fifty-move count of zero
    /// and no castling rights.
    #[inline]
    fn covers(&self, position: &Position, depth: i32) -> bool {
        let men = position.occupied().count();
        position.halfmove_clock() == 0
            && (men < self.men() || men == self.men() && depth >= self.min_depth)
            && !position.has_castling()
    }

    /// The line, truncated where it gives the result away and continued with the fastest win by the
    /// tables, as far as that is found before it `is_over`.
    pub(super) fn carry_on(
        &self,
        root: &Position,
        line: &[Move],
        is_over: &dyn Fn() -> bool,
    ) -> Vec<Move> {
        let mut position = root.clone();
        let mut carried = Vec::new();
        let mut line = line.iter().copied();
        while carried.len() < MAX_PLY && !is_over() && position.outcome().is_none() {
            let ranking = self.rank(&position, is_over);
            let ranking = ranking.filter(|ranking| ranking.by_distance);
            let mv = match (line.next(), ranking) {
                (Some(mv), None) => mv,
                (None, None) => break,
                (given, Some(ranking)) => {
                    let best = ranking.moves[0].wdl;
                    let keeps = |ranked: &&RankedMove| ranked.wdl == best;
                    let given = given.filter(|&mv| {
                        let mut keeping = ranking.moves.iter().filter(keeps);
                        carried.is_empty() || keeping.any(|ranked| ranked.mv == mv)
                    });
                    if given.is_none() {
                        line = [].iter().copied();
                    }
                    let fastest = ranking.moves.iter().filter(keeps).min_by_key(|it| it.dtz);
                    match given.or(fastest.filter(|it| it.dtz != 0).map(|it| it.mv)) {
                        Some(mv) => mv,
                        None => break,
                    }
                }
            };
            carried.push(mv);
            position.make_move(mv);
        }
        carried.extend(line);
        carried
    }
}

/// The score of a root move that the tables know; `draw` is what a draw is worth to the side to
/// move. Moves of equal rank have equal scores, so that lines are in the order of their scores.
fn root_score(ranked: &RankedMove, ranking: &Ranking, draw: Score) -> Score {
    let peers = ranking.moves.iter().filter(|it| it.rank == ranked.rank);
    let dtz = peers.map(|it| it.dtz).min().unwrap_or_default();
    let plies = (dtz.unsigned_abs() as usize).min(MAX_PLY);
    match ranked.wdl {
        Wdl::Win => Score::tb_win(plies),
        Wdl::Loss => -Score::tb_win(plies),
        Wdl::CursedWin => draw + CURSED,
        Wdl::BlessedLoss => draw - CURSED,
        Wdl::Draw => draw,
    }
}

/// The scores that a node may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) least: Score,
    pub(super) most: Score,
}

impl Range {
    /// Nothing is known.
    fn all() -> Self {
        Self {
            least: -Score::INFINITE,
            most: Score::INFINITE,
        }
    }

    /// A score found by search and its bound, brought into this range: the tables are certain.
    pub(super) fn confine(self, score: Score, bound: Bound) -> (Score, Bound) {
        if score < self.least {
            (self.least, Bound::Lower)
        } else if score > self.most {
            (self.most, Bound::Upper)
        } else {
            (score, bound)
        }
    }

    /// `draw` is what a draw is worth to the side to move.
    fn of(wdl: Wdl, ply: usize, draw: Score) -> Self {
        let exactly = |score| Self {
            least: score,
            most: score,
        };
        match wdl {
            // There may also be a mate.
            Wdl::Win => Self {
                least: Score::tb_win(ply),
                ..Self::all()
            },
            Wdl::Loss => Self {
                most: -Score::tb_win(ply),
                ..Self::all()
            },
            Wdl::CursedWin => exactly(draw + CURSED),
            Wdl::BlessedLoss => exactly(draw - CURSED),
            Wdl::Draw => exactly(draw),
        }
    }

    /// The score and its bound if they settle the node for this window.
    fn settled(self, alpha: Score, beta: Score) -> Option<(Score, Bound)> {
        if self.least == self.most {
            Some((self.least, Bound::Exact))
        } else if self.least >= beta {
            Some((self.least, Bound::Lower))
        } else if self.most <= alpha {
            Some((self.most, Bound::Upper))
        } else {
            None
        }
    }
}

impl Worker {
    /// Keeps the root moves of the best rank, and of lower ranks as far as more lines are wanted.
    pub(super) fn rank_root_moves(&mut self, shared: &Shared) {
        let Some(ranking) = shared.ranking(&self.position) else {
            return;
        };
        if self.is_main() {
            self.tbhits += ranking.moves.len() as u64;
        }
        let draw = self.draw_score();
        for root in &mut self.root_moves {
            let ranked = ranking.moves.iter().find(|ranked| ranked.mv == root.mv);
            if let Some(ranked) = ranked {
                root.rank = ranked.rank;
                root.known = Some(root_score(ranked, ranking, draw));
            }
        }
        self.root_moves.sort_by_key(|root| Reverse(root.rank));
        let last = shared.lines().min(self.root_moves.len());
        if let Some(least) = last.checked_sub(1).map(|last| self.root_moves[last].rank) {
            self.root_moves.retain(|root| root.rank >= least);
        }
    }

    /// The scores that the tables allow a node; `Err` with its score if they settle it.
    pub(super) fn look_up(
        &mut self,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        shared: &Shared,
    ) -> Result<Range, Score> {
        let endgames = shared.tree_endgames();
        // A search that excludes a move says nothing about the node itself.
        let whole = ply > 0 && self.frames[ply].excluded.is_none();
        let Some(endgames) = endgames.filter(|it| whole && it.covers(&self.position, depth)) else {
            return Ok(Range::all());
        };
        let Some(wdl) = endgames.tables.wdl(&mut self.position) else {
            return Ok(Range::all());
        };
        self.tbhits += 1;
        let wdl = if endgames.fifty_moves {
            wdl
        } else {
            wdl.without_fifty_moves()
        };
        let range = Range::of(wdl, ply, self.draw_score());
        let Some((score, bound)) = range.settled(alpha, beta) else {
            return Ok(range);
        };
        let entry = Entry {
            mv: None,
            score,
            evaluation: None,
            depth: (depth + CERTAINTY).min(MAX_PLY as i32 - 1),
            bound: Some(bound),
            was_pv: false,
        };
        shared.tt.store(self.position.key(), ply, entry);
        Err(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawn_root_move_is_worth_what_a_draw_is() {
        let ranked = |wdl| RankedMove {
            mv: Move::from_bits(0b1000).expect("a move"),
            wdl,
            rank: 0,
            dtz: 0,
        };
        let draw = Score::centipawns(-50);
        for (wdl, score) in [
            (Wdl::CursedWin, -48),
            (Wdl::Draw, -50),
            (Wdl::BlessedLoss, -52),
        ] {
            let ranking = Ranking {
                moves: vec![ranked(wdl)],
                by_distance: true,
            };
            let found = root_score(&ranking.moves[0], &ranking, draw);
            assert_eq!(found, Score::centipawns(score));
        }
    }

    #[test]
    fn a_search_that_contradicts_the_tables_is_confined() {
        let range = Range {
            least: Score::tb_win(3),
            most: Score::INFINITE,
        };
        let seen = (Score::centipawns(500), Bound::Upper);
        let known = (Score::tb_win(3), Bound::Lower);
        assert_eq!(range.confine(seen.0, seen.1), known);
        let mate = (Score::mate_in(5), Bound::Exact);
        assert_eq!(range.confine(mate.0, mate.1), mate);
        let range = Range {
            least: -Score::INFINITE,
            most: Score::DRAW,
        };
        let known = (Score::DRAW, Bound::Upper);
        assert_eq!(range.confine(seen.0, Bound::Lower), known);
    }
}
