//! Texts that people and programs write, good and bad: FEN, SAN, coordinates.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use orthrus_core::fen::{self, CastlingLetters};
use orthrus_core::notation::{
    CastlingText, MoveError, parse_coordinate, parse_move, parse_san, write_coordinate, write_san,
};
use orthrus_core::position::{Position, Variant};
use orthrus_core::types::Move;
use orthrus_tests::data;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const PROMOTION: &str = "8/4P2k/8/8/8/8/8/4K3 w - - 0 1";

/// What a reader must do with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Accept,
    Reject,
    /// Readers differ; what is accepted must be read as what it is.
    Either,
}

impl Expected {
    fn parse(word: &str) -> Self {
        match word {
            "accept" => Self::Accept,
            "reject" => Self::Reject,
            "either" => Self::Either,
            _ => panic!("no expectation: {word}"),
        }
    }

    fn check(self, accepted: bool, text: &str) {
        let wrong = match self {
            Self::Accept => !accepted,
            Self::Reject => accepted,
            Self::Either => false,
        };
        assert!(!wrong, "{self:?} {text:?}");
    }
}

/// Checks that a position that was read obeys the rules and can be played.
fn check_position(position: &Position) {
    let text = fen::write(position, CastlingLetters::KingAndQueen);
    assert_eq!(
        fen::parse(&text).unwrap().setup(),
        position.setup(),
        "{text}"
    );
    for mv in position.legal_moves() {
        let mut after = position.clone();
        after.make_move(mv);
        let again = Position::from_setup(&after.setup());
        assert!(again.is_ok(), "{mv:?} in {text}: {again:?}");
    }
}

fn check_fen(expected: Expected, text: &str) {
    let position = fen::parse(text);
    expected.check(position.is_ok(), text);
    if let Ok(position) = position {
        check_position(&position);
    }
}

