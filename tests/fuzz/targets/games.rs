//! Files of self-play games.
//!
//! The first byte of an input says what the rest is: 0, the file; any other number, the content of
//! a block of this many games, from which a file with correct checksums is made, since nothing
//! finds those by chance.

use std::io::Cursor;
use std::path::Path;

use orthrus_trainer::data::{BlockFault, DataError, DataReader, DataWriter, GameRecord, Manifest};

use crate::scratch::Scratch;

/// A file is read to its end; a game from it can be replayed, and is the same when written and read
/// again.
pub(super) fn run(bytes: &[u8]) {
    let Some((&games, rest)) = bytes.split_first() else {
        return;
    };
    let games = match games {
        0 => read(rest).0,
        games => of_payload(games.into(), rest),
    };
    if games.is_empty() {
        return;
    }
    for game in &games {
        let mut replay = game.replay().expect("a game that was read has a start");
        let plies = std::iter::from_fn(|| replay.next_ply().map(|ply| ply.mv));
        assert_eq!(plies.count(), game.moves.len());
        // Any answer will do.
        let _ = (
            game.verify(),
            game.verify_adjudication(),
            game.opening_key(),
        );
    }
    assert!(rewritten(&games) == games);
}

/// All games of a file, and all that is wrong with it.
fn read(file: &[u8]) -> (Vec<GameRecord>, Vec<DataError>) {
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    match DataReader::new(Cursor::new(file), Path::new("input")) {
        Ok(reader) => {
            for game in reader.games() {
                match game {
                    Ok(game) => games.push(game),
                    Err(error) => errors.push(error),
                }
            }
        }
        Err(error) => errors.push(error),
    }
    assert!(errors.len() <= file.len() + 1, "more errors than bytes");
    (games, errors)
}

/// The games of a block with this content. The number of plies is taken from the reader: it is
/// checked last and would hide earlier errors.
fn of_payload(games: u32, payload: &[u8]) -> Vec<GameRecord> {
    let (read_games, errors) = read(&file(games, 0, payload));
    if let [
        DataError::Block {
            fault: BlockFault::Plies { found, .. },
            ..
        },
    ] = errors[..]
    {
        let (read_games, errors) = read(&file(games, found as u32, payload));
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(read_games.len(), games as usize);
        return read_games;
    }
    read_games
}

/// A file without runs, of one block.
fn file(games: u32, plies: u32, payload: &[u8]) -> Vec<u8> {
    let manifest = br#"{"runs":[]}"#;
    let mut file = b"ORTHRUSG".to_vec();
    for number in [1, manifest.len() as u32, crc32fast::hash(manifest)] {
        file.extend(number.to_le_bytes());
    }
    file.extend(manifest);
    let mut header = b"OGB1".to_vec();
    let len = payload.len() as u32;
    for number in [len, games, plies, 0, 0, crc32fast::hash(payload)] {
        header.extend(number.to_le_bytes());
    }
    header.extend(crc32fast::hash(&header).to_le_bytes());
    [file.as_slice(), &header, payload].concat()
}

/// The games after being written to a file and read again.
fn rewritten(games: &[GameRecord]) -> Vec<GameRecord> {
    let scratch = Scratch::in_memory();
    let path = scratch.path("games");
    let mut writer = DataWriter::create(&path, &Manifest::default()).expect("a new file");
    for game in games {
        writer
            .push(game)
            .expect("a game that was read can be written");
    }
    writer.finish().expect("it can be written");
    let content = std::fs::read(&path).expect("it was written");
    let (games, errors) = read(&content);
    assert!(errors.is_empty(), "{errors:?}");
    games
}

/// A file with the game that the trainer's tests freeze, its block's content, and damaged ones.
pub(super) fn seeds() -> Vec<Vec<u8>> {
    const FOOLS_MATE: [u8; 14] = [
        0x00, 0x39, 0x02, 0xd1, 0xb2, 0x52, 0x8d, 0x8b, 0xfb, 0x85, 0xd0, 0x80, 0x00, 0x00,
    ];
    let whole = file(1, 4, &FOOLS_MATE);
    let twice = [whole.as_slice(), &whole[whole.len() - 46..]].concat();
    let mut damaged = twice.clone();
    damaged[50] ^= 1;
    let as_file = |file: &[u8]| [&[0], file].concat();
    let mut seeds = vec![
        as_file(&whole),
        as_file(&twice),
        as_file(&damaged),
        as_file(&whole[..whole.len() - 5]),
        as_file(b"ORTHRUSG\x01\0\0\0\xff\xff\xff\xff"),
        [&[1], FOOLS_MATE.as_slice()].concat(),
    ];
    // The first symbol of a game is its start: the other kinds, and other games.
    for start in [0x40, 0x60, 0x80, 0xa0, 0xc0, 0xe0] {
        let mut other = FOOLS_MATE;
        (other[0], other[1]) = (0, start);
        seeds.push([&[1], other.as_slice()].concat());
        other[2] = start;
        seeds.push([&[2], other.as_slice(), &other].concat());
    }
    seeds
}
