//! Invariants of every position.

use super::{Aim, Ending, MoveSet, Outcome, Position, Setup, Variant};
use crate::fen::{self, CastlingLetters};
use crate::notation::{CastlingText, parse_move, parse_san, write_coordinate, write_san};
use crate::perft::perft;
use crate::types::{Bitboard, CastlingRule, CastlingSide, Color, Move, MoveList, Square};

/// Positions with all special cases: castling both ways, en passant with pins, promotions, double
/// checks, Chess960 rooks inside and outside.
const CORPUS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "rbbqn1kr/pp2p1pp/6n1/2pp1p2/2P4P/P7/BP1PPPP1/R1BQNNKR w HAha - 0 9",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
];

/// Positions of the variants with their special cases: games about to end, pawns of the first rank,
/// a side without a king.
const VARIANTS: &[(Variant, &str)] = &[
    (
        Variant::KingOfTheHill,
        "rnbq1bnr/pppp1ppp/3k4/4p3/8/3K4/PPPPPPPP/RNBQ1BNR w - - 0 1",
    ),
    (
        Variant::ThreeCheck,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 1+2 0 1",
    ),
    (
        Variant::ThreeCheck,
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 3+1 0 1",
    ),
    (
        Variant::RacingKings,
        "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
    ),
    (
        Variant::RacingKings,
        "2r5/1k4K1/4R3/3n4/4B3/8/8/8 w - - 0 1",
    ),
    // Black may follow, or be kept from it.
    (Variant::RacingKings, "4K3/1k6/8/8/8/8/8/q6r b - - 0 1"),
    (Variant::RacingKings, "8/1k2K3/8/8/8/8/8/R6q w - - 0 1"),
    (
        Variant::Horde,
        "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
    ),
    (
        Variant::Horde,
        "r3k2r/1PP3P1/3p4/2p1p3/PPP2PPp/1P5P/2n1Q3/P1P4P b kq g3 0 1",
    ),
    (Variant::Horde, "4k3/8/8/8/8/1pr5/2P5/8 b - - 0 1"),
    (
        Variant::Atomic,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ),
    (
        Variant::Atomic,
        "rn1qkb1r/p5pp/2p5/3p4/N3P3/5P2/PPP4P/R1BQK3 w Qkq - 0 1",
    ),
    (Variant::Atomic, "Rr2k1rR/3K4/3p4/8/8/8/7P/8 w kq - 0 1"),
    (
        Variant::Atomic,
        "n1n5/PPPk4/3K4/8/3pP3/8/5ppp/5N1N b - e3 0 1",
    ),
    (
        Variant::Antichess,
        "rnbqkb1r/pppp1ppp/5n2/4p3/2P5/8/PP1PPPPP/RNBQKBNR w - - 0 1",
    ),
    (
        Variant::Antichess,
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    ),
    (Variant::Antichess, "8/PK3k1K/8/8/3pP3/8/2P3p1/8 b - e3 0 1"),
    (
        Variant::Giveaway,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ),
    (Variant::Giveaway, "4k3/4p3/8/8/8/8/3Kb3/R3K2R b KQ - 0 1"),
    (Variant::Suicide, "8/1P6/8/1k6/p7/P6p/8/8 w - - 0 1"),
    (
        Variant::Losers,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ),
    (
        Variant::Losers,
        "n1n5/PPPk4/3P4/8/3pP3/8/5ppp/K4N1N b - e3 0 1",
    ),
    (
        Variant::Crazyhouse,
        "r3k2r/p1p1qp2/bn2p1p1/3PN3/1p2P3/2N2Q1p/PPPB1P1P/R3K2R[NPbp] w KQkq - 0 1",
    ),
    (
        Variant::Crazyhouse,
        "n1Q~5/PPP5/3k4/8/3pP3/8/4Kppp/5N1n~[QPqp] b - e3 0 1",
    ),
    (
        Variant::Crazyhouse,
        "4k3/8/8/8/1b2r3/8/5P2/4K2R[RBNPq] w K - 99 1",
    ),
    (
        Variant::Crazyhouse,
        "nr1rkb2/p1pp1p2/b4p2/1p6/4p3/2P3P1/PP1PPP1P/N1BRKBNR[RPqr] w KQq - 1 7",
    ),
];

