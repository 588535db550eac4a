//! The search in known positions: mates, draws, determinism, limits.
#![allow(clippy::unwrap_used, reason = "a failed set-up is a failed test")]

use std::time::{Duration, Instant};

use orthrus_core::evaluation::Evaluation;
use orthrus_core::fen;
use orthrus_core::notation::{CastlingText, parse_move, write_coordinate};
use orthrus_core::position::{Position, Variant};
use orthrus_core::search::{Bound, Limits, SearchResult, Searcher, on_search_stack};
use orthrus_core::types::Score;

fn deep<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    on_search_stack(work).unwrap()
}

fn searcher() -> Searcher {
    Searcher::new(4, Evaluation::default()).unwrap()
}

fn search(text: &str, limits: &Limits) -> SearchResult {
    let position = fen::parse(text).unwrap();
    deep(|| searcher().search(&position, limits))
}

fn best(text: &str, limits: &Limits) -> Option<String> {
    let position = fen::parse(text).unwrap();
    let result = search(text, limits);
    result
        .best
        .map(|mv| write_coordinate(&position, mv, CastlingText::KingMove))
}

/// Plays a line out and returns where it ends; every move must be legal.
fn play_out(position: &Position, result: &SearchResult) -> Position {
    let mut end = position.clone();
    for &mv in &result.pv {
        assert!(end.is_legal(mv), "{mv:?} in {:?}", result.pv);
        end.make_move(mv);
    }
    end
}

#[test]
fn finds_mates_with_the_right_distance_and_a_line_to_the_end() {
    let mates = [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
        (
            "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
            1,
        ),
        (
            "2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1",
            2,
        ),
        ("8/8/8/8/8/5k2/7q/5K2 b - - 0 1", 1),
        ("7k/8/5K2/6R1/8/8/8/8 w - - 0 1", 2),
    ];
    for (text, moves) in mates {
        let position = fen::parse(text).unwrap();
        let result = search(text, &Limits::depth(2 * moves as u32 + 5));
        assert_eq!(result.score.mate_moves(), Some(moves), "{text}: {result:?}");
        let end = play_out(&position, &result);
        assert_eq!(
            result.pv.len(),
            2 * moves as usize - 1,
            "{text}: {result:?}"
        );
        assert!(
            end.in_check() && !end.has_legal_move(),
            "{text}: {result:?}"
        );
    }
}

