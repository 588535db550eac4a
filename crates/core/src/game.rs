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

    /// The game that goes on when the side to move passes, with a null move; `None` if it is in check.
    ///
    /// It has no earlier moves: no move of chess leads to its first position, in which nobody may
    /// capture en passant. The counters stay.
    pub fn after_pass(&self) -> Option<Self> {
        let mut setup = self.position.setup();
        setup.side_to_move = !setup.side_to_move;
        setup.en_passant = None;
        Position::from_setup(&setup).ok().map(Self::new)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen::{self, CastlingLetters};

    #[test]
    fn a_pass_begins_a_game_without_en_passant() {
        let before = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3";
        let after = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3";
        let game = Game::new(fen::parse(before).unwrap());
        let passed = game.after_pass().unwrap();
        let text = fen::write(passed.position(), CastlingLetters::KingAndQueen);
        assert_eq!(text, after);
        assert!(passed.moves().is_empty());
    }

    #[test]
    fn nobody_passes_in_check() {
        let check = "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1";
        assert!(Game::new(fen::parse(check).unwrap()).after_pass().is_none());
    }
}
