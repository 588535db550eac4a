//! The root moves and what is known of each.

use std::cmp::Reverse;

use super::bound::Bound;
use crate::position::{Position, Rules};
use crate::types::{Move, Score};

#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// Its rank by the endgame tables, larger is better; 0 for all if they know nothing.
    pub(super) rank: i32,
    /// Its score by the endgame tables.
    pub(super) known: Option<Score>,
    /// Score of its last search; -infinite if it has had none, one that only found it worse, or none yet in
    /// the iteration that runs.
    pub(super) score: Score,
    pub(super) bound: Bound,
    /// Its last exact result: the answer if its last search has failed low.
    pub(super) last_exact: Option<Exact>,
    /// The mean of its exact scores, the last one weighing two thirds: the centre of the next window.
    pub(super) mean_score: Option<Score>,
    /// The line that begins with the move.
    pub(super) pv: Vec<Move>,
    pub(super) seldepth: u32,
    /// Nodes spent below it since the search began.
    pub(super) nodes: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Exact {
    pub(super) score: Score,
    pv: Vec<Move>,
    seldepth: u32,
}

impl RootMove {
    fn new(mv: Move) -> Self {
        Self {
            mv,
            rank: 0,
            known: None,
            score: -Score::INFINITE,
            bound: Bound::Exact,
            last_exact: None,
            mean_score: None,
            pv: vec![mv],
            seldepth: 0,
            nodes: 0,
        }
    }

    pub(super) fn note_exact(&mut self) {
        self.bound = Bound::Exact;
        self.mean_score = match self.mean_score {
            Some(mean) if !mean.is_decided() && !self.score.is_decided() => Some(
                Score::evaluation((mean.value() + 2 * self.score.value()) / 3),
            ),
            _ => Some(self.score),
        };
        self.last_exact = Some(Exact {
            score: self.score,
            pv: self.pv.clone(),
            seldepth: self.seldepth,
        });
    }

    /// The move as it is answered: if it has just failed low, or was only found to be worse than one
    /// that then was refuted, with its score and line from before.
    /// One that has just failed high keeps the new score, a lower bound, as it may not have been the
    /// best for many iterations.
    pub(super) fn settled(&self) -> Self {
        let mut settled = self.clone();
        let is_worse = self.score == -Score::INFINITE;
        if let Some(last) = &self.last_exact
            && (is_worse || self.bound == Bound::Upper)
        {
            settled.score = last.score;
            settled.bound = Bound::Exact;
            settled.pv.clone_from(&last.pv);
            settled.seldepth = last.seldepth;
        } else if is_worse {
            // Aborted before even the first move was searched.
            settled.score = Score::DRAW;
            settled.bound = Bound::Exact;
        }
        settled
    }

    /// The score to report for one found by search: that of the tables if they know the move,
    /// except that a mate is kept if they say win or loss.
    pub(super) fn shown(&self, found: Score) -> Score {
        match self.known {
            Some(known) if !(found.is_mate() && known.is_decided()) => known,
            _ => found,
        }
    }

    /// Whether the tables call the game a draw after the move, as [`shown`](Self::shown) then tells.
    pub(super) fn is_table_draw(&self) -> bool {
        self.known.is_some_and(|known| !known.is_decided())
    }

    /// The sort key of root moves: a mate that was found, then the tables, then the score.
    pub(super) fn order(&self) -> Reverse<(bool, i32, Score)> {
        let mates = self.score.is_mate() && self.score.is_win();
        Reverse((mates, self.rank, self.score))
    }
}

/// The legal moves of a position, or those among `wanted` if there are such.
pub(super) fn root_moves<R: Rules>(
    position: &Position<R>,
    wanted: Option<&[Move]>,
) -> Vec<RootMove> {
    let legal = position.legal_moves();
    let chosen = legal
        .iter()
        .filter(|mv| wanted.is_none_or(|wanted| wanted.contains(mv)));
    chosen.map(|&mv| RootMove::new(mv)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root_move(score: i32, bound: Bound) -> RootMove {
        let mut root = RootMove::new(Position::startpos().legal_moves()[0]);
        root.score = Score::centipawns(score);
        root.bound = bound;
        root
    }

    #[test]
    fn a_move_that_was_never_searched_is_no_mate() {
        let root = RootMove::new(Position::startpos().legal_moves()[0]);
        assert_eq!(root.settled().score, Score::DRAW);
    }

    #[test]
    fn what_was_found_before_answers_for_a_failure_low_only() {
        let mut found = root_move(35, Bound::Exact);
        let line = [found.mv; 3];
        found.pv = line.to_vec();
        found.note_exact();
        for (bound, expected, settled_bound, plies) in [
            (Bound::Exact, -100, Bound::Exact, 1),
            (Bound::Lower, -100, Bound::Lower, 1),
            (Bound::Upper, 35, Bound::Exact, 3),
        ] {
            let root = RootMove {
                last_exact: found.last_exact.clone(),
                mean_score: found.mean_score,
                ..root_move(-100, bound)
            };
            let settled = root.settled();
            assert_eq!(settled.score, Score::centipawns(expected), "{bound:?}");
            assert_eq!(settled.bound, settled_bound, "{bound:?}");
            assert_eq!(settled.pv, line[..plies], "{bound:?}");
        }
    }

    #[test]
    fn a_mate_goes_before_what_the_tables_rank() {
        let mate = RootMove {
            score: Score::mate_in(3),
            rank: 1,
            ..root_move(0, Bound::Exact)
        };
        let ranked = RootMove {
            rank: 2,
            ..root_move(500, Bound::Exact)
        };
        let behind = root_move(900, Bound::Exact);
        assert!(mate.order() < ranked.order() && ranked.order() < behind.order());
    }
}
