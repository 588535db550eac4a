//! Tests of the complete format: files of games, damaged and intact.

use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{Cursor, Write as _};
use std::path::Path;

use orthrus_core::notation::parse_coordinate;
use orthrus_core::position::Variant;
use orthrus_core::types::{Move, Score};

use super::*;
use crate::testing::{
    TempFolder, manifest_of, random_game, random_game_of, write_file, write_file_of,
};

fn games(seeds: std::ops::Range<u64>) -> Vec<GameRecord> {
    seeds.map(random_game).collect()
}

/// All intact games, and all errors.
fn read(path: &Path) -> (Vec<GameRecord>, Vec<DataError>) {
    let bytes = fs::read(path).unwrap();
    read_bytes(&bytes)
}

fn read_bytes(bytes: &[u8]) -> (Vec<GameRecord>, Vec<DataError>) {
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    match DataReader::new(Cursor::new(bytes), Path::new("test")) {
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
    (games, errors)
}

fn block_offsets(path: &Path) -> Vec<u64> {
    let blocks = DataReader::open(path).unwrap().blocks();
    blocks.map(|block| block.unwrap().offset).collect()
}

#[test]
fn random_games_round_trip() {
    let folder = TempFolder::new();
    let path = folder.file("games");
    let written = games(0..1_000);
    write_file(&path, &written);
    let (found, errors) = read(&path);
    assert!(errors.is_empty(), "{errors:?}");
    assert!(found == written);
    assert!(block_offsets(&path).len() > 1, "several blocks");
}

#[test]
fn games_of_variants_round_trip() {
    let folder = TempFolder::new();
    for variant in Variant::ALL {
        let path = folder.file(variant.name());
        let written: Vec<_> = (0..60).map(|seed| random_game_of(variant, seed)).collect();
        write_file_of(variant, &path, &written);
        assert_eq!(DataReader::open(&path).unwrap().variant(), variant);
        let (found, errors) = read(&path);
        assert!(errors.is_empty(), "{errors:?}");
        assert!(found == written);
        assert!(found.iter().all(|game| game.verify() == Ok(())));
        let ends = |game: &&GameRecord| game.reason == Reason::VariantEnd;
        let ended = found.iter().filter(ends).count();
        match variant {
            Variant::Standard | Variant::Crazyhouse => assert_eq!(ended, 0),
            // A horde is seldom taken by chance.
            Variant::Horde => {}
            _ => assert!(ended > 10, "{ended} of {}", variant.name()),
        }
    }
}

#[test]
fn a_file_is_of_one_game_and_its_version_says_which() {
    let folder = TempFolder::new();
    let path = folder.file("horde");
    write_file_of(Variant::Horde, &path, &[random_game_of(Variant::Horde, 1)]);
    let mut bytes = fs::read(&path).unwrap();
    assert_eq!(bytes[8..12], [2, 0, 0, 0]);
    bytes[8] = 1;
    let (_, errors) = read_bytes(&bytes);
    assert!(
        errors[0]
            .to_string()
            .ends_with("version 1 of the format for games of horde"),
        "{errors:?}"
    );

    let mut writer = DataWriter::open(&path, &manifest_of(Variant::Horde)).unwrap();
    let error = writer.push(&random_game(0)).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("a game of chess, the file holds horde")
    );
    drop(writer);
    write_file(&folder.file("chess"), &[random_game(0)]);
    assert_eq!(fs::read(folder.file("chess")).unwrap()[8..12], [1, 0, 0, 0]);

    let manifests = [Variant::Horde, Variant::RacingKings].map(manifest_of);
    let error = Manifest::union(&manifests).unwrap_err();
    assert_eq!(
        error.to_string(),
        "games of horde and of racingkings together"
    );
    let mut chess = random_game(0);
    chess.reason = Reason::VariantEnd;
    let mut writer = DataWriter::create(&folder.file("other"), &Manifest::default()).unwrap();
    let error = writer.push(&chess).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("chess does not end by aim of the variant")
    );
}