fn corpus() -> impl Iterator<Item = Position> {
    let variants = VARIANTS
        .iter()
        .map(|&(variant, text)| fen::parse_as(variant, text).unwrap());
    let mirrored = CORPUS.iter().map(|text| mirrored(text));
    CORPUS
        .iter()
        .map(|text| fen::parse(text).unwrap())
        .chain(mirrored)
        .chain(variants)
}

/// The position with left and right exchanged, so that a king at home is on the d-file and
/// castles by two steps.
fn mirrored(text: &str) -> Position {
    let setup = fen::parse_setup_as(Variant::Standard, text).unwrap();
    let mut mirrored = Setup::empty();
    mirrored.castling_rule = CastlingRule::TwoSteps;
    mirrored.side_to_move = setup.side_to_move;
    mirrored.en_passant = setup.en_passant.map(Square::mirrored);
    for (square, man) in setup.board.iter() {
        mirrored.board[square.mirrored()] = *man;
    }
    for color in Color::ALL {
        for (side, other) in [
            (CastlingSide::King, CastlingSide::Queen),
            (CastlingSide::Queen, CastlingSide::King),
        ] {
            let rook = setup.castling.rook(color, side);
            let rook = rook.map(|rook| rook.mirrored().file());
            mirrored.castling.set(color, other, rook);
        }
    }
    Position::from_setup(&mirrored).unwrap()
}

/// Calls `check` on every position that up to `depth` legal moves lead to.
fn walk(position: &mut Position, depth: u32, check: &mut impl FnMut(&mut Position)) {
    check(position);
    if depth == 0 {
        return;
    }
    for mv in position.legal_moves() {
        position.make_move(mv);
        walk(position, depth - 1, check);
        position.unmake_move();
    }
}

/// Castling from the d-file is castling from the e-file seen in a mirror.
#[test]
fn castling_from_the_d_file_mirrors_standard_chess() {
    for (text, depth, paths) in [
        (CORPUS[0], 4, 197_281),
        (CORPUS[1], 3, 97_862),
        (CORPUS[3], 3, 9_467),
        (CORPUS[4], 3, 62_379),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 4, 314_346),
    ] {
        assert_eq!(perft(&mut mirrored(text), depth), paths, "{text}");
    }
}

#[test]
fn castling_by_two_steps_from_the_e_file_is_that_of_standard_chess() {
    let text = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let mut setup = fen::parse_setup_as(Variant::Standard, text).unwrap();
    setup.castling_rule = CastlingRule::TwoSteps;
    let mut position = Position::from_setup(&setup).unwrap();
    assert_eq!(perft(&mut position, 4), 314_346);
    assert_eq!(position.setup(), setup);
}

#[test]
fn castling_from_the_d_file_is_short_towards_the_nearer_rook() {
    let position = mirrored("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for (squares, letters, king, rook) in [
        ("d1b1", "O-O", Square::B1, Square::C1),
        ("d1f1", "O-O-O", Square::F1, Square::E1),
    ] {
        let mv = parse_move(&position, squares).unwrap();
        assert!(mv.is_castling());
        assert_eq!(parse_move(&position, letters), Ok(mv));
        let text = write_coordinate(&position, mv, CastlingText::KingMove);
        assert_eq!(text, squares);
        assert!(write_san(&position, mv).starts_with(letters));
        let mut after = position.clone();
        after.make_move(mv);
        assert_eq!(after.king(Color::White), king);
        assert!(after.piece_on(rook).is_some());
    }
}

#[test]
fn only_kings_in_the_middle_castle_by_two_steps() {
    for (text, rights) in [
        ("4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1", [true, true]),
        ("4k3/8/8/8/8/8/8/R1K4R w KQ - 0 1", [false, false]),
        ("4k3/8/8/8/8/8/8/1R1K3R w KQ - 0 1", [true, false]),
    ] {
        let mut setup = fen::parse_setup_as(Variant::Standard, text).unwrap();
        setup.castling_rule = CastlingRule::TwoSteps;
        let castling = Position::from_setup(&setup).unwrap().castling();
        let held = CastlingSide::ALL.map(|side| castling.rook_file(Color::White, side).is_some());
        assert_eq!(held, rights, "{text}");
    }
}

