//! Forsyth-Edwards Notation (FEN): text to set-up and back, in its standard, Shredder and X-FEN
//! forms. Says what is wrong with a text; whether a well-formed board can be played is decided by
//! [`Position::from_setup`].

use std::borrow::Cow;
use std::fmt::Write as _;

use thiserror::Error;

use crate::position::{CHECKS_TO_WIN, Position, PositionError, Setup, Variant};
use crate::types::{
    Bitboard, CastlingRights, CastlingSide, Color, ColorMap, File, Hand, Piece, Rank, Square,
};

/// A counter in a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FenCounter {
    /// Plies since the last capture or pawn move.
    #[error("halfmove clock")]
    HalfmoveClock,
    /// The number of the next move.
    #[error("fullmove number")]
    FullmoveNumber,
}

/// Why a FEN was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// There is no text.
    #[error("no pieces are given")]
    Empty,
    /// There is text after the last field.
    #[error("text after the last field: {0}")]
    ExtraText(String),
    /// The board does not have eight ranks.
    #[error("the board has 8 ranks, not {0}")]
    RankCount(usize),
    /// A rank does not describe eight squares.
    #[error("rank {rank} has 8 squares, not {squares}")]
    RankWidth {
        /// The rank's digit.
        rank: char,
        /// How many squares it describes.
        squares: usize,
    },
    /// A letter stands for no piece.
    #[error("no piece has the letter {0:?}")]
    PieceLetter(char),
    /// A letter stands for no man that may be in hand.
    #[error("no man in hand has the letter {0:?}")]
    HandLetter(char),
    /// The men in hand do not end where the board does.
    #[error("men in hand are written [QNpp] behind the board, not {0}")]
    Hands(String),
    /// The side to move is neither `w` nor `b`.
    #[error("side to move is w or b, not {0}")]
    SideToMove(String),
    /// A letter stands for no castling right.
    #[error("no castling right has the letter {0:?}")]
    CastlingLetter(char),
    /// A letter names a right that an earlier one gave to another rook.
    #[error("the castling right {0:?} has another rook already")]
    CastlingRook(char),
    /// The en passant field is neither `-` nor a square.
    #[error("en passant square is - or a square, not {0}")]
    EnPassant(String),
    /// The checks of a game of three checks are in neither of their forms.
    #[error("checks are written 3+3 (left) or +0+0 (given), not {0}")]
    Checks(String),
    /// A counter is not a number.
    #[error("{counter} is a number, not {text}")]
    Counter {
        /// Which counter.
        counter: FenCounter,
        /// Its text.
        text: String,
    },
    /// The text is well formed, but the board cannot be played.
    #[error(transparent)]
    Position(#[from] PositionError),
}

/// How castling rights are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastlingLetters {
    /// `KQkq`, or the file of the rook where such a letter would mean another one (X-FEN).
    KingAndQueen,
    /// The file of each rook, `HAha` (Shredder-FEN).
    RookFiles,
}

/// Where games of a variant begin.
///
/// # Panics
///
/// Never: the start positions are legal.
pub fn start(variant: Variant) -> Position {
    parse_as(variant, variant.start_fen()).expect("the start positions are legal")
}

/// Reads a FEN of standard chess and checks that the position can be played.
///
/// Only the pieces must be there. Without the other fields White is to move, nobody may castle or
/// capture en passant, and the counters are at their start, as in other programs.
///
/// # Errors
///
/// Says what is wrong with the text or the position.
pub fn parse(text: &str) -> Result<Position, FenError> {
    parse_as(Variant::Standard, text)
}

/// Reads a FEN of any variant, as [`parse`] does.
///
/// In a game of three checks, the checks that are left may stand before the counters, `3+3`, or
/// those that have been given after them, `+0+0`: White's first. In crazyhouse the men in hand stand
/// behind the board, in brackets or as a ninth rank, `[QNpp]` or `/QNpp`, and `~` behind a man that was
/// promoted.
///
/// # Errors
///
/// As for [`parse`].
pub fn parse_as(variant: Variant, text: &str) -> Result<Position, FenError> {
    Ok(Position::from_setup(&parse_setup_as(variant, text)?)?)
}

