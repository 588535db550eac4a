//! A front end with a real engine behind it, in one process: a driver step by step.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use orthrus_core::engine::{self, EngineHandle, Environment};
use orthrus_core::frontend::Frontend;

/// How long an answer may take before a test considers it missing.
const PATIENCE: Duration = Duration::from_secs(20);

/// A conversation with a front end and its engine.
pub struct Session<F> {
    frontend: F,
    engine: EngineHandle,
    lines: VecDeque<String>,
}

impl<F: Frontend> Session<F> {
    /// Starts an engine behind `frontend`.
    ///
    /// # Panics
    ///
    /// If the engine cannot be started.
    pub fn new(frontend: F) -> Self {
        Self {
            frontend,
            engine: engine::spawn(Environment::default()).expect("a thread for the engine"),
            lines: VecDeque::new(),
        }
    }

    /// Sends a line, which may be anything.
    pub fn send(&mut self, line: &str) {
        self.frontend.handle_line(Instant::now(), line);
        self.drain();
    }

    /// The next line; `None` if none comes within `wait`.
    pub fn next_line(&mut self, wait: Duration) -> Option<String> {
        let deadline = Instant::now() + wait;
        loop {
            if let Some(line) = self.lines.pop_front() {
                return Some(line);
            }
            let event = self.engine.events.recv_deadline(deadline).ok()?;
            self.frontend.handle_event(Instant::now(), event);
            self.drain();
        }
    }

    /// The lines up to the first that begins with `beginning`, which is the last of them.
    ///
    /// # Panics
    ///
    /// With the lines that came instead, if that line does not come.
    pub fn wait_for(&mut self, beginning: &str) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        while let Some(line) = self.next_line(deadline.saturating_duration_since(Instant::now())) {
            lines.push(line);
            if lines.last().is_some_and(|line| line.starts_with(beginning)) {
                return lines;
            }
        }
        panic!("no line {beginning} in {lines:#?}");
    }

    /// The lines that have come already.
    pub fn lines(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.next_line(Duration::ZERO)).collect()
    }

    /// Ends the stream, waits for the engine to end and returns the lines not read yet.
    ///
    /// # Panics
    ///
    /// If the engine does not end, or has panicked.
    pub fn finish(mut self) -> Vec<String> {
        self.frontend.handle_eof();
        self.drain();
        let deadline = Instant::now() + PATIENCE;
        while let Ok(event) = self.engine.events.recv_deadline(deadline) {
            self.frontend.handle_event(Instant::now(), event);
            self.drain();
        }
        assert!(Instant::now() < deadline, "the engine does not end");
        let ended = self.engine.thread.join();
        ended
            .expect("the engine has panicked")
            .expect("there was an engine");
        self.lines.into()
    }

    fn drain(&mut self) {
        while let Some(command) = self.frontend.outbox().commands.pop_front() {
            // If the engine has ended, that is noticed when an answer is missing.
            let _ = self.engine.commands.send(command);
        }
        while let Some(line) = self.frontend.outbox().lines.pop_front() {
            self.lines.push_back(line);
        }
    }
}