#[test]
fn perft_of_known_positions() {
    let known = [
        (CORPUS[0], 4, 197_281),
        (CORPUS[1], 3, 97_862),
        (CORPUS[2], 4, 43_238),
        (CORPUS[3], 3, 9_467),
        (CORPUS[4], 3, 62_379),
        (CORPUS[5], 3, 9_483),
        (CORPUS[7], 3, 14_569),
        (CORPUS[9], 1, 218),
        (
            "KQ4Qn/3Q4/Q4Q1Q/2Q4Q/4Q2n/1Q4QQ/3Q2nn/Q4Qnk w - - 0 1",
            1,
            241,
        ),
    ];
    for (text, depth, paths) in known {
        assert_eq!(
            perft(&mut fen::parse(text).unwrap(), depth),
            paths,
            "{text}"
        );
    }
}

#[test]
fn the_key_of_a_table_counts_a_late_fifty_move_clock_too() {
    let at = |clock| fen::parse(&format!("4k3/p7/8/8/8/8/4P3/R3K3 w - - {clock} 60")).unwrap();
    assert_eq!(at(0).tt_key(), at(0).key());
    for (first, last) in [(0, 13), (14, 21), (22, 29), (86, 93)] {
        assert_eq!(at(first).tt_key(), at(last).tt_key());
        assert_ne!(at(last).tt_key(), at(last + 1).tt_key());
    }
    // A quiet move and a null move may go on to the next key, a capture and a pawn's move go back to the first.
    for clock in [0, 13, 20, 21] {
        let mut position = at(clock);
        for mv in position.legal_moves() {
            let likely = position.likely_tt_key_after(mv);
            position.make_move(mv);
            assert_eq!(position.tt_key(), likely);
            position.unmake_move();
        }
        let likely = position.tt_key_after_null_move();
        position.make_null_move();
        assert_eq!(position.tt_key(), likely);
    }
}

#[test]
fn incremental_keys_equal_computed_ones() {
    let check = |position: &mut Position| {
        let keys = position.computed_keys();
        assert_eq!(position.key(), keys.all);
        assert_eq!(position.pawn_key(), keys.pawns);
        assert_eq!(position.state.non_pawn_keys, keys.non_pawns);
        if !position.in_check() {
            let before = position.key();
            position.make_null_move();
            assert_eq!(position.key(), position.computed_keys().all);
            position.unmake_move();
            assert_eq!(position.key(), before);
        }
    };
    for mut position in corpus() {
        walk(&mut position, 2, &mut { check });
    }
}

#[test]
fn unmake_restores_everything() {
    for mut position in corpus() {
        walk(&mut position, 1, &mut |position| {
            let before = position.setup();
            let sets = (
                position.pieces,
                position.colors,
                position.checkers(),
                position.pinned(),
            );
            for mv in position.legal_moves() {
                position.make_move(mv);
                position.unmake_move();
                assert_eq!(position.setup(), before);
                let after = (
                    position.pieces,
                    position.colors,
                    position.checkers(),
                    position.pinned(),
                );
                assert_eq!(after, sets);
            }
        });
    }
}

#[test]
fn a_position_read_back_from_its_fen_is_the_same() {
    for mut position in corpus() {
        walk(&mut position, 2, &mut |position| {
            for letters in [CastlingLetters::KingAndQueen, CastlingLetters::RookFiles] {
                let text = fen::write(position, letters);
                let mut copy = fen::parse_setup_as(position.variant(), &text).unwrap();
                // The one thing that a FEN does not say.
                copy.castling_rule = position.setup().castling_rule;
                let copy = Position::from_setup(&copy).unwrap();
                assert_eq!(copy.setup(), position.setup());
                assert_eq!(copy.key(), position.key());
            }
        });
    }
}