#[test]
fn a_position_without_moves_has_a_score_and_no_move() {
    let stalemate = search("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &Limits::depth(3));
    assert_eq!((stalemate.best, stalemate.score), (None, Score::DRAW));
    let mated = search("6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1", &Limits::depth(3));
    assert_eq!((mated.best, mated.score), (None, Score::mated_in(0)));
}

#[test]
fn takes_a_perpetual_check_when_behind() {
    // White is lost except for perpetual check on e8 and h5.
    let result = search("6k1/5pp1/8/7Q/8/8/1q4r1/7K w - - 0 1", &Limits::depth(8));
    assert_eq!(result.score, Score::DRAW, "{result:?}");
}

#[test]
fn mates_before_the_fifty_move_rule_counts() {
    // The hundredth ply gives mate, which takes precedence over the draw.
    let fen = "7k/8/6K1/8/8/8/8/R7 w - - 99 100";
    assert_eq!(best(fen, &Limits::depth(4)).as_deref(), Some("a1a8"));
    assert_eq!(search(fen, &Limits::depth(4)).score, Score::mate_in(1));
    // So it does in quiescence.
    let before = "7k/8/6K1/8/8/8/8/R7 b - - 98 100";
    assert_eq!(search(before, &Limits::depth(1)).score, Score::mated_in(2));
    // Without a mate on that ply it is a draw, whatever is played.
    let drawn = search("8/7k/8/6K1/8/8/8/R7 w - - 99 100", &Limits::depth(4));
    assert_eq!(drawn.score, Score::DRAW);
}

#[test]
fn one_thread_with_a_node_limit_is_deterministic() {
    let text = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let first = search(text, &Limits::nodes(30_000));
    let second = search(text, &Limits::nodes(30_000));
    assert_eq!(first, second);
    assert!((30_000..30_100).contains(&first.nodes), "{}", first.nodes);
}

#[test]
fn a_new_game_makes_a_searcher_forget_everything() {
    let position = Position::startpos();
    deep(|| {
        let mut searcher = searcher();
        let first = searcher.search(&position, &Limits::depth(8));
        searcher.new_game();
        assert_eq!(searcher.search(&position, &Limits::depth(8)), first);
    });
}

#[test]
fn tiny_limits_still_give_a_scored_line() {
    let mut one_tick = Limits::none(Instant::now());
    one_tick.move_time = Some(Duration::ZERO);
    for limits in [Limits::nodes(1), Limits::depth(0), one_tick] {
        let position = Position::startpos();
        let (result, lines) = deep(|| searcher().search_lines(&position, &limits, 1));
        assert!(result.best.is_some_and(|mv| position.is_legal(mv)));
        assert!(!lines.is_empty(), "{limits:?}");
    }
}

#[test]
fn only_the_wanted_moves_are_searched() {
    let position = Position::startpos();
    let mut limits = Limits::depth(6);
    let wanted = parse_move(&position, "a2a3").unwrap();
    limits.search_moves = Some(vec![wanted]);
    let result = deep(|| searcher().search(&position, &limits));
    assert_eq!(result.best, Some(wanted));
}

#[test]
fn several_lines_come_in_order_and_differ() {
    let position = Position::startpos();
    let (_, lines) = deep(|| searcher().search_lines(&position, &Limits::depth(6), 500));
    // A search that lasts reports bounds as well.
    let last = lines.iter().filter(|info| info.depth == 6);
    let last: Vec<_> = last.filter(|info| info.bound == Bound::Exact).collect();
    assert_eq!(last.len(), 20);
    for (rank, info) in last.iter().enumerate() {
        assert_eq!(info.multipv, rank + 1);
        assert!(rank == 0 || info.score <= last[rank - 1].score);
        assert!(last[..rank].iter().all(|other| other.pv[0] != info.pv[0]));
    }
}

#[test]
fn lines_are_legal_to_their_end_and_stop_where_the_game_does() {
    for text in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
        "8/8/8/8/5kp1/P7/8/1K1N4 w - - 90 1",
    ] {
        let position = fen::parse(text).unwrap();
        let (_, lines) = deep(|| searcher().search_lines(&position, &Limits::nodes(60_000), 3));
        for info in lines {
            let mut end = position.clone();
            for &mv in &info.pv {
                assert!(
                    end.outcome().is_none(),
                    "the line goes on after the end: {info:?}"
                );
                assert!(end.is_legal(mv), "{info:?}");
                end.make_move(mv);
            }
        }
    }
}

#[test]
fn time_ends_a_search() {
    let position = Position::startpos();
    let mut limits = Limits::none(Instant::now());
    limits.move_time = Some(Duration::from_millis(50));
    let start = Instant::now();
    deep(|| searcher().search(&position, &limits));
    assert!(
        start.elapsed() >= Duration::from_millis(45),
        "it used its time"
    );
}

