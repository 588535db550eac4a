//! The engine over its channels: every go answered once, nothing lost, nothing out of order.
#![allow(clippy::unwrap_used, reason = "a failed set-up is a failed test")]

mod limits;

use std::cell::Cell;
use std::time::{Duration, Instant};

use orthrus_core::engine::options::Setting;
use orthrus_core::engine::{Command, EngineHandle, Environment, Event, spawn};
use orthrus_core::fen;
use orthrus_core::game::Game;
use orthrus_core::search::{Clock, Limits, Report, SearchId};
use orthrus_core::types::Color;

/// Longer than anything here takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

struct Session {
    engine: EngineHandle,
    /// The name of the next search.
    next_search: Cell<SearchId>,
}

impl Session {
    fn new() -> Self {
        Self {
            engine: spawn(Environment::default()).unwrap(),
            next_search: Cell::new(SearchId(1)),
        }
    }

    fn send(&self, command: Command) {
        self.engine.commands.send(command).unwrap();
    }

    /// Begins a search; returns its name.
    fn go(&self, limits: Limits) -> SearchId {
        let id = self.next_search.get();
        self.next_search.set(SearchId(id.0 + 1));
        self.send(Command::Go(id, Box::new(limits)));
        id
    }

    fn set_fen(&self, text: &str) {
        self.send(Command::SetGame(Box::new(Game::new(
            fen::parse(text).unwrap(),
        ))));
    }

    fn next(&self) -> Event {
        self.engine.events.recv_timeout(PATIENCE).unwrap()
    }

    /// All events up to and including the first that `last` accepts.
    fn until(&self, last: impl Fn(&Event) -> bool) -> Vec<Event> {
        let mut events = Vec::new();
        loop {
            events.push(self.next());
            if events.last().is_some_and(&last) {
                return events;
            }
        }
    }

    fn until_best_move(&self) -> Vec<Event> {
        self.until(is_answer)
    }

    /// Fails if a search is answered within this time.
    fn assert_no_answer_for(&self, time: Duration) {
        let deadline = Instant::now() + time;
        while let Ok(event) = self.engine.events.recv_deadline(deadline) {
            assert!(!is_answer(&event), "premature answer");
        }
    }

    fn quit(self) {
        self.send(Command::Quit);
        self.engine.thread.join().unwrap().unwrap();
    }
}

/// The report in an event of a search.
fn report(event: Option<&Event>) -> &Report {
    match event {
        Some(Event::Search(_, report)) => report,
        other => panic!("not of a search: {other:?}"),
    }
}

fn is_answer(event: &Event) -> bool {
    matches!(event, Event::Search(_, Report::BestMove { .. }))
}

fn infinite() -> Limits {
    Limits {
        infinite: true,
        ..Limits::none(Instant::now())
    }
}

fn clock(millis: u64) -> Clock {
    Clock {
        remaining: Duration::from_millis(millis),
        increment: Duration::ZERO,
    }
}

#[test]
fn the_last_line_before_the_answer_begins_with_it() {
    let session = Session::new();
    session.go(Limits::depth(6));
    let events = session.until_best_move();
    let [
        ..,
        Event::Search(_, Report::Info(info)),
        Event::Search(_, Report::BestMove { best, .. }),
    ] = &events[..]
    else {
        panic!("no line before the answer: {events:?}");
    };
    assert_eq!(info.pv.first(), best.as_ref());
    session.quit();
}

#[test]
fn an_infinite_search_answers_only_when_stopped_even_if_nothing_is_left() {
    for text in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1",
        "k7/8/8/8/8/8/1r6/K7 w - - 0 1",
    ] {
        let session = Session::new();
        session.set_fen(text);
        session.go(Limits {
            depth: Some(2),
            ..infinite()
        });
        // What there is to say is said at once.
        session.until(|event| matches!(event, Event::Search(_, Report::Info(_))));
        session.assert_no_answer_for(Duration::from_millis(50));
        session.send(Command::Stop);
        session.until_best_move();
        session.assert_no_answer_for(Duration::from_millis(20));
        session.quit();
    }
}

#[test]
fn a_ponder_search_waits_for_the_hit() {
    let session = Session::new();
    let mut limits = Limits {
        ponder: true,
        ..Limits::none(Instant::now())
    };
    limits.clocks[Color::White] = Some(clock(200));
    session.go(limits);
    session.assert_no_answer_for(Duration::from_millis(300));
    session.send(Command::PonderHit(Instant::now()));
    session.until_best_move();
    session.quit();
}

