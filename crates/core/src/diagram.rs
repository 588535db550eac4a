//! A position drawn for a person at a terminal.

use std::fmt::Write as _;

use crate::fen::{self, CastlingLetters};
use crate::position::Position;
use crate::types::{File, Piece, Rank, Square};

/// Draws the board as White sees it, with the FEN, the key and the men that give check below.
pub fn draw(position: &Position) -> String {
    let border = " +---+---+---+---+---+---+---+---+\n";
    let mut text = String::from(border);
    for rank in Rank::ALL.into_iter().rev() {
        for file in File::ALL {
            let piece = position.piece_on(Square::new(file, rank));
            let _ = write!(text, " | {}", piece.map_or(' ', Piece::letter));
        }
        let _ = write!(text, " | {}\n{border}", rank.digit());
    }
    text.push_str("   a   b   c   d   e   f   g   h\n\n");
    let fen = fen::write(position, CastlingLetters::KingAndQueen);
    let _ = write!(
        text,
        "FEN: {fen}\nKey: {:016x}\nCheckers:",
        position.key().0
    );
    for square in position.checkers() {
        let _ = write!(text, " {square}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_what_stands_where() {
        let fen = "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 3 7";
        let position = fen::parse(fen).unwrap();
        let text = draw(&position);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], " |   |   |   |   | k |   |   |   | 8");
        assert_eq!(lines[13], " |   |   |   |   | r |   |   |   | 2");
        assert_eq!(lines[15], " | R |   |   |   | K |   |   | R | 1");
        assert!(lines.contains(&format!("FEN: {fen}").as_str()));
        assert!(lines.contains(&format!("Key: {:016x}", position.key().0).as_str()));
        assert_eq!(lines.last(), Some(&"Checkers: e2"));
    }
}
