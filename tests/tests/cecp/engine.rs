//! The CECP head with the engine behind it: a GUI that changes its mind at the worst moments, as
//! `XBoard` with its user does, must never see a move that belongs to another position.

use std::thread;
use std::time::Duration;

use orthrus_cecp::Cecp;
use orthrus_core::game::Game;
use orthrus_core::notation::{CastlingText, parse_move, write_coordinate};
use orthrus_core::types::Move;
use orthrus_tests::data;
use orthrus_tests::random::Random;
use orthrus_tests::session::Session;

/// A GUI that behaves like `XBoard`: it keeps the game, settles races with `ping`, and takes back
/// with `undo` a move that comes after `force`.
struct Gui {
    session: Session<Cecp>,
    game: Game,
    random: Random,
    pings: u32,
    /// Moves that the engine has made.
    moves: u32,
}

impl Gui {
    fn new(seed: u64) -> Self {
        let mut session = Session::new(Cecp::default());
        for line in [
            "xboard",
            "protover 2",
            "accepted analyze",
            "memory 1",
            "new",
            "force",
        ] {
            session.send(line);
        }
        session.send("st 0.002");
        session.send("post");
        session.wait_for("feature done=1");
        Self {
            session,
            game: Game::default(),
            random: Random::new(seed),
            pings: 0,
            moves: 0,
        }
    }

    fn send(&mut self, line: &str) {
        self.session.send(line);
    }

    /// Waits until everything is done, and returns the lines up to then.
    fn settle(&mut self) -> Vec<String> {
        self.pings += 1;
        let ping = format!("ping {}", self.pings);
        self.send(&ping);
        let mut lines = self.session.wait_for(&format!("pong {}", self.pings));
        lines.pop();
        check(&lines);
        lines
    }

    /// Waits for a move of the engine and plays it.
    fn take_move(&mut self) {
        let mut lines = self.session.wait_for("move ");
        let line = lines.pop().unwrap_or_default();
        check(&lines);
        self.play(&line);
    }

    fn play(&mut self, line: &str) {
        let text = line.strip_prefix("move ").expect("a move");
        let position = self.game.position();
        let mv = parse_move(position, text)
            .unwrap_or_else(|error| panic!("{line} in {position:?}: {error}"));
        self.game.play(mv);
        self.moves += 1;
    }

    /// Stops everything. A move that was made all the same is taken back, with `undo`.
    fn force(&mut self) {
        self.send("force");
        for line in self.settle() {
            if line.starts_with("move ") {
                self.play(&line);
                self.game.undo();
                self.send("undo");
            }
        }
    }

    fn random_move(&mut self) -> Option<Move> {
        let moves = self.game.position().legal_moves();
        self.random.pick(&moves)
    }

    fn user_move(&mut self) {
        if let Some(mv) = self.random_move() {
            let text = write_coordinate(self.game.position(), mv, CastlingText::KingMove);
            self.send(&format!("usermove {text}"));
            self.game.play(mv);
        }
    }

    fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    fn new_game(&mut self) {
        self.send("new");
        self.send("force");
        self.game = Game::default();
        self.settle();
    }

    /// Waits for up to two milliseconds: a search ends before, after or just now.
    fn hesitate(&mut self) {
        let micros = self.random.below(2_500);
        thread::sleep(Duration::from_micros(micros as u64));
    }

    /// One user action; begins and ends in force mode.
    fn act(&mut self) {
        match self.random.below(9) {
            _ if self.is_over() => self.new_game(),
            0 => self.user_move(),
            1 if !self.game.moves().is_empty() => {
                self.send("undo");
                self.game.undo();
            }
            2 => self.think_and_take(),
            3 => self.think_and_stop(),
            4 => self.play_with_pondering(),
            5 => self.analyse(),
            6 => {
                self.send("go");
                self.hesitate();
                // The search is obsolete: no move of it may come after the pong.
                self.new_game();
            }
            7 => self.pause_the_thinking(),
            _ => {
                self.send("hint");
                self.hesitate();
            }
        }
    }

    /// A search is paused before, after or just when it ends, and its move still comes.
    fn pause_the_thinking(&mut self) {
        self.send("go");
        self.hesitate();
        self.send("pause");
        self.hesitate();
        self.send("resume");
        self.take_move();
        self.force();
    }

    fn think_and_take(&mut self) {
        self.send("go");
        self.hesitate();
        self.send("?");
        self.take_move();
        self.force();
    }

    fn think_and_stop(&mut self) {
        self.send("go");
        self.hesitate();
        self.force();
    }

    /// A few moves with pondering, hits and misses, up to the end of the game.
    fn play_with_pondering(&mut self) {
        self.send("hard");
        self.send("go");
        self.take_move();
        for _ in 0..3 {
            if self.is_over() {
                break;
            }
            self.hesitate();
            self.user_move();
            if self.is_over() {
                break;
            }
            self.take_move();
        }
        self.send("easy");
        self.force();
    }

