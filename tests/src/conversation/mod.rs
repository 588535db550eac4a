//! A front end with a stand-in for the engine behind it, which keeps the real one's promises
//! without thinking: the kit of all tests that need a head and no search.

mod engine;

use std::time::{Duration, Instant};

use orthrus_core::engine::Command;
use orthrus_core::frontend::Frontend;

use self::engine::FakeEngine;
use crate::transcript::render;

/// What a front end has said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Its commands, as transcripts write them.
    pub commands: Vec<String>,
    /// Its lines.
    pub lines: Vec<String>,
}

/// A front end and its engine.
pub struct Conversation<F> {
    head: F,
    /// The engine.
    pub engine: FakeEngine,
    /// Whether the end has been requested.
    pub has_ended: bool,
    start: Instant,
    now: Instant,
}

impl<F: Frontend + Default> Default for Conversation<F> {
    fn default() -> Self {
        let start = Instant::now();
        Self {
            head: F::default(),
            engine: FakeEngine::default(),
            has_ended: false,
            start,
            now: start,
        }
    }
}

impl<F: Frontend> Conversation<F> {
    /// Makes it this time since the beginning.
    pub fn set_time(&mut self, time: Duration) {
        self.now = self.start + time;
    }

    /// Passes a line in, and the commands that come of it to the engine.
    pub fn send(&mut self, line: &str) -> Said {
        self.head.handle_line(self.now, line);
        self.drain()
    }

    /// Delivers the engine's events.
    pub fn hear(&mut self) -> Said {
        let mut said = Said::default();
        while let Some(event) = self.engine.event() {
            self.head.handle_event(self.now, event);
            let Said { commands, lines } = self.drain();
            said.commands.extend(commands);
            said.lines.extend(lines);
        }
        said
    }

    /// Passes a line in and delivers the events that come of it; returns the lines.
    pub fn say(&mut self, line: &str) -> Vec<String> {
        let mut lines = self.send(line).lines;
        lines.extend(self.hear().lines);
        lines
    }

    /// Ends the stream.
    pub fn end(&mut self) -> Said {
        self.head.handle_eof();
        self.drain()
    }

    /// # Panics
    ///
    /// If there is a command after the end, or a line is not a single one.
    fn drain(&mut self) -> Said {
        let mut said = Said::default();
        while let Some(command) = self.head.outbox().commands.pop_front() {
            assert!(!self.has_ended, "{command:?} after the end");
            self.has_ended = matches!(command, Command::Quit);
            let position = self.engine.position();
            let text = render::command(&command, self.now, position);
            said.commands.push(text);
            self.engine.obey(command);
        }
        said.lines
            .extend(std::iter::from_fn(|| self.head.outbox().lines.pop_front()));
        for line in &said.lines {
            assert!(!line.contains(['\n', '\r', '\0']), "{line:?}");
        }
        said
    }
}
