//! `orthrus book show`: what a book has for a position.

use std::io::{self, Write as _};

use orthrus_core::book::{Book, BookMove, position_key};
use orthrus_core::fen::{self, CastlingLetters};
use orthrus_core::notation::{CastlingText, write_coordinate, write_san};
use orthrus_core::position::Position;
use serde::Serialize;

use super::BookToolError;
use crate::args::ShowArgs;
use crate::tools::files;

/// A position and its moves, for programs.
#[derive(Debug, Serialize)]
struct Found {
    fen: String,
    /// The key of the format, in hexadecimal digits.
    key: String,
    /// The heaviest first.
    moves: Vec<FoundMove>,
}

#[derive(Debug, Serialize)]
struct FoundMove {
    #[serde(rename = "move")]
    san: String,
    #[serde(rename = "uci")]
    coordinates: String,
    weight: u32,
    percentage: f64,
}

/// The moves of a position, one line each, or in JSON. What is wrong with the book goes to
/// standard error.
///
/// # Errors
///
/// The file cannot be read or is not a book.
pub(crate) fn show(args: &ShowArgs) -> Result<Vec<String>, BookToolError> {
    let file = &args.book;
    let book = Book::from_bytes(&files::read(file)?).map_err(|source| BookToolError::NoBook {
        file: file.clone(),
        source,
    })?;
    let start = Position::startpos();
    let position = args.fen.as_deref().unwrap_or(&start);
    let (moves, fault) = book.moves(position);
    for fault in book.faults().iter().chain(&fault) {
        // Nobody is left to tell if standard error is gone.
        let _ = writeln!(io::stderr(), "orthrus: {}: {fault}", file.display());
    }
    let found = describe(position, &moves);
    if args.json {
        return Ok(vec![serde_json::to_string(&found)?]);
    }
    if found.moves.is_empty() {
        return Ok(vec!["the book has no move here".to_owned()]);
    }
    let line = |found: &FoundMove| {
        let FoundMove {
            san,
            coordinates,
            weight,
            percentage,
        } = found;
        format!("{san:7} {coordinates:5} {weight:7} {percentage:5.1} %")
    };
    Ok(found.moves.iter().map(line).collect())
}

fn describe(position: &Position, moves: &[BookMove]) -> Found {
    let castling = CastlingText::fitting(position);
    let describe = |found: &BookMove| FoundMove {
        san: write_san(position, found.mv),
        coordinates: write_coordinate(position, found.mv, castling),
        weight: found.weight,
        percentage: found.percentage(moves),
    };
    Found {
        fen: fen::write(position, CastlingLetters::KingAndQueen),
        key: format!("{:016x}", position_key(position).0),
        moves: moves.iter().map(describe).collect(),
    }
}
