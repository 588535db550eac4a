//! Folders of endgame tables.
//!
//! An input is a sequence of files, each a byte that says which table it is (and, by its highest
//! bit, whether it stays as it is), two bytes for its length, the lower first, and its content.
//! Files that may be changed get the magic bytes and the length that the format requires.

mod builder;

use orthrus_core::fen;
use orthrus_core::tablebase::{Tablebase, Wdl};

use self::builder::{Values, table};
use crate::scratch::Scratch;

/// The possible tables, and two files that are not tables.
const FILES: [&str; 14] = [
    "KQvK.rtbw",
    "KQvK.rtbz",
    "KPvK.rtbw",
    "KPvK.rtbz",
    "KRvK.rtbw",
    "KPvKP.rtbw",
    "KPvKP.rtbz",
    "KQvKR.rtbw",
    "KQvKR.rtbz",
    "KBNvK.rtbw",
    "KNNvK.rtbw",
    "KPPvK.rtbw",
    "KvK.rtbw",
    "notes.txt",
];

/// Positions of these tables, and one that castles.
const POSITIONS: &[&str] = &[
    "8/8/4k3/8/8/8/1QK5/8 w - - 0 1",
    "8/8/4k3/8/8/8/1QK5/8 b - - 30 40",
    "8/8/4K3/8/8/8/1qk5/8 b - - 0 1",
    "8/1P6/8/3k4/8/8/8/K7 w - - 0 1",
    "8/8/8/3k4/8/6P1/8/K7 b - - 0 1",
    "8/8/4k3/8/8/8/1RK5/8 w - - 98 60",
    "8/8/1p2k3/8/8/3K1P2/8/8 w - - 0 1",
    "8/8/8/1pP5/8/4k3/6K1/8 w - b6 0 1",
    "7Q/8/3k4/8/8/5r2/8/K7 b - - 0 1",
    "k7/8/8/8/8/2N5/3B4/4K3 w - - 0 1",
    "k7/8/8/8/8/2N5/3N4/4K3 b - - 0 1",
    "k7/8/8/8/8/2P5/3P4/4K3 w - - 0 1",
    "k7/8/8/8/8/8/8/4K3 w - - 0 1",
    "k7/8/8/8/8/8/8/4K2R w K - 0 1",
];

/// Every file is a table or reported as invalid; the results for a position are consistent, and the
/// position stays as it was.
pub(super) fn run(bytes: &[u8]) {
    let scratch = Scratch::in_memory();
    let files = files(bytes);
    for (name, content) in &files {
        scratch.write(name, content);
    }
    let (tablebase, errors) = Tablebase::open(scratch.folder().to_str().expect("a name"));
    let tables = files.iter().filter(|(name, _)| *name != "notes.txt");
    let used = tablebase.wdl_files() + tablebase.dtz_files();
    assert_eq!(used + errors.len(), tables.count(), "{errors:?}");
    assert!(tablebase.max_pieces() <= 4);
    for text in POSITIONS {
        check(&tablebase, text);
    }
}

fn check(tablebase: &Tablebase, text: &str) {
    let mut position = fen::parse(text).expect("a position");
    let key = position.key();
    let castles = position.has_castling();
    let ranking = tablebase.rank(&position, true);
    if let Some(ranking) = &ranking {
        assert!(!castles, "{text}");
        let ranks = ranking.moves.iter().map(|ranked| ranked.rank);
        assert!(ranks.clone().is_sorted_by(|a, b| a >= b), "{text}");
        assert_eq!(ranks.len(), position.legal_moves().len(), "{text}");
        let is_legal = |mv| position.is_legal(mv);
        assert!(
            ranking.moves.iter().all(|ranked| is_legal(ranked.mv)),
            "{text}"
        );
    }
    if castles {
        return;
    }
    let wdl = tablebase.wdl(&mut position);
    let dtz = tablebase.dtz(&mut position);
    if let (Some(wdl), Some(dtz)) = (wdl, dtz) {
        assert_eq!(
            dtz.signum(),
            (wdl as i32 - Wdl::Draw as i32).signum(),
            "{text}"
        );
    }
    assert_eq!(position.key(), key, "{text}");
    assert_eq!(tablebase.wdl(&mut position), wdl, "{text}");
}

