//! The principal variation: the line both sides are expected to follow.

use std::time::{Duration, Instant};

use arrayvec::ArrayVec;

use super::root::RootMove;
use super::threads::shared::Shared;
use super::tt::TranspositionTable;
use crate::position::{Position, Rules};
use crate::types::{Color, MAX_PLY, Move, Score};

/// Time for extending the line of the answer with the endgame tablebases: well within the time
/// reserved for overhead and, without a clock, too short for a person to notice.
const FINAL_LINE_TIME: Duration = Duration::from_millis(5);
const FINAL_LINE_TIME_UNTIMED: Duration = Duration::from_millis(250);
/// Time for extending the lines of earlier reports: the time spent so far divided by this, at most
/// [`FINAL_LINE_TIME_UNTIMED`].
const LINE_TIME_SHARE: u32 = 16;

/// A line of play, first move first.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// The best line found so far from every ply of the current path.
pub(super) struct PvTable {
    lines: Vec<Line>,
}

impl PvTable {
    pub(super) fn new() -> Self {
        Self {
            lines: vec![Line::new(); MAX_PLY + 1],
        }
    }

    /// Forgets the line from `ply` on: a new node begins there.
    pub(super) fn clear(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// Notes that `mv` is best at `ply`, followed by the line found below it.
    pub(super) fn update(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        if let Some(reply) = below.first() {
            let left = line.remaining_capacity();
            line.extend(reply.iter().copied().take(left));
        }
    }

    pub(super) fn line(&self, ply: usize) -> &[Move] {
        &self.lines[ply]
    }
}

/// The deadline for the lines of a report that begins now.
pub(super) fn lines_deadline(shared: &Shared) -> Instant {
    let clock = &shared.clock;
    let spent = clock
        .spent()
        .map_or_else(|| clock.elapsed(), |(_, spent)| spent);
    Instant::now() + (spent / LINE_TIME_SHARE).min(FINAL_LINE_TIME_UNTIMED)
}

/// The line of the answer, by a root move of `position`.
pub(super) fn final_line<R: Rules>(
    position: &Position<R>,
    root: &RootMove,
    shared: &Shared,
) -> Vec<Move> {
    // A stopped ponder search has a clock too; and after a stop somebody waits for the answer.
    let time = if shared.clock.budget().is_some() || shared.stop_requested() {
        FINAL_LINE_TIME
    } else {
        FINAL_LINE_TIME_UNTIMED
    };
    let deadline = Instant::now() + time;
    full_line(position, root, shared, &|| Instant::now() >= deadline)
}

/// A line during the search, extended as far as the deadline allows.
pub(super) fn line_so_far<R: Rules>(
    position: &Position<R>,
    root: &RootMove,
    deadline: Instant,
    shared: &Shared,
) -> Vec<Move> {
    let is_over = || shared.stop.is_stopped() || Instant::now() >= deadline;
    full_line(position, root, shared, &is_over)
}

/// The line of a root move to its end: extended with the endgame tablebases if its score is theirs,
/// until it `is_over`, and with the transposition table if it is a mate.
fn full_line<R: Rules>(
    position: &Position<R>,
    root: &RootMove,
    shared: &Shared,
    is_over: &dyn Fn() -> bool,
) -> Vec<Move> {
    let score = root.shown(root.score);
    match (&shared.syzygy, score.mate_plies()) {
        (Some(syzygy), _) if score.is_by_tablebase() => {
            syzygy.extend_line(position, &root.pv, is_over)
        }
        (_, Some(plies)) => {
            let plies = plies.unsigned_abs() as usize;
            let us = position.side_to_move();
            let winner = if score.is_win() { us } else { !us };
            to_mate(position, &root.pv, plies, winner, &shared.tt)
        }
        _ => root.pv.clone(),
    }
}

/// Extends a line towards the mate, or other win, that its score promises, `plies` from `root`. The
/// search may have cut it short where a bound was enough: it continues with moves after which the
/// table knows the same mate, as far as there are any.
fn to_mate<R: Rules>(
    root: &Position<R>,
    line: &[Move],
    plies: usize,
    winner: Color,
    tt: &TranspositionTable,
) -> Vec<Move> {
    let mut line = line.to_vec();
    let mut position = root.clone();
    for &mv in &line {
        position.make_move(mv);
    }
    while line.len() < plies && !position.is_draw(line.len()) && position.ending().is_none() {
        let ply = line.len() + 1;
        let next = position.legal_moves().into_iter().find(|&mv| {
            position.make_move(mv);
            let keeps = if ply == plies {
                position.winner() == Some(winner)
            } else {
                let wanted = if position.side_to_move() == winner {
                    Score::mate_in(plies)
                } else {
                    Score::mated_in(plies)
                };
                tt.probe(position.tt_key(), ply)
                    .is_some_and(|entry| entry.score == wanted)
            };
            position.unmake_move();
            keeps
        });
        let Some(mv) = next else { break };
        position.make_move(mv);
        line.push(mv);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::super::bound::Bound;
    use super::super::tt::Entry;
    use super::*;
    use crate::fen;
    use crate::notation::{CastlingText, parse_move, write_coordinate};

    #[test]
    fn a_mate_is_carried_on_by_what_the_table_knows() {
        let root = fen::parse("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1").unwrap();
        let first = parse_move(&root, "a2a7").unwrap();
        let tt = TranspositionTable::new(1).unwrap();
        assert_eq!(to_mate(&root, &[first], 3, Color::White, &tt), [first]);

        let mut position = root.clone();
        position.make_move(first);
        position.make_move(parse_move(&position, "h8g8").unwrap());
        let entry = Entry {
            mv: None,
            score: Score::mate_in(3),
            evaluation: None,
            depth: 1,
            bound: Some(Bound::Lower),
            was_pv: false,
        };
        tt.store(position.tt_key(), 2, entry);
        let line = to_mate(&root, &[first], 3, Color::White, &tt);
        let mut position = root;
        let written = line.iter().map(|&mv| {
            let text = write_coordinate(&position, mv, CastlingText::KingMove);
            position.make_move(mv);
            text
        });
        assert_eq!(written.collect::<Vec<_>>().join(" "), "a2a7 h8g8 b1b8");
    }
}
