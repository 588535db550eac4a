//! An engine that searches one position after the other, and can be interrupted.

use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

use crossbeam_channel::{Receiver, select};
use orthrus_core::engine::options::Setting;
use orthrus_core::engine::{self, Command, EngineHandle, Event, Surroundings};
use orthrus_core::game::Game;
use orthrus_core::search::{Limits, SearchInfo};
use orthrus_core::types::Move;
use thiserror::Error;

/// After this long without news, the caller is told.
const PAUSE: Duration = Duration::from_millis(100);

/// Why nothing can be searched.
#[derive(Debug, Error)]
pub(crate) enum AnalystError {
    /// The system refuses a thread.
    #[error("cannot start the engine: {0}")]
    Start(#[from] io::Error),
    /// An option cannot have the value asked for: the results would be those of another one.
    #[error("{0}")]
    Refused(String),
    /// The engine is gone; its last words, if there were any.
    #[error("the engine has ended: {0}")]
    Ended(String),
}

/// What a search has found.
#[derive(Debug)]
pub(crate) struct Analysis {
    /// The move to play; `None` without a legal move.
    pub(crate) best: Option<Move>,
    /// What was reported last: an exact score, with a line that begins with `best`.
    pub(crate) info: SearchInfo,
    /// Whether Ctrl-C ended the search before its limits did.
    pub(crate) interrupted: bool,
}

/// An engine at work for a tool.
#[derive(Debug)]
pub(crate) struct Analyst {
    /// `None` only while it is being dropped.
    engine: Option<EngineHandle>,
    interrupts: Receiver<()>,
    /// What the engine says to people, to be shown when it does not get in the way.
    notices: Vec<String>,
}

impl Analyst {
    /// Starts an engine with these options; each message of `interrupts` ends a search.
    ///
    /// # Errors
    ///
    /// The system refuses a thread, or the engine an option.
    pub(crate) fn start(
        surroundings: Surroundings,
        settings: impl IntoIterator<Item = Setting>,
        interrupts: Receiver<()>,
    ) -> Result<Self, AnalystError> {
        let mut analyst = Self {
            engine: Some(engine::spawn(surroundings)?),
            interrupts,
            notices: Vec::new(),
        };
        // No clock is running: no time is lost on the way.
        analyst.set(Setting::MoveOverhead(Duration::ZERO));
        analyst.set(Setting::AnalyseMode(true));
        for setting in settings {
            analyst.set(setting);
        }
        analyst.settle()?;
        Ok(analyst)
    }

    /// Waits until the engine has done all that it was told.
    fn settle(&mut self) -> Result<(), AnalystError> {
        self.send(Command::Ping(0));
        while let Some(engine) = &self.engine {
            match engine.events.recv() {
                Ok(Event::Pong(_)) => return Ok(()),
                Ok(Event::Refused { reason, .. }) => return Err(AnalystError::Refused(reason)),
                // Routine news is about what the user has named: tables, a book, a network.
                Ok(Event::Notice(text) | Event::Remark(text)) => self.notices.push(text),
                Ok(_) => {}
                Err(_) => break,
            }
        }
        Err(self.end())
    }

    /// Changes an option.
    pub(crate) fn set(&self, setting: Setting) {
        self.send(Command::SetOption(setting));
    }

    /// Forgets what earlier searches have learned; returns when that is done.
    ///
    /// # Errors
    ///
    /// The engine has ended.
    pub(crate) fn forget(&mut self) -> Result<(), AnalystError> {
        self.send(Command::NewGame);
        self.settle()
    }

    /// What interrupts a search, for a caller that has to wait for something else.
    pub(crate) fn interrupts(&self) -> &Receiver<()> {
        &self.interrupts
    }

    /// Searches the current position of `game`, and calls `told` for each report, and with `None`
    /// after each tenth of a second without one; its break ends the search.
    ///
    /// # Errors
    ///
    /// The engine ends before it answers.
    pub(crate) fn search(
        &mut self,
        game: &Game,
        limits: Limits,
        mut told: impl FnMut(Option<&SearchInfo>) -> ControlFlow<()>,
    ) -> Result<Analysis, AnalystError> {
        self.send(Command::SetGame(Box::new(game.clone())));
        self.send(Command::Go(Box::new(limits)));
        let mut interrupted = false;
        let mut last = None;
        while let Some(engine) = &self.engine {
            let event = select! {
                recv(engine.events) -> event => event,
                recv(self.interrupts) -> _ => {
                    interrupted = true;
                    self.send(Command::Stop);
                    continue;
                }
                default(PAUSE) => {
                    if told(None).is_break() {
                        self.send(Command::Stop);
                    }
                    continue;
                }
            };
            match event {
                Ok(Event::Info(info)) => {
                    if told(Some(&info)).is_break() {
                        self.send(Command::Stop);
                    }
                    last = Some(*info);
                }
                Ok(Event::BestMove { best, .. }) => {
                    let info = last.ok_or_else(|| self.end())?;
                    return Ok(Analysis {
                        best,
                        info,
                        interrupted,
                    });
                }
                Ok(Event::Notice(text)) => self.notices.push(text),
                Ok(_) => {}
                Err(_) => break,
            }
        }
        Err(self.end())
    }

    /// What the engine wanted people to know since the last call.
    pub(crate) fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    fn end(&self) -> AnalystError {
        AnalystError::Ended(self.notices.last().cloned().unwrap_or_default())
    }

    fn send(&self, command: Command) {
        if let Some(engine) = &self.engine {
            // An engine that has ended is noticed when waiting for its answer.
            let _ = engine.commands.send(command);
        }
    }
}

impl Drop for Analyst {
    fn drop(&mut self) {
        if let Some(EngineHandle {
            commands, thread, ..
        }) = self.engine.take()
        {
            drop(commands);
            if thread.join().is_err() {
                log::error!("the engine has panicked");
            }
        }
    }
}
