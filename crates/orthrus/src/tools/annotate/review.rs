//! A game and what the engine thinks of it.

use std::ops::ControlFlow;

use orthrus_core::evaluation::WinDrawLoss;
use orthrus_core::game::Game;
use orthrus_core::position::{Outcome, Position};
use orthrus_core::types::{Color, Move, Score};
use orthrus_pgn::PgnGame;

use super::accuracy::{Mark, bounded, game_accuracy, move_accuracy, percent_for, win_percent};
use crate::failure::Failure;
use crate::text::white_chances;
use crate::tools::analyst::{Analysis, Analyst};

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
        let mut board = Game::new(game.start.clone());
        let mut positions = vec![game.start.clone()];
        positions.extend(game.moves().map_while(|mv| {
            let is_legal = board.play(mv);
            is_legal.then(|| board.position().without_history())
        }));
        let mut review = Self {
            game,
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
            if let Some(node) = review.game.main.moves.get(ply) {
                board.play(node.mv);
            }
        }
        Ok((review, false))
    }

    /// The moves that were played, each with the position before it.
    pub(crate) fn moves(&self) -> impl Iterator<Item = (&Position, Move)> {
        self.positions.iter().zip(self.game.moves())
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
        let played = self.game.main.moves.get(index).map(|node| node.mv);
        let is_best = before.line.first().copied() == played;
        Some(Verdict {
            accuracy: move_accuracy(lost),
            mark: Mark::of_loss(lost).filter(|_| !is_best),
        })
    }

    pub(crate) fn summary(&self, side: Color) -> Summary {
        let white: Vec<f64> = self
            .evaluations
            .iter()
            .map(|it| win_percent(it.score))
            .collect();
        let first = self.positions[0].side_to_move();
        let mut summary = Summary {
            accuracy: game_accuracy(&white, first, side),
            ..Summary::default()
        };
        let (mut lost, mut moves) = (0, 0);
        for (index, pair) in self.evaluations.windows(2).enumerate() {
            if self.positions[index].side_to_move() != side {
                continue;
            }
            let [before, after] =
                [&pair[0], &pair[1]].map(|it| bounded(it.score.white_relative(side)));
            lost += (before - after).max(0) as u32;
            moves += 1;
            match self.verdict(index).and_then(|verdict| verdict.mark) {
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
        Outcome::Checkmate(Color::White) => Score::mate_in(0),
        Outcome::Checkmate(Color::Black) => Score::mated_in(0),
        Outcome::Repetition | Outcome::FiftyMoves if !is_last => return None,
        _ => Score::DRAW,
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
        chances: white_chances(info.score, position),
        depth: info.depth,
        nodes: info.nodes,
        line: info.pv,
    }))
}
