//! Mates are found, proved shortest, and shown to the end.

use std::env;
use std::time::{Duration, Instant};

use orthrus_core::evaluation::Evaluation;
use orthrus_core::fen;
use orthrus_core::notation::parse_move;
use orthrus_core::position::{Outcome, Position};
use orthrus_core::search::{Clock, Limits, SearchResult, Searcher, on_search_stack};
use orthrus_core::types::ColorMap;
use orthrus_tests::data;

/// If set: all mates in up to six moves are tried, which takes many minutes.
const ALL_VARIABLE: &str = "ORTHRUS_ALL_MATES";

/// A position and the moves to the mate, negative if the side to move is mated.
struct Problem {
    position: Position,
    line: String,
    moves: i32,
}

/// Reads `FEN dm N;` lines.
fn problems(text: &str) -> Vec<Problem> {
    text.lines()
        .map(|line| {
            let (position, rest) = line.split_once(" dm ").expect("a distance to mate");
            let moves = rest.split(';').next().and_then(|text| text.parse().ok());
            Problem {
                position: fen::parse(&format!("{} 0 1", position.trim_end()))
                    .unwrap_or_else(|error| panic!("{line}: {error}")),
                line: line.to_owned(),
                moves: moves.expect("a number of moves"),
            }
        })
        .collect()
}

/// Solves every problem and returns what went wrong.
fn faults(problems: &[Problem], limits: impl Fn(u32) -> Limits) -> Vec<String> {
    let mut faults = Vec::new();
    let mut searcher = Searcher::new(64, Evaluation::default()).expect("memory");
    for problem in problems {
        searcher.new_game();
        let result = searcher.search(&problem.position, &limits(problem.moves.unsigned_abs()));
        if let Err(fault) = check(problem, &result) {
            faults.push(format!("{}: {fault}", problem.line));
        }
    }
    faults
}

/// The score is the mate, and the line is legal, as long as the mate, and ends with it.
fn check(problem: &Problem, result: &SearchResult) -> Result<(), String> {
    let moves = result.score.mate_moves();
    if moves != Some(problem.moves) {
        return Err(format!("mate {moves:?} after {} nodes", result.nodes));
    }
    let plies = result.score.mate_plies().map(i32::unsigned_abs);
    if plies != Some(result.pv.len() as u32) {
        return Err(format!("{} plies in the line", result.pv.len()));
    }
    let mut end = problem.position.clone();
    for &mv in &result.pv {
        if !end.is_legal(mv) || end.outcome().is_some() {
            return Err(format!("the line is broken: {:?}", result.pv));
        }
        end.make_move(mv);
    }
    match end.outcome() {
        Some(Outcome::Checkmate(_)) => Ok(()),
        other => Err(format!("the line ends with {other:?}")),
    }
}

fn deep(work: impl FnOnce() + Send) {
    on_search_stack(work).expect("a thread");
}

/// The limits of a search for a mate in this many moves.
fn mate(moves: u32) -> Limits {
    Limits {
        mate: Some(moves),
        ..Limits::none(Instant::now())
    }
}

/// The moves to the mate that a search finds, negative if the side to move is mated.
fn mate_found(position: &Position, limits: &Limits) -> Option<i32> {
    let mut moves = None;
    deep(|| {
        let mut searcher = Searcher::new(1, Evaluation::default()).expect("memory");
        moves = searcher.search(position, limits).score.mate_moves();
    });
    moves
}

/// Small cases of our own; the large suites have many more.
const CASES: &str = "\
6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - dm 1;
7k/8/5K2/6R1/8/8/8/8 w - - dm 2;
7k/5K2/8/6R1/8/8/8/8 b - - dm -1;
k7/8/2K5/8/8/8/8/7R w - - dm 2;
2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - dm 2;";

/// A mate with time for the attacker to move back and forth and still make it.
const WITH_TIME_TO_WASTE: &str = "2R5/5nb1/8/3p4/8/BK3p2/p3P2n/k7 b - - dm -6;";

