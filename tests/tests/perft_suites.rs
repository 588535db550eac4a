//! The exact perft counts for every entry of the perft suites.
//!
//! An entry is counted to the deepest depth whose published count is at most [`SHALLOW_LEAVES`];
//! `ORTHRUS_FULL_PERFT=1` counts every depth, which takes a release build and several minutes.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, thread};

use orthrus_core::fen;
use orthrus_core::perft::perft;
use orthrus_core::position::Variant;
use orthrus_tests::data;

const SHALLOW_LEAVES: u64 = 2_000_000;

/// A position with its published counts.
struct Entry {
    variant: Variant,
    fen: String,
    /// Depth in plies and number of paths.
    counts: Vec<(u32, u64)>,
}

/// Reads `FEN ;D1 n ;D2 n`.
fn parse(line: &str) -> Entry {
    parse_as(Variant::Standard, line)
}

/// The same for an entry of a variant.
fn parse_as(variant: Variant, line: &str) -> Entry {
    let mut fields = line.split(';');
    let fen = fields.next().unwrap().trim().to_owned();
    let count = |field: &str| {
        let (depth, paths) = field.trim().strip_prefix('D')?.split_once(' ')?;
        Some((depth.parse().ok()?, paths.trim().parse().ok()?))
    };
    let counts = fields
        .map(|field| count(field).unwrap_or_else(|| panic!("no count: {field} in {line}")))
        .collect();
    Entry {
        variant,
        fen,
        counts,
    }
}

/// Our wrong counts of an entry whose position can be read.
fn faults(entry: &Entry, leaves: u64) -> Vec<String> {
    let mut position = match fen::parse_as(entry.variant, &entry.fen) {
        Ok(position) => position,
        Err(error) => return vec![format!("{}: {error}", entry.fen)],
    };
    let counted = entry.counts.iter().filter(|&&(_, paths)| paths <= leaves);
    counted
        .filter_map(|&(depth, expected)| {
            let found = perft(&mut position, depth);
            (found != expected)
                .then(|| format!("{} depth {depth}: {found}, not {expected}", entry.fen))
        })
        .collect()
}

/// Counts all entries, on all processors.
fn check(entries: &[Entry]) {
    let full = env::var_os("ORTHRUS_FULL_PERFT").is_some_and(|value| value == "1");
    let leaves = if full { u64::MAX } else { SHALLOW_LEAVES };
    let next = AtomicUsize::new(0);
    let count_some = || {
        let claim = || entries.get(next.fetch_add(1, Ordering::Relaxed));
        std::iter::from_fn(claim)
            .flat_map(|entry| faults(entry, leaves))
            .collect::<Vec<_>>()
    };
    let faults: Vec<String> = thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, Into::into);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(count_some)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap())
            .collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Counts the entries of a suite, which must be this many.
fn check_suite(content: &str, entries: usize) {
    let suite: Vec<Entry> = data::entries(content).map(parse).collect();
    assert_eq!(suite.len(), entries);
    check(&suite);
}

/// The positions of the Chess Programming Wiki's page on perft, and small ones by Martin Sedlak
/// that each hold one trap.
const OWN_CASES: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902 ;D4 197281
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 ;D1 48 ;D2 2039 ;D3 97862
8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 ;D1 14 ;D2 191 ;D3 2812 ;D4 43238
r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1 ;D1 6 ;D2 264 ;D3 9467
rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8 ;D1 44 ;D2 1486 ;D3 62379
r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10 ;D1 46 ;D2 2079 ;D3 89890
3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1 ;D6 1134888
8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1 ;D6 1440467
5k2/8/8/8/8/8/8/4K2R w K - 0 1 ;D6 661072
3k4/8/8/8/8/8/8/R3K3 w Q - 0 1 ;D6 803711
r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1 ;D4 1274206
r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1 ;D4 1720476
2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1 ;D6 3821001
8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1 ;D5 1004658
4k3/1P6/8/8/8/8/K7/8 w - - 0 1 ;D6 217342
8/P1k5/K7/8/8/8/8/8 w - - 0 1 ;D6 92683
K1k5/8/P7/8/8/8/8/8 w - - 0 1 ;D6 2217
8/k1P5/8/1K6/8/8/8/8 w - - 0 1 ;D7 567584
8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1 ;D4 23527";

