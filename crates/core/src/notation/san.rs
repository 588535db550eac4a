//! Standard algebraic notation (SAN), as in section 8.2.3 of the PGN standard.

use std::fmt::Write as _;

use super::drop::{drop_text, parse_drop};
use super::{LONG_CASTLING, MoveError, SHORT_CASTLING, castling_letters};
use crate::position::Position;
use crate::types::{File, Move, PieceType, Promotion, Rank, Square};

/// Writes a move of `position` in SAN, with `+` or `#`.
pub fn write_san(position: &Position, mv: Move) -> String {
    let mut text = String::with_capacity(8);
    let piece_type = position.moved_by(mv).piece_type();
    if mv.is_castling() {
        text.push_str(castling_letters(position, mv));
    } else if mv.dropped().is_some() {
        text.push_str(&drop_text(position, mv));
    } else {
        if piece_type == PieceType::Pawn {
            if mv.is_capture() {
                text.push(mv.from().file().letter());
            }
        } else {
            text.push(piece_type.letter().to_ascii_uppercase());
            write_origin(&mut text, position, mv);
        }
        if mv.is_capture() {
            text.push('x');
        }
        let _ = write!(text, "{}", mv.to());
        if let Some(promotion) = mv.promotion() {
            text.push('=');
            text.push(promotion.piece_type().letter().to_ascii_uppercase());
        }
    }
    let mut after = position.without_history();
    after.make_move(mv);
    // What wins otherwise than by mate is written as a mate, too.
    if after.winner().is_some() {
        text.push('#');
    } else if after.in_check() {
        text.push('+');
    }
    text
}

/// As much of the origin square as distinguishes the move from those of other pieces of its kind.
fn write_origin(text: &mut String, position: &Position, mv: Move) {
    let piece = position.moved_by(mv);
    let from = mv.from();
    let rivals: Vec<Square> = position
        .legal_moves()
        .iter()
        .filter(|rival| {
            rival.to() == mv.to()
                && rival.from() != from
                && !rival.is_castling()
                && rival.dropped().is_none()
                && position.piece_on(rival.from()) == Some(piece)
        })
        .map(|rival| rival.from())
        .collect();
    if rivals.is_empty() {
        return;
    }
    let same_file = rivals.iter().any(|rival| rival.file() == from.file());
    let same_rank = rivals.iter().any(|rival| rival.rank() == from.rank());
    if !same_file || same_rank {
        text.push(from.file().letter());
    }
    if same_file {
        text.push(from.rank().digit());
    }
}

/// Reads a move in SAN.
///
/// Also accepts what people and programs write instead of the standard: missing or wrong check
/// signs, `!?`, `e.p.` or `ep`, `0-0`, `e8Q`, `e8(Q)`, `e8/Q`, a missing `x`, `P` for pawns, a
/// superfluous origin square, and long forms such as `e2-e4`. Of a drop of a pawn the letter may be
/// missing, `@e4`.
///
/// # Errors
///
/// Says why no legal move fits.
pub fn parse_san(position: &Position, text: &str) -> Result<Move, MoveError> {
    const MARKS: [char; 4] = ['+', '#', '!', '?'];
    let text = text.trim().trim_end_matches(MARKS);
    let bare = text.strip_suffix("e.p.").or(text.strip_suffix("ep"));
    let text = bare.unwrap_or(text).trim_end().trim_end_matches(MARKS);
    if let Some(letters) = castling(text) {
        let moves = position.legal_moves();
        let mut castlings = moves.iter().filter(|mv| mv.is_castling());
        let found = castlings.find(|mv| castling_letters(position, **mv) == letters);
        return found.copied().ok_or(MoveError::Illegal);
    }
    if let Some(drop) = parse_drop(position, text) {
        return drop;
    }
    let wanted = Pattern::parse(text).ok_or(MoveError::Unrecognised)?;
    let moves = position.legal_moves();
    let mut fitting = moves.iter().filter(|&&mv| wanted.fits(position, mv));
    match (fitting.next(), fitting.next()) {
        (Some(mv), None) => Ok(*mv),
        (Some(_), Some(_)) => Err(MoveError::Ambiguous),
        (None, _) => Err(MoveError::Illegal),
    }
}

/// The letters of castling in their standard form, if the text is castling.
fn castling(text: &str) -> Option<&'static str> {
    let text = text.to_ascii_uppercase().replace('0', "O");
    [SHORT_CASTLING, LONG_CASTLING]
        .into_iter()
        .find(|letters| *letters == text)
}

/// What a text in SAN says of a move.
struct Pattern {
    piece_type: PieceType,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    to: Square,
    promotion: Option<Promotion>,
}

impl Pattern {
    fn parse(text: &str) -> Option<Self> {
        if !text.is_ascii() {
            return None;
        }
        let piece = text.chars().next().filter(char::is_ascii_uppercase);
        let piece_type = match piece {
            Some(letter) => PieceType::from_letter(letter)?,
            None => PieceType::Pawn,
        };
        let (text, promotion) = split_promotion(&text[usize::from(piece.is_some())..])?;
        let target = text.len().checked_sub(2)?;
        let to = text.get(target..)?.parse().ok()?;
        let origin = text.get(..target)?;
        let origin = origin.strip_suffix(['x', '-', ':']).unwrap_or(origin);
        let mut letters = origin.chars().peekable();
        let from_file = letters.peek().copied().and_then(File::from_letter);
        if from_file.is_some() {
            letters.next();
        }
        let from_rank = letters.peek().copied().and_then(Rank::from_digit);
        if from_rank.is_some() {
            letters.next();
        }
        let pattern = Self {
            piece_type,
            from_file,
            from_rank,
            to,
            promotion,
        };
        letters.next().is_none().then_some(pattern)
    }

    fn fits(&self, position: &Position, mv: Move) -> bool {
        let from = mv.from();
        mv.to() == self.to
            && !mv.is_castling()
            && mv.dropped().is_none()
            && mv.promotion() == self.promotion
            && position.moved_by(mv).piece_type() == self.piece_type
            && self.from_file.is_none_or(|file| file == from.file())
            && self.from_rank.is_none_or(|rank| rank == from.rank())
            // `e5` is a push: a pawn captures only if its file is given.
            && (self.piece_type != PieceType::Pawn || !mv.is_capture() || self.from_file.is_some())
    }
}

/// Splits the promotion off the end; `None` if that is no piece.
fn split_promotion(text: &str) -> Option<(&str, Option<Promotion>)> {
    let bare = text.trim_end_matches(')');
    let Some(letter) = bare.chars().last().filter(char::is_ascii_alphabetic) else {
        return Some((text, None));
    };
    let promotion = Promotion::from_piece_type(PieceType::from_letter(letter)?)?;
    let rest = bare[..bare.len() - 1].trim_end_matches(['=', '(', '/']);
    Some((rest, Some(promotion)))
}