#[test]
fn variants_are_won_by_their_own_aims() {
    use Variant::{Antichess, Horde, KingOfTheHill, Losers, RacingKings, Suicide, ThreeCheck};
    // Position, the first move if there is only one, moves to the end.
    let cases = [
        (KingOfTheHill, "6k1/8/8/8/8/3K4/8/8 w - - 0 1", None, 1),
        (KingOfTheHill, "6k1/8/8/8/8/8/3K4/8 w - - 0 1", None, 2),
        (KingOfTheHill, "6k1/8/8/8/8/8/8/3K4 b - - 0 1", None, 3),
        (
            ThreeCheck,
            "6k1/5ppp/8/8/8/8/8/3QK3 w - - 1+3 0 1",
            Some("d1d8"),
            1,
        ),
        (
            ThreeCheck,
            "6k1/5ppp/8/8/8/8/8/Q3K3 b - - 1+3 0 1",
            None,
            -1,
        ),
        (RacingKings, "8/8/8/6K1/2k5/8/8/8 w - - 0 1", None, 3),
        (RacingKings, "8/2k5/4K3/8/8/8/8/8 b - - 0 1", None, 1),
        (RacingKings, "8/6K1/8/2k5/8/8/8/8 w - - 0 1", None, 1),
        (Horde, "4k3/8/8/8/8/2r5/2P5/8 b - - 0 1", Some("c3c2"), 1),
        (Antichess, "8/8/8/8/2k5/8/1P6/8 w - - 0 1", Some("b2b3"), 1),
        (Antichess, "8/8/8/8/8/2k5/1P6/8 b - - 0 1", Some("c3b2"), -1),
        (Antichess, "8/8/8/8/1k6/8/2K5/8 w - - 0 1", None, 1),
        (Suicide, "8/8/p7/p1p5/P7/2P5/8/8 w - - 0 1", Some("c3c4"), 1),
        (Losers, "k7/8/8/8/3r4/8/3P4/6K1 w - - 0 1", None, 1),
    ];
    for (variant, text, mv, moves) in cases {
        let position = fen::parse_as(variant, text).unwrap();
        let result = deep(|| searcher().search(&position, &Limits::depth(20)));
        assert_eq!(result.score.mate_moves(), Some(moves), "{variant:?} {text}");
        let best = result
            .best
            .map(|mv| write_coordinate(&position, mv, CastlingText::KingMove));
        if mv.is_some() {
            assert_eq!(best.as_deref(), mv, "{text}");
        }
        let end = play_out(&position, &result);
        let us = position.side_to_move();
        let winner = if moves > 0 { us } else { !us };
        assert_eq!(
            end.winner(),
            Some(winner),
            "{variant:?} {text}: {:?}",
            result.pv
        );
    }
}

/// White would reach the centre next, but the game is over before.
#[test]
fn a_draw_that_ends_the_game_comes_before_a_win() {
    for (text, moves) in [
        (
            "7k/8/8/1p6/P7/2K5/7P/8 b - - 0 1",
            "h8h7 c3b3 h7h8 b3c3 h8h7 c3b3 h7h8 b3c3",
        ),
        ("8/7k/8/1p6/P7/2K5/7P/8 b - - 99 80", ""),
    ] {
        let mut position = fen::parse_as(Variant::KingOfTheHill, text).unwrap();
        for mv in moves.split_whitespace() {
            position.make_move(parse_move(&position, mv).unwrap());
        }
        let result = deep(|| searcher().search(&position, &Limits::depth(8)));
        assert_eq!(result.score, Score::DRAW, "{text}");
    }
}

/// White is first, and Black draws by following.
#[test]
fn a_race_that_can_only_be_drawn_is_drawn() {
    for text in [
        "8/1K3k2/8/8/8/8/8/8 w - - 0 1",
        "8/1k2K3/8/8/8/8/8/q6r w - - 0 1",
    ] {
        let position = fen::parse_as(Variant::RacingKings, text).unwrap();
        let result = deep(|| searcher().search(&position, &Limits::depth(8)));
        assert_eq!(result.score, Score::DRAW, "{text}");
    }
}

#[test]
fn one_searcher_plays_one_game_after_another() {
    let limits = Limits::depth(6);
    let nodes = |searcher: &mut Searcher, variant| {
        searcher.new_game();
        let position = fen::start(variant);
        let result = searcher.search(&position, &limits);
        assert!(result.best.is_some_and(|mv| position.is_legal(mv)));
        result.nodes
    };
    deep(|| {
        let mut one = searcher();
        let twice = Variant::ALL.into_iter().chain(Variant::ALL);
        let together: Vec<u64> = twice.map(|variant| nodes(&mut one, variant)).collect();
        let apart = Variant::ALL.map(|variant| nodes(&mut searcher(), variant));
        // The signature of a game does not depend on those before it.
        assert_eq!(together[..apart.len()], apart);
        assert_eq!(together[apart.len()..], apart);
    });
}