#[test]
fn a_ponder_search_without_a_hit_is_answered_on_stop() {
    let session = Session::new();
    let mut limits = Limits {
        ponder: true,
        depth: Some(1),
        ..Limits::none(Instant::now())
    };
    limits.clocks[Color::White] = Some(clock(1000));
    session.go(limits);
    session.assert_no_answer_for(Duration::from_millis(50));
    session.send(Command::Stop);
    session.until_best_move();
    session.quit();
}

#[test]
fn a_stop_sent_with_the_go_is_not_lost_and_a_late_one_hits_nothing() {
    let session = Session::new();
    for _ in 0..50 {
        session.go(infinite());
        session.send(Command::Stop);
        session.send(Command::Stop);
    }
    for _ in 0..50 {
        session.until_best_move();
    }
    session.go(Limits::depth(3));
    session.until_best_move();
    session.quit();
}

#[test]
fn every_go_of_a_burst_is_answered_in_order_for_its_own_position() {
    let session = Session::new();
    let positions = [
        "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
        "7k/8/6K1/8/8/8/8/R7 w - - 0 1",
        "8/8/8/8/8/5k2/7q/5K2 b - - 0 1",
    ];
    let ids = positions.map(|text| {
        session.set_fen(text);
        session.go(infinite())
    });
    session.send(Command::Stop);
    for (text, id) in positions.into_iter().zip(ids) {
        let events = session.until_best_move();
        let all_its_own = events
            .iter()
            .all(|event| matches!(event, Event::Search(named, _) if *named == id));
        assert!(all_its_own, "{id:?}: {events:?}");
        let Some(Event::Search(
            _,
            Report::BestMove {
                best: Some(best), ..
            },
        )) = events.last()
        else {
            panic!("no move: {events:?}");
        };
        assert!(
            fen::parse(text).unwrap().is_legal(*best),
            "{text}: {best:?}"
        );
    }
    session.quit();
}

#[test]
fn a_ping_is_answered_while_a_search_runs_and_the_search_goes_on() {
    let session = Session::new();
    session.go(infinite());
    session.send(Command::Ping(7));
    let events = session.until(|event| matches!(event, Event::Pong(7)));
    assert!(!events.iter().any(is_answer));
    session.send(Command::Stop);
    session.until_best_move();
    session.quit();
}

/// A change that must wait for the end of the search says so by its refusal: it comes after the
/// pong during the search, and before the pong without one.
#[test]
fn a_pong_waits_for_an_option_unless_the_option_waits_for_a_search() {
    let session = Session::new();
    let change = || Command::SetOption(Setting::EvalFile("no-such-file.nnue".to_owned()));
    let is_refusal = |event: &Event| matches!(event, Event::Refused { .. });
    session.go(infinite());
    session.send(change());
    session.send(Command::Ping(1));
    let events = session.until(|event| matches!(event, Event::Pong(1)));
    assert!(!events.iter().any(is_refusal), "{events:?}");
    session.send(Command::Stop);
    session.until_best_move();
    session.until(is_refusal);
    session.send(change());
    session.send(Command::Ping(2));
    let events = session.until(|event| matches!(event, Event::Pong(2)));
    assert!(events.iter().any(is_refusal), "{events:?}");
    session.quit();
}

#[test]
fn options_may_change_while_a_search_runs() {
    let session = Session::new();
    session.go(infinite());
    session.send(Command::SetOption(Setting::Hash(2)));
    session.send(Command::SetOption(Setting::Threads(3)));
    session.send(Command::SetOption(Setting::ClearHash));
    session.send(Command::Ping(1));
    session.until(|event| matches!(event, Event::Pong(1)));
    session.send(Command::Stop);
    session.until_best_move();
    session.go(Limits::depth(8));
    assert_eq!(limits::plan(&session).threads, 3);
    session.until_best_move();
    session.send(Command::SetOption(Setting::Threads(1)));
    session.send(Command::NewGame);
    session.go(Limits::depth(4));
    session.until_best_move();
    session.quit();
}

/// Some programs set one in every game, and show notices in a window.
#[test]
fn a_folder_of_tables_that_is_not_there_is_only_remarked() {
    let session = Session::new();
    let path = "/no/such/folder".to_owned();
    session.send(Command::SetOption(Setting::SyzygyPath(path)));
    session.send(Command::Ping(1));
    let events = session.until(|event| matches!(event, Event::Pong(1)));
    let [Event::Remark(absent), Event::Remark(found), Event::Pong(_)] = &events[..] else {
        panic!("{events:?}");
    };
    assert!(absent.contains("/no/such/folder"), "{absent}");
    assert!(found.contains("up to 0 men"), "{found}");
    session.quit();
}