/// Reads a FEN of any variant without checking that the position can be played.
///
/// # Errors
///
/// Says what is wrong with the text.
pub fn parse_setup_as(variant: Variant, text: &str) -> Result<Setup, FenError> {
    let mut fields = text.split_ascii_whitespace().peekable();
    let mut setup = Setup::empty();
    setup.variant = variant;
    let counts_checks = variant == Variant::ThreeCheck;
    parse_board(fields.next().ok_or(FenError::Empty)?, &mut setup)?;
    if let Some(text) = fields.next() {
        setup.side_to_move = parse_side(text)?;
    }
    if let Some(text) = fields.next() {
        setup.castling = parse_castling(text, &setup)?;
    }
    if let Some(text) = fields.next() {
        setup.en_passant = parse_en_passant(text)?;
    }
    if counts_checks && let Some(text) = fields.next_if(|text| text.contains('+')) {
        setup.checks_left = parse_checks(text)?;
    }
    if let Some(text) = fields.next() {
        setup.halfmove_clock = parse_counter(FenCounter::HalfmoveClock, text)?;
    }
    if let Some(text) = fields.next() {
        setup.fullmove_number = parse_counter(FenCounter::FullmoveNumber, text)?.max(1);
    }
    if counts_checks && let Some(text) = fields.next_if(|text| text.contains('+')) {
        setup.checks_left = parse_checks(text)?;
    }
    match fields.next() {
        Some(extra) => Err(FenError::ExtraText(extra.to_owned())),
        None => Ok(setup),
    }
}

fn parse_board(text: &str, setup: &mut Setup) -> Result<(), FenError> {
    let (text, hands) = split_hands(text, setup.variant)?;
    parse_hands(hands, setup)?;
    let ranks = text.split('/').count();
    if ranks != Rank::ALL.len() {
        return Err(FenError::RankCount(ranks));
    }
    for (rank, text) in Rank::ALL.into_iter().rev().zip(text.split('/')) {
        parse_rank(rank, text, setup)?;
    }
    Ok(())
}

/// Splits the men in hand off the board, where the game has any.
fn split_hands(text: &str, variant: Variant) -> Result<(&str, &str), FenError> {
    if !variant.has_hands() {
        return Ok((text, ""));
    }
    if let Some((board, hands)) = text.split_once('[') {
        let inner = hands.strip_suffix(']').filter(|inner| !inner.contains(']'));
        let inner = inner.ok_or_else(|| FenError::Hands(text.to_owned()))?;
        return Ok((board, inner));
    }
    let has_ninth_rank = text.matches('/').count() == Rank::ALL.len();
    Ok(text
        .rsplit_once('/')
        .filter(|_| has_ninth_rank)
        .unwrap_or((text, "")))
}

/// White's men in upper case, Black's in lower case, in any order; `-` if there are none.
fn parse_hands(text: &str, setup: &mut Setup) -> Result<(), FenError> {
    if text == "-" {
        return Ok(());
    }
    for letter in text.chars() {
        let piece = Piece::from_letter(letter);
        let piece = piece.filter(|piece| Hand::KINDS.contains(&piece.piece_type()));
        let piece = piece.ok_or(FenError::HandLetter(letter))?;
        setup.hands[piece.color()].add(piece.piece_type());
    }
    Ok(())
}

fn parse_rank(rank: Rank, text: &str, setup: &mut Setup) -> Result<(), FenError> {
    let mut squares = 0usize;
    // The man just read, of whom `~` says that it was promoted.
    let mut last = None;
    for letter in text.chars() {
        if letter == '~'
            && setup.variant.has_hands()
            && let Some(square) = last.take()
        {
            setup.promoted |= Bitboard::of(square);
            continue;
        }
        last = None;
        if let Some(gap @ 1..=8) = letter.to_digit(10) {
            squares += gap as usize;
            continue;
        }
        let piece = Piece::from_letter(letter).ok_or(FenError::PieceLetter(letter))?;
        if let Some(file) = u8::try_from(squares).ok().and_then(File::from_index) {
            let square = Square::new(file, rank);
            setup.board[square] = Some(piece);
            last = Some(square);
        }
        squares += 1;
    }
    if squares == File::ALL.len() {
        Ok(())
    } else {
        Err(FenError::RankWidth {
            rank: rank.digit(),
            squares,
        })
    }
}

fn parse_side(text: &str) -> Result<Color, FenError> {
    match text {
        "w" | "W" => Ok(Color::White),
        "b" | "B" => Ok(Color::Black),
        _ => Err(FenError::SideToMove(text.to_owned())),
    }
}

/// Rights whose rook or king is missing are ignored: they cannot be used anyway. A right may be
/// named twice, but not for two rooks.
fn parse_castling(text: &str, setup: &Setup) -> Result<CastlingRights, FenError> {
    let mut castling = CastlingRights::NONE;
    if text == "-" {
        return Ok(castling);
    }
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        let king = setup.king_file(color);
        let (side, rook) = match letter.to_ascii_lowercase() {
            'k' => (
                CastlingSide::King,
                setup.outermost_rook(color, CastlingSide::King),
            ),
            'q' => (
                CastlingSide::Queen,
                setup.outermost_rook(color, CastlingSide::Queen),
            ),
            file => {
                let file = File::from_letter(file).ok_or(FenError::CastlingLetter(letter))?;
                let side = match king {
                    Some(king) if file < king => CastlingSide::Queen,
                    _ => CastlingSide::King,
                };
                (side, Some(file))
            }
        };
        if king.is_some() && rook.is_some() {
            let named = castling.rook_file(color, side);
            if named.is_some() && named != rook {
                return Err(FenError::CastlingRook(letter));
            }
            castling.set(color, side, rook);
        }
    }
    Ok(castling)
}

