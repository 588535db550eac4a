//! What is read, what is refused and why, and that writing gives back what was read.

use super::*;

fn round_trip(text: &str) {
    let position = parse(text).unwrap();
    assert_eq!(write(&position, CastlingLetters::KingAndQueen), text);
}

#[test]
fn well_formed_fens_round_trip() {
    round_trip("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    round_trip("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    round_trip("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3");
    round_trip("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    round_trip("4k3/8/8/8/8/8/8/R3K3 w Q - 150 200");
}

#[test]
fn shredder_and_x_fen_mean_the_same() {
    let shredder = parse("nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w HBhb - 0 1").unwrap();
    let x_fen = parse("nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w KQkq - 0 1").unwrap();
    assert_eq!(shredder.setup(), x_fen.setup());
    let text = write(&x_fen, CastlingLetters::RookFiles);
    assert_eq!(
        text,
        "nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w HBhb - 0 1"
    );
}

#[test]
fn x_fen_names_the_file_of_an_inner_rook() {
    round_trip("4k3/8/8/8/8/8/8/1R1RK2R w KD - 0 1");
    let inner = parse("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1").unwrap();
    assert_eq!(
        inner
            .castling()
            .rook_file(Color::White, CastlingSide::Queen),
        Some(File::B)
    );
}

#[test]
fn a_right_may_be_named_twice() {
    let once = parse("4k3/8/8/8/8/8/8/RR2K3 w A - 0 1").unwrap();
    let twice = parse("4k3/8/8/8/8/8/8/RR2K3 w QAQ - 0 1").unwrap();
    assert_eq!(once.setup(), twice.setup());
}

#[test]
fn unusable_rights_and_squares_are_dropped() {
    let text = "4k3/8/8/8/8/8/8/4K3 w KQkq e6 0 0";
    let position = parse(text).unwrap();
    assert_eq!(
        write(&position, CastlingLetters::KingAndQueen),
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    );
    let unused = parse("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").unwrap();
    assert_eq!(unused.en_passant(), None);
    // No pawn can have come from where the king is, or have jumped over a piece.
    for text in [
        "8/k7/8/pP6/8/8/8/1K6 w - a6 0 1",
        "8/8/n7/pP6/8/8/8/1K4k1 w - a6 0 1",
    ] {
        assert_eq!(parse(text).unwrap().en_passant(), None, "{text}");
    }
}

#[test]
fn missing_fields_are_completed() {
    for (text, complete) in [
        ("", "w - - 0 1"),
        ("b", "b - - 0 1"),
        ("b Kq", "b Kq - 0 1"),
        ("w KQkq -", "w KQkq - 0 1"),
        ("b - - 7", "b - - 7 1"),
    ] {
        let read = parse(&format!("{START} {text}")).unwrap();
        let written = write(&read, CastlingLetters::KingAndQueen);
        assert_eq!(written, format!("{START} {complete}"));
    }
}

/// Checks that each text is refused for the reason next to it.
fn check_refusals<const N: usize>(cases: [(String, FenError); N]) {
    for (text, error) in cases {
        assert_eq!(parse(&text).unwrap_err(), error, "{text}");
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

#[test]
fn a_refused_field_is_named() {
    check_refusals([
        (String::new(), FenError::Empty),
        (" ".into(), FenError::Empty),
        (
            format!("{START} w KQkq - 0 1 x"),
            FenError::ExtraText("x".into()),
        ),
        (
            format!("{START} x KQkq - 0 1"),
            FenError::SideToMove("x".into()),
        ),
        (
            format!("{START} w KQkx - 0 1"),
            FenError::CastlingLetter('x'),
        ),
        (
            "4k3/8/8/8/8/8/8/RR2K3 w QB - 0 1".into(),
            FenError::CastlingRook('B'),
        ),
        (
            format!("{START} w KQkq e9 0 1"),
            FenError::EnPassant("e9".into()),
        ),
        (
            format!("{START} w KQkq - -1 1"),
            FenError::Counter {
                counter: FenCounter::HalfmoveClock,
                text: "-1".into(),
            },
        ),
        (
            format!("{START} w KQkq - 0 1.5"),
            FenError::Counter {
                counter: FenCounter::FullmoveNumber,
                text: "1.5".into(),
            },
        ),
    ]);
}

#[test]
fn a_board_of_the_wrong_size_is_refused() {
    let width = |rank, squares| FenError::RankWidth { rank, squares };
    check_refusals([
        ("8/8/8/8 w - - 0 1".into(), FenError::RankCount(4)),
        (format!("{START}/8 w - - 0 1"), FenError::RankCount(9)),
        (format!("{START}P w KQkq - 0 1"), width('1', 9)),
        ("7/8/8/8/8/8/8/8 w - - 0 1".into(), width('8', 7)),
        ("8/8/8//8/8/8/8 w - - 0 1".into(), width('5', 0)),
        (
            "9/8/8/8/8/8/8/8 w - - 0 1".into(),
            FenError::PieceLetter('9'),
        ),
        (
            "x7/8/8/8/8/8/8/8 w - - 0 1".into(),
            FenError::PieceLetter('x'),
        ),
    ]);
}

#[test]
fn a_board_that_cannot_be_played_is_refused() {
    let color = Color::White;
    let cases = [
        ("8/8/8/8/8/8/8/8 w", PositionError::NoKing(color)),
        (
            "4k3/8/8/8/8/8/8/K3K3 w",
            PositionError::SeveralKings { color, kings: 2 },
        ),
        (
            "4k3/8/8/8/8/8/8/P3K3 w",
            PositionError::PawnOnBackRank(Square::A1),
        ),
        (
            "4k3/8/PPPPP3/PPPPP3/8/8/8/4K3 w",
            PositionError::TooManyPawns { color, pawns: 10 },
        ),
        (
            "4k3/8/QQQQQQQQ/QQQQQQQQ/8/8/8/4K3 b",
            PositionError::TooManyPieces { color, pieces: 17 },
        ),
        ("4k3/8/8/8/8/8/4R3/4K3 w", PositionError::OpponentInCheck),
        ("8/8/8/3kK3/8/8/8/8 w", PositionError::OpponentInCheck),
        (
            "4k3/8/8/8/4r3/3n4/8/r3K3 w",
            PositionError::TooManyCheckers(3),
        ),
    ];
    check_refusals(cases.map(|(text, error)| (format!("{text} - - 0 1"), error.into())));
}

#[test]
fn checks_are_read_in_both_forms_and_written_in_one() {
    let board = "4k3/8/8/8/8/8/8/4K3 w - -";
    let written = |text: &str| {
        let position = parse_as(Variant::ThreeCheck, text)?;
        Ok(write(&position, CastlingLetters::KingAndQueen))
    };
    for (text, expected) in [
        (format!("{board} 3+3 5 9"), format!("{board} 3+3 5 9")),
        (format!("{board} 1+2 5 9"), format!("{board} 1+2 5 9")),
        (format!("{board} 5 9 +2+1"), format!("{board} 1+2 5 9")),
        (format!("{board} 5 9"), format!("{board} 3+3 5 9")),
        (board.to_owned(), format!("{board} 3+3 0 1")),
    ] {
        assert_eq!(written(&text), Ok(expected), "{text}");
    }
    for checks in ["4+3", "3+x", "3+", "+4+0", "-1+3", "+"] {
        let text = format!("{board} {checks} 0 1");
        assert_eq!(written(&text), Err(FenError::Checks(checks.to_owned())));
    }
    // Only that game has them.
    assert!(parse(&format!("{board} 3+3 0 1")).is_err());
}

#[test]
fn men_in_hand_are_read_in_all_forms_and_written_in_brackets() {
    let board = "4k3/8/8/8/8/8/8/R~3K3";
    let written = |text: &str| {
        let position = parse_as(Variant::Crazyhouse, text)?;
        Ok(write(&position, CastlingLetters::KingAndQueen))
    };
    for (hands, expected) in [
        ("[]", "[]"),
        ("[-]", "[]"),
        ("", "[]"),
        ("/", "[]"),
        ("[QNpp]", "[QNpp]"),
        ("/QNpp", "[QNpp]"),
        ("[pbPpNQR]", "[QRNPbpp]"),
    ] {
        let text = format!("{board}{hands} w - - 0 1");
        assert_eq!(written(&text), Ok(format!("{board}{expected} w - - 0 1")));
    }
    // A rook that was a pawn does not castle.
    let text = format!("{board}[] w Q - 0 1");
    assert_eq!(written(&text), Ok(format!("{board}[] w - - 0 1")));
    for (board, error) in [
        (format!("{board}[K]"), FenError::HandLetter('K')),
        (format!("{board}[x]"), FenError::HandLetter('x')),
        (format!("{board}/~"), FenError::HandLetter('~')),
        (format!("{board}[Q"), FenError::Hands(format!("{board}[Q"))),
        (
            format!("{board}[Q]]"),
            FenError::Hands(format!("{board}[Q]]")),
        ),
        (format!("{board}/Q/p"), FenError::RankCount(10)),
        (
            "4k3/8/8/8/8/8/8/~R3K3[]".to_owned(),
            FenError::PieceLetter('~'),
        ),
        (
            "4k3/8/8/8/8/8/8/R~~3K3[]".to_owned(),
            FenError::PieceLetter('~'),
        ),
        (
            "4k3/8/8/8/8/8/8/R3K~3[]".to_owned(),
            PositionError::NotPromoted(Square::E1).into(),
        ),
        (
            "4k3/8/8/8/8/P~7/8/4K3[]".to_owned(),
            PositionError::NotPromoted(Square::A3).into(),
        ),
        (
            format!("{board}[{}]", "P".repeat(16)),
            PositionError::TooManyPawnsInAll(17).into(),
        ),
        (
            format!("{board}[{}]", "Q".repeat(30)),
            PositionError::TooManyMen(33).into(),
        ),
    ] {
        assert_eq!(
            written(&format!("{board} w - - 0 1")),
            Err(error),
            "{board}"
        );
    }
    // Only that game has them.
    for text in [board, "4k3/8/8/8/8/8/8/R3K3[]", "4k3/8/8/8/8/8/8/R3K3/"] {
        assert!(parse(&format!("{text} w - - 0 1")).is_err(), "{text}");
    }
}

#[test]
fn men_fit_their_variant() {
    for (variant, text, expected) in [
        (
            Variant::Horde,
            "4k3/8/8/8/8/8/8/P3K3 w - - 0 1",
            PositionError::RoyalHorde,
        ),
        (
            Variant::Horde,
            "k7/8/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPP3/8 w - - 0 1",
            PositionError::LargeHorde(37),
        ),
        (
            Variant::Horde,
            "k7/8/8/8/8/8/P7/p7 w - - 0 1",
            PositionError::PawnOnBackRank(Square::A1),
        ),
        (
            Variant::RacingKings,
            "8/8/8/8/8/8/k6R/7K b - - 0 1",
            PositionError::CheckInRace,
        ),
        (
            Variant::KingOfTheHill,
            "8/8/8/8/8/8/8/7K b - - 0 1",
            PositionError::NoKing(Color::Black),
        ),
    ] {
        assert_eq!(
            parse_as(variant, text).err(),
            Some(expected.into()),
            "{text}"
        );
    }
}