#[test]
fn progress_is_told_on_request() {
    let session = Session::new();
    session.send(Command::Progress);
    assert!(matches!(session.next(), Event::Progress(None)));
    session.go(infinite());
    let found = loop {
        session.send(Command::Progress);
        let events = session.until(|event| matches!(event, Event::Progress(_)));
        if let Some(Event::Progress(Some((_, progress)))) = events.last() {
            break progress.clone();
        }
    };
    assert_eq!(found.move_count, 20);
    assert!((1..=20).contains(&found.move_number));
    session.send(Command::Stop);
    session.until_best_move();
    session.quit();
}

#[test]
fn an_analysis_at_its_end_still_tells_how_far_it_came() {
    let session = Session::new();
    session.go(Limits {
        depth: Some(3),
        ..infinite()
    });
    session.until(|event| matches!(event, Event::Search(_, Report::Info(info)) if info.depth == 3));
    // Long enough for the answer to be held back.
    session.assert_no_answer_for(Duration::from_millis(50));
    session.send(Command::Progress);
    assert!(matches!(session.next(), Event::Progress(Some((_, progress))) if progress.depth == 3));
    session.quit();
}

#[test]
fn the_engine_ends_when_nobody_can_command_it_any_more() {
    let EngineHandle {
        commands,
        events,
        thread,
    } = spawn(Environment::default()).unwrap();
    let go = Command::Go(SearchId(1), Box::new(infinite()));
    commands.send(go).unwrap();
    drop(commands);
    thread.join().unwrap().unwrap();
    let answers = events.iter().filter(is_answer);
    assert_eq!(answers.count(), 1);
}

#[test]
fn a_network_file_that_cannot_be_used_is_named_and_the_old_one_kept() {
    let session = Session::new();
    session.go(Limits::depth(5));
    let before = session.until_best_move();
    session.send(Command::NewGame);
    for name in ["no-such-file.nnue", env!("CARGO_MANIFEST_DIR"), file!()] {
        session.send(Command::SetOption(Setting::EvalFile(name.to_owned())));
        assert!(matches!(session.next(), Event::Refused { reason, .. } if reason.contains(name)));
    }
    session.go(Limits::depth(5));
    let after = session.until_best_move();
    assert_eq!(report(after.last()), report(before.last()));
    session.quit();
}

#[test]
fn searches_are_answered_before_the_engine_quits() {
    let EngineHandle {
        commands,
        events,
        thread,
    } = spawn(Environment::default()).unwrap();
    for id in (0..3).map(SearchId) {
        let go = Command::Go(id, Box::new(infinite()));
        commands.send(go).unwrap();
    }
    commands.send(Command::Quit).unwrap();
    thread.join().unwrap().unwrap();
    let answers = events.iter().filter(is_answer);
    assert_eq!(answers.count(), 3);
}

fn is_progress(event: &Event) -> bool {
    matches!(event, Event::Progress(_))
}

#[test]
fn a_paused_search_stands_still_and_goes_on_where_it_was() {
    let session = Session::new();
    session.send(Command::SetOption(Setting::Threads(2)));
    session.go(Limits {
        move_time: Some(Duration::from_millis(600)),
        ..Limits::none(Instant::now())
    });
    session.until(|event| matches!(event, Event::Search(_, Report::Info(_))));
    session.send(Command::Pause);
    let progress = || {
        session.send(Command::Progress);
        let told = session.until(is_progress).pop();
        let Some(Event::Progress(Some((_, progress)))) = told else {
            panic!("no search is running: {told:?}");
        };
        progress
    };
    // The threads notice at their next node, and update their counters now and then.
    session.assert_no_answer_for(Duration::from_millis(100));
    let before = progress();
    session.assert_no_answer_for(Duration::from_millis(300));
    assert_eq!(progress(), before);
    session.send(Command::Resume);
    let events = session.until_best_move();
    let [.., Event::Search(_, Report::Info(info)), _] = &events[..] else {
        panic!("no line before the answer: {events:?}");
    };
    assert!(info.time > before.time && info.nodes > before.nodes);
    session.quit();
}

#[test]
fn a_pause_holds_an_answer_back_and_a_stop_ends_it() {
    let session = Session::new();
    // The search ends at about the same moment, before or after.
    session.go(Limits::nodes(20_000));
    session.send(Command::Pause);
    session.assert_no_answer_for(Duration::from_millis(200));
    session.send(Command::Resume);
    session.until_best_move();
    for end in [
        Command::Stop,
        Command::Go(SearchId(0), Box::new(Limits::nodes(100))),
    ] {
        session.go(infinite());
        session.send(Command::Pause);
        session.send(end);
        session.until_best_move();
    }
    session.until_best_move();
    session.send(Command::Pause);
    session.go(Limits::nodes(100));
    session.until_best_move();
    session.quit();
}
