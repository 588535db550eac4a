//! A game and what the engine thinks of it.

use std::mem;
use std::ops::ControlFlow;

use orthrus_core::evaluation::WinDrawLoss;
use orthrus_core::game::Game;
use orthrus_core::position::{Outcome, Position};
use orthrus_core::types::{Color, Move, Score};
use orthrus_pgn::{MoveNode, PgnGame};

use super::accuracy::{Mark, bounded, game_accuracy, move_accuracy, percent_for, win_percent};
use super::phase::Phase;
use super::remarks::remove_earlier;
use crate::failure::Failure;
use crate::text::white_chances;
use crate::tools::analyst::{Analysis, Analyst};

/// A better line has at least this many plies, unless the game ends before.
const LINE_LENGTH: usize = 6;

/// What the engine thinks of a position, from White's side.
#[derive(Clone, Debug)]
pub(crate) struct Evaluation {
    pub(crate) score: Score,
    /// In permille of games between equal engines.
    pub(crate) chances: WinDrawLoss,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    /// The best line; empty if the game is over.
    pub(crate) line: Vec<Move>,
}

#[derive(Clone, Debug)]
pub(crate) struct Review {
    pub(crate) game: PgnGame,
    /// The positions from the first to the last.
    pub(crate) positions: Vec<Position>,
    /// The phase of each of them.
    pub(crate) phases: Vec<Phase>,
    /// What they are worth; fewer than positions if the review was interrupted.
    pub(crate) evaluations: Vec<Evaluation>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Verdict {
    /// From 0 to 100.
    pub(crate) accuracy: f64,
    /// `None` for moves that were good enough.
    pub(crate) mark: Option<Mark>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Summary {
    /// From 0 to 100; `None` without a move.
    pub(crate) accuracy: Option<f64>,
    /// The same for the moves of each phase.
    pub(crate) phases: [Option<f64>; 3],
    /// What an average move lost, in centipawns.
    pub(crate) centipawn_loss: Option<u32>,
    pub(crate) inaccuracies: usize,
    pub(crate) mistakes: usize,
    pub(crate) blunders: usize,
}

impl Review {
    /// Lets the engine evaluate every position; `on_evaluation` is called after each. Also returns
    /// whether that was interrupted.
    pub(crate) fn make(
        game: PgnGame,
        analyst: &mut Analyst,
        on_evaluation: impl Fn(),
    ) -> Result<(Self, bool), Failure> {
        let mut positions = vec![game.start.clone()];
        for node in &game.main.moves {
            let mut next = positions[positions.len() - 1].clone();
            if !node.is_legal(&next) {
                break;
            }
            node.play(&mut next);
            positions.push(next.without_history());
        }
        let mut review = Self {
            game,
            phases: Phase::of_game(&positions),
            positions,
            evaluations: Vec::new(),
        };
        analyst.new_game()?;
        let mut board = Game::new(review.game.start.clone());
        for ply in 0..review.positions.len() {
            let is_last = ply + 1 == review.positions.len();
            let evaluation = match decided(&board, is_last) {
                None => search(&board, analyst)?,
                decided => decided,
            };
            let Some(evaluation) = evaluation else {
                return Ok((review, true));
            };
            review.evaluations.push(evaluation);
            on_evaluation();
            if ply > 0 && review.complete_line(ply - 1, analyst)?.is_break() {
                return Ok((review, true));
            }
            match review.game.main.moves.get(ply).map(|node| node.mv) {
                Some(Some(mv)) => {
                    board.play(mv);
                }
                // What was before cannot be repeated after a null move.
                Some(None) if !is_last => board = Game::new(review.positions[ply + 1].clone()),
                _ => {}
            }
        }
        Ok((review, false))
    }

    /// Lengthens the line that is better than the marked move with this index, if there is one: the
    /// last report of a search may have a line of a single move. A break means Ctrl-C.
    fn complete_line(
        &mut self,
        index: usize,
        analyst: &mut Analyst,
    ) -> Result<ControlFlow<()>, Failure> {
        if self.mark(index).is_none() {
            return Ok(ControlFlow::Continue(()));
        }
        let mut line = mem::take(&mut self.evaluations[index].line);
        let mut board = Game::new(self.positions[index].clone());
        let is_legal = line.iter().all(|&mv| board.play(mv));
        let mut flow = ControlFlow::Continue(());
        while is_legal && line.len() < LINE_LENGTH && board.outcome().is_none() {
            let Some(next) = search(&board, analyst)?.filter(|next| !next.line.is_empty()) else {
                flow = ControlFlow::Break(());
                break;
            };
            line.extend(next.line.iter().take_while(|&&mv| board.play(mv)));
        }
        self.evaluations[index].line = line;
        Ok(flow)
    }

    /// The moves that were played, each with the position before it.
    pub(crate) fn moves(&self) -> impl Iterator<Item = (&Position, &MoveNode)> {
        self.positions.iter().zip(&self.game.main.moves)
    }

    /// The move with this index and what others have said about it.
    pub(crate) fn owners(&self, index: usize) -> MoveNode {
        let mut node = self.game.main.moves[index].clone();
        remove_earlier(&mut node, &self.positions[index]);
        node
    }

    /// The verdict on the move with this index; `None` if it was not evaluated.
    pub(crate) fn verdict(&self, index: usize) -> Option<Verdict> {
        let (before, after) = (
            self.evaluations.get(index)?,
            self.evaluations.get(index + 1)?,
        );
        let side = self.positions[index].side_to_move();
        let chance = |evaluation: &Evaluation| percent_for(side, win_percent(evaluation.score));
        let lost = chance(before) - chance(after);
        let played = self.game.main.moves.get(index)?.mv;
        // Passing is nobody's idea of a good move: it shows what is threatened.
        let is_shown = played.is_none() || before.line.first().copied() == played;
        Some(Verdict {
            accuracy: move_accuracy(lost),
            mark: Mark::of_loss(lost).filter(|_| !is_shown),
        })
    }

    /// The mark of the move with this index; `None` if it has none.
    pub(crate) fn mark(&self, index: usize) -> Option<Mark> {
        self.verdict(index)?.mark
    }

    pub(crate) fn summary(&self, side: Color) -> Summary {
        let white: Vec<f64> = self
            .evaluations
            .iter()
            .map(|it| win_percent(it.score))
            .collect();
        // Passing is no move of theirs.
        let is_counted = |index: usize| {
            let is_theirs = self.positions[index].side_to_move() == side;
            is_theirs && self.game.main.moves[index].mv.is_some()
        };
        let mut summary = Summary {
            accuracy: game_accuracy(&white, side, is_counted),
            phases: Phase::ALL.map(|phase| {
                let begin = self.phases.iter().position(|&it| it == phase)?;
                let end = self.phases.iter().rposition(|&it| it == phase)? + 1;
                let end = end.min(white.len().saturating_sub(1));
                let white = white.get(begin..=end)?;
                game_accuracy(white, side, |index| is_counted(begin + index))
            }),
            ..Summary::default()
        };
        let (mut lost, mut moves) = (0, 0);
        for (index, pair) in self.evaluations.windows(2).enumerate() {
            if !is_counted(index) {
                continue;
            }
            let [before, after] =
                [&pair[0], &pair[1]].map(|it| bounded(it.score.white_relative(side)));
            lost += (before - after).max(0) as u32;
            moves += 1;
            match self.mark(index) {
                Some(Mark::Inaccuracy) => summary.inaccuracies += 1,
                Some(Mark::Mistake) => summary.mistakes += 1,
                Some(Mark::Blunder) => summary.blunders += 1,
                None => {}
            }
        }
        summary.centipawn_loss = u32::checked_div(lost, moves);
        summary
    }
}

/// The evaluation of a position in which the game is over. A draw that could have been claimed
/// ends a game only at its last move.
fn decided(board: &Game, is_last: bool) -> Option<Evaluation> {
    let score = match board.outcome()? {
        Outcome::Repetition | Outcome::FiftyMoves if !is_last => return None,
        outcome => match outcome.winner() {
            Some(Color::White) => Score::mate_in(0),
            Some(Color::Black) => Score::mated_in(0),
            None => Score::DRAW,
        },
    };
    Some(Evaluation {
        score,
        // Already White's score: a game that is over is certain, whoever is to move.
        chances: WinDrawLoss::new(score, board.position()),
        depth: 0,
        nodes: 0,
        line: Vec::new(),
    })
}

/// Searches a position; `None` if that was interrupted.
fn search(board: &Game, analyst: &mut Analyst) -> Result<Option<Evaluation>, Failure> {
    let Analysis {
        info, interrupted, ..
    } = analyst.search(board, |_| ControlFlow::Continue(()))?;
    let position = board.position();
    Ok((!interrupted).then(|| Evaluation {
        score: info.score.white_relative(position.side_to_move()),
        chances: white_chances(&info, position),
        depth: info.depth,
        nodes: info.nodes,
        line: info.pv,
    }))
}
