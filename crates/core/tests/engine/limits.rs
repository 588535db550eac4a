//! Limits with several threads, and below full strength.

use std::time::{Duration, Instant};

use orthrus_core::engine::options::Setting;
use orthrus_core::engine::{Command, Event};
use orthrus_core::search::{Lag, Limits, Plan, Report, SearchInfo, TimeMeasure};
use orthrus_core::types::Color;

use super::{Session, clock, infinite};

/// The last line of thinking of a search with this many threads.
fn last_info(session: &Session, threads: usize, limits: Limits) -> SearchInfo {
    session.send(Command::NewGame);
    session.send(Command::SetOption(Setting::Threads(threads)));
    session.go(limits);
    let infos = session.until_best_move().into_iter().rev();
    let mut infos = infos.filter_map(|event| match event {
        Event::Search(_, Report::Info(info)) => Some(info),
        _ => None,
    });
    infos.next().unwrap()
}

/// What was decided for the search that begins.
pub(super) fn plan(session: &Session) -> Plan {
    let planned = session.until(|event| matches!(event, Event::Search(_, Report::Plan(_))));
    match planned.last() {
        Some(Event::Search(_, Report::Plan(plan))) => plan.clone(),
        _ => panic!("no plan: {planned:?}"),
    }
}

/// What a front end foresees of our clock while the opponent thinks is no reading of it; only if the
/// opponent plays the move that was expected, it is the only one there is.
#[test]
fn what_moves_cost_is_measured_whether_the_expected_move_comes_or_not() {
    let session = Session::new();
    let go = |fullmove, remaining, ponder| {
        session.set_fen(&format!("4k3/8/8/8/8/8/8/4K2R w K - 0 {fullmove}"));
        let mut limits = Limits {
            ponder,
            ..Limits::depth(1)
        };
        limits.clocks[Color::White] = Some(clock(remaining));
        session.go(limits);
        plan(&session).lag
    };
    let is_much = |lag: Lag| lag.worst > Duration::from_millis(20);
    for (number, foreseen, hit) in [(1, 60_000, false), (11, 50_000, true)] {
        session.send(Command::NewGame);
        let before = go(number, 60_000, false);
        session.until_best_move();
        assert_eq!(is_much(before), hit);
        assert_eq!(go(number + 1, foreseen, true), before);
        session.send(if hit {
            Command::PonderHit(Instant::now())
        } else {
            Command::Stop
        });
        session.until_best_move();
        let after = go(number + if hit { 2 } else { 1 }, 50_000, false);
        session.until_best_move();
        assert!(is_much(after) && after.mean > before.mean, "{after:?}");
    }
    session.quit();
}

#[test]
fn a_limit_of_depth_is_answered_from_that_depth() {
    let session = Session::new();
    for depth in 4..12 {
        let info = last_info(&session, 2, Limits::depth(depth));
        assert_eq!(info.depth, depth);
    }
    session.quit();
}

#[test]
fn threads_share_a_limit_of_nodes() {
    let session = Session::new();
    for nodes in [500, 2_000, 20_000] {
        let info = last_info(&session, 4, Limits::nodes(nodes));
        assert!(info.nodes < nodes + nodes / 4, "{nodes}: {}", info.nodes);
    }
    session.quit();
}

/// Thinking on the opponent's time without an expected move is not analysis.
#[test]
fn limited_strength_holds_while_pondering_without_a_guess() {
    let session = Session::new();
    session.send(Command::SetOption(Setting::LimitStrength(true)));
    for (for_opponent, limited) in [(true, true), (false, false)] {
        session.go(Limits {
            for_opponent,
            ..infinite()
        });
        let plan = plan(&session);
        session.send(Command::Stop);
        session.until_best_move();
        assert_eq!(plan.limited, limited);
    }
    session.quit();
}

#[test]
fn time_may_be_that_of_the_processor() {
    let session = Session::new();
    session.go(Limits {
        measure: TimeMeasure::Processor,
        move_time: Some(Duration::from_millis(50)),
        ..Limits::none(Instant::now())
    });
    let events = session.until_best_move();
    let [.., Event::Search(_, Report::Info(info)), _] = &events[..] else {
        panic!("no line before the answer: {events:?}");
    };
    assert!(info.time >= Duration::from_millis(10), "{:?}", info.time);
    session.quit();
}

/// What contempt has put into the table is gone when another game begins.
#[test]
fn a_table_with_contempt_is_forgotten() {
    let session = Session::new();
    session.send(Command::SetOption(Setting::Contempt(30)));
    let nodes = || last_info(&session, 1, Limits::depth(8)).nodes;
    assert_eq!(nodes(), nodes());
    session.quit();
}
