//! The trait that every protocol implements.

use std::collections::VecDeque;
use std::time::Instant;

use crate::engine::{Command, Event};

/// One chess protocol as a state machine without I/O, threads or a clock of its own.
///
/// The driver calls a `handle_*` method and then empties the outbox, in the order of its fields.
pub trait Frontend {
    /// Takes one line from the user, without its line ending, read at `now`.
    fn handle_line(&mut self, now: Instant, line: &str);
    /// Takes one event from the engine, which arrived at `now`.
    fn handle_event(&mut self, now: Instant, event: Event);
    /// Takes the end of the user's input: it has [`Command::Quit`] sent, unless that has been.
    fn handle_eof(&mut self);
    /// What it has to say.
    fn outbox(&mut self) -> &mut Outbox;
}

/// What a front end has to say.
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    /// The file that is to log every line from now on, if the user has asked for another; an empty
    /// name ends the log.
    pub log_file: Option<String>,
    /// To the engine, oldest first.
    pub commands: VecDeque<Command>,
    /// To the user, without line endings, oldest first.
    pub lines: VecDeque<String>,
}

impl Outbox {
    /// Adds a command.
    pub fn send(&mut self, command: Command) {
        self.commands.push_back(command);
    }

    /// Adds a line.
    pub fn say(&mut self, line: impl Into<String>) {
        self.lines.push_back(line.into());
    }
}
