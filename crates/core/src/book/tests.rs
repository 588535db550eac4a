//! Keys, moves and files of the format.

use super::*;
use crate::fen;
use crate::game::Game;
use crate::notation::{CastlingText, parse_coordinate, write_coordinate};
use crate::position::{Position, Variant};
use crate::types::{Color, Move};

/// The positions whose keys the format's description gives.
const PUBLISHED: [(&str, u64); 9] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        0x463b96181691fc9c,
    ),
    (
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        0x823c9b50fd114196,
    ),
    (
        "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2",
        0x0756b94461c50fb0,
    ),
    (
        "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
        0x662fafb965db29d4,
    ),
    (
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        0x22a48b5a8e47ff78,
    ),
    (
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3",
        0x652a607ca3f242c1,
    ),
    (
        "rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4",
        0x00fdd303c946bdd9,
    ),
    (
        "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3",
        0x3c8123ea7b067637,
    ),
    (
        "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4",
        0x5c3f9b829b279560,
    ),
];

#[test]
fn published_keys_are_found() {
    for (fen, key) in PUBLISHED {
        assert_eq!(position_key(&fen::parse(fen).unwrap()).0, key, "{fen}");
        assert_eq!(
            setup_key(&fen::parse_setup_as(Variant::Standard, fen).unwrap()).0,
            key,
            "{fen}"
        );
    }
}

#[test]
fn a_push_beside_a_pinned_pawn_counts() {
    // The pawn on e5 may not take, because the rook stands behind it.
    let game = played("4k3/3pr3/8/4P3/8/8/8/4K3 b - - 0 1", &["d7d5"]);
    assert_eq!(game.position().en_passant(), None);
    assert_eq!(position_key(game.position()).0, 0x290994037ba17b4a);
}

fn played(fen: &str, moves: &[&str]) -> Game {
    let mut game = Game::new(fen::parse(fen).unwrap());
    for text in moves {
        assert!(game.play(parse_coordinate(game.position(), text).unwrap()));
    }
    game
}

fn code(from: &str, to: &str, promotion: u16) -> u16 {
    let index = |name: &str| name.parse::<crate::types::Square>().unwrap() as u16;
    promotion << 12 | index(from) << 6 | index(to)
}

fn entry(position: &Position, code: u16, weight: u16) -> Entry {
    Entry {
        key: position_key(position),
        code,
        weight,
        learn: 0,
    }
}

#[test]
fn entries_survive_their_bytes() {
    let written = Entry {
        key: BookKey(0x0102030405060708),
        code: 0x090a,
        weight: 0x0b0c,
        learn: 0x0d0e0f10,
    };
    let bytes = written.to_bytes();
    assert_eq!(
        bytes,
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
    );
    assert_eq!(Entry::from_bytes(&bytes), written);
}

#[test]
fn moves_are_understood() {
    let cases = [
        (
            "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
            ("a7", "a8", 4),
            Some("a7a8q"),
        ),
        (
            "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
            ("a7", "a8", 1),
            Some("a7a8n"),
        ),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", ("a7", "a8", 0), None),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", ("a7", "a8", 7), None),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            ("e1", "h1", 0),
            Some("e1h1"),
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
            ("e8", "a8", 0),
            Some("e8a8"),
        ),
        // The king's own move is understood, too.
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            ("e1", "c1", 0),
            Some("e1a1"),
        ),
        // Without the right it is no castling, and a rook's move from e1 is none either.
        ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", ("e1", "h1", 0), None),
        (
            "7k/8/8/8/8/8/8/K3R3 w - - 0 1",
            ("e1", "h1", 0),
            Some("e1h1"),
        ),
        // Chess960: the king steps to g1 or castles with the rook there.
        (
            "4k3/8/8/8/8/8/8/R4KR1 w GA - 0 1",
            ("f1", "g1", 0),
            Some("f1g1"),
        ),
        (
            "4k3/8/8/8/8/8/8/R4K1R w HA - 0 1",
            ("f1", "g1", 0),
            Some("f1g1"),
        ),
    ];
    for (fen, (from, to, promotion), expected) in cases {
        let position = fen::parse(fen).unwrap();
        let found =
            entry(&position, code(from, to, promotion), 1).find_among(&position.legal_moves());
        let text = found.map(|mv| write_coordinate(&position, mv, CastlingText::KingTakesRook));
        assert_eq!(text.as_deref(), expected, "{fen} {from}{to}");
    }
    let step = fen::parse("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1").unwrap();
    let found = entry(&step, code("f1", "g1", 0), 1).find_among(&step.legal_moves());
    assert!(!found.unwrap().is_castling());
}

