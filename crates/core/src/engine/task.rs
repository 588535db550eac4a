//! Work beside searches: what people ask about the current position, perft and the benchmark.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::bench::{self, BenchResult};
use crate::evaluation::{Evaluation, Evaluator};
use crate::perft;
use crate::position::Position;
use crate::search::{AllocationError, StopToken};
use crate::types::{Move, Score};

/// Something to do or to tell beside searches, about a position and with a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Tell the position.
    Position,
    /// Evaluate the position without searching.
    Evaluation,
    /// Tell which network is in use.
    Network,
    /// Count the move paths of this length in plies.
    Perft(u32),
    /// Run the benchmark of the game that is played to this depth in plies.
    Bench(u32),
}

/// What has come of a [`Task`].
#[derive(Clone, Debug)]
pub enum TaskResult {
    /// The position.
    Position(Box<Position>),
    /// The static evaluation, from White's side.
    Evaluation(Score),
    /// The network in a few words.
    Network(String),
    /// The number of move paths.
    Perft(Perft),
    /// The benchmark; incomplete after a stop.
    Bench(BenchResult),
}

/// The move paths of a position.
#[derive(Clone, Debug)]
pub struct Perft {
    /// Where they begin.
    pub position: Box<Position>,
    /// How many begin with each move; empty for the path without a move.
    pub divided: Vec<(Move, u64)>,
    /// How many there are; `None` after a stop.
    pub total: Option<u64>,
    /// How long it took to count them.
    pub time: Duration,
}

/// Why a task was not done.
#[derive(Clone, Copy, Debug, Error)]
pub enum TaskError {
    /// It needs a thread with more stack than others have.
    #[error("cannot start a thread: {0}")]
    Thread(io::ErrorKind),
    /// The benchmark needs a table.
    #[error(transparent)]
    Table(#[from] AllocationError),
    /// As many others wait as may.
    #[error("{0} tasks wait already")]
    TooMany(usize),
}

impl From<io::Error> for TaskError {
    fn from(error: io::Error) -> Self {
        Self::Thread(error.kind())
    }
}

impl Task {
    /// Does the work, or as much of it as it can before a stop; `evaluation` is asked for only where
    /// it is of use. Perft and the benchmark want a thread with [`crate::search::STACK_SIZE`] of
    /// stack.
    ///
    /// # Errors
    ///
    /// If the benchmark lacks memory.
    pub fn run(
        self,
        position: &Position,
        evaluation: impl FnOnce() -> Evaluation,
        stop: &Arc<StopToken>,
    ) -> Result<TaskResult, TaskError> {
        Ok(match self {
            Self::Position => TaskResult::Position(Box::new(position.clone())),
            Self::Evaluation => {
                let mut evaluator = Evaluator::new(evaluation());
                evaluator.reset(position);
                let score = evaluator.evaluate(position);
                TaskResult::Evaluation(score.white_relative(position.side_to_move()))
            }
            Self::Network => TaskResult::Network(match evaluation().for_game(position.variant()) {
                Evaluation::Network(network) => network.describe(),
                Evaluation::Material(_) => "none".to_owned(),
            }),
            Self::Perft(depth) => TaskResult::Perft(count(position, depth, stop)),
            Self::Bench(depth) => {
                let result = bench::run(position.variant(), depth, &evaluation(), stop)?;
                TaskResult::Bench(result)
            }
        })
    }

    /// Whether it takes no time and little stack.
    pub(super) fn is_brief(self) -> bool {
        !matches!(self, Self::Perft(_) | Self::Bench(_))
    }
}

fn count(position: &Position, depth: u32, stop: &StopToken) -> Perft {
    let start = Instant::now();
    let (divided, total) = if depth == 0 {
        (Vec::new(), Some(1))
    } else {
        let counts = perft::divide(&mut position.clone(), depth, &|| stop.is_stopped());
        let is_complete = counts.len() == position.count_legal_moves();
        let total = counts.iter().map(|&(_, count)| count).sum();
        (counts, is_complete.then_some(total))
    };
    Perft {
        position: Box::new(position.clone()),
        divided,
        total,
        time: start.elapsed(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_without_a_move_is_counted() {
        let perft = count(&Position::startpos(), 0, &StopToken::default());
        assert_eq!((perft.divided.len(), perft.total), (0, Some(1)));
    }
}
