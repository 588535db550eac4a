//! Moves in either notation.

use super::MoveError;
use super::coordinate::parse_coordinate;
use super::san::parse_san;
use crate::position::Position;
use crate::types::Move;

/// Reads a move in either notation. A text that could be either is SAN: `B1c3` is a bishop's move.
///
/// # Errors
///
/// Says why no legal move fits.
pub fn parse_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    parse_san(position, text).or_else(|in_san| {
        parse_coordinate(position, text).map_err(|in_coordinates| match in_san {
            MoveError::Unrecognised => in_coordinates,
            MoveError::Illegal | MoveError::Ambiguous => in_san,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;
    use crate::notation::{CastlingText, write_coordinate};

    #[test]
    fn either_notation_is_read() {
        // Bishops on e1, e3 and c5, knights on b1 and b5.
        let position = fen::parse("6k1/8/8/1NB5/8/4B3/8/1N2B1K1 w - - 0 1").unwrap();
        for (text, expected) in [
            ("b1c3", Ok("b1c3")),
            ("B1C3", Ok("b1c3")),
            // The knight on b1 could go there, too.
            ("B1c3", Ok("e1c3")),
            // No bishop on the fifth rank can, but the knight on b5.
            ("B5c3", Ok("b5c3")),
            ("B1d2", Ok("e1d2")),
            ("e1d2", Ok("e1d2")),
            ("Bd2", Err(MoveError::Ambiguous)),
            ("Bd3", Err(MoveError::Illegal)),
            ("E1E2", Err(MoveError::Illegal)),
            ("move", Err(MoveError::Unrecognised)),
        ] {
            let found = parse_move(&position, text)
                .map(|mv| write_coordinate(&position, mv, CastlingText::KingMove));
            assert_eq!(found.as_deref().map_err(|e| *e), expected, "{text}");
        }
    }
}
