//! What the search makes of endgame tablebases: which root moves keep the result, the value of a
//! position in the tree, and how a won or lost line goes on.

use std::cmp::Reverse;
use std::sync::Arc;

use super::bound::Bound;
use super::root::RootMove;
use crate::position::{Position, Rules, Variant};
use crate::tablebase::{RankedMove, Ranking, Tablebase, Wdl};
use crate::types::{MAX_PLY, Move, Score};

/// Endgame tablebases, and when a search may probe them.
#[derive(Clone, Debug)]
pub(crate) struct Syzygy {
    /// The tablebases.
    pub tables: Arc<Tablebase>,
    /// Positions with the largest number of pieces that is probed are probed from this depth on,
    /// those with fewer at any depth.
    pub probe_depth: i32,
    /// Positions with more pieces than this are not probed.
    pub probe_limit: u32,
    /// Whether the fifty-move rule holds.
    pub fifty_moves: bool,
}

/// A win or loss that the fifty-move rule makes a draw is worth this many centipawns.
const CURSED: i32 = 2;
/// Added to the depth of a stored tablebase result, as no search will know better.
pub(super) const STORED_DEPTH_BONUS: i32 = 6;

impl Default for Syzygy {
    /// No tablebases, under the rules of chess.
    fn default() -> Self {
        Self {
            tables: Arc::default(),
            probe_depth: 1,
            probe_limit: 0,
            fifty_moves: true,
        }
    }
}

impl Syzygy {
    /// The most pieces that a probed position may have.
    pub(crate) fn max_pieces(&self) -> u32 {
        self.tables.max_pieces().min(self.probe_limit)
    }

    /// Ranks the moves of a position, unless it `is_over` before that is done.
    pub(super) fn rank<R: Rules>(
        &self,
        position: &Position<R>,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Ranking> {
        let few = position.variant() == Variant::Standard
            && position.occupied().count() <= self.max_pieces();
        few.then(|| self.tables.rank_until(position, self.fifty_moves, is_over))?
    }

    /// The result of a position in the tree by the tablebases, which assume a fifty-move count of
    /// zero and no castling rights; `None` if it may not be probed, or they do not have it.
    pub(super) fn probe<R: Rules>(&self, position: &mut Position<R>, depth: i32) -> Option<Wdl> {
        if position.halfmove_clock() != 0 || position.variant() != Variant::Standard {
            return None;
        }
        let pieces = position.occupied().count();
        let most = self.max_pieces();
        let may_probe = pieces < most || pieces == most && depth >= self.probe_depth;
        if !may_probe || position.has_castling() {
            return None;
        }
        Some(self.tables.wdl(position)?.under(self.fifty_moves))
    }

    /// The line, truncated where it gives the result away and continued with the fastest win by the
    /// tablebases, as far as that is found before it `is_over`.
    pub(super) fn extend_line<R: Rules>(
        &self,
        root: &Position<R>,
        line: &[Move],
        is_over: &dyn Fn() -> bool,
    ) -> Vec<Move> {
        let mut position = root.clone();
        let mut extended = Vec::new();
        let mut line = line.iter().copied();
        while extended.len() < MAX_PLY && !is_over() && position.outcome().is_none() {
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
                        extended.is_empty() || keeping.any(|ranked| ranked.mv == mv)
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
            extended.push(mv);
            position.make_move(mv);
        }
        extended.extend(line);
        extended
    }
}

/// The score of a root move that the tablebases know; `draw` is what a draw is worth to the side to
/// move. Moves of equal rank have equal scores, so that lines are in the order of their scores.
fn root_score(ranked: &RankedMove, ranking: &Ranking, draw: Score) -> Score {
    let peers = ranking.moves.iter().filter(|it| it.rank == ranked.rank);
    let dtz = peers.map(|it| it.dtz).min().unwrap_or_default();
    let plies = (dtz.unsigned_abs() as usize).min(MAX_PLY);
    score(ranked.wdl, plies, draw)
}

/// The score of a node `ply` plies from the root by its result, and what it says: a win or loss may
/// also be a mate. `draw` is what a draw is worth to the side to move.
pub(super) fn node_score(wdl: Wdl, ply: usize, draw: Score) -> (Score, Bound) {
    let bound = match wdl {
        Wdl::Win => Bound::Lower,
        Wdl::Loss => Bound::Upper,
        Wdl::CursedWin | Wdl::BlessedLoss | Wdl::Draw => Bound::Exact,
    };
    (score(wdl, ply, draw), bound)
}

/// The score of a result, of a win or loss as of one in so many plies.
fn score(wdl: Wdl, plies: usize, draw: Score) -> Score {
    match wdl {
        Wdl::Win => Score::tb_win(plies),
        Wdl::Loss => -Score::tb_win(plies),
        Wdl::CursedWin => draw + CURSED,
        Wdl::BlessedLoss => draw - CURSED,
        Wdl::Draw => draw,
    }
}

/// Keeps the root moves of the best rank, and of lower ranks as far as more `lines` are wanted.
/// `draw` is what a draw is worth to the side to move.
pub(super) fn rank_root_moves(
    root_moves: &mut Vec<RootMove>,
    ranking: &Ranking,
    lines: usize,
    draw: Score,
) {
    for root in root_moves.iter_mut() {
        let ranked = ranking.moves.iter().find(|ranked| ranked.mv == root.mv);
        if let Some(ranked) = ranked {
            root.rank = ranked.rank;
            root.known = Some(root_score(ranked, ranking, draw));
        }
    }
    root_moves.sort_by_key(|root| Reverse(root.rank));
    let last = lines.min(root_moves.len());
    if let Some(lowest) = last.checked_sub(1).map(|last| root_moves[last].rank) {
        root_moves.retain(|root| root.rank >= lowest);
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
    fn a_win_may_be_a_mate_and_a_draw_may_not() {
        let draw = Score::centipawns(10);
        assert_eq!(
            node_score(Wdl::Win, 3, draw),
            (Score::tb_win(3), Bound::Lower)
        );
        assert_eq!(
            node_score(Wdl::Loss, 3, draw),
            (-Score::tb_win(3), Bound::Upper)
        );
        assert_eq!(node_score(Wdl::Draw, 3, draw), (draw, Bound::Exact));
        assert_eq!(
            node_score(Wdl::CursedWin, 3, draw),
            (draw + CURSED, Bound::Exact)
        );
    }
}
