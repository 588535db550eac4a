//! Starting an engine, and the handle to it.

use std::io;
use std::path::PathBuf;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::run::{Engine, StartError};
use super::{Command, Event};
use crate::evaluation::CpuLevel;

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

/// What the engine must know of its environment.
#[derive(Clone, Debug)]
pub struct Environment {
    /// The CPU instructions that networks are evaluated with.
    pub level: CpuLevel,
    /// Where files named by options are looked for if they are not in the working folder.
    pub folder: Option<PathBuf>,
    /// The seed of random choices; the same seed makes the same choices.
    pub seed: u64,
}

impl Default for Environment {
    /// The best instructions of this processor, no other folder, and the same choices every time.
    fn default() -> Self {
        Self {
            level: CpuLevel::detect(),
            folder: None,
            seed: 0,
        }
    }
}

/// Starts an engine on a thread of its own.
///
/// # Errors
///
/// If the system refuses the thread.
pub fn spawn(environment: Environment) -> io::Result<EngineHandle> {
    let (commands, inbox) = unbounded();
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