#[test]
fn is_legal_agrees_with_the_generator_on_every_move_word() {
    for mut position in corpus() {
        let mut visited = 0;
        walk(&mut position, 1, &mut |position| {
            visited += 1;
            if visited % 5 != 1 {
                return; // 65,536 words each: a sample is enough
            }
            let moves = position.legal_moves();
            for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
                assert_eq!(
                    position.is_legal(mv),
                    moves.contains(&mv),
                    "{mv:?} in {position:?}"
                );
            }
        });
    }
}

#[test]
fn tactical_and_quiet_moves_make_up_all() {
    for mut position in corpus() {
        walk(&mut position, 2, &mut |position| {
            let mut parts = MoveList::new();
            position.generate_into(MoveSet::Tactical, &mut parts);
            assert!(parts.iter().all(|mv| mv.is_tactical()));
            let tactical = parts.len();
            position.generate_into(MoveSet::Quiet, &mut parts);
            assert!(parts[tactical..].iter().all(|mv| !mv.is_tactical()));
            let mut all: Vec<_> = position.legal_moves().iter().map(|mv| mv.bits()).collect();
            let mut parts: Vec<_> = parts.iter().map(|mv| mv.bits()).collect();
            all.sort_unstable();
            parts.sort_unstable();
            assert_eq!(parts, all);
            assert_eq!(position.count_legal_moves(), all.len());
        });
    }
}

#[test]
fn san_round_trips() {
    for mut position in corpus() {
        walk(&mut position, 1, &mut |position| {
            for mv in position.legal_moves() {
                let text = write_san(position, mv);
                assert_eq!(parse_san(position, &text), Ok(mv), "{text}");
            }
        });
    }
}

#[test]
fn en_passant_is_noted_only_where_it_is_legal() {
    // Taking would uncover the rook on the fifth rank.
    let mut pinned = fen::parse("8/2p5/8/KP5r/8/8/8/4k3 b - - 0 1").unwrap();
    let push = parse_move(&pinned, "c7c5").unwrap();
    pinned.make_move(push);
    assert_eq!(pinned.en_passant(), None);
    let mut free = fen::parse("8/2p5/8/KP6/8/8/8/4k3 b - - 0 1").unwrap();
    free.make_move(push);
    assert!(free.en_passant().is_some());
}

#[test]
fn en_passant_is_noted_only_where_the_variant_allows_it() {
    let race = |text| fen::parse_as(Variant::RacingKings, text).unwrap();
    // Taking would give check.
    assert_eq!(
        race("8/4k3/8/3pP3/8/8/8/K3R3 w - d6 0 1").en_passant(),
        None
    );
    assert!(
        race("8/6k1/8/3pP3/8/8/8/K3R3 w - d6 0 1")
            .en_passant()
            .is_some()
    );
}

#[test]
fn a_pawn_that_gives_check_is_taken_en_passant() {
    let position = fen::parse("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1").unwrap();
    assert_eq!(position.en_passant(), Some(Square::D3));
}

#[test]
fn nobody_castles_in_a_race_or_in_suicide() {
    for (variant, castles) in [
        (Variant::RacingKings, false),
        (Variant::Suicide, false),
        (Variant::Giveaway, true),
    ] {
        let position = fen::parse_as(variant, "4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let moves = position.legal_moves();
        assert_eq!(moves.iter().any(|mv| mv.is_castling()), castles);
    }
}

#[test]
fn a_rook_that_shields_its_king_does_not_castle() {
    // The king would stay on c1, and the rook pass from b1 to d1.
    for (text, castles) in [
        ("7k/8/8/8/8/8/8/1RK5 w B - 0 1", true),
        ("7k/8/8/8/8/8/8/rRK5 w B - 0 1", false),
    ] {
        let moves = fen::parse(text).unwrap().legal_moves();
        assert_eq!(moves.iter().any(|mv| mv.is_castling()), castles, "{text}");
    }
}

#[test]
fn fifty_moves_of_either_side_end_the_game() {
    for (plies, expected) in [(99, None), (100, Some(Outcome::FiftyMoves))] {
        let text = format!("4k3/8/8/8/8/8/8/R3K3 w - - {plies} 80");
        assert_eq!(fen::parse(&text).unwrap().outcome(), expected);
    }
}

#[test]
fn san_names_as_much_of_the_origin_as_it_needs() {
    let position = fen::parse("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1").unwrap();
    for (coordinates, san) in [("e4e1", "Qee1"), ("h1e1", "Q1e1"), ("h4e1", "Qh4e1")] {
        let mv = parse_move(&position, coordinates).unwrap();
        assert_eq!(write_san(&position, mv), san);
    }
}

#[test]
fn repetition_counts_earlier_occurrences() {
    let mut position = Position::startpos();
    for round in 1..=2 {
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            let mv = parse_move(&position, text).unwrap();
            position.make_move(mv);
        }
        assert_eq!(position.repetitions(), round);
        // Within a search of more than four plies one repetition is enough.
        assert!(position.is_draw(5));
        assert_eq!(position.is_draw(0), round == 2);
    }
}

