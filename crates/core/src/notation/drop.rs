//! Drops of men in hand, `N@f3`: the same in both notations.

use super::MoveError;
use crate::position::Position;
use crate::types::{Hand, Move, PieceType};

/// Writes `mv`, a drop, without check signs.
pub(super) fn drop_text(position: &Position, mv: Move) -> String {
    let kind = position.moved_by(mv).piece_type();
    format!("{}@{}", kind.letter().to_ascii_uppercase(), mv.to())
}

/// Reads a drop; `None` if the text is none, or the game has no drops. The letter may be of either
/// case, and that of a pawn may be missing.
pub(super) fn parse_drop(position: &Position, text: &str) -> Option<Result<Move, MoveError>> {
    if !position.variant().has_hands() {
        return None;
    }
    let (man, square) = text.split_once('@')?;
    let mut letters = man.chars();
    let kind = match (letters.next(), letters.next()) {
        (None, _) => PieceType::Pawn,
        (Some(letter), None) => PieceType::from_letter(letter)?,
        _ => return None,
    };
    let to = square.to_ascii_lowercase().parse().ok()?;
    let legal = Hand::KINDS.contains(&kind).then(|| Move::drop(kind, to));
    let legal = legal.filter(|&mv| position.is_legal(mv));
    Some(legal.ok_or(MoveError::Illegal))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;
    use crate::notation::{
        CastlingText, parse_coordinate, parse_move, parse_san, write_coordinate, write_san,
    };
    use crate::position::Variant;

    fn position(fen: &str) -> Position {
        fen::parse_as(Variant::Crazyhouse, fen).unwrap()
    }

    #[test]
    fn drops_are_read_as_people_and_programs_write_them() {
        let position = position("4k3/8/8/8/8/8/8/R3K3[NP] w - - 0 1");
        for (text, expected) in [
            ("N@f6", Ok("N@f6")),
            ("n@f6", Ok("N@f6")),
            ("N@F6", Ok("N@f6")),
            ("P@e4", Ok("P@e4")),
            ("@e4", Ok("P@e4")),
            ("p@e4", Ok("P@e4")),
            ("Q@e4", Err(MoveError::Illegal)),
            ("K@e4", Err(MoveError::Illegal)),
            ("P@e1", Err(MoveError::Illegal)),
            ("P@a8", Err(MoveError::Illegal)),
            ("N@a1", Err(MoveError::Illegal)),
            ("N@", Err(MoveError::Unrecognised)),
            ("N@e9", Err(MoveError::Unrecognised)),
            ("X@e4", Err(MoveError::Unrecognised)),
            ("NP@e4", Err(MoveError::Unrecognised)),
            ("@", Err(MoveError::Unrecognised)),
            // The rook's own moves stay what they are.
            ("a1b1", Ok("a1b1")),
            ("a1e4", Err(MoveError::Illegal)),
        ] {
            for parse in [parse_move, parse_coordinate] {
                let found = parse(&position, text)
                    .map(|mv| write_coordinate(&position, mv, CastlingText::KingMove));
                assert_eq!(found.as_deref().map_err(|e| *e), expected, "{text}");
            }
        }
        assert_eq!(
            parse_san(&position, "N@f6+!?"),
            parse_move(&position, "N@f6")
        );
        let chess = fen::parse("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
        assert_eq!(parse_move(&chess, "P@e4"), Err(MoveError::Unrecognised));
    }

    #[test]
    fn drops_are_written_with_their_letter_and_checks() {
        for (fen, text) in [
            ("6k1/5ppp/8/8/8/8/8/4K3[R] w - - 0 1", "R@e8#"),
            ("6k1/5ppp/8/8/8/8/8/4K3[Rn] w - - 0 1", "R@e8+"),
            ("4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", "P@d7+"),
            // A knight on the board is no reason to say more.
            ("4k3/8/8/8/8/8/8/1N2K3[N] w - - 0 1", "N@c3"),
        ] {
            let position = position(fen);
            let mv = parse_san(&position, text).unwrap();
            assert_eq!(write_san(&position, mv), text);
        }
        // Nor is one in hand.
        let position = position("4k3/8/8/8/8/8/8/1N2K3[N] w - - 0 1");
        let mv = parse_san(&position, "Nc3").unwrap();
        assert!(mv.dropped().is_none());
        assert_eq!(write_san(&position, mv), "Nc3");
    }
}
