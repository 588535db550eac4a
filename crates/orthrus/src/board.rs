//! The board for people at a terminal: chess men on coloured squares, where the terminal can show
//! them; letters elsewhere, and without colours if `NO_COLOR` is set.

use console::{Color as Ink, Style, Term};
use orthrus_core::position::Position;
use orthrus_core::types::{Color, File, Move, Piece, PieceType, Rank, Square};

use crate::text;

/// How a terminal can show a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// Letters between lines.
    Letters,
    /// Men, White's in outline.
    Men,
    /// Men on coloured squares.
    Coloured,
}

impl Look {
    /// What fits this terminal and the wishes of its user.
    pub(crate) fn of(term: &Term) -> Self {
        if !term.is_term() || !term.features().wants_emoji() {
            Self::Letters
        } else if console::colors_enabled() {
            Self::Coloured
        } else {
            Self::Men
        }
    }
}

/// The board with the side `below` at the bottom, and the squares of the last move marked if there
/// are colours.
pub(crate) fn rows(
    position: &Position,
    look: Look,
    below: Color,
    last: Option<Move>,
) -> Vec<String> {
    if look == Look::Letters {
        return text::board(position, below);
    }
    let (mut ranks, mut files) = (Rank::ALL, File::ALL);
    match below {
        Color::White => ranks.reverse(),
        Color::Black => files.reverse(),
    }
    let marked = last.map(|mv| {
        let from = if mv.dropped().is_some() {
            mv.to()
        } else {
            mv.from()
        };
        [from, mv.to()]
    });
    let mut rows: Vec<String> = ranks
        .into_iter()
        .map(|rank| {
            let squares = files.map(|file| {
                let square = Square::new(file, rank);
                let is_marked = marked.is_some_and(|squares| squares.contains(&square));
                on_square(square, position.piece_on(square), look, is_marked)
            });
            format!("{} {}", rank.digit(), squares.concat())
        })
        .collect();
    let letters = files.map(|file| format!(" {} ", file.letter()));
    rows.push(format!("  {}", letters.concat().trim_end()));
    rows.extend(text::men_in_hand(position));
    rows
}

/// What is on a square, three columns wide.
fn on_square(square: Square, piece: Option<Piece>, look: Look, is_marked: bool) -> String {
    let is_light = (square.file() as usize + square.rank() as usize) % 2 == 1;
    if look == Look::Men {
        let empty = if is_light { " " } else { "·" };
        return format!(" {} ", piece.map_or(empty, outlined));
    }
    // Of the 256 colours of terminals: sand and brown, yellow for the last move.
    let ground = match (is_marked, is_light) {
        (true, true) => 186,
        (true, false) => 143,
        (false, true) => 180,
        (false, false) => 137,
    };
    let (man, ink) = match piece {
        Some(piece) if piece.color() == Color::White => (filled(piece.piece_type()), 231),
        Some(piece) => (filled(piece.piece_type()), 16),
        None => (" ", 16),
    };
    let style = Style::new()
        .force_styling(true)
        .bg(Ink::Color256(ground))
        .fg(Ink::Color256(ink));
    style.apply_to(format!(" {man} ")).to_string()
}

fn filled(kind: PieceType) -> &'static str {
    match kind {
        PieceType::King => "♚",
        PieceType::Queen => "♛",
        PieceType::Rook => "♜",
        PieceType::Bishop => "♝",
        PieceType::Knight => "♞",
        // Without the selector some terminals draw the pawn as a coloured picture.
        PieceType::Pawn => "♟\u{fe0e}",
    }
}

fn outlined(piece: Piece) -> &'static str {
    if piece.color() == Color::Black {
        return filled(piece.piece_type());
    }
    match piece.piece_type() {
        PieceType::King => "♔",
        PieceType::Queen => "♕",
        PieceType::Rook => "♖",
        PieceType::Bishop => "♗",
        PieceType::Knight => "♘",
        PieceType::Pawn => "♙",
    }
}

#[cfg(test)]
mod tests {
    use orthrus_core::notation::parse_san;

    use super::*;

    #[test]
    fn men_stand_where_they_are() {
        let rows = rows(&Position::startpos(), Look::Men, Color::White, None);
        assert_eq!(rows.len(), 9);
        assert_eq!(rows[0], "8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜ ");
        assert_eq!(rows[4], "4     ·     ·     ·     · ");
        assert_eq!(rows[7], "1  ♖  ♘  ♗  ♕  ♔  ♗  ♘  ♖ ");
        assert_eq!(rows[8], "   a  b  c  d  e  f  g  h");
    }

    #[test]
    fn a_board_can_be_turned() {
        let start = Position::startpos();
        let men = rows(&start, Look::Men, Color::Black, None);
        assert_eq!(men[0], "1  ♖  ♘  ♗  ♔  ♕  ♗  ♘  ♖ ");
        assert_eq!(men[8], "   h  g  f  e  d  c  b  a");
        let letters = rows(&start, Look::Letters, Color::Black, None);
        assert_eq!(letters.len(), 18);
        assert_eq!(letters[1], "1 | R | N | B | K | Q | B | N | R |");
        assert_eq!(letters[15], "8 | r | n | b | k | q | b | n | r |");
        assert_eq!(letters[17], "    h   g   f   e   d   c   b   a");
        assert_eq!(
            rows(&start, Look::Letters, Color::White, None)[1],
            "8 | r | n | b | q | k | b | n | r |"
        );
    }

    #[test]
    fn the_last_move_is_marked() {
        let mut position = Position::startpos();
        let mv = parse_san(&position, "e4").unwrap();
        position.make_move(mv);
        let plain = rows(&position, Look::Coloured, Color::White, None);
        let marked = rows(&position, Look::Coloured, Color::White, Some(mv));
        assert!(
            plain[0].contains("\u{1b}[") && plain[0].ends_with("\u{1b}[0m"),
            "{:?}",
            plain[0]
        );
        let changed = (0..9).filter(|&row| plain[row] != marked[row]);
        assert_eq!(changed.collect::<Vec<_>>(), [4, 6]);
    }
}