#[test]
fn without_history_the_position_is_the_same_and_new() {
    let mut position = Position::startpos();
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
        position.make_move(parse_move(&position, text).unwrap());
    }
    let new = position.without_history();
    assert_eq!((new.setup(), new.key()), (position.setup(), position.key()));
    assert_eq!(new.last_move(), position.last_move());
    assert_eq!((new.plies(), new.repetitions()), (0, 0));
    assert_eq!((position.plies(), position.repetitions()), (4, 1));
}

#[test]
fn insufficient_material_is_what_may_be_claimed() {
    let cases = [
        ("8/8/8/3k4/8/8/8/3K4 w - - 0 1", true),
        ("8/8/8/3k4/8/8/8/3KN3 w - - 0 1", true),
        ("8/8/8/3k4/8/8/8/3KB3 w - - 0 1", true),
        ("8/8/8/3kb3/8/8/8/3KB3 w - - 0 1", true),
        ("8/8/8/3k1b2/8/8/8/3KB3 w - - 0 1", false),
        ("8/8/8/3k4/8/8/8/3KNN2 w - - 0 1", false),
        ("8/8/8/3kn3/8/8/8/3KB3 w - - 0 1", false),
        ("8/8/8/3kn3/8/8/8/3KN3 w - - 0 1", false),
        ("8/8/8/3k4/8/8/P7/3K4 w - - 0 1", false),
    ];
    for (text, expected) in cases {
        assert_eq!(
            fen::parse(text).unwrap().has_insufficient_material(),
            expected,
            "{text}"
        );
    }
}

#[test]
fn cached_threats_are_those_of_the_position_and_change_no_move() {
    for mut position in corpus() {
        walk(&mut position, 2, &mut |position| {
            let moves = position.legal_moves();
            let mut cached = position.clone();
            cached.cache_threats();
            assert_eq!(cached.legal_moves(), moves);
            for mv in moves {
                assert!(cached.is_legal(mv));
                cached.make_move(mv);
                assert_eq!(cached.threats(), cached.attacked_by(!cached.side_to_move()));
                cached.unmake_move();
                assert_eq!(cached.threats(), position.threats());
            }
        });
    }
}

#[test]
fn checkers_are_those_who_attack_the_king() {
    for mut position in corpus() {
        walk(&mut position, 2, &mut |position| {
            let us = position.side_to_move();
            let attackers = |king| position.attackers(king, !us, position.occupied());
            // Kings that touch are safe in atomic chess.
            let king = position.royal(us).filter(|_| !position.kings_touch());
            let expected = king.map_or(Bitboard::EMPTY, attackers);
            assert_eq!(position.checkers(), expected);
            assert_eq!(position.pinned() - position.color(us), Bitboard::EMPTY);
        });
    }
}

