//! Static evaluation of positions.
//!
//! An [`Evaluation`] is shared by all threads; an [`Evaluator`] belongs to one thread and follows
//! the moves it makes. The network knows chess; games that resemble it add a term of their own,
//! others count material (`variants`).

mod material;
pub mod network;
mod variants;
pub mod wdl;

pub use material::Material;
pub use network::{CpuLevel, Network, NetworkError};
pub use wdl::{WinDrawLoss, normalised};

use std::sync::Arc;

use network::Accumulators;

use crate::position::{Position, Rules};
use crate::types::{Move, Score};

/// How positions are scored: shared by all threads.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// The material on the board.
    Material(Material),
    /// A network.
    Network(Arc<Network>),
}

impl Evaluation {
    /// The evaluation that the binary carries, computed with the instructions of `level`.
    pub fn standard(level: CpuLevel) -> Self {
        Self::Network(Network::embedded(level))
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
/// move to move.
#[derive(Clone, Debug)]
pub struct Evaluator {
    scorer: Scorer,
}

/// An [`Evaluation`] with what one thread needs to use it.
#[derive(Clone, Debug)]
enum Scorer {
    Material(Material),
    Network(Accumulators),
}

impl Evaluator {
    /// An evaluator at the start position: [`reset`](Self::reset) puts it elsewhere.
    pub fn new(evaluation: Evaluation) -> Self {
        let scorer = match evaluation {
            Evaluation::Material(material) => Scorer::Material(material),
            Evaluation::Network(network) => Scorer::Network(Accumulators::new(network)),
        };
        Self { scorer }
    }

    /// Starts anew at `position`.
    pub fn reset<R: Rules>(&mut self, position: &Position<R>) {
        if let Scorer::Network(accumulators) = &mut self.scorer
            && position.variant().resembles_chess()
        {
            accumulators.reset(position);
        }
    }

    /// Notes that the legal move `mv` is about to be made: `position` is the one before it.
    pub fn make_move<R: Rules>(&mut self, position: &Position<R>, mv: Move) {
        if let Scorer::Network(accumulators) = &mut self.scorer
            && position.variant().resembles_chess()
        {
            accumulators.make_move(position, mv);
        }
    }

    /// Notes a null move.
    pub fn make_null_move(&mut self) {
        if let Scorer::Network(accumulators) = &mut self.scorer {
            accumulators.make_null_move();
        }
    }

    /// Notes that the last move, or null move, is taken back.
    pub fn unmake_move(&mut self) {
        if let Scorer::Network(accumulators) = &mut self.scorer {
            accumulators.unmake_move();
        }
    }

    /// The score of `position` from the side to move's point of view, never that of a mate.
    ///
    /// `position` must be the one after all moves passed to [`make_move`](Self::make_move).
    pub fn evaluate<R: Rules>(&mut self, position: &Position<R>) -> Score {
        let of_variant = variants::terms(position);
        Score::evaluation(match &mut self.scorer {
            Scorer::Network(accumulators) if position.variant().resembles_chess() => {
                accumulators.evaluate(position) + of_variant
            }
            Scorer::Network(_) => Material::default().evaluate(position) + of_variant,
            Scorer::Material(material) => material.evaluate(position) + of_variant,
        })
    }
}
