//! What chooses the moves of both sides.

use std::time::Instant;

use orthrus_core::evaluation::Evaluation;
use orthrus_core::position::Position;
use orthrus_core::search::{AllocationError, Limits, Searcher};
use orthrus_core::types::{Move, Score};

/// Plays both sides of one game at a time.
pub(crate) trait Player {
    /// Forgets everything: the next game must not depend on earlier ones.
    fn new_game(&mut self);

    /// The best move and its score from the side to move, after about `soft_nodes` nodes and at
    /// most `hard_nodes`; `None` if there is no legal move.
    fn think(
        &mut self,
        position: &Position,
        soft_nodes: u64,
        hard_nodes: u64,
    ) -> Option<(Move, Score)>;
}

/// Plays with the engine's own search, and a hash table of its own.
pub(crate) struct SearchPlayer {
    searcher: Searcher,
}

impl SearchPlayer {
    /// Needs a thread with [`STACK_SIZE`](orthrus_core::search::STACK_SIZE) of stack.
    ///
    /// # Errors
    ///
    /// If there is no memory for the hash table.
    pub(crate) fn new(
        hash_mebibytes: usize,
        evaluation: Evaluation,
    ) -> Result<Self, AllocationError> {
        let searcher = Searcher::new(hash_mebibytes, evaluation)?;
        Ok(Self { searcher })
    }
}

impl Player for SearchPlayer {
    fn new_game(&mut self) {
        self.searcher.new_game();
    }

    fn think(
        &mut self,
        position: &Position,
        soft_nodes: u64,
        hard_nodes: u64,
    ) -> Option<(Move, Score)> {
        let limits = Limits {
            soft_nodes: Some(soft_nodes),
            nodes: Some(hard_nodes),
            ..Limits::none(Instant::now())
        };
        let result = self.searcher.search(position, &limits);
        result.best.map(|best| (best, result.score))
    }
}
