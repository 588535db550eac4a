//! What has gone wrong in other engines: search explosions, iterations without end, and draws that
//! depend on the moves played before.
#![allow(clippy::unwrap_used, reason = "a failed set-up is a failed test")]

use orthrus_core::evaluation::Evaluation;
use orthrus_core::fen::{self, CastlingLetters};
use orthrus_core::notation::parse_coordinate;
use orthrus_core::position::{Position, Variant};
use orthrus_core::search::{Limits, SearchResult, Searcher, on_search_stack};
use orthrus_core::types::{MAX_PLY, Score};

/// Nodes that an explosion exceeds and a normal search does not come near.
const BUDGET: u64 = 5_000_000;

fn deep<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    on_search_stack(work).unwrap()
}

fn search(position: &Position, limits: &Limits, lines: usize) -> SearchResult {
    let mut searcher = Searcher::new(16, Evaluation::default()).unwrap();
    deep(|| searcher.search_lines(position, limits, lines).0)
}

/// A position with the moves that led to it.
fn after(start: &str, moves: &str) -> Position {
    let mut position = fen::parse(start).unwrap();
    for text in moves.split_whitespace() {
        let mv = parse_coordinate(&position, text).unwrap();
        position.make_move(mv);
    }
    position
}

/// Searches to `depth` and fails if that takes more nodes than the budget.
fn assert_reaches(depth: u32, lines: usize, start: &str) {
    assert_gets_to(depth, lines, &fen::parse(start).unwrap());
}

fn assert_gets_to(depth: u32, lines: usize, start: &Position) {
    let mut limits = Limits::depth(depth);
    limits.nodes = Some(BUDGET);
    let result = search(start, &limits, lines);
    let start = fen::write(start, CastlingLetters::KingAndQueen);
    assert_eq!(result.depth, depth, "{start}: {} nodes", result.nodes);
}

/// Each capture leads to others.
#[test]
fn compulsory_captures_come_to_an_end() {
    use Variant::{Antichess, Giveaway, Losers, Suicide};
    for start in [
        "rnbqkbnr/ppp1pppp/8/8/4pP2/8/PPPP2PP/RNBQKBNR w - - 0 3",
        "rnbqkbnr/1ppp1ppp/8/p3p3/1P4P1/8/P1PPPP1P/RNBQKBNR w - - 0 3",
    ] {
        for variant in [Antichess, Giveaway, Losers, Suicide] {
            assert_gets_to(6, 1, &fen::parse_as(variant, start).unwrap());
        }
    }
}

/// Positions in which other engines extended without end, or stayed at one depth for hours.
#[test]
fn a_search_gets_on() {
    for (depth, start) in [
        // Stockfish issue 5023.
        (20, "1r4k1/p2r1p1p/P2bp1p1/R7/8/3RB1PP/5P2/6K1 w - - 0 30"),
        // Stockfish issue 6975.
        (20, "6k1/8/2R3P1/1PK5/6P1/8/8/1r6 w - - 0 1"),
        // Stockfish issue 5926: few moves.
        (40, "8/8/8/1B6/6p1/8/3K1Ppp/3N2kr w - - 0 1"),
        // Stockfish issue 544: more queens than anybody expects.
        (20, "7k/QQQQR3/2B5/4KN1Q/3QQ3/8/8/4R3 b - - 0 1"),
        // Hobbes issue 314: a stack overflow.
        (16, "8/6p1/KP3bRp/4p2P/4P3/5k2/8/8 b - - 0 70"),
        // Stockfish issue 3911.
        (
            15,
            "rnbqk2r/p4pp1/2pbp2p/1p2N3/2pPN3/P3P3/1P3PPP/R2QKB1R b KQkq - 0 1",
        ),
        // Stockfish pull request 3943.
        (
            15,
            "1r3rk1/5p1p/p2pb1p1/3Np1P1/2pRPR2/qP2Q1N1/P1PK3P/8 w - - 0 1",
        ),
        // Stockfish issue 6147: bishops that cannot win, and nothing else to do.
        (12, "7k/7P/8/8/4B3/3B4/2B5/KB6 w - - 0 1"),
    ] {
        assert_reaches(depth, 1, start);
    }
}

/// The same with all moves as lines: Stockfish issue 7156.
#[test]
fn a_search_for_every_line_gets_on() {
    for (depth, start) in [
        (
            8,
            "1r3rk1/p5bp/1n1p1Qp1/8/2P5/2NB3b/PP2RP2/R1B3K1 b - - 0 1",
        ),
        (
            8,
            "1rb2rk1/p1p2p1p/2p3p1/4P2P/5P2/2P2P2/P7/3RKB1R b K - 0 1",
        ),
        (
            8,
            "r1b2rk1/1p3ppp/2n2n2/p3p2q/8/R2P1NP1/3NPPBP/Q4RK1 b - - 0 1",
        ),
        (10, "2r5/5pk1/1p1Q2p1/p7/n2Rp1N1/1P2Pq1P/5P2/6K1 w - - 0 1"),
    ] {
        assert_reaches(depth, 256, start);
    }
}