#[test]
fn gives_check_agrees_with_the_position_after_the_move() {
    for mut position in corpus() {
        walk(&mut position, 2, &mut |position| {
            let squares = position.check_squares();
            let mut checks = MoveList::new();
            position.generate_checks_into(&mut checks);
            for mv in position.legal_moves() {
                let announced = position.gives_check(mv);
                let generated = announced && !mv.is_tactical();
                assert_eq!(checks.contains(&mv), generated, "{mv:?}");
                assert_eq!(squares.given_by(position, mv), announced, "{mv:?}");
                position.make_move(mv);
                assert_eq!(position.in_check(), announced, "{mv:?}");
                position.unmake_move();
            }
        });
    }
}

#[test]
fn variants_end_as_their_rules_say() {
    use Color::{Black, White};
    use Variant::{Antichess, Atomic, Crazyhouse, Giveaway, Horde, KingOfTheHill, Losers};
    use Variant::{RacingKings, Suicide, ThreeCheck};
    let won = |winner, aim| Some(Outcome::Variant(Ending::Won(winner, aim)));
    let tie = Some(Outcome::Variant(Ending::Tie));
    let cases = [
        (
            KingOfTheHill,
            "4k3/8/8/8/8/4K3/8/8 w - - 0 1",
            "e3e4",
            won(White, Aim::Hill),
        ),
        (
            KingOfTheHill,
            "4k3/8/8/8/8/4K3/8/8 w - - 99 1",
            "e3f3",
            Some(Outcome::FiftyMoves),
        ),
        (
            ThreeCheck,
            "4k3/8/8/8/8/8/8/3RK3 w - - 1+3 0 1",
            "d1d8",
            won(White, Aim::Checks),
        ),
        (
            ThreeCheck,
            "4k3/8/8/8/8/8/8/3RK3 w - - 2+3 0 1",
            "d1d8",
            None,
        ),
        (
            ThreeCheck,
            "4k3/8/8/8/8/8/3n4/4K3 w - - 3+3 0 1",
            "e1d2",
            Some(Outcome::InsufficientMaterial),
        ),
        (
            ThreeCheck,
            "4k3/8/8/8/8/8/3n4/5K2 w - - 3+3 0 1",
            "f1g1",
            None,
        ),
        (RacingKings, "8/2k1K3/8/8/8/8/8/8 w - - 0 1", "e7f8", None),
        (RacingKings, "5K2/2k5/8/8/8/8/8/8 b - - 1 1", "c7c8", tie),
        (
            RacingKings,
            "5K2/2k5/8/8/8/8/8/8 b - - 1 1",
            "c7c6",
            won(White, Aim::Race),
        ),
        (
            RacingKings,
            "8/4K3/2k5/8/8/8/8/8 w - - 0 1",
            "e7f8",
            won(White, Aim::Race),
        ),
        (
            RacingKings,
            "8/2k5/4K3/8/8/8/8/8 b - - 0 1",
            "c7c8",
            won(Black, Aim::Race),
        ),
        (
            Horde,
            "4k3/8/8/8/8/2r5/2P5/8 b - - 0 1",
            "c3c2",
            won(Black, Aim::HordeTaken),
        ),
        (
            Horde,
            "4k3/8/8/8/2p5/2P5/8/r7 b - - 0 1",
            "a1a2",
            Some(Outcome::Stalemate),
        ),
        (
            Atomic,
            "4k3/3p4/8/8/8/8/8/3RK3 w - - 0 1",
            "d1d7",
            won(White, Aim::Explosion),
        ),
        // The check need not be answered by who ends the game.
        (
            Atomic,
            "4k3/3p4/8/8/8/8/4r3/3RK3 w - - 0 1",
            "d1d7",
            won(White, Aim::Explosion),
        ),
        (Atomic, "6k1/8/5K2/8/8/8/P7/R7 w - - 0 1", "f6g7", None),
        (
            Atomic,
            "4k3/8/8/3r4/8/8/8/3RK3 w - - 0 1",
            "d1d5",
            Some(Outcome::InsufficientMaterial),
        ),
        (
            Antichess,
            "8/8/8/8/8/2k5/1P6/8 b - - 0 1",
            "c3b2",
            won(White, Aim::AllGiven),
        ),
        (Antichess, "8/8/8/8/8/2k5/1P3K2/8 b - - 0 1", "c3b2", None),
        // In giveaway it does not matter who has fewer men.
        (
            Giveaway,
            "8/8/p7/p1p5/P7/2P5/8/8 w - - 0 1",
            "c3c4",
            won(Black, Aim::NoMoves),
        ),
        (
            Suicide,
            "8/8/p7/p1p5/P7/2P5/8/8 w - - 0 1",
            "c3c4",
            won(White, Aim::FewerMen),
        ),
        (
            Suicide,
            "8/8/8/p1p5/P7/2P4P/8/8 w - - 0 1",
            "c3c4",
            won(Black, Aim::FewerMen),
        ),
        (
            Suicide,
            "8/8/8/p1p5/P7/2P5/8/8 w - - 0 1",
            "c3c4",
            Some(Outcome::Stalemate),
        ),
        (
            Antichess,
            "8/8/8/3b4/8/8/3p4/2B5 w - - 0 1",
            "c1d2",
            Some(Outcome::InsufficientMaterial),
        ),
        (Antichess, "8/8/3b4/8/8/8/3p4/2B5 w - - 0 1", "c1d2", None),
        (
            Losers,
            "4k3/8/8/8/8/8/3q4/3QK3 w - - 0 1",
            "d1d2",
            won(Black, Aim::AllGiven),
        ),
        (
            Losers,
            "k7/p7/K7/8/8/8/8/7R w - - 0 1",
            "h1h8",
            won(Black, Aim::Mated),
        ),
        (
            Losers,
            "k7/p7/8/K7/8/8/8/1R6 w - - 0 1",
            "a5a6",
            won(Black, Aim::NoMoves),
        ),
        // A man that can be put in between saves the king, and a drop may mate.
        (
            Crazyhouse,
            "6k1/5ppp/8/8/8/8/8/4K3[R] w - - 0 1",
            "R@e8",
            Some(Outcome::Checkmate(White)),
        ),
        (
            Crazyhouse,
            "6k1/5ppp/8/8/8/8/8/4K3[Rn] w - - 0 1",
            "R@e8",
            None,
        ),
        (
            Crazyhouse,
            "k7/P7/1K6/8/8/8/8/8[R] w - - 0 1",
            "R@h7",
            Some(Outcome::Stalemate),
        ),
        // Neither bare kings nor fifty moves draw.
        (
            Crazyhouse,
            "4k3/8/8/8/8/8/3n4/4K3[] w - - 0 1",
            "e1d2",
            None,
        ),
        (
            Crazyhouse,
            "4k3/8/8/8/8/8/8/4K3[] w - - 99 90",
            "e1e2",
            None,
        ),
    ];
    for (variant, text, mv, expected) in cases {
        let mut position = fen::parse_as(variant, text).unwrap();
        position.make_move(parse_move(&position, mv).unwrap());
        assert_eq!(position.outcome(), expected, "{variant:?} {text} {mv}");
        if position.ending().is_some() {
            assert!(position.legal_moves().is_empty(), "{text} {mv}");
        }
    }
}

