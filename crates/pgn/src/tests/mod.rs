//! Reading what people and programs write, and writing it again.

mod faults;
mod properties;
mod syntax;
mod writing;

use std::io::BufReader;

use orthrus_core::fen::{self, CastlingLetters};
use orthrus_core::position::Position;

use crate::tags::ROSTER;
use crate::{GameResult, Line, PgnGame, ReadError, Reader, Tags};

/// All games and errors of a text, and the warnings of each. Read through a tiny buffer, so that
/// every token crosses its border somewhere.
fn read_all(bytes: &[u8]) -> Vec<(Result<PgnGame, ReadError>, Vec<String>)> {
    let mut reader = Reader::new(BufReader::with_capacity(3, bytes));
    let mut found = Vec::new();
    while let Some(game) = reader.next() {
        let warnings = reader.warnings().iter().map(ToString::to_string);
        found.push((game, warnings.collect()));
    }
    found
}

/// The only game of a text that has no fault.
fn game(text: &str) -> PgnGame {
    let mut games = read_all(text.as_bytes());
    assert_eq!(games.len(), 1, "{text}");
    let (game, warnings) = games.remove(0);
    assert!(warnings.is_empty(), "{text}: {warnings:?}");
    game.unwrap()
}

/// A game without moves, of which only the start is known.
fn game_from(start: Position) -> PgnGame {
    let mut tags = Tags::default();
    for (name, value) in ROSTER {
        tags.set(name, value);
    }
    PgnGame {
        tags,
        start,
        result: GameResult::Unknown,
        main: Line::default(),
        broken_off: None,
    }
}

/// A line in one piece: moves, marks, comments and variations, without numbers.
fn outline(start: &Position, line: &Line) -> String {
    let mut words = Vec::new();
    let mut position = start.clone();
    if !line.comment.is_empty() {
        words.push(format!("{{{}}}", line.comment));
    }
    for node in &line.moves {
        let marks: String = node.nags.iter().map(ToString::to_string).collect();
        words.push(format!("{}{marks}", node.san(&position)));
        if !node.comment.is_empty() {
            words.push(format!("{{{}}}", node.comment));
        }
        for variation in &node.variations {
            words.push(format!("({})", outline(&position, variation)));
        }
        node.play(&mut position);
    }
    words.join(" ")
}

fn main_line(game: &PgnGame) -> String {
    outline(&game.start, &game.main)
}

fn start_fen(game: &PgnGame) -> String {
    fen::write(&game.start, CastlingLetters::KingAndQueen)
}