#[test]
#[expect(clippy::print_stdout, reason = "the figure is worth seeing")]
fn random_moves_and_wandering_scores_are_written_compactly() {
    let folder = TempFolder::new();
    let path = folder.file("games");
    let written = games(0..1_000);
    write_file(&path, &written);
    let plies: usize = written.iter().map(|game| game.moves.len()).sum();
    let per_ply = fs::metadata(&path).unwrap().len() as f64 / plies as f64;
    println!("{per_ply:.3} bytes per ply");
    assert!(per_ply < 1.6, "{per_ply:.3} bytes per ply");
}

/// The moves of a game from its usual start.
fn moves_from_start(variant: Variant, text: &str) -> Vec<Move> {
    let mut position = Start::Standard.position(variant).unwrap();
    let moves = text.split(' ').map(|text| {
        let mv = parse_coordinate(&position, text).unwrap();
        position.make_move(mv);
        mv
    });
    moves.collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[test]
fn the_bytes_of_a_game_are_frozen() {
    let game = GameRecord {
        variant: Variant::Standard,
        start: Start::Standard,
        opening_plies: 1,
        moves: moves_from_start(Variant::Standard, "f2f3 e7e5 g2g4 d8h4"),
        scores: [40, -45, 31_999]
            .map(|value| Score::from_value(value).unwrap())
            .to_vec(),
        result: GameResult::BlackWins,
        reason: Reason::Checkmate,
    };
    let folder = TempFolder::new();
    let path = folder.file("games");
    write_file(&path, &[game]);
    let bytes = fs::read(&path).unwrap();
    let text = hex(&bytes);
    let expected = concat!(
        // File: magic, version, length and checksum of the manifest, manifest.
        "4f52544852555347",
        "01000000",
        "0b000000",
        "ae0029f4",
        "7b2272756e73223a5b5d7d",
        // Block: magic, length of the payload, games, plies, first game, checksums.
        "4f474231",
        "0e000000",
        "01000000",
        "04000000",
        "0000000000000000",
        "325f0726",
        "c340157b",
        // Payload.
        "003902d1b2528d8bfb85d0800000",
    );
    assert_eq!(text, expected);
}

#[test]
fn the_bytes_of_a_variant_are_frozen() {
    let variant = Variant::KingOfTheHill;
    let game = GameRecord {
        variant,
        start: Start::Standard,
        opening_plies: 4,
        moves: moves_from_start(variant, "e2e4 a7a6 e1e2 a6a5 e2e3 a5a4 e3d4"),
        scores: [90, -31_998, 31_999]
            .map(|value| Score::from_value(value).unwrap())
            .to_vec(),
        result: GameResult::WhiteWins,
        reason: Reason::VariantEnd,
    };
    let folder = TempFolder::new();
    let path = folder.file("games");
    write_file_of(variant, &path, &[game]);
    let bytes = fs::read(&path).unwrap();
    let text = hex(&bytes);
    let (file, block) = text.split_once("4f474231").unwrap();
    // Magic, version, length and checksum of the manifest, which follows.
    assert!(file.starts_with("4f5254485255534702000000"), "{file}");
    let manifest = String::from_utf8_lossy(&bytes[20..20 + 60]);
    let expected = r#"{"runs":[{"engine":"test","variant":"kingofthehill","evaluat"#;
    assert_eq!(manifest, expected);
    // Length of the payload, games, plies, first game, checksums, payload.
    let expected = concat!(
        "10000000",
        "01000000",
        "07000000",
        "0000000000000000",
        "acd76b0f",
        "8a85c576",
        "000e63fad0770e8d794806ccc5ee0000",
    );
    assert_eq!(block, expected);
}

#[test]
fn a_damaged_block_is_named_and_passed_over() {
    let folder = TempFolder::new();
    let path = folder.file("games");
    write_file(&path, &games(0..1_500));
    let whole = fs::read(&path).unwrap();
    let offsets = block_offsets(&path);
    assert!(offsets.len() >= 3);
    let second = offsets[1] as usize;
    let in_header = (second + 4, "a byte of the length");
    let in_payload = (second + 1_000, "a byte of the payload");
    for (at, what) in [in_header, in_payload] {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x40;
        let (found, errors) = read_bytes(&damaged);
        let [DataError::Block { offset, .. }] = errors[..] else {
            panic!("{what}: {errors:?}");
        };
        assert_eq!(offset, offsets[1], "{what}");
        let lost = 1_500 - found.len();
        assert!(lost > 0 && lost < 1_000, "{what}: {lost} games lost");
        assert!(found.last() == Some(&random_game(1_499)), "{what}");
    }
}

#[test]
fn bytes_missing_within_a_block_hide_none_behind_it() {
    let folder = TempFolder::new();
    let path = folder.file("games");
    write_file(&path, &games(0..1_500));
    let mut bytes = fs::read(&path).unwrap();
    let offsets = block_offsets(&path);
    let [.., one, last] = offsets[..] else {
        panic!("{offsets:?}")
    };
    // More than the last block has: the header of the one before promises more than there is.
    let missing = bytes.len() as u64 - last + 1;
    assert!(missing < last - one - 1_000);
    let at = one as usize + 500;
    bytes.drain(at..at + missing as usize);
    let (found, errors) = read_bytes(&bytes);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(found.last() == Some(&random_game(1_499)));
    fs::write(&path, bytes).unwrap();
    let refused = DataWriter::append(&path, &Manifest::default());
    assert!(matches!(refused, Err(DataError::Block { .. })));
}

#[test]
fn no_damage_panics_or_passes_for_a_game() {
    let folder = TempFolder::new();
    let path = folder.file("games");
    let written = games(0..30);
    write_file(&path, &written);
    let whole = fs::read(&path).unwrap();
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..3_000 {
        let mut damaged = whole.clone();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(0..damaged.len());
            damaged[at] = random.u8(..);
        }
        damaged.truncate(random.usize(0..damaged.len() * 4));
        let (found, errors) = read_bytes(&damaged);
        assert!(damaged == whole || found.is_empty());
        assert!(found.len() == 30 || !errors.is_empty() || damaged.len() < whole.len());
    }
}