#[test]
fn small_mates_are_found_and_proved() {
    deep(|| assert_eq!(faults(&problems(CASES), mate), Vec::<String>::new()));
}

#[test]
fn a_line_does_not_repeat_positions() {
    let problems = problems(WITH_TIME_TO_WASTE);
    deep(move || assert_eq!(faults(&problems, mate), Vec::<String>::new()));
}

#[test]
fn a_longer_search_than_needed_finds_the_shortest_mate() {
    deep(|| {
        assert_eq!(
            faults(&problems(CASES), |moves| mate(moves + 3)),
            Vec::<String>::new()
        );
    });
}

/// There is only one move, so an ordinary search with a clock would play it at once.
#[test]
fn a_forced_move_does_not_end_the_search_for_a_mate() {
    let position = fen::parse("k7/4K3/8/8/8/8/1R6/8 b - - 0 1").expect("a legal position");
    let clock = Clock {
        remaining: Duration::from_secs(60),
        increment: Duration::ZERO,
    };
    let limits = Limits {
        clocks: ColorMap::from_fn(|_| Some(clock)),
        ..mate(6)
    };
    assert_eq!(mate_found(&position, &limits), Some(-5));
}

/// The mate in seven takes thirteen plies.
#[test]
fn a_limit_of_depth_holds_for_mates_too() {
    let position = fen::parse("8/8/1K6/8/k7/8/8/7R w - - 0 1").expect("a legal position");
    let found = |depth: u32| {
        let limits = Limits {
            depth: Some(depth),
            ..mate(8)
        };
        mate_found(&position, &limits)
    };
    assert_eq!(found(5), None);
    assert_eq!(found(13), Some(7));
}

/// The mate that a search for a mate in two finds in KR v K with this halfmove clock.
fn mate_with_clock(halfmoves: u32) -> Option<i32> {
    let position = fen::parse(&format!("7k/8/5K2/6R1/8/8/8/8 w - - {halfmoves} 90"));
    mate_found(&position.expect("a legal position"), &mate(2))
}

#[test]
fn a_mate_must_come_before_the_fifty_moves_are_over() {
    assert_eq!(mate_with_clock(97), Some(2));
    assert_eq!(mate_with_clock(98), None);
}

/// The position after Ra7 has occurred twice already: the mate in two that repeats it does not
/// count, the other one does.
#[test]
fn what_the_game_has_had_twice_mates_nobody() {
    let mut position = fen::parse("6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1").expect("a position");
    let game = "a2a7 g8h8 a7a2 h8g8 a2a7 g8f8 a7a3 f8g8";
    for text in game.split(' ') {
        let mv = parse_move(&position, text).expect("a legal move");
        position.make_move(mv);
    }
    let found = |text: &str| {
        let mv = parse_move(&position, text).expect("a legal move");
        let limits = Limits {
            search_moves: Some(vec![mv]),
            ..mate(2)
        };
        mate_found(&position, &limits)
    };
    assert_eq!(found("b1b7"), Some(2));
    assert_eq!(found("a3a7"), None);
}

fn wants_all() -> bool {
    env::var_os(ALL_VARIABLE).is_some()
}

/// Solves every mate of a suite in up to three moves, or in up to six.
fn check_suite(text: &str) {
    let most = if wants_all() { 6 } else { 3 };
    let mut chosen = problems(text);
    chosen.retain(|problem| problem.moves.unsigned_abs() <= most);
    assert!(!chosen.is_empty());
    deep(|| assert_eq!(faults(&chosen, mate), Vec::<String>::new()));
}

#[test]
fn every_mate_of_a_suite_is_found_and_proved() {
    check_suite(&data::read("epd/mates.epd"));
}

#[test]
#[cfg_attr(not(has_others), ignore = "other people's suites are not here")]
fn every_mate_of_the_large_suites_is_found_and_proved() {
    check_suite(&data::read_others("epd/mates_in_1_to_5.epd"));
    // Longer mates.
    if wants_all() {
        check_suite(&data::read_others("epd/krvk_1000.epd"));
        check_suite(&data::read_others("epd/mates2000.epd"));
    }
}