    fn analyse(&mut self) {
        self.send("analyze");
        for _ in 0..4 {
            self.hesitate();
            match self.random.below(4) {
                0 => self.user_move(),
                1 if !self.game.moves().is_empty() => {
                    self.send("undo");
                    self.game.undo();
                }
                2 => self.send("option MultiPV=2"),
                _ => self.send("."),
            }
        }
        self.send("exit");
        let lines = self.settle();
        assert!(lines.iter().all(|line| !line.starts_with("move ")));
    }
}

/// Nothing may be rejected: the GUI sends only valid commands.
fn check(lines: &[String]) {
    for line in lines {
        let refused = ["Error", "Illegal", "tellusererror"];
        assert!(
            !refused.iter().any(|start| line.starts_with(start)),
            "{line}"
        );
    }
}

#[test]
fn no_move_belongs_to_another_position() {
    let mut gui = Gui::new(1);
    for _ in 0..800 {
        gui.act();
    }
    gui.settle();
    assert!(gui.moves > 300, "only {} moves", gui.moves);
    check(&gui.session.finish());
}

/// What a GUI may send at any moment, whether it makes sense or not.
const LINES: &[&str] = &[
    "go",
    "go",
    "force",
    "new",
    "playother",
    "usermove e2e4",
    "usermove e7e5",
    "d2d4",
    "@@@@",
    "?",
    "undo",
    "remove",
    "hint",
    "bk",
    "draw",
    "hard",
    "easy",
    "post",
    "analyze",
    "exit",
    ".",
    "pause",
    "resume",
    "exclude e2e4",
    "exclude all",
    "include all",
    "setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "setboard 8/8/8/8/8/8/8/8 w - - 0 1",
    "setboard r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "variant wildcastle",
    "variant fischerandom",
    "edit",
    "option MultiPV=3",
    "option MultiPV=1",
    "option Clear Hash",
    "memory 1",
    "cores 1",
    "st 0.002",
    "sd 4",
    "level 0 0:01 0",
    "nps 0",
    "nps 100000",
    "time 5",
    "otim 5",
    "white",
    "black",
    "result * {nobody knows}",
];

#[test]
fn every_ping_is_answered_in_order_whatever_is_said() {
    let mut random = Random::new(2);
    let mut session = Session::new(Cecp::default());
    session.send("st 0.002");
    let mut asked = Vec::new();
    for step in 1..=10_000 {
        session.send(random.pick(LINES).unwrap_or_default());
        if random.below(8) == 0 {
            asked.push(step.to_string());
            session.send(&format!("ping {step}"));
        }
        if step % 500 == 0 {
            // Ends editing, then anything else that holds an answer back.
            for line in [".", "force", "ping last"] {
                session.send(line);
            }
            let lines = session.wait_for("pong last");
            let pongs = lines.iter().filter_map(|line| line.strip_prefix("pong "));
            asked.push("last".to_owned());
            assert!(pongs.eq(asked.drain(..)), "{lines:#?}");
            session.send("new");
            session.send("st 0.002");
        }
    }
    session.finish();
}

#[test]
fn comments_tell_what_was_decided_where_they_are_accepted() {
    let mut session = Session::new(Cecp::default());
    for line in ["xboard", "protover 2", "sd 1", "usermove e2e4"] {
        session.send(line);
    }
    let lines = session.wait_for("move ");
    assert!(!lines.iter().any(|line| line.contains("plan")), "{lines:?}");
    session.send("accepted debug");
    session.send("usermove d2d4");
    let lines = session.wait_for("move ");
    assert!(
        lines.contains(&"# plan: no limit of time, threads: 1".to_owned()),
        "{lines:?}"
    );
}

#[test]
fn a_file_that_is_being_read_is_used_whatever_follows() {
    let network = data::repository().join("crates/core/networks/chess.nnue");
    for (begin, next) in [
        ("analyze", "option MultiPV=2"),
        ("analyze", "usermove e2e4"),
        ("hard\nsd 4\nusermove e2e4", "option Contempt=5"),
    ] {
        let mut session = Session::new(Cecp::default());
        for line in ["xboard", "protover 2", "accepted debug"] {
            session.send(line);
        }
        for line in begin.lines() {
            session.send(line);
        }
        if begin != "analyze" {
            session.wait_for("move ");
        }
        session.send(&format!("option EvalFile={}", network.display()));
        session.send(next);
        session.send("ping 1");
        let lines = session.wait_for("pong 1");
        let is_read = |line: &String| line.starts_with("# network ");
        assert!(lines.iter().any(is_read), "{next}: {lines:#?}");
    }
}
