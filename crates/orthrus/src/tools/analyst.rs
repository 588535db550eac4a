//! An engine that searches one position after the other, and can be interrupted.

use std::ops::ControlFlow;
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, select};
use orthrus_core::engine::options::Setting;
use orthrus_core::engine::{self, Command, EngineHandle, Environment, Event, StartError};
use orthrus_core::game::Game;
use orthrus_core::search::{Bound, Limits, Report, SearchId, SearchInfo};
use orthrus_core::types::Move;

use super::output::warn;
use crate::args::SearchArgs;
use crate::failure::Failure;
use crate::signals;

/// After this long without news, the caller is told.
const PAUSE: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub(crate) struct Analysis {
    /// The move to play; `None` without a legal move.
    pub(crate) best: Option<Move>,
    /// The last complete line of the first rank: its score is exact. It begins with `best`, unless
    /// the search was interrupted when it had just turned to another move.
    pub(crate) info: SearchInfo,
    /// Whether Ctrl-C ended the search before its limits did.
    pub(crate) interrupted: bool,
}

#[derive(Debug)]
pub(crate) struct Analyst {
    commands: Sender<Command>,
    events: Receiver<Event>,
    /// `None` only while this is being dropped.
    thread: Option<JoinHandle<Result<(), StartError>>>,
    args: SearchArgs,
    /// Time per position in milliseconds if no limit is given.
    movetime: Option<u64>,
    interrupts: Receiver<()>,
    /// How many there have been, which names the last.
    searches: u64,
    /// What the engine says to people, to be shown when it does not get in the way.
    notices: Vec<String>,
}

impl Analyst {
    /// Starts an engine that searches as `args` say, or `movetime` milliseconds; Ctrl-C ends a
    /// search.
    pub(crate) fn start(
        args: &SearchArgs,
        movetime: Option<u64>,
        environment: Environment,
    ) -> Result<Self, Failure> {
        let interrupts = signals::interrupts()?;
        let mut analyst = Self::new(args, movetime, environment, interrupts)?;
        analyst.show_notices();
        Ok(analyst)
    }

    /// The same, but each message of `interrupts` ends a search.
    pub(super) fn new(
        args: &SearchArgs,
        movetime: Option<u64>,
        environment: Environment,
        interrupts: Receiver<()>,
    ) -> Result<Self, Failure> {
        let EngineHandle {
            commands,
            events,
            thread,
        } = engine::spawn(environment).map_err(StartError::from)?;
        let mut analyst = Self {
            commands,
            events,
            thread: Some(thread),
            args: args.clone(),
            movetime,
            interrupts,
            searches: 0,
            notices: Vec::new(),
        };
        // No clock is running: no time is lost on the way.
        analyst.set(Setting::MoveOverhead(Duration::ZERO));
        analyst.set(Setting::AnalyseMode(true));
        for setting in args.settings() {
            analyst.set(setting);
        }
        analyst.settle()?;
        Ok(analyst)
    }

    /// Waits until the engine has done all that it was told.
    fn settle(&mut self) -> Result<(), Failure> {
        self.send(Command::Ping(0));
        loop {
            match self.events.recv() {
                Ok(Event::Pong(_)) => return Ok(()),
                Ok(Event::Refused { reason, .. }) => return Err(Failure::Refused(reason)),
                // Routine news is about what the user has named: tables, a book, a network.
                Ok(Event::Notice(text) | Event::Remark(text)) => self.notices.push(text),
                Ok(_) => {}
                Err(_) => return Err(self.ended()),
            }
        }
    }

    pub(crate) fn set(&self, setting: Setting) {
        self.send(Command::SetOption(setting));
    }

    /// Forgets what earlier searches have learned; returns when that is done.
    pub(crate) fn new_game(&mut self) -> Result<(), Failure> {
        self.send(Command::NewGame);
        self.settle()
    }

    /// What interrupts a search, for a caller that has to wait for something else.
    pub(crate) fn interrupts(&self) -> Receiver<()> {
        self.interrupts.clone()
    }

    /// The limits of a search that begins now, as the arguments have them.
    pub(crate) fn limits(&self) -> Limits {
        self.args.limits(self.movetime)
    }

    /// Searches the current position of `game` as the arguments say, and calls `on_report` for each report, and with
    /// `None` after each tenth of a second without one; its break ends the search.
    pub(crate) fn search(
        &mut self,
        game: &Game,
        on_report: impl FnMut(Option<&SearchInfo>) -> ControlFlow<()>,
    ) -> Result<Analysis, Failure> {
        let limits = self.limits();
        self.search_within(game, limits, on_report)
    }

    /// The same within other limits.
    pub(crate) fn search_within(
        &mut self,
        game: &Game,
        limits: Limits,
        mut on_report: impl FnMut(Option<&SearchInfo>) -> ControlFlow<()>,
    ) -> Result<Analysis, Failure> {
        self.send(Command::SetGame(Box::new(game.clone())));
        self.searches += 1;
        let id = SearchId(self.searches);
        self.send(Command::Go(id, Box::new(limits)));
        let mut interrupted = false;
        let mut last = None;
        loop {
            let event = select! {
                recv(self.events) -> event => event.map_err(|_| self.ended())?,
                recv(self.interrupts) -> _ => {
                    interrupted = true;
                    self.send(Command::Stop);
                    continue;
                }
                default(PAUSE) => {
                    if on_report(None).is_break() {
                        self.send(Command::Stop);
                    }
                    continue;
                }
            };
            match event {
                Event::Search(of, Report::Info(info)) if of == id => {
                    if on_report(Some(&info)).is_break() {
                        self.send(Command::Stop);
                    }
                    if last.is_none() || is_complete(&info) && info.multipv == 1 {
                        last = Some(info);
                    }
                }
                Event::Search(of, Report::BestMove { best, .. }) if of == id => {
                    return Ok(Analysis {
                        best,
                        info: last.ok_or_else(|| self.ended())?,
                        interrupted,
                    });
                }
                Event::Notice(text) => self.notices.push(text),
                _ => {}
            }
        }
    }

    /// Shows what the engine wanted people to know since the last call.
    pub(crate) fn show_notices(&mut self) {
        for notice in self.notices.drain(..) {
            warn(&notice);
        }
    }

    fn ended(&self) -> Failure {
        Failure::Ended(self.notices.last().cloned().unwrap_or_default())
    }

    fn send(&self, command: Command) {
        // An engine that has ended is noticed when waiting for its answer.
        let _ = self.commands.send(command);
    }
}

/// Whether a report is a whole result. An interrupted search ends with a bound if it had only found
/// that a move is better than expected; that has no line yet, and proves nothing but mates.
fn is_complete(info: &SearchInfo) -> bool {
    match info.bound {
        Bound::Exact => true,
        Bound::Lower => info.score.is_mate() && info.score.is_win(),
        Bound::Upper => false,
    }
}

impl Drop for Analyst {
    fn drop(&mut self) {
        self.send(Command::Quit);
        if self
            .thread
            .take()
            .is_some_and(|thread| thread.join().is_err())
        {
            log::error!("the engine has panicked");
        }
    }
}
