//! Starting an engine, and the handle to it.

use std::io;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use super::run::{Engine, StartError, WAITING_COMMANDS};
use super::{Command, Environment, Event};

/// A running engine.
#[derive(Debug)]
pub struct EngineHandle {
    /// Where commands go. The engine ends on [`Command::Quit`], or when all senders are gone.
    pub commands: Sender<Command>,
    /// Where events arrive; closed when the engine has ended.
    pub events: Receiver<Event>,
    /// The engine's thread, to be joined at the end: its result says whether the engine started.
    pub thread: JoinHandle<Result<(), StartError>>,
}

/// Starts an engine on a thread of its own.
///
/// # Errors
///
/// If the system refuses the thread.
pub fn spawn(environment: Environment) -> io::Result<EngineHandle> {
    let (commands, inbox) = bounded(WAITING_COMMANDS);
    let (outbox, events) = unbounded();
    let thread = thread::Builder::new()
        .name("engine".to_owned())
        .spawn(move || {
            let engine = Engine::new(outbox.clone(), environment).inspect_err(|error| {
                // Without an engine, all that can be done is to report why.
                let _ = outbox.send(Event::Notice(error.to_string()));
            })?;
            engine.run(&inbox);
            Ok(())
        })?;
    Ok(EngineHandle {
        commands,
        events,
        thread,
    })
}