#[test]
fn own_cases() {
    let entries: Vec<Entry> = OWN_CASES.lines().map(parse).collect();
    let faults: Vec<String> = entries
        .iter()
        .flat_map(|entry| faults(entry, u64::MAX))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn standard() {
    check_suite(&data::read("perft/random_play.epd"), 600);
}

#[test]
#[cfg_attr(not(has_others), ignore = "other people's suites are not here")]
fn standard_of_others() {
    for (file, entries) in [
        ("perft/standard.epd", 127),
        ("perft/edge_cases.epd", 43),
        ("perft/tricky.epd", 21),
    ] {
        check_suite(&data::read_others(file), entries);
    }
}

#[test]
fn chess960() {
    check_suite(&data::read("perft/chess960_random_play.epd"), 240);
}

#[test]
#[cfg_attr(not(has_others), ignore = "other people's suites are not here")]
fn chess960_of_others() {
    check_suite(&data::read_others("perft/chess960.epd"), 960);
}

/// No game leads to these positions: if they are accepted, they must be counted right.
fn check_unreachable(content: &str) {
    let playable = data::entries(content)
        .map(parse)
        .filter(|entry| fen::parse(&entry.fen).is_ok());
    check(&playable.collect::<Vec<_>>());
}

#[test]
fn unreachable_positions_are_refused_or_counted_right() {
    check_unreachable(&data::read("perft/unreachable.epd"));
}

#[test]
#[cfg_attr(not(has_others), ignore = "other people's suites are not here")]
fn unreachable_positions_of_others_are_refused_or_counted_right() {
    check_unreachable(&data::read_others("perft/tricky_unreachable.epd"));
}

/// The start positions, and small ones that each hold one rule: the game that is over, the last
/// move of the race, steps of the horde.
const VARIANT_CASES: [(Variant, &str); 40] = [
    (
        Variant::KingOfTheHill,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D4 197281",
    ),
    (
        Variant::KingOfTheHill,
        "4k3/8/8/8/4K3/8/8/8 b - - 0 1 ;D1 0",
    ),
    (
        Variant::KingOfTheHill,
        "4k3/8/8/8/8/4K3/8/8 w - - 0 1 ;D1 8 ;D2 30",
    ),
    (
        Variant::ThreeCheck,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 1+1 0 1 ;D1 48 ;D2 2039 ;D3 97848",
    ),
    (
        Variant::ThreeCheck,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 +2+2 ;D1 48 ;D2 2039 ;D3 97848",
    ),
    (
        Variant::ThreeCheck,
        "4k3/8/8/8/8/8/8/R3K3 b - - 0+1 0 1 ;D1 0",
    ),
    (
        Variant::ThreeCheck,
        "4k3/8/8/8/8/8/8/3RK3 w - - 1+1 0 1 ;D1 14",
    ),
    (
        Variant::RacingKings,
        "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1 ;D1 21 ;D2 421 ;D3 11264 ;D4 296242",
    ),
    // Black may still draw, or is too late, or White's turn comes too late.
    (
        Variant::RacingKings,
        "4K3/1k6/8/8/8/8/8/8 b - - 0 1 ;D1 8 ;D2 0",
    ),
    (Variant::RacingKings, "4K3/8/1k6/8/8/8/8/8 b - - 0 1 ;D1 0"),
    (Variant::RacingKings, "1k6/4K3/8/8/8/8/8/8 w - - 0 1 ;D1 0"),
    (
        Variant::RacingKings,
        "1R2K3/k7/8/8/8/8/8/2R5 b - - 0 1 ;D1 2",
    ),
    (
        Variant::Horde,
        "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1 ;D1 8 ;D2 128 ;D3 1274 ;D4 23310",
    ),
    // A pawn of the first rank steps twice, which nobody can take in passing.
    (
        Variant::Horde,
        "4k3/8/8/8/8/1p6/8/P7 w - - 0 1 ;D1 2 ;D2 13",
    ),
    (
        Variant::Horde,
        "4k3/8/8/8/1p6/8/P7/8 w - - 0 1 ;D1 2 ;D2 14",
    ),
    (Variant::Horde, "4k3/8/8/8/8/8/8/8 w - - 0 1 ;D1 0"),
    (
        Variant::Atomic,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902 ;D4 197326",
    ),
    // Castling past a king, rooks at both ends; a king that is gone.
    (
        Variant::Atomic,
        "8/8/8/8/8/8/2k5/rR4KR w KQ - 0 1 ;D1 18 ;D2 180 ;D3 4364 ;D4 61401",
    ),
    (
        Variant::Atomic,
        "Rr2k1rR/3K4/3p4/8/8/8/7P/8 w kq - 0 1 ;D1 21 ;D2 465 ;D3 10631",
    ),
    (Variant::Atomic, "4k3/8/8/8/8/8/8/8 w - - 0 1 ;D1 0"),
    (
        Variant::Antichess,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1 ;D1 20 ;D2 400 ;D3 8067 ;D4 153299",
    ),
    // Kings are taken, and made.
    (
        Variant::Antichess,
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1 ;D4 3031",
    ),
    (Variant::Antichess, "8/8/8/8/8/8/8/k7 w - - 0 1 ;D1 0"),
    (
        Variant::Giveaway,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 ;D4 3872",
    ),
    // No attack hinders castling, of which there is none in suicide chess.
    (
        Variant::Giveaway,
        "4k3/8/8/8/8/5q2/8/R3K2R w KQ - 0 1 ;D1 26 ;D3 3199",
    ),
    (
        Variant::Suicide,
        "4k3/8/8/8/8/5q2/8/R3K2R w KQ - 0 1 ;D1 24 ;D3 3094",
    ),
    (
        Variant::Suicide,
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 ;D4 9",
    ),
    (
        Variant::Losers,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D4 152955 ;D5 2723795",
    ),
    (
        Variant::Losers,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 ;D4 3498",
    ),
    (
        Variant::Losers,
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1 ;D4 1143",
    ),
    (
        Variant::Crazyhouse,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1 ;D3 8902 ;D4 197281",
    ),
    // A man is put between king and rook, and cannot be against a knight or two men.
    (
        Variant::Crazyhouse,
        "4k3/8/8/8/4r3/8/8/4K3[QPp] w - - 0 1 ;D1 8 ;D2 494",
    ),
    (
        Variant::Crazyhouse,
        "4k3/8/8/8/8/3n4/8/4K3[QP] w - - 0 1 ;D1 4",
    ),
    (
        Variant::Crazyhouse,
        "4k3/8/8/8/4r3/5n2/8/4K3[QP] w - - 0 1 ;D1 3",
    ),
    // Pawns that were dropped may step twice.
    (
        Variant::Crazyhouse,
        "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1 ;D1 53 ;D2 255 ;D3 2830",
    ),
    // What was promoted is taken in hand as a pawn.
    (
        Variant::Crazyhouse,
        "3Q~k3/8/8/8/8/8/8/4K3[] b - - 0 1 ;D1 2 ;D2 31 ;D3 379",
    ),
    (
        Variant::Crazyhouse,
        "3Qk3/8/8/8/8/8/8/4K3[] b - - 0 1 ;D1 2 ;D2 31 ;D3 452",
    ),
    (
        Variant::Crazyhouse,
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N[] b - - 0 1 ;D1 24 ;D2 496 ;D3 18107",
    ),
    (
        Variant::Crazyhouse,
        "r3k2r/8/8/8/8/8/8/R3K2R[B] w KQkq - 0 1 ;D1 84 ;D2 1822",
    ),
    (
        Variant::Crazyhouse,
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8/Pn w - - 0 1 ;D1 52 ;D2 3340",
    ),
];

#[test]
fn variants() {
    let cases = VARIANT_CASES.map(|(variant, line)| parse_as(variant, line));
    check(&cases);
}

#[test]
#[cfg_attr(not(has_others), ignore = "other people's suites are not here")]
fn variants_of_others() {
    for (variant, file, entries) in [
        (
            Variant::KingOfTheHill,
            "perft/variant_kingofthehill.epd",
            30,
        ),
        (Variant::ThreeCheck, "perft/variant_threecheck.epd", 32),
        (Variant::RacingKings, "perft/variant_racingkings.epd", 33),
        (Variant::Horde, "perft/variant_horde.epd", 33),
        (Variant::Atomic, "perft/variant_atomic.epd", 36),
        (Variant::Antichess, "perft/variant_antichess.epd", 33),
        (Variant::Crazyhouse, "perft/variant_crazyhouse.epd", 35),
    ] {
        let suite: Vec<Entry> = data::entries(&data::read_others(file))
            .map(|line| parse_as(variant, line))
            .collect();
        assert_eq!(suite.len(), entries);
        check(&suite);
    }
}