/// The files that an input describes, each name once.
fn files(bytes: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let mut files: Vec<(&str, Vec<u8>)> = Vec::new();
    let mut rest = bytes;
    while let Some((&[which, low, high], behind)) = rest.split_first_chunk() {
        let len = usize::from(u16::from_le_bytes([low, high])).min(behind.len());
        let (content, behind) = behind.split_at(len);
        rest = behind;
        let name = FILES[usize::from(which & 0x7f) % FILES.len()];
        let mut content = content.to_vec();
        if which & 0x80 == 0 {
            repair(name, &mut content);
        }
        if files.iter().all(|&(other, _)| other != name) {
            files.push((name, content));
        }
    }
    files
}

/// Gives a file the magic bytes of its kind, and a length that its kind can have.
fn repair(name: &str, content: &mut Vec<u8>) {
    let magic = builder::magic(name);
    content.resize(content.len().max(magic.len()).next_multiple_of(64) + 16, 0);
    content[..magic.len()].copy_from_slice(&magic);
}

/// Folders of well-formed tables of every layout, with made-up values.
pub(super) fn seeds() -> Vec<Vec<u8>> {
    use Values::{Constant, Packed};
    let folders: [&[(&str, [Values; 2])]; 6] = [
        &[("KQvK.rtbw", [Constant(4), Constant(0)])],
        &[
            ("KQvK.rtbw", [Packed(4, 2), Packed(0, 2)]),
            ("KQvK.rtbz", [Packed(3, 9), Constant(0)]),
        ],
        &[
            ("KPvK.rtbw", [Constant(4), Packed(0, 2)]),
            ("KPvK.rtbz", [Constant(1), Constant(0)]),
            ("KQvK.rtbw", [Constant(4), Constant(0)]),
            ("KRvK.rtbw", [Constant(4), Constant(1)]),
        ],
        &[("KPvKP.rtbw", [Constant(3), Constant(1)])],
        &[
            ("KNNvK.rtbw", [Constant(2), Constant(2)]),
            ("KBNvK.rtbw", [Constant(4), Constant(0)]),
        ],
        &[
            ("KvK.rtbw", [Constant(2), Constant(2)]),
            ("KPPvK.rtbw", [Constant(4), Constant(0)]),
            ("KQvKR.rtbw", [Constant(4), Constant(2)]),
        ],
    ];
    let mut seeds: Vec<Vec<u8>> = folders.map(folder).into();
    // Unrepaired: too short, and not a table at all.
    seeds.push(b"\x80\x06\x00\x71\xe8\x23\x5d\x01\x00\x8d\x02\x00hi\x81\xff\xff".to_vec());
    seeds
}

fn folder(tables: &[(&str, [Values; 2])]) -> Vec<u8> {
    let mut input = Vec::new();
    for (name, values) in tables {
        let which = FILES.iter().position(|file| file == name);
        let content = table(name, *values);
        input.push(which.expect("one of the files") as u8);
        input.extend((content.len() as u16).to_le_bytes());
        input.extend(content);
    }
    input
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reader accepts what is built, and finds all of it.
    #[test]
    fn the_tables_that_fuzzing_begins_with_are_sound() {
        let scratch = Scratch::in_memory();
        let mut found = 0;
        for seed in seeds().iter().rev().skip(1) {
            let files = files(seed);
            for (name, content) in &files {
                scratch.write(name, content);
            }
            let (tablebase, errors) = Tablebase::open(scratch.folder().to_str().expect("a name"));
            assert_eq!(errors, []);
            assert!(tablebase.wdl_files() >= 1);
        }
        let (tablebase, _) = Tablebase::open(scratch.folder().to_str().expect("a name"));
        for text in &POSITIONS[..POSITIONS.len() - 1] {
            let mut position = fen::parse(text).expect("a position");
            found += usize::from(tablebase.wdl(&mut position).is_some());
        }
        assert_eq!(found, POSITIONS.len() - 1);
    }
}
