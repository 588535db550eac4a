//! Sessions of both protocols: a front end that gets any lines, with an engine behind it that keeps
//! the real one's promises and answers at once.

mod engine;

use std::fmt::Debug;
use std::fs;
use std::time::Instant;

use orthrus_cecp::Cecp;
use orthrus_core::engine::{Command, Event};
use orthrus_core::frontend::Frontend;
use orthrus_uci::Uci;

use self::engine::FakeEngine;
use super::text;
use crate::data::repository;

/// A front end and its engine.
struct Session<F> {
    head: F,
    engine: FakeEngine,
    /// Whether the end has been requested.
    has_ended: bool,
}

impl<F: Frontend + Default + Debug> Session<F> {
    fn new() -> Self {
        Self {
            head: F::default(),
            engine: FakeEngine::default(),
            has_ended: false,
        }
    }

    /// Passes a line in and the resulting commands to the engine; returns the resulting lines, and
    /// whether there were commands.
    fn send(&mut self, line: &str) -> (Vec<String>, bool) {
        self.head.handle_line(Instant::now(), line);
        let mut has_commands = false;
        while let Some(command) = self.head.poll_command() {
            assert!(!self.has_ended, "{command:?} after the end");
            self.has_ended = matches!(command, Command::Quit);
            has_commands = true;
            self.engine.obey(command);
        }
        (self.lines(), has_commands)
    }

    /// Passes a line in. If it is looked at closely, and its only effect was lines that reject it:
    /// the states of the front end before and after it.
    fn refused(
        &mut self,
        line: &str,
        is_looked_at: bool,
        is_refusal: impl Fn(&str) -> bool,
    ) -> Option<[String; 2]> {
        let before = is_looked_at.then(|| self.state());
        let (lines, has_commands) = self.send(line);
        let is_refused =
            !has_commands && !lines.is_empty() && lines.iter().all(|line| is_refusal(line));
        Some([before.filter(|_| is_refused)?, self.state()])
    }

    /// The complete state of the front end.
    fn state(&self) -> String {
        format!("{:?}", self.head)
    }

    /// Delivers the engine's events; returns the resulting lines.
    fn hear(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(event) = self.engine.event() {
            self.hear_event(event, &mut lines);
        }
        lines
    }

    fn hear_event(&mut self, event: Event, lines: &mut Vec<String>) {
        self.head.handle_event(Instant::now(), event);
        while let Some(command) = self.head.poll_command() {
            assert!(!self.has_ended, "{command:?} after the end");
            self.has_ended = matches!(command, Command::Quit);
            self.engine.obey(command);
        }
        lines.extend(self.lines());
    }

    /// `send`, then `hear`.
    fn say(&mut self, line: &str) -> Vec<String> {
        let mut lines = self.send(line).0;
        lines.extend(self.hear());
        lines
    }

    /// The pending lines, each checked to be a single line.
    fn lines(&mut self) -> Vec<String> {
        let lines: Vec<String> = std::iter::from_fn(|| self.head.poll_line()).collect();
        for line in &lines {
            assert!(!line.contains(['\n', '\r', '\0']), "{line:?}");
        }
        lines
    }
}

/// How many lines of a session are looked at closely. Writing a state out takes longer than all the
/// rest, and every line is among the last of some input.
const LOOKED_AT: usize = 4;

/// The lines of an input, as the program cuts them, and whether each is looked at closely.
fn lines(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let lines = text.split(['\n', '\r']);
    let count = lines.clone().count();
    lines
        .enumerate()
        .map(move |(at, line)| (line, at + LOOKED_AT >= count))
}

/// How many of these lines fit.
fn count(lines: &[String], fits: impl Fn(&str) -> bool) -> usize {
    lines.iter().filter(|line| fits(line)).count()
}

/// A front end's states before and after this line are the same.
fn assert_same([before, after]: [String; 2], line: &str) {
    let differ = |(a, b): (char, char)| a != b;
    let at = before.chars().zip(after.chars()).position(differ);
    let part = |state: &str| -> String {
        let shown = state.chars().skip(at.unwrap_or(0).saturating_sub(60));
        shown.take(120).collect()
    };
    let parts = [&before, &after].map(|state| part(state));
    assert!(before == after, "{line:?}: {parts:#?}");
}

