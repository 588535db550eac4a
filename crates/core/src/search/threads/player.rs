//! What searches on one thread, whatever the game: a worker compiled for standard chess, or one for
//! all variants. What a worker has learned is of no use in another game, so there is one at a time.

use std::sync::Arc;

use super::shared::Shared;
use super::worker::{Reporter, SearchResult, Worker};
use crate::evaluation::Evaluation;
use crate::position::{AnyRules, Position, Standard};
use crate::search::iterative;

/// A search thread's own data. It lives as long as the thread.
pub(crate) struct Player {
    /// 0 for the main thread.
    pub(crate) index: usize,
    evaluation: Evaluation,
    report: Reporter,
    /// At most one of the two is there.
    standard: Option<Box<Worker<Standard>>>,
    variant: Option<Box<Worker<AnyRules>>>,
}

impl Player {
    /// A player of standard chess, until it is asked for another game.
    pub(crate) fn new(index: usize, evaluation: Evaluation, report: Reporter) -> Self {
        // Its memory is taken when the thread starts, not when the clock runs.
        let standard = Position::startpos().as_standard().map(|position| {
            let report = Arc::clone(&report);
            Box::new(Worker::new(index, evaluation.clone(), report, position))
        });
        Self {
            index,
            evaluation,
            report,
            standard,
            variant: None,
        }
    }

    /// Forgets what was learned: a new game begins.
    pub(crate) fn new_game(&mut self) {
        if let Some(worker) = &mut self.standard {
            worker.new_game();
        }
        if let Some(worker) = &mut self.variant {
            worker.new_game();
        }
    }

    /// Changes the evaluation.
    pub(crate) fn set_evaluation(&mut self, evaluation: Evaluation) {
        if let Some(worker) = &mut self.standard {
            worker.set_evaluation(evaluation.clone());
        }
        if let Some(worker) = &mut self.variant {
            worker.set_evaluation(evaluation.clone());
        }
        self.evaluation = evaluation;
    }

    /// Searches `position` until a limit of `shared` is reached.
    pub(crate) fn search(&mut self, position: &Position, shared: &Shared) -> SearchResult {
        let evaluation = || self.evaluation.clone();
        let report = || Arc::clone(&self.report);
        if let Some(position) = position.as_standard() {
            // The memory of the other one is given back first.
            self.variant = None;
            let worker = self.standard.get_or_insert_with(|| {
                let position = position.clone();
                Box::new(Worker::new(self.index, evaluation(), report(), position))
            });
            return iterative::search(worker, &position, shared);
        }
        self.standard = None;
        let plays_it =
            |worker: &mut Box<Worker<AnyRules>>| worker.position.variant() == position.variant();
        self.variant = self.variant.take_if(plays_it);
        let worker = self.variant.get_or_insert_with(|| {
            let position = position.clone();
            Box::new(Worker::new(self.index, evaluation(), report(), position))
        });
        iterative::search(worker, position, shared)
    }
}
