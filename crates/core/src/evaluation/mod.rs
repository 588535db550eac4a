//! What a position is worth without searching on.
//!
//! [`Evaluation`] says what scores positions and is shared by all threads; an [`Evaluator`] belongs
//! to one thread and follows the moves it makes. What a search does with the scores lives elsewhere.

mod material;

pub use material::{Material, PIECE_VALUES};

use crate::position::Position;
use crate::types::{Move, Score};

/// What scores positions: shared by all threads.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// The worth of the men on the board.
    Material(Material),
}

impl Default for Evaluation {
    fn default() -> Self {
        Self::Material(Material::default())
    }
}

/// Scores the positions that one search thread walks through.
///
/// It is told of every move made and taken back, so that what changes little from move to move
/// need not be computed again.
#[derive(Clone, Debug)]
pub struct Evaluator {
    evaluation: Evaluation,
}

impl Evaluator {
    /// An evaluator at no position yet: call [`reset`](Self::reset) first.
    pub fn new(evaluation: Evaluation) -> Self {
        Self { evaluation }
    }

    /// Starts anew at `position`.
    pub fn reset(&mut self, _position: &Position) {}

    /// Notes that `mv` is about to be made: `position` is the one before it.
    #[inline]
    pub fn make_move(&mut self, _position: &Position, _mv: Move) {}

    /// Notes a null move.
    #[inline]
    pub fn make_null_move(&mut self) {}

    /// Notes that the last move, or null move, is taken back.
    #[inline]
    pub fn unmake_move(&mut self) {}

    /// The score of `position` from the side to move, never that of a mate.
    ///
    /// `position` must be the one that the moves told of led to.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        match &self.evaluation {
            Evaluation::Material(material) => Score::evaluation(material.evaluate(position)),
        }
    }
}
