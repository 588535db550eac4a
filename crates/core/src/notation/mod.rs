//! Moves as text: coordinates (`e2e4`) and standard algebraic notation (`Nf3`).

mod coordinate;
mod drop;
mod either;
mod san;

pub use coordinate::{CastlingText, NULL_MOVE, parse_coordinate, write_coordinate};
pub use either::parse_move;
pub use san::{parse_san, write_san};

use thiserror::Error;

use crate::position::Position;
use crate::types::Move;

const SHORT_CASTLING: &str = "O-O";
const LONG_CASTLING: &str = "O-O-O";

/// How castling is written in letters.
fn castling_letters(position: &Position, castling: Move) -> &'static str {
    if position.castles_short(castling) {
        SHORT_CASTLING
    } else {
        LONG_CASTLING
    }
}

/// The moves of a line that begins in `position`, one after the other, each as `write` has it.
pub fn write_moves(
    position: &Position,
    moves: &[Move],
    write: impl Fn(&Position, Move) -> String,
) -> Vec<String> {
    let mut position = position.clone();
    let write = |&mv: &Move| {
        let text = write(&position, mv);
        position.make_move(mv);
        text
    };
    moves.iter().map(write).collect()
}

/// Why a text is not a move of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    /// It does not look like a move.
    #[error("not a move")]
    Unrecognised,
    /// It is a move, but not a legal one here.
    #[error("illegal move")]
    Illegal,
    /// Several legal moves fit.
    #[error("ambiguous move")]
    Ambiguous,
}
