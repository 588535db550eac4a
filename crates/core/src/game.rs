//! A game: where it began, and the moves played since.

use crate::position::{Outcome, Position};
use crate::types::Move;

/// A position with the moves that led to it from the set-up.
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    moves: Vec<Move>,
    position: Position,
}

impl Default for Game {
    /// A game of standard chess before the first move.
    fn default() -> Self {
        Self::new(Position::startpos())
    }
}

impl Game {
    /// A game that begins with this position.
    pub fn new(start: Position) -> Self {
        Self {
            position: start.clone(),
            moves: Vec::new(),
            start,
        }
    }

    /// The position the game began with.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves played, oldest first.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The current position, which knows the earlier ones for repetitions.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Plays a move if it is legal; says whether it was.
    pub fn play(&mut self, mv: Move) -> bool {
        let legal = self.position.is_legal(mv);
        if legal {
            self.position.make_move(mv);
            self.moves.push(mv);
        }
        legal
    }

    /// Takes the last move back and returns it; `None` at the beginning.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.position.unmake_move();
        Some(mv)
    }

    /// The rule by which the game is over, if it is.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }
}