#[test]
fn what_wins_at_once_is_what_a_move_leads_to() {
    let variants = VARIANTS.iter();
    for (variant, text) in variants {
        let mut position = fen::parse_as(*variant, text).unwrap();
        walk(&mut position, 2, &mut |position| {
            let us = position.side_to_move();
            let wins = position.legal_moves().into_iter().any(|mv| {
                position.make_move(mv);
                let ending = position.ending();
                position.unmake_move();
                matches!(ending, Some(Ending::Won(winner, _)) if winner == us)
            });
            // That the horde may be taken only search sees.
            if *variant != Variant::Horde && position.ending().is_none() {
                assert_eq!(position.wins_at_once(), wins, "{position:?}");
            }
        });
    }
}

/// The text of a position after these moves.
fn after(start: &str, moves: &str) -> String {
    let mut position = fen::parse_as(Variant::Crazyhouse, start).unwrap();
    for text in moves.split_whitespace() {
        position.make_move(parse_move(&position, text).unwrap());
    }
    fen::write(&position, CastlingLetters::KingAndQueen)
}

#[test]
fn captured_men_change_sides() {
    for (start, moves, end) in [
        (
            "4k3/8/8/3p4/4P3/8/8/4K3[] w - - 3 1",
            "e4d5",
            "4k3/8/8/3P4/8/8/8/4K3[P] b - - 0 1",
        ),
        // In passing, and put back.
        (
            "4k3/3p4/8/4P3/8/8/8/4K3[] b - - 0 1",
            "d7d5 e5d6 e8f8 P@d5",
            "5k2/8/3P4/3P4/8/8/8/4K3[] b - - 0 3",
        ),
        // A drop counts as a move; that of a pawn begins the count anew.
        (
            "4k3/8/8/8/8/8/8/4K3[NPb] w - - 7 1",
            "N@a1 B@h8",
            "4k2b/8/8/8/8/8/8/N3K3[P] w - - 9 2",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3[NPb] w - - 7 1",
            "P@a2",
            "4k3/8/8/8/8/8/P7/4K3[Nb] b - - 0 1",
        ),
        // A rook that is dropped is not the one that may castle.
        (
            "4k3/8/8/8/8/8/8/3RK3[R] w Q - 0 1",
            "R@a3",
            "4k3/8/8/8/8/R7/8/3RK3[] b Q - 1 1",
        ),
        // A pawn that was promoted stays one, wherever it goes, until it is taken.
        (
            "3r3k/2P5/8/8/8/8/8/4K3[] w - - 0 1",
            "c7d8q h8g7 d8d4 g7g8",
            "6k1/8/8/8/3Q~4/8/8/4K3[R] w - - 3 3",
        ),
        (
            "3r3k/2P5/8/8/8/8/8/4K3[] w - - 0 1",
            "c7c8n d8c8",
            "2r4k/8/8/8/8/8/8/4K3[p] w - - 0 2",
        ),
        (
            "7k/8/8/8/8/2q~5/3Q~4/4K3[] w - - 0 1",
            "d2c3",
            "7k/8/8/8/8/2Q~5/8/4K3[P] b - - 0 1",
        ),
    ] {
        assert_eq!(after(start, moves), end, "{start} {moves}");
    }
}