#[test]
fn a_block_of_any_bytes_is_decoded_or_refused() {
    let mut random = fastrand::Rng::with_seed(8);
    let mut decoded = 0;
    for _ in 0..3_000 {
        let payload: Vec<u8> = (0..random.usize(0..2_000)).map(|_| random.u8(..)).collect();
        let block = Block {
            offset: 0,
            header: BlockHeader {
                first_game: 0,
                games: random.u32(1..5),
                plies: random.u32(..),
                payload_len: payload.len() as u32,
                payload_crc: crc32fast::hash(&payload),
            },
            variant: Variant::Standard,
            payload,
        };
        decoded += usize::from(block.decode().is_ok());
    }
    assert_eq!(
        decoded, 0,
        "random bytes do not have the right length and plies"
    );
}

#[test]
fn altered_games_with_right_checksums_are_refused_or_can_be_replayed() {
    let folder = TempFolder::new();
    let path = folder.file("games");
    write_file(&path, &games(0..8));
    let mut blocks = DataReader::open(&path).unwrap().blocks();
    let block = blocks.next().unwrap().unwrap();
    let mut random = fastrand::Rng::with_seed(9);
    let mut decoded = 0;
    for _ in 0..400 {
        let mut altered = block.clone();
        let at = random.usize(0..altered.payload.len());
        altered.payload[at] ^= 1 << random.u32(0..8);
        altered.header.games = random.u32(1..=8);
        // The number of plies is checked last and would hide earlier errors.
        while let Err(BlockFault::Plies { found, .. }) = altered.decode() {
            altered.header.plies = found as u32;
        }
        for game in altered.decode().unwrap_or_default() {
            let mut replay = game.replay().unwrap();
            let plies = std::iter::from_fn(|| replay.next_ply().map(|_| ())).count();
            assert_eq!(plies, game.moves.len());
            decoded += 1;
        }
    }
    assert!(decoded > 0, "some alterations make other games");
}