fn start_moves(entries: &[Entry]) -> (Vec<(String, u32)>, Option<BookFault>) {
    let book = Book::from_bytes(file_content(entries)).unwrap();
    let position = Position::startpos();
    let (moves, fault) = book.moves(&position);
    let text = |mv: Move| write_coordinate(&position, mv, CastlingText::KingMove);
    (
        moves
            .iter()
            .map(|found| (text(found.mv), found.weight))
            .collect(),
        fault,
    )
}

#[test]
fn illegal_entries_are_ignored_and_named() {
    let position = Position::startpos();
    let bad = entry(&position, code("e2", "e5", 0), 9);
    let entries = [
        entry(&position, 0, 5),
        entry(&position, code("d2", "d4", 0), 1),
        bad,
        entry(&position, code("e2", "e4", 0), 7),
        entry(&position, code("d2", "d4", 0), 2),
        entry(&position, code("a2", "a3", 0), 0),
    ];
    let (moves, fault) = start_moves(&entries);
    assert_eq!(
        moves,
        [("e2e4".into(), 7), ("d2d4".into(), 3), ("a2a3".into(), 0)]
    );
    assert_eq!(fault, Some(BookFault::Illegal(bad)));
}

#[test]
fn damaged_files_are_used_as_far_as_they_go() {
    assert_eq!(
        Book::from_bytes(vec![0; 15]).unwrap_err(),
        BookError::NoEntry(15)
    );
    let position = Position::startpos();
    let first = entry(&position, code("d2", "d4", 0), 1);
    let other = Entry {
        key: BookKey(1),
        ..first
    };
    let mut bytes = file_content(&[first, other]);
    bytes.extend([0; 9]);
    let book = Book::from_bytes(bytes).unwrap();
    assert_eq!(book.faults(), [BookFault::Tail(9), BookFault::Unordered]);
    assert_eq!(book.len(), 2);
    assert!(book.entries(first.key).eq([first]));
    assert!(
        [0, u64::MAX]
            .iter()
            .all(|&key| book.entries(BookKey(key)).len() == 0)
    );
}

#[test]
fn games_make_a_book() {
    let mut builder = BookBuilder::default();
    let mut add = |moves: &[&str], score| {
        let game = played(PUBLISHED[0].0, moves);
        builder.add(game.start(), game.moves().iter().copied(), score, 2);
    };
    add(&["e2e4", "e7e5", "g1f3"], Some(Color::White));
    add(&["e2e4", "c7c5"], None);
    add(&["d2d4", "d7d5"], Some(Color::Black));
    let shown = |weighting, min_games| {
        let entries = builder.entries(weighting, min_games);
        assert!(entries.is_sorted_by_key(|entry| entry.key));
        (start_moves(&entries).0, entries.len())
    };
    let e4 = |weight| ("e2e4".to_owned(), weight);
    assert_eq!(shown(Weighting::Results, 1), (vec![e4(3)], 3));
    assert_eq!(
        shown(Weighting::Games, 1),
        (vec![e4(2), ("d2d4".into(), 1)], 5)
    );
    assert_eq!(shown(Weighting::Games, 2), (vec![e4(2)], 1));
}

#[test]
fn a_move_counts_as_often_as_the_game_repeats_it() {
    let mut builder = BookBuilder::default();
    let round = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let game = played(PUBLISHED[0].0, &[round, round].concat());
    let moves = game.moves().iter().copied();
    builder.add(game.start(), moves, None, 8);
    let entries = builder.entries(Weighting::Games, 1);
    assert_eq!(entries.len(), 4);
    assert!(entries.iter().all(|entry| entry.weight == 2));
}

#[test]
fn large_weights_are_scaled_within_their_position() {
    let mut builder = BookBuilder::default();
    let start = Position::startpos();
    for (text, games) in [("e2e4", 60_000), ("d2d4", 30_000), ("a2a3", 1)] {
        let mv = parse_coordinate(&start, text).unwrap();
        for _ in 0..games {
            builder.add(&start, [mv], Some(Color::White), 9);
        }
    }
    let weights = builder.entries(Weighting::Results, 1);
    let weights: Vec<u16> = weights.iter().map(|entry| entry.weight).collect();
    assert_eq!(weights, [65535, 32767, 1]);
}

#[test]
fn weights_that_do_not_fit_are_the_largest() {
    let position = Position::startpos();
    let heavy = entry(&position, code("e2", "e4", 0), u16::MAX).to_bytes();
    let book = Book::from_bytes(heavy.repeat(65_538)).unwrap();
    let (moves, fault) = book.moves(&position);
    assert_eq!((moves.len(), moves[0].weight, fault), (1, u32::MAX, None));
}
