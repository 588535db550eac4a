//! The engine's own book over its channels: when it is used, and what it answers.
#![allow(clippy::unwrap_used, reason = "a failed set-up is a failed test")]

use std::io::Write as _;
use std::time::{Duration, Instant};

use orthrus_core::book::{Entry, file_content, position_key};
use orthrus_core::engine::options::{self, BookSetting, Setting};
use orthrus_core::engine::{Command, EngineHandle, Environment, Event, spawn};
use orthrus_core::fen;
use orthrus_core::game::Game;
use orthrus_core::notation::{CastlingText, parse_coordinate, write_coordinate};
use orthrus_core::position::Position;
use orthrus_core::search::{Limits, Report, SearchId};
use orthrus_core::types::Square;
use tempfile::NamedTempFile;

/// Longer than anything here takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// A file that is deleted after the test.
struct BookFile(NamedTempFile);

impl BookFile {
    fn new(content: &[u8]) -> Self {
        let mut file = NamedTempFile::new().unwrap();
        file.write_all(content).unwrap();
        Self(file)
    }

    /// Three moves of the start position, the last of which must not be played, an illegal one, and
    /// an answer to the first.
    fn small() -> Self {
        let start = Position::startpos();
        let mut after = start.clone();
        after.make_move(parse_coordinate(&start, "e2e4").unwrap());
        let mut entries = vec![
            entry(&start, "e2", "e4", 300),
            entry(&start, "d2", "d4", 100),
            entry(&start, "a2", "a3", 0),
            entry(&start, "e2", "e5", 50),
            entry(&after, "c7", "c5", 9),
        ];
        entries.sort_by_key(|entry| entry.key);
        Self::new(&file_content(&entries))
    }
}

fn entry(position: &Position, from: &str, to: &str, weight: u16) -> Entry {
    let index = |name: &str| name.parse::<Square>().unwrap() as u16;
    Entry {
        key: position_key(position),
        code: index(from) << 6 | index(to),
        weight,
        learn: 0,
    }
}

struct Session {
    engine: EngineHandle,
    notices: Vec<String>,
}

impl Session {
    fn new(book: &BookFile) -> Self {
        let session = Self {
            engine: spawn(Environment::default()).unwrap(),
            notices: Vec::new(),
        };
        session.set(BookSetting::File(book.0.path().display().to_string()));
        session.set(BookSetting::Own(true));
        session
    }

    fn send(&self, command: Command) {
        self.engine.commands.send(command).unwrap();
    }

    fn set(&self, setting: BookSetting) {
        self.send(Command::SetOption(Setting::Book(setting)));
    }

    fn set_game(&self, moves: &[&str]) {
        let mut game = Game::default();
        for text in moves {
            game.play(parse_coordinate(game.position(), text).unwrap());
        }
        self.send(Command::SetGame(Box::new(game)));
    }

    /// The next event that is not a notice.
    fn next(&mut self) -> Event {
        loop {
            match self.engine.events.recv_timeout(PATIENCE).unwrap() {
                Event::Notice(text) | Event::Remark(text) => self.notices.push(text),
                Event::Refused { reason, instead } => {
                    self.notices.push(format!("{reason}; {instead}"));
                }
                event => return event,
            }
        }
    }

    /// The answer to a search with these limits, and whether it came from the book.
    fn go(&mut self, limits: Limits) -> (String, bool) {
        self.send(Command::Go(SearchId(1), Box::new(limits)));
        self.answer()
    }

    fn answer(&mut self) -> (String, bool) {
        let mut from_book = false;
        let mut line = Vec::new();
        loop {
            match self.next() {
                Event::Search(_, Report::BookMove { .. }) => from_book = true,
                Event::Search(_, Report::Info(info)) => line = info.pv,
                Event::Search(_, Report::BestMove { best, ponder }) => {
                    let best = best.unwrap();
                    assert_eq!(line.first(), Some(&best));
                    assert!(!from_book || line.get(1).copied() == ponder);
                    let text =
                        write_coordinate(&Position::startpos(), best, CastlingText::KingMove);
                    return (text, from_book);
                }
                _ => {}
            }
        }
    }
}

fn one_ply() -> Limits {
    Limits::depth(1)
}

#[test]
fn searches_with_a_limit_are_answered_from_the_book() {
    let book = BookFile::small();
    let mut session = Session::new(&book);
    session.set(BookSetting::BestOnly(true));
    let timed = Limits {
        move_time: Some(Duration::from_secs(60)),
        ..Limits::none(Instant::now())
    };
    for limits in [timed, one_ply(), Limits::nodes(100)] {
        assert_eq!(session.go(limits), ("e2e4".to_owned(), true));
    }
    // A search for a mate, a position without an entry, analysis, and a book that is off.
    let mate = Limits {
        mate: Some(1),
        ..one_ply()
    };
    assert!(!session.go(mate).1);
    session.set_game(&["d2d4", "d7d5"]);
    assert!(!session.go(one_ply()).1);
    session.set_game(&[]);
    session.send(Command::SetOption(Setting::AnalyseMode(true)));
    assert!(!session.go(one_ply()).1);
    session.send(Command::SetOption(Setting::AnalyseMode(false)));
    session.set(BookSetting::Own(false));
    assert!(!session.go(one_ply()).1);
}