#[test]
fn an_interrupted_file_is_continued() {
    let folder = TempFolder::new();
    let path = folder.file("games");
    let manifest = Manifest::default();
    write_file(&path, &games(0..10));
    let whole_len = fs::metadata(&path).unwrap().len();
    write_file(&folder.file("other"), &games(10..20));
    let other = fs::read(folder.file("other")).unwrap();
    let block = &other[block_offsets(&folder.file("other"))[0] as usize..];
    for torn_len in [
        0,
        1,
        HEADER_LEN - 1,
        HEADER_LEN,
        HEADER_LEN + 100,
        block.len() - 1,
    ] {
        let mut file = OpenOptions::new().write(true).open(&path).unwrap();
        file.set_len(whole_len).unwrap();
        std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0)).unwrap();
        file.write_all(&block[..torn_len]).unwrap();
        drop(file);

        let mut writer = DataWriter::append(&path, &manifest).unwrap();
        assert_eq!(writer.next_game(), 10);
        for game in games(10..20) {
            writer.push(&game).unwrap();
        }
        assert_eq!(writer.next_game(), 20);
        writer.finish().unwrap();
        let (found, errors) = read(&path);
        assert!(errors.is_empty(), "{torn_len}: {errors:?}");
        assert!(found == games(0..20), "{torn_len}");
    }
}

#[test]
fn only_the_same_run_continues_a_file_and_only_one_at_a_time() {
    let folder = TempFolder::new();
    let path = folder.file("games");
    let writer = DataWriter::create(&path, &Manifest::default()).unwrap();
    assert!(matches!(
        DataWriter::append(&path, &Manifest::default()),
        Err(DataError::InUse(_))
    ));
    drop(writer);
    let run = Run {
        engine: "0.1.0".to_owned(),
        variant: Variant::Standard,
        evaluation: "material".to_owned(),
        search: SearchRules {
            soft_nodes: 1,
            hard_nodes: 2,
            hash_mebibytes: 3,
        },
        opening: OpeningRules::default(),
        adjudication: AdjudicationRules::default(),
        seed: 4,
        rescored: None,
    };
    let other = Manifest {
        runs: vec![run],
        ..Manifest::default()
    };
    assert!(matches!(
        DataWriter::append(&path, &other),
        Err(DataError::OtherRun { .. })
    ));
    assert!(matches!(
        DataWriter::create(&path, &other),
        Err(DataError::Io { .. })
    ));
}

#[test]
fn games_that_are_none_are_not_written() {
    let folder = TempFolder::new();
    let path = folder.file("games");
    let mut writer = DataWriter::create(&path, &Manifest::default()).unwrap();
    let mut refuse = |game: &GameRecord| match writer.push(game) {
        Err(DataError::Encode { error, .. }) => error,
        other => panic!("{other:?}"),
    };
    let good = random_game(0);
    let mut game = good.clone();
    game.moves[1] = game.moves[0];
    assert_eq!(refuse(&game), EncodeError::IllegalMove(1));
    let mut game = good.clone();
    game.scores.pop();
    assert!(matches!(refuse(&game), EncodeError::ScoreCount { .. }));
    let mut game = good.clone();
    game.start = Start::Fen("8/8/8/8/8/8/8/8 w - - 0 1".to_owned());
    assert!(matches!(refuse(&game), EncodeError::Start(_)));
    writer.push(&good).unwrap();
    writer.finish().unwrap();
    assert!(read(&path).0 == [good]);
}
