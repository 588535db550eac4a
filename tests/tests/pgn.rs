//! Complete PGN files: what programs wrote is read without errors, and is the same when written
//! again.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use orthrus_core::fen::{self, CastlingLetters};
use orthrus_pgn::{PgnGame, ReadError, Reader};
use orthrus_tests::data;

/// The games of a file and the errors in it.
fn read(path: &Path) -> (Vec<PgnGame>, Vec<ReadError>) {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    let mut reader = Reader::new(BufReader::new(file));
    while let Some(found) = reader.next() {
        assert!(reader.warnings().is_empty(), "{:?}", reader.warnings());
        match found {
            Ok(game) => games.push(game),
            Err(error) => errors.push(error),
        }
    }
    (games, errors)
}

fn assert_survives_writing(game: &PgnGame) {
    let text = game.to_string();
    let again = Reader::new(text.as_bytes()).next();
    let again = again.expect("a game").expect("a sound game");
    assert_eq!(again.main, game.main, "{text}");
    assert_eq!(again.result, game.result, "{text}");
    let start = |game: &PgnGame| fen::write(&game.start, CastlingLetters::RookFiles);
    assert_eq!(start(&again), start(game), "{text}");
    for (name, value) in game.tags.iter() {
        assert_eq!(again.tags.get(name), Some(value), "{text}");
    }
}

/// The files of games in a folder of the data, and how many games each has.
fn counts(files: &[PathBuf]) -> Vec<(String, usize)> {
    let is_pgn = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "pgn");
    let count = |path: &PathBuf| {
        let (games, errors) = read(path);
        assert!(errors.is_empty(), "{}: {errors:?}", path.display());
        games.iter().for_each(assert_survives_writing);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        (name.into_owned(), games.len())
    };
    files.iter().filter(is_pgn).map(count).collect()
}

/// Asserts that a folder has files of so many games.
#[track_caller]
fn assert_counts(folder: &Path, expected: &[(&str, usize)]) {
    let expected: Vec<_> = expected
        .iter()
        .map(|&(name, games)| (name.to_owned(), games))
        .collect();
    assert_eq!(counts(&data::files(folder)), expected);
}

#[test]
fn files_of_games_are_read_and_written() {
    let own: &[(&str, usize)] = &[
        ("chess960.pgn", 60),
        ("pgn_syntax.pgn", 12),
        ("standard.pgn", 120),
    ];
    assert_counts(&data::own("games"), own);
}

#[test]
#[cfg_attr(not(has_others), ignore = "other people's suites are not here")]
fn files_of_others_are_read_and_written() {
    let games: &[(&str, usize)] = &[
        ("cutechess_fischerandom.pgn", 4),
        ("lichess_2025-05_300.pgn", 300),
        ("pgn_syntax.pgn", 12),
        ("stockfish_chess960_100.pgn", 100),
        ("stockfish_standard_130.pgn", 130),
    ];
    assert_counts(&data::others("games"), games);
    let books: &[(&str, usize)] = &[("8moves_v3_5k.pgn", 5000)];
    assert_counts(&data::others("books"), books);
}

#[test]
fn damaged_files_are_read_to_their_end() {
    for path in data::files(&data::own("malformed/raw")) {
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for game in Reader::new(bytes.as_slice()).flatten() {
            assert_survives_writing(&game);
        }
    }
}