/// After any lines that do not end it, a session goes on: it is ready, takes a position and plays.
/// A line whose only answer is a rejection has changed nothing.
pub(super) fn uci(bytes: &[u8]) {
    let mut session = Session::<Uci>::new();
    for (line, is_looked_at) in lines(&text(bytes)) {
        let refused = session.refused(line, is_looked_at, |it| it.starts_with("info string "));
        // In debug mode everything is reported. A `go` without a position is remembered.
        let is_quiet = |state: &String| state.contains("debug: false");
        if let Some(states) = refused.filter(|states| states.iter().all(is_quiet))
            && !line.contains("go")
        {
            let apart_from = |state: String| state.replacen("refused: true", "refused: false", 1);
            assert_same(states.map(apart_from), line);
        }
        session.hear();
        if session.has_ended {
            assert!(session.send("isready").0.is_empty(), "after the end");
            return;
        }
    }
    session.say("stop");
    assert!(!session.engine.is_searching());
    let lines = session.say("isready");
    assert_eq!(count(&lines, |line| line == "readyok"), 1, "{lines:?}");
    session.say("position startpos moves e2e4");
    let lines = session.say("go depth 1");
    let is_move = |line: &str| line.starts_with("bestmove ");
    assert_eq!(count(&lines, is_move), 1, "{lines:?}");
    assert!(
        lines.iter().any(|line| line.starts_with("bestmove b8a6")),
        "{lines:?}"
    );
    session.head.handle_eof();
    assert!(matches!(session.head.poll_command(), Some(Command::Quit)));
}

/// After any lines that do not end it, a session goes on: it answers a ping, takes a move and
/// plays. A line whose only answer is a rejection has changed nothing.
pub(super) fn cecp(bytes: &[u8]) {
    let mut session = Session::<Cecp>::new();
    for (line, is_looked_at) in lines(&text(bytes)) {
        let is_refusal = |it: &str| it.starts_with("Error (") || it.starts_with("Illegal move");
        let refused = session.refused(line, is_looked_at, is_refusal);
        // The line after `depth` is read as usual if it is not a number, the effect of `white` and
        // `black` comes with the next line, and an edited position is judged at its end.
        let awaited = ["next_line: Depth", "turn_override: Some", "Editing {"];
        let awaits = |before: &str| awaited.iter().any(|state| before.contains(state));
        if let Some(states) = refused.filter(|[before, _]| !awaits(before)) {
            assert_same(states, line);
        }
        session.hear();
        if session.has_ended {
            assert!(session.send("ping 1").0.is_empty(), "after the end");
            return;
        }
    }
    for line in [".", "exit", "new", "force"] {
        session.say(line);
    }
    assert!(!session.engine.is_searching());
    let lines = session.say("ping at-the-end");
    assert_eq!(
        count(&lines, |line| line == "pong at-the-end"),
        1,
        "{lines:?}"
    );
    let lines = session.say("usermove e2e4");
    assert!(
        lines.iter().all(|line| !line.starts_with("Illegal")),
        "{lines:?}"
    );
    let lines = session.say("go");
    assert_eq!(count(&lines, |line| line == "move b8a6"), 1, "{lines:?}");
    session.head.handle_eof();
    assert!(
        std::iter::from_fn(|| session.head.poll_command()).any(|it| matches!(it, Command::Quit))
    );
}

pub(super) fn uci_seeds() -> Vec<Vec<u8>> {
    of_transcripts("uci")
}

pub(super) fn cecp_seeds() -> Vec<Vec<u8>> {
    of_transcripts("cecp")
}

/// What users send in the transcripts of a protocol.
fn of_transcripts(protocol: &str) -> Vec<Vec<u8>> {
    let folder = repository().join("tests/transcripts").join(protocol);
    let files = fs::read_dir(folder).expect("there are transcripts");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    let said = |path| {
        let text = fs::read_to_string(path).expect("a transcript");
        let lines = text
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("> "));
        lines.collect::<Vec<_>>().join("\n").into_bytes()
    };
    paths.iter().map(said).collect()
}