/// The deepest possible search ends.
#[test]
fn a_search_ends_at_the_last_ply() {
    // If no line has a choice, all nodes are deep ones.
    for (start, is_reached) in [
        // Everything is a draw, or a mate, or a single move.
        ("8/8/3k4/8/8/3K4/8/8 w - - 0 1", true),
        ("7k/8/5K2/6R1/8/8/8/8 w - - 0 1", false),
        ("7k/8/8/8/8/8/4q3/7K w - - 0 1", false),
        // A fortress, and perpetual check.
        ("8/8/1p1p1p2/1PpPkPp1/2P3P1/4K3/8/8 w - - 0 1", false),
        ("6k1/5pp1/8/7Q/8/8/1q4r1/7K w - - 0 1", false),
    ] {
        let mut limits = Limits::depth(u32::MAX);
        limits.nodes = Some(200_000);
        let position = fen::parse(start).unwrap();
        let result = search(&position, &limits, 1);
        assert!(result.best.is_some_and(|mv| position.is_legal(mv)));
        let last = MAX_PLY as u32 - 1;
        let ends_there = result.depth == last;
        assert!(ends_there || !is_reached, "{start}: {}", result.depth);
        assert!(result.seldepth <= MAX_PLY as u32, "{start}");
    }
}

const QUEEN: &str = "7k/8/8/8/8/8/8/KQ6 w - - 0 1";
const ROUND: &str = "b1b2 h8g8 b2b1 g8h8 ";

#[test]
fn the_moves_of_the_game_count_for_a_repetition() {
    // The king returns to a position that has occurred twice.
    let drawn = after(QUEEN, &format!("{ROUND}b1b2 h8g8 b2b1"));
    let result = search(&drawn, &Limits::depth(6), 1);
    assert_eq!(result.score, Score::DRAW);
    assert_eq!(result.best, Some(parse_coordinate(&drawn, "g8h8").unwrap()));
    // Once is not enough: the first repetition of a position from before the search is no draw.
    let lost = after(QUEEN, "b1b2 h8g8 b2b1");
    let result = search(&lost, &Limits::depth(6), 1);
    assert!(result.score < -Score::centipawns(500), "{result:?}");
    // Without its history the same position is lost, too.
    let forgotten = fen::parse(&fen::write(&drawn, CastlingLetters::KingAndQueen)).unwrap();
    let result = search(&forgotten, &Limits::depth(6), 1);
    assert!(result.score < -Score::centipawns(500), "{result:?}");
}

/// Lost rights make another position, but only if they were worth something.
#[test]
fn a_position_with_other_rights_is_no_repetition() {
    const TAKEN: &str = "4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1";
    // Capturing en passant would expose the king.
    const PINNED: &str = "1k6/8/8/8/1p6/8/P7/1R2K3 w - - 0 1";
    const ROOK: &str = "r3k3/8/8/8/8/8/8/4K3 b q - 0 1";
    let moved = "a8b8 e1d1 b8a8 d1e1";
    for (start, moves, expected) in [
        (TAKEN, "a2a4 e8d8 e1d1 d8e8 d1e1", 0),
        (PINNED, "a2a4 b8c8 e1d1 c8b8 d1e1", 1),
        (ROOK, moved, 0),
        (ROOK, &format!("{moved} {moved}"), 1),
    ] {
        let position = after(start, moves);
        assert_eq!(position.repetitions(), expected, "{start} {moves}");
    }
}

#[test]
fn a_winner_does_not_repeat() {
    let position = after(QUEEN, &format!("{ROUND}b1b2 h8g8"));
    let back = parse_coordinate(&position, "b2b1").unwrap();
    let free = search(&position, &Limits::depth(8), 1);
    assert!(free.score > Score::centipawns(500), "{free:?}");
    assert_ne!(free.best, Some(back));
    let mut limits = Limits::depth(8);
    limits.search_moves = Some(vec![back]);
    let result = search(&position, &limits, 1);
    assert_eq!(result.score, Score::DRAW);
}

/// What fastchess complains about: lines that go on after a repetition or the fifty-move rule.
#[test]
fn lines_end_where_the_past_ends_the_game() {
    for position in [
        after(QUEEN, &format!("{ROUND}b1b2 h8g8")),
        after(QUEEN, &format!("{ROUND}b1b2 h8g8 b2b1")),
        after("8/5k2/8/8/8/2R5/3K4/8 w - - 94 100", "c3c4 f7f6"),
    ] {
        let mut searcher = Searcher::new(4, Evaluation::default()).unwrap();
        let (_, lines) = deep(|| searcher.search_lines(&position, &Limits::depth(9), 4));
        assert!(lines.len() > 9);
        for line in lines {
            let mut end = position.clone();
            for &mv in &line.pv {
                assert_eq!(end.outcome(), None, "{line:?}");
                assert!(end.is_legal(mv), "{line:?}");
                end.make_move(mv);
            }
        }
    }
}

/// A halfmove clock of a hundred and more, as in a game where nobody claimed the draw: there is a
/// move to play, and a capture still wins.
#[test]
fn a_game_may_go_on_after_fifty_moves() {
    for clock in [99, 100, 101, 150, 255] {
        let start = format!("8/8/8/8/3k4/8/3r4/K2Q4 w - - {clock} 600");
        let position = fen::parse(&start).unwrap();
        let result = search(&position, &Limits::depth(6), 1);
        let taken = parse_coordinate(&position, "d1d2").unwrap();
        assert_eq!(result.best, Some(taken), "{start}: {result:?}");
        assert!(result.score > Score::centipawns(500), "{start}: {result:?}");
        let start = format!("8/8/8/4k3/8/8/8/KQ6 w - - {clock} 600");
        let position = fen::parse(&start).unwrap();
        let result = search(&position, &Limits::depth(6), 1);
        assert_eq!(result.score, Score::DRAW, "{start}: {result:?}");
        assert!(
            result.best.is_some_and(|mv| position.is_legal(mv)),
            "{start}"
        );
    }
}