fn parse_en_passant(text: &str) -> Result<Option<Square>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    text.parse()
        .map(Some)
        .map_err(|_| FenError::EnPassant(text.to_owned()))
}

/// `3+3`, the checks that are left, or `+0+0`, the checks that have been given.
fn parse_checks(text: &str) -> Result<ColorMap<u8>, FenError> {
    let refused = || FenError::Checks(text.to_owned());
    let (given, counts) = match text.strip_prefix('+') {
        Some(counts) => (true, counts),
        None => (false, text),
    };
    let (white, black) = counts.split_once('+').ok_or_else(refused)?;
    let count = |text: &str| match text.parse::<u8>() {
        Ok(checks @ 0..=CHECKS_TO_WIN) if given => Ok(CHECKS_TO_WIN - checks),
        Ok(checks @ 0..=CHECKS_TO_WIN) => Ok(checks),
        _ => Err(refused()),
    };
    Ok(ColorMap::new([count(white)?, count(black)?]))
}

/// A number of any length; one that is too large for the counter becomes its maximum.
fn parse_counter(counter: FenCounter, text: &str) -> Result<u16, FenError> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(FenError::Counter {
            counter,
            text: text.to_owned(),
        });
    }
    Ok(text.parse().unwrap_or(u16::MAX))
}

/// A FEN with the castling field, which some programs omit where nobody castles.
pub fn with_castling_field(text: &str) -> Cow<'_, str> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    match fields[..] {
        [board, side, en_passant, halfmoves, fullmoves] => Cow::Owned(format!(
            "{board} {side} - {en_passant} {halfmoves} {fullmoves}"
        )),
        _ => Cow::Borrowed(text),
    }
}

/// Writes the FEN of a position.
pub fn write(position: &Position, letters: CastlingLetters) -> String {
    let setup = position.setup();
    let mut text = String::with_capacity(90);
    write_board(&mut text, &setup);
    let side = match setup.side_to_move {
        Color::White => 'w',
        Color::Black => 'b',
    };
    let castling = castling_field(&setup, letters);
    let en_passant = setup
        .en_passant
        .map_or_else(|| "-".to_owned(), |square| square.to_string());
    let _ = write!(text, " {side} {castling} {en_passant}");
    if setup.variant == Variant::ThreeCheck {
        let left = setup.checks_left;
        let _ = write!(text, " {}+{}", left[Color::White], left[Color::Black]);
    }
    let (halfmoves, fullmoves) = (setup.halfmove_clock, setup.fullmove_number);
    let _ = write!(text, " {halfmoves} {fullmoves}");
    text
}

fn write_board(text: &mut String, setup: &Setup) {
    for rank in Rank::ALL.into_iter().rev() {
        let mut gap = 0;
        for file in File::ALL {
            let Some(piece) = setup.board[Square::new(file, rank)] else {
                gap += 1;
                continue;
            };
            if gap > 0 {
                let _ = write!(text, "{gap}");
                gap = 0;
            }
            text.push(piece.letter());
            if setup.promoted.contains(Square::new(file, rank)) {
                text.push('~');
            }
        }
        if gap > 0 {
            let _ = write!(text, "{gap}");
        }
        if rank != Rank::First {
            text.push('/');
        }
    }
    if setup.variant.has_hands() {
        text.push('[');
        for color in Color::ALL {
            let men = setup.hands[color].men();
            text.extend(men.map(|kind| Piece::new(color, kind).letter()));
        }
        text.push(']');
    }
}

fn castling_field(setup: &Setup, letters: CastlingLetters) -> String {
    let mut field = String::new();
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            let Some(rook) = setup.castling.rook_file(color, side) else {
                continue;
            };
            let outermost = setup.outermost_rook(color, side) == Some(rook);
            let letter = match (letters, side) {
                (CastlingLetters::KingAndQueen, CastlingSide::King) if outermost => 'k',
                (CastlingLetters::KingAndQueen, CastlingSide::Queen) if outermost => 'q',
                _ => rook.letter(),
            };
            field.push(match color {
                Color::White => letter.to_ascii_uppercase(),
                Color::Black => letter,
            });
        }
    }
    if field.is_empty() {
        "-".to_owned()
    } else {
        field
    }
}

#[cfg(test)]
mod tests;
