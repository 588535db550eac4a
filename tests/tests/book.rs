//! Opening books: keys of many positions, and the contents of real books.

use std::fs;
use std::path::Path;

use orthrus_core::book::{Book, setup_key};
use orthrus_core::fen;
use orthrus_core::notation::{CastlingText, write_coordinate};
use orthrus_core::position::Variant;
use orthrus_tests::data;

#[test]
fn keys_agree_with_those_of_other_programs() {
    let table = data::read("polyglot/keys.tsv");
    let mut count = 0;
    for [text, key] in data::table(&table) {
        let setup = fen::parse_setup_as(Variant::Standard, text).expect("a FEN");
        assert_eq!(format!("{:016x}", setup_key(&setup).0), key, "{text}");
        count += 1;
    }
    assert_eq!(count, 299);
}

#[test]
fn real_books_hold_what_other_programs_find() {
    assert_books(&data::own("polyglot"));
}

#[test]
#[cfg_attr(not(has_others), ignore = "other people's suites are not here")]
fn books_of_others_hold_what_other_programs_find() {
    assert_books(&data::others("polyglot"));
}

/// Asserts that the books of a folder hold what its table of another program's findings says.
fn assert_books(folder: &Path) {
    let table = fs::read_to_string(folder.join("probe_expected.tsv")).expect("a table");
    for path in data::files(folder) {
        if path.extension().is_none_or(|extension| extension != "bin") {
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let book = Book::from_bytes(fs::read(&path).expect("a book")).expect("a sound book");
        assert!(book.faults().is_empty(), "{name}: {:?}", book.faults());
        let rows = data::table(&table).filter(|row: &[&str; 3]| row[0] == name);
        let mut count = 0;
        for [_, text, expected] in rows {
            assert_eq!(moves(&book, text), expected, "{name}: {text}");
            count += 1;
        }
        assert!(count > 0, "{name}");
    }
}

/// The moves of a position in the form of the table, with castling as in standard chess.
fn moves(book: &Book, text: &str) -> String {
    let position = fen::parse(text).expect("a FEN");
    let (moves, fault) = book.moves(&position);
    assert_eq!(fault, None, "{text}");
    let moves = moves.iter().map(|found| {
        let mv = write_coordinate(&position, found.mv, CastlingText::KingMove);
        format!("{mv}:{}", found.weight)
    });
    let moves: Vec<String> = moves.collect();
    if moves.is_empty() {
        "-".to_owned()
    } else {
        moves.join(" ")
    }
}