#[test]
fn positions_repeat_over_captures_and_drops() {
    // Each takes a pawn of the other and puts it back as its own.
    let start = "7k/8/8/1p6/B7/5b2/6P1/K7[] w - - 0 1";
    let mut position = fen::parse_as(Variant::Crazyhouse, start).unwrap();
    for round in 1..=2 {
        for text in ["a4b5", "f3g2", "b5a4", "g2f3", "P@g2", "P@b5"] {
            position.make_move(parse_move(&position, text).unwrap());
        }
        assert_eq!(position.repetitions(), round);
    }
    assert_eq!(position.outcome(), Some(Outcome::Repetition));
    let mut keys: Vec<u64> = [
        "[Qp]", "[q]", "[QQ]", "[Q]", "[QP]", "[QPPP]", "[QPP]", "[]",
    ]
    .map(|men| format!("3Q4/7k/8/8/8/8/8/4K3{men} w - - 0 1"))
    .map(|text| fen::parse_as(Variant::Crazyhouse, &text).unwrap().key().0)
    .to_vec();
    let text = "3Q~4/7k/8/8/8/8/8/4K3[] w - - 0 1";
    keys.push(fen::parse_as(Variant::Crazyhouse, text).unwrap().key().0);
    let count = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), count);
}

#[test]
fn games_of_the_same_board_have_keys_of_their_own() {
    let text = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
    let mut keys: Vec<u64> = [
        Variant::Standard,
        Variant::KingOfTheHill,
        Variant::ThreeCheck,
    ]
    .map(|variant| fen::parse_as(variant, text).unwrap().key().0)
    .to_vec();
    for checks in ["2+3", "3+2", "1+3", "0+3"] {
        let text = format!("4k3/8/8/8/8/8/8/R3K3 w Q - {checks} 0 1");
        keys.push(fen::parse_as(Variant::ThreeCheck, &text).unwrap().key().0);
    }
    let count = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), count);
}
