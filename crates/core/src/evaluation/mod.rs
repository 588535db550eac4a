//! Static evaluation of positions.
//!
//! An [`Evaluation`] is shared by all threads; an [`Evaluator`] belongs to one thread and follows
//! the moves it makes. A network knows one game. A variant without one of its own uses that of its
//! nearest relative.

mod material;
pub mod network;
pub mod wdl;

pub use material::Material;
pub use network::{CpuLevel, Network, NetworkError};
pub use wdl::{WinDrawLoss, normalised};

use std::sync::Arc;

use network::Accumulators;

use crate::position::{Position, Rules, Variant};
use crate::types::{Bitboard, Move, Score};

/// The unit of [`fade`].
pub const FADE_UNIT: i32 = 200;

/// How much of an evaluation is left after so many plies without a capture or a pawn's move, in units of
/// 1 / [`FADE_UNIT`]: all at first, and half of it where the fifty-move rule makes the game a draw. A network
/// does not see that clock.
pub fn fade(fifty_move_clock: u16) -> i32 {
    FADE_UNIT - i32::from(fifty_move_clock.min(100))
}

/// How positions are scored: shared by all threads.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// The material on the board, and nothing else: what each game is learned from.
    Material(Material),
    /// A network for its game, and for the others what the binary carries.
    Network(Arc<Network>),
}

impl Evaluation {
    /// What scores the positions of this game: material, or one network, this one or one that the
    /// binary carries.
    #[must_use]
    pub fn for_game(&self, variant: Variant) -> Self {
        let Self::Network(network) = self else {
            return self.clone();
        };
        let games = [variant, Network::embedded_game(variant)];
        if games.contains(&network.variant()) {
            return self.clone();
        }
        Self::Network(Network::embedded(variant, network.level()))
    }

    /// The evaluation that the binary carries, computed with the instructions of `level`.
    pub fn standard(level: CpuLevel) -> Self {
        Self::Network(Network::embedded(Variant::Standard, level))
    }
}

impl Default for Evaluation {
    /// The standard evaluation with the best instructions of this processor.
    fn default() -> Self {
        Self::standard(CpuLevel::detect())
    }
}

/// Scores the positions that one search thread walks through.
///
/// It is told of every move made and taken back, so that it can update what changes little from
/// move to move. Null moves change nothing on the board.
#[derive(Clone, Debug)]
pub struct Evaluator {
    evaluation: Evaluation,
    /// The game of the last set-up, for which `scorer` is made.
    variant: Variant,
    scorer: Scorer,
}

/// An [`Evaluation`] with what one thread needs to use it for one game.
#[derive(Clone, Debug)]
enum Scorer {
    Material(Material),
    Network(Accumulators),
}

impl Scorer {
    fn new(evaluation: &Evaluation, variant: Variant) -> Self {
        match evaluation.for_game(variant) {
            Evaluation::Material(material) => Self::Material(material),
            Evaluation::Network(network) => Self::Network(Accumulators::new(network)),
        }
    }
}

impl Evaluator {
    /// An evaluator at the start position: [`reset`](Self::reset) puts it elsewhere.
    pub fn new(evaluation: Evaluation) -> Self {
        let variant = Variant::Standard;
        Self {
            scorer: Scorer::new(&evaluation, variant),
            variant,
            evaluation,
        }
    }

    /// Starts anew at `position`.
    pub fn reset<R: Rules>(&mut self, position: &Position<R>) {
        if self.variant != position.variant() {
            self.variant = position.variant();
            self.scorer = Scorer::new(&self.evaluation, self.variant);
        }
        if let Scorer::Network(accumulators) = &mut self.scorer {
            accumulators.reset(position);
        }
    }

    /// Notes that the legal move `mv` is about to be made: `position` is the one before it.
    pub fn make_move<R: Rules>(&mut self, position: &Position<R>, mv: Move) {
        if let Scorer::Network(accumulators) = &mut self.scorer {
            accumulators.make_move(position, mv);
        }
    }

    /// Notes that the last move is taken back.
    pub fn unmake_move(&mut self) {
        if let Scorer::Network(accumulators) = &mut self.scorer {
            accumulators.unmake_move();
        }
    }

    /// The score of `position` from the side to move's point of view, never that of a mate.
    ///
    /// `position` must be the one after all moves passed to [`make_move`](Self::make_move).
    pub fn evaluate<R: Rules>(&mut self, position: &Position<R>) -> Score {
        self.score_and_threats(position).0
    }

    /// The same; if the evaluation has to know what the opponent attacks, the position knows it from then on.
    pub(crate) fn evaluate_noting<R: Rules>(&mut self, position: &mut Position<R>) -> Score {
        let (score, threats) = self.score_and_threats(position);
        if let Some(threats) = threats {
            position.note_threats(threats);
        }
        score
    }

    fn score_and_threats<R: Rules>(&mut self, position: &Position<R>) -> (Score, Option<Bitboard>) {
        let (value, threats) = match &mut self.scorer {
            Scorer::Network(accumulators) => accumulators.evaluate(position),
            Scorer::Material(material) => (material.evaluate(position), None),
        };
        (Score::evaluation(value), threats)
    }
}