#[test]
fn own_fens() {
    use Expected::{Accept, Either, Reject};
    let cases = [
        (Accept, START),
        (
            Accept,
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        ),
        (Accept, "r3k2r/8/8/8/8/8/8/R3K2R b HAha - 99 65535"),
        (Accept, "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"),
        (Reject, ""),
        (Reject, "\u{0}"),
        (Reject, "w KQkq - 0 1"),
        (Reject, "8/8/8/8/8/8/8/8 w - - 0 1"),
        (
            Reject,
            "ȑnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (Reject, "4k3/8/8/8/8/8/8/4K3 w - - 0x10 1"),
        (Reject, "4k3/8/8/8/8/8/8/4K3 w - ５５ 0 1"),
        (Either, "4k3/8/8/8/8/8/8/4K2R w KQkqKQkq h6 99999999999 0"),
        (Either, "4k3/8/8/8/8/8/8/4K2R\tw\tK\t-\t0\t1"),
    ];
    for (expected, text) in cases {
        check_fen(expected, text);
    }
}

#[test]
fn fen_suite() {
    let text = data::read("malformed/fen.txt");
    let rows: Vec<[&str; 2]> = data::entries(&text).map(data::row).collect();
    assert_eq!(rows.len(), 70);
    for [expected, text] in rows {
        check_fen(Expected::parse(expected), text);
    }
}

/// Checks one move in both notations, in both directions.
fn check_move(text: &str, coordinates: &str, san: &str, castling: CastlingText) {
    check_move_of(&fen::parse(text).unwrap(), coordinates, san, castling);
}

fn check_move_of(position: &Position, coordinates: &str, san: &str, castling: CastlingText) {
    let mv = parse_coordinate(position, coordinates).unwrap();
    assert_eq!(
        write_coordinate(position, mv, castling),
        coordinates,
        "{position:?}"
    );
    assert_eq!(write_san(position, mv), san, "{position:?}");
    assert_eq!(parse_san(position, san), Ok(mv), "{san} in {position:?}");
    assert_eq!(parse_move(position, san), Ok(mv), "{san} in {position:?}");
}

#[test]
fn own_moves() {
    let cases = [
        (START, "g1f3", "Nf3"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O"),
        ("5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O+"),
        ("8/8/8/k7/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1+"),
        ("4k3/8/8/8/8/8/R7/R3K3 w - - 0 1", "a1b1", "Rb1"),
        ("4k3/R7/8/8/8/8/8/R3K3 w - - 0 1", "a1a4", "R1a4"),
        ("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8n", "exd8=N"),
        ("7k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "h1h8", "Rh8#"),
    ];
    for (text, coordinates, san) in cases {
        check_move(text, coordinates, san, CastlingText::KingMove);
    }
}

/// Other programs write a win by the aim of a variant as a mate.
#[test]
fn own_moves_of_variants() {
    for (variant, text, coordinates, san) in [
        (
            Variant::KingOfTheHill,
            "6k1/8/8/8/8/3K4/8/8 w - - 0 1",
            "d3d4",
            "Kd4#",
        ),
        (
            Variant::RacingKings,
            "8/6K1/8/2k5/8/8/8/8 w - - 0 1",
            "g7g8",
            "Kg8#",
        ),
        (
            Variant::RacingKings,
            "8/1K3k2/8/8/8/8/8/8 w - - 0 1",
            "b7b8",
            "Kb8",
        ),
        (
            Variant::ThreeCheck,
            "6k1/8/8/8/8/8/8/3QK3 w - - 1+3 0 1",
            "d1d8",
            "Qd8#",
        ),
        (
            Variant::ThreeCheck,
            "6k1/8/8/8/8/8/8/3QK3 w - - 2+3 0 1",
            "d1d8",
            "Qd8+",
        ),
        (
            Variant::Antichess,
            "8/8/8/8/8/2k5/1P6/8 b - - 0 1",
            "c3b2",
            "Kxb2#",
        ),
        (
            Variant::Suicide,
            "8/8/p7/p1p5/P7/2P5/8/8 w - - 0 1",
            "c3c4",
            "c4#",
        ),
        (
            Variant::Horde,
            "4k3/8/8/8/8/2r5/2P5/8 b - - 0 1",
            "c3c2",
            "Rxc2#",
        ),
    ] {
        let position = fen::parse_as(variant, text).unwrap();
        check_move_of(&position, coordinates, san, CastlingText::KingMove);
    }
}

#[test]
fn san_suite() {
    let text = data::read("games/san_cases.tsv");
    let rows: Vec<[&str; 5]> = data::table(&text).collect();
    assert_eq!(rows.len(), 384);
    for [_, text, coordinates, san, chess960] in rows {
        let castling = match chess960 {
            "1" => CastlingText::KingTakesRook,
            _ => CastlingText::KingMove,
        };
        check_move(text, coordinates, san, castling);
    }
}

#[test]
fn san_reading_suite() {
    let text = data::read("games/san_reading.tsv");
    let rows: Vec<[&str; 4]> = data::table(&text).collect();
    assert_eq!(rows.len(), 39);
    for [expected, fen, text, coordinates] in rows {
        let position = fen::parse(fen).unwrap();
        let found = parse_san(&position, text);
        Expected::parse(expected).check(found.is_ok(), text);
        let meant =
            (!coordinates.is_empty()).then(|| parse_coordinate(&position, coordinates).unwrap());
        assert!(
            found.is_err() || found.ok() == meant,
            "{text} in {fen}: {found:?}"
        );
    }
}

#[test]
fn what_is_no_move_is_told_from_an_illegal_one() {
    let position = fen::parse(START).unwrap();
    for (text, error) in [
        ("e2e5", MoveError::Illegal),
        ("Nd5", MoveError::Illegal),
        ("O-O", MoveError::Illegal),
        ("", MoveError::Unrecognised),
        ("Zf3", MoveError::Unrecognised),
        ("e2-", MoveError::Unrecognised),
        ("N\u{0}f3", MoveError::Unrecognised),
        ("♘f3", MoveError::Unrecognised),
    ] {
        assert_eq!(parse_move(&position, text), Err(error), "{text:?}");
    }
}

/// Whether the text is in coordinates, legal or not.
fn is_coordinate(position: &Position, text: &str) -> bool {
    parse_coordinate(position, text) != Err(MoveError::Unrecognised)
}

#[test]
fn coordinate_suite() {
    let text = data::read("malformed/uci_moves.txt");
    let rows: Vec<[&str; 2]> = data::entries(&text).map(data::row).collect();
    assert_eq!(rows.len(), 18);
    for [expected, text] in rows {
        let text = text.replace("\\0", "\0");
        for fen in [START, PROMOTION] {
            let position = fen::parse(fen).unwrap();
            Expected::parse(expected).check(is_coordinate(&position, &text), &text);
            if let Ok(mv) = parse_move(&position, &text) {
                assert!(position.legal_moves().contains(&mv), "{text}");
            }
        }
    }
}

#[test]
fn every_letter_of_coordinates_counts() {
    let position = fen::parse(PROMOTION).unwrap();
    let promotions = ["e7e8q", "e7e8Q", "E7E8=n", "e7e8b", "e7e8r"];
    let found: Vec<Move> = promotions
        .iter()
        .map(|text| parse_coordinate(&position, text).unwrap())
        .collect();
    assert!(
        position
            .legal_moves()
            .iter()
            .filter(|mv| mv.promotion().is_some())
            .all(|mv| found.contains(mv))
    );
    for text in [
        "e7e8k", "e7e8p", "e7e8qq", "e7e8==q", "e7e8=", " e7e8q", "e7-e8q",
    ] {
        assert!(!is_coordinate(&position, text), "{text:?}");
    }
}
