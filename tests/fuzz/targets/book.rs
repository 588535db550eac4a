//! Polyglot books.
//!
//! An odd first byte of an input makes the keys those of positions that are looked up, because
//! nothing finds such keys by chance; the rest is the file.

use orthrus_core::book::{Book, ENTRY_SIZE, Entry, file_content, position_key};
use orthrus_core::fen;
use orthrus_core::position::Position;

use super::POSITIONS;

/// A file is a book if it holds an entry; for a position it gives that position's entries, and only
/// legal moves of them.
pub(super) fn run(bytes: &[u8]) {
    let Some((mode, file)) = bytes.split_first() else {
        return;
    };
    let positions = POSITIONS.iter().map(|fen| fen::parse(fen));
    let positions: Vec<Position> = positions.map(|it| it.expect("a position")).collect();
    let mut file = file.to_vec();
    if mode & 1 == 1 {
        for entry in file.as_chunks_mut::<ENTRY_SIZE>().0 {
            let position = &positions[usize::from(entry[0]) % positions.len()];
            entry[..8].copy_from_slice(&position_key(position).0.to_be_bytes());
        }
    }
    let (whole, _) = file.as_chunks::<ENTRY_SIZE>();
    let entries: Vec<Entry> = whole.iter().map(Entry::from_bytes).collect();
    assert!(file.starts_with(&file_content(&entries)));
    let Ok(book) = Book::from_bytes(file) else {
        assert!(entries.is_empty());
        return;
    };
    assert_eq!(book.len(), entries.len());
    for position in &positions {
        let key = position_key(position);
        let own = entries.iter().copied().filter(|entry| entry.key == key);
        assert!(book.entries(key).eq(own), "{key:?}");
        check_moves(&book, position);
    }
}

fn check_moves(book: &Book, position: &Position) {
    let (moves, fault) = book.moves(position);
    let entries = book.entries(position_key(position));
    assert!(moves.len() + usize::from(fault.is_some()) <= entries.len());
    assert!(moves.is_sorted_by_key(|found| std::cmp::Reverse(found.weight)));
    for (at, found) in moves.iter().enumerate() {
        assert!(position.is_legal(found.mv), "{found:?}");
        assert!(moves[..at].iter().all(|other| other.mv != found.mv));
        assert!((0.0..=100.0).contains(&found.percentage(&moves)));
    }
}

/// A book of the first moves of every position, a damaged one, and files that are not books.
pub(super) fn seeds() -> Vec<Vec<u8>> {
    let codes = [0x31c, 0x2db, 0x107, 0x13f, 0x8ec, 0x4da, 0];
    let entries: Vec<Entry> = (0u16..)
        .zip(POSITIONS)
        .flat_map(|(at, fen)| {
            let key = position_key(&fen::parse(fen).expect("a position"));
            codes.map(|code| Entry {
                key,
                code,
                weight: 3 * at,
                learn: 0,
            })
        })
        .collect();
    let file = file_content(&entries);
    let input = |mode, file: &[u8]| [&[mode], file].concat();
    let mut sorted = entries;
    sorted.sort_by_key(|entry| entry.key);
    vec![
        input(0, &file),
        input(0, &file_content(&sorted)),
        input(1, &file[..5 * ENTRY_SIZE]),
        input(1, &file[..ENTRY_SIZE + 9]),
        input(0, &file[..7]),
    ]
}
