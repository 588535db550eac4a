//! The trait that every protocol implements.

use std::time::Instant;

use crate::engine::{Command, Event};

/// One chess protocol as a state machine without I/O, threads or a clock of its own.
///
/// The driver calls a `handle_*` method and then drains the `poll_*` methods, in the order below,
/// until all return `None`.
pub trait Frontend {
    /// Takes one line from the user, without its line ending, read at `now`.
    fn handle_line(&mut self, now: Instant, line: &str);
    /// Takes one event from the engine, which arrived at `now`.
    fn handle_event(&mut self, now: Instant, event: Event);
    /// Takes the end of the user's input.
    fn handle_eof(&mut self);
    /// Returns the file that is to log every line from now on, if the user has asked for another; an
    /// empty name ends the log.
    fn poll_log_file(&mut self) -> Option<String>;
    /// Returns the next command for the engine.
    fn poll_command(&mut self) -> Option<Command>;
    /// Returns the next line for the user, without its line ending.
    fn poll_line(&mut self) -> Option<String>;
}