#[test]
fn analysis_is_not_answered_from_the_book() {
    let book = BookFile::small();
    let mut session = Session::new(&book);
    let infinite = Limits {
        infinite: true,
        ..Limits::none(Instant::now())
    };
    session.send(Command::Go(SearchId(1), Box::new(infinite)));
    session.send(Command::Stop);
    assert!(!session.answer().1);
}

#[test]
fn a_pondered_book_move_waits_for_its_hit() {
    let book = BookFile::small();
    let mut session = Session::new(&book);
    session.set(BookSetting::BestOnly(true));
    let ponder = Limits {
        ponder: true,
        move_time: Some(Duration::from_millis(10)),
        ..Limits::none(Instant::now())
    };
    for end in [Command::PonderHit(Instant::now()), Command::Stop] {
        session.send(Command::Go(SearchId(1), Box::new(ponder.clone())));
        session.send(Command::Ping(1));
        assert!(matches!(
            session.next(),
            Event::Search(_, Report::BookMove { .. })
        ));
        let Event::Search(_, Report::Info(info)) = session.next() else {
            panic!("the book move is not reported");
        };
        assert!(matches!(session.next(), Event::Pong(1)));
        assert!(
            session
                .engine
                .events
                .recv_timeout(Duration::from_millis(100))
                .is_err()
        );
        session.send(end);
        let Event::Search(_, Report::BestMove { best, .. }) = session.next() else {
            panic!("the book move is not played");
        };
        let best = best.unwrap();
        assert_eq!(info.pv.first(), Some(&best));
        let text = write_coordinate(&Position::startpos(), best, CastlingText::KingMove);
        assert_eq!(text, "e2e4");
    }
}

#[test]
fn only_moves_that_may_be_searched_are_played() {
    let book = BookFile::small();
    let mut session = Session::new(&book);
    let start = Position::startpos();
    let only = |text| Limits {
        search_moves: Some(vec![parse_coordinate(&start, text).unwrap()]),
        ..one_ply()
    };
    assert_eq!(session.go(only("d2d4")), ("d2d4".to_owned(), true));
    // Not in the book, and in it with weight 0.
    for text in ["h2h3", "a2a3"] {
        assert_eq!(session.go(only(text)), (text.to_owned(), false));
    }
}

#[test]
fn the_book_ends_at_its_depth() {
    let book = BookFile::small();
    let mut session = Session::new(&book);
    session.set(BookSetting::Depth(3));
    let at_move = |number| {
        let text = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 {number}");
        Command::SetGame(Box::new(Game::new(fen::parse(&text).unwrap())))
    };
    session.send(at_move(3));
    assert!(session.go(one_ply()).1);
    session.send(at_move(4));
    assert!(!session.go(one_ply()).1);
}

#[test]
fn weights_and_seed_decide() {
    let book = BookFile::small();
    let mut session = Session::new(&book);
    let chosen = |session: &mut Session, seed| {
        session.set(BookSetting::Seed(seed));
        let (mv, from_book) = session.go(one_ply());
        assert!(from_book);
        mv
    };
    let all: Vec<String> = (1..=200).map(|seed| chosen(&mut session, seed)).collect();
    let again: Vec<String> = (1..=200).map(|seed| chosen(&mut session, seed)).collect();
    assert_eq!(all, again);
    // Three quarters of the weight; the chance of missing this range is below one in a million.
    let heavy = all.iter().filter(|mv| *mv == "e2e4").count();
    assert!((115..=185).contains(&heavy), "{heavy} of 200");
    let anew: Vec<String> = (0..100).map(|_| chosen(&mut session, 0)).collect();
    assert!(anew.contains(&"e2e4".to_owned()) && anew.contains(&"d2d4".to_owned()));
}

#[test]
fn questions_are_answered_and_faults_told_once() {
    let book = BookFile::small();
    let mut session = Session::new(&book);
    for _ in 0..2 {
        session.send(Command::ShowBook(Box::new(Position::startpos())));
        let Event::BookMoves(Some(moves)) = session.next() else {
            panic!("no answer to the question");
        };
        let weights: Vec<u32> = moves.iter().map(|found| found.weight).collect();
        assert_eq!(weights, [300, 100, 0]);
    }
    let told = |session: &Session, text: &str| {
        session
            .notices
            .iter()
            .filter(|it| it.contains(text))
            .count()
    };
    assert_eq!(told(&session, "with 5 entries"), 1);
    assert_eq!(told(&session, "not legal"), 1, "{:?}", session.notices);

    // A file that is not a book leaves the current one in use; an empty name removes it.
    let truncated = BookFile::new(&[0; 9]);
    for name in [
        "/no/such/book.bin".to_owned(),
        truncated.0.path().display().to_string(),
    ] {
        session.set(BookSetting::File(name));
        assert!(session.go(one_ply()).1);
    }
    assert_eq!(told(&session, "keeping the one in use"), 2);
    assert_eq!(told(&session, "cannot be read: not found"), 1);
    assert_eq!(told(&session, "9 bytes hold no entry"), 1);
    session.set(BookSetting::File(String::new()));
    session.send(Command::ShowBook(Box::new(Position::startpos())));
    assert!(matches!(session.next(), Event::BookMoves(None)));
}

#[test]
fn the_book_is_off_at_start() {
    assert_eq!(
        options::parse("own book", Some("1")),
        Ok(Setting::Book(BookSetting::Own(true)).into())
    );
    let defaults: Vec<Setting> = options::defaults().collect();
    assert!(defaults.contains(&Setting::Book(BookSetting::Own(false))));
}
