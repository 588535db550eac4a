//! Coordinate notation: from, to and promotion, `e7e8q`.

use super::drop::{drop_text, parse_drop};
use super::{MoveError, castling_letters};
use crate::position::Position;
use crate::types::{Move, PieceType, Promotion, Square};

/// The null move in coordinates, as UCI has it.
pub const NULL_MOVE: &str = "0000";

/// How castling is written in coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CastlingText {
    /// By the squares the king leaves and reaches, `e1g1`: standard chess. If these are less than
    /// two squares apart, which never happens there, by those of king and rook.
    #[default]
    KingMove,
    /// By the squares of the king and its rook, `e1h1`: Chess960.
    KingTakesRook,
    /// `O-O` and `O-O-O`, whatever the squares.
    Letters,
}

impl CastlingText {
    /// What other programs expect that only know the position: as in standard chess if every right
    /// to castle is as there, otherwise as in Chess960.
    pub fn fitting(position: &Position) -> Self {
        if position.has_standard_castling() {
            Self::KingMove
        } else {
            Self::KingTakesRook
        }
    }
}

/// Writes a move of `position` in coordinates.
pub fn write_coordinate(position: &Position, mv: Move, castling: CastlingText) -> String {
    if mv.dropped().is_some() {
        return drop_text(position, mv);
    }
    let from = mv.from();
    if mv.is_castling() {
        let king = position.castled_king(mv);
        return match castling {
            CastlingText::KingMove if is_wide(from, king) => format!("{from}{king}"),
            CastlingText::KingMove | CastlingText::KingTakesRook => format!("{from}{}", mv.to()),
            CastlingText::Letters => castling_letters(position, mv).to_owned(),
        };
    }
    match mv.promotion() {
        Some(promotion) => format!("{from}{}{}", mv.to(), promotion.piece_type().letter()),
        None => format!("{from}{}", mv.to()),
    }
}

/// Reads a move in coordinates.
///
/// Castling is understood by the squares of king and rook, and by those of the king's own move if
/// that is no other legal move and at least two squares wide. Letters may be upper case.
///
/// # Errors
///
/// [`MoveError::Unrecognised`] if the text is not in coordinates, [`MoveError::Illegal`] if it is
/// and no legal move fits.
pub fn parse_coordinate(position: &Position, text: &str) -> Result<Move, MoveError> {
    if let Some(drop) = parse_drop(position, text) {
        return drop;
    }
    let (from, to, promotion) = split(text)
        .filter(|&(_, _, promotion)| promotion.is_none_or(|it| position.may_become(it)))
        .ok_or(MoveError::Unrecognised)?;
    let moves = position.legal_moves();
    let plain = moves.iter().find(|mv| {
        mv.dropped().is_none() && mv.from() == from && mv.to() == to && mv.promotion() == promotion
    });
    let castling = || {
        let wide = is_wide(from, to);
        moves.iter().find(|mv| {
            wide && promotion.is_none()
                && mv.is_castling()
                && mv.from() == from
                && position.castled_king(**mv) == to
        })
    };
    plain.or_else(castling).copied().ok_or(MoveError::Illegal)
}

/// Whether a king's move spans two files or more.
fn is_wide(from: Square, to: Square) -> bool {
    (from.file() as u8).abs_diff(to.file() as u8) >= 2
}

fn split(text: &str) -> Option<(Square, Square, Option<Promotion>)> {
    let text = text.to_ascii_lowercase();
    let from = text.get(..2)?.parse().ok()?;
    let to = text.get(2..4)?.parse().ok()?;
    let rest = text.get(4..)?;
    let mut letters = rest.strip_prefix('=').unwrap_or(rest).chars();
    let promotion = match letters.next() {
        None if rest.is_empty() => None,
        letter => Some(Promotion::from_piece_type(PieceType::from_letter(
            letter?,
        )?)?),
    };
    letters.next().is_none().then_some((from, to, promotion))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;

    fn check(fen: &str, text: &str, expected: Result<&str, MoveError>) {
        let position = fen::parse(fen).unwrap();
        let found = parse_coordinate(&position, text)
            .map(|mv| write_coordinate(&position, mv, CastlingText::KingMove));
        assert_eq!(found.as_deref().map_err(|e| *e), expected, "{fen} {text}");
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

    #[test]
    fn reads_plain_moves() {
        check(START, "e2e4", Ok("e2e4"));
        check(START, "E2E4", Ok("e2e4"));
        check(START, "e2e5", Err(MoveError::Illegal));
        check(START, "e2e4q", Err(MoveError::Illegal));
        check(START, "0000", Err(MoveError::Unrecognised));
        check(START, "e2", Err(MoveError::Unrecognised));
        check(START, "e2e4xx", Err(MoveError::Unrecognised));
        check(START, "e2e4=", Err(MoveError::Unrecognised));
        check(START, "é2e4", Err(MoveError::Unrecognised));
    }

    #[test]
    fn reads_promotions() {
        let fen = "8/4P2k/8/8/8/8/8/4K3 w - - 0 1";
        check(fen, "e7e8q", Ok("e7e8q"));
        check(fen, "e7e8=N", Ok("e7e8n"));
        check(fen, "e7e8", Err(MoveError::Illegal));
        check(fen, "e7e8k", Err(MoveError::Unrecognised));
        check(fen, "e7e8p", Err(MoveError::Unrecognised));
    }

    #[test]
    fn reads_castling_either_way() {
        check(CASTLING, "e1g1", Ok("e1g1"));
        check(CASTLING, "e1h1", Ok("e1g1"));
        check(CASTLING, "e1c1", Ok("e1c1"));
        check(CASTLING, "e1a1", Ok("e1c1"));
    }

    #[test]
    fn a_king_step_is_not_castling() {
        // The king on f1 steps to g1; castling is f1h1.
        let position = fen::parse("4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1").unwrap();
        let step = parse_coordinate(&position, "f1g1").unwrap();
        assert!(!step.is_castling());
        let castling = parse_coordinate(&position, "f1h1").unwrap();
        assert_eq!(
            write_coordinate(&position, castling, CastlingText::KingTakesRook),
            "f1h1"
        );
        assert_eq!(
            write_coordinate(&position, castling, CastlingText::Letters),
            "O-O"
        );
        // In standard chess there is no castling from there: what is written can still be read.
        check("4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1", "f1h1", Ok("f1h1"));
        check("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", Ok("g1h1"));
    }
}
