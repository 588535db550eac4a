//! Limits with several threads, and below full strength.

use std::time::{Duration, Instant};

use orthrus_core::engine::options::Setting;
use orthrus_core::engine::{Command, Event};
use orthrus_core::search::{Limits, Report, SearchInfo, TimeMeasure};

use super::{Session, infinite};

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
        let planned = session.until(|event| matches!(event, Event::Search(_, Report::Plan(_))));
        session.send(Command::Stop);
        session.until_best_move();
        let Some(Event::Search(_, Report::Plan(plan))) = planned.last() else {
            panic!("no plan: {planned:?}")
        };
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
