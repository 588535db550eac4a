//! What the GUI has switched on, and options of the engine (sections 8 and 9).

use std::time::Instant;

use orthrus_core::engine::{Command, options};

use super::{Cecp, CommandError, Mode, Setting};
use crate::features::{self, TABLE_FORMAT, TABLE_OPTION};

/// What the GUI has switched on.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Version of the protocol; 1 without `protover`.
    pub(crate) protocol: u32,
    /// `post`: thinking lines are wanted.
    pub(crate) post: bool,
    /// `hard`: the engine may think on the opponent's time.
    pub(crate) pondering: bool,
    /// The feature `debug` was accepted: comments are allowed.
    pub(crate) comments: bool,
    /// Whether the GUI has accepted the feature `analyze`.
    pub(crate) analysis: Acceptance,
}

/// Whether a feature is announced and accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Acceptance {
    /// Neither announced nor answered.
    NotOffered,
    /// It was announced, and the GUI has not answered, or has rejected it.
    Offered,
    /// The GUI has accepted it.
    Accepted,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            protocol: 1,
            post: false,
            pondering: false,
            comments: false,
            analysis: Acceptance::NotOffered,
        }
    }
}

impl Settings {
    /// `protover N`: features are announced from version 2 on.
    pub(crate) fn shake_hands(&mut self, version: u32) {
        self.protocol = version;
        if version >= 2 {
            self.analysis = Acceptance::Offered;
        }
    }

    /// `accepted FEATURE`
    pub(crate) fn accepted(&mut self, feature: &str) {
        match feature {
            "debug" => self.comments = true,
            "analyze" => self.analysis = Acceptance::Accepted,
            _ => {}
        }
    }

    /// Whether `.` is answered. Clients that use the answer accept `analyze`, or know no features;
    /// python-chess, which does neither, sends `.` and complains about the answer.
    pub(crate) fn tells_status(&self) -> bool {
        self.analysis != Acceptance::Offered
    }

    /// `rejected FEATURE`. Everything else Orthrus announces either has an option in its place
    /// ([`features::replacement`]), only widens what it understands, or concerns the GUI alone.
    pub(crate) fn rejected(&mut self, feature: &str) {
        if feature == "debug" {
            self.comments = false;
        }
    }
}

impl Cecp {
    pub(crate) fn set(&mut self, now: Instant, setting: Setting<'_>) -> Result<(), CommandError> {
        match setting {
            Setting::Post(on) => self.settings.post = on,
            Setting::Pondering(on) => self.set_pondering(now, on),
            Setting::Memory(size) => self.set_option(now, "Hash", Some(size))?,
            Setting::Cores(count) => self.set_option(now, "Threads", Some(count))?,
            Setting::TablePath { format, path } => {
                if format != TABLE_FORMAT {
                    return Err(CommandError::UnsupportedTables);
                }
                self.set_option(now, TABLE_OPTION, Some(path))?;
            }
            Setting::Score(value) => self.set_score(now, value)?,
            Setting::Option { name, value } => {
                if let Some(set) = self.manners.set(name, value) {
                    return set;
                }
                let spec = options::find(name).filter(|spec| features::is_settable(spec));
                let spec = spec.ok_or(CommandError::NoSuchOption)?;
                self.set_option(now, spec.name, value)?;
            }
        }
        Ok(())
    }

    /// `hard` and `easy`. XBoard pauses pondering with `easy` and resumes it with `hard`, so it
    /// begins again if a reply is expected.
    fn set_pondering(&mut self, now: Instant, on: bool) {
        if self.settings.pondering != on {
            self.settings.pondering = on;
            self.commands
                .push_back(Command::SetOption(options::Setting::Ponder(on)));
        }
        match self.mode {
            Mode::Pondering { .. } if !on => {
                self.stop_search();
                self.mode = Mode::Waiting;
            }
            Mode::Waiting if on && self.judgement.expected.is_some() => {
                self.begin_pondering(now, self.judgement.expected);
            }
            _ => {}
        }
    }

    /// Analysis and pondering restart with the new setting; a search for a move is finished with
    /// the old one.
    fn set_option(
        &mut self,
        now: Instant,
        name: &str,
        value: Option<&str>,
    ) -> Result<(), CommandError> {
        let setting = options::parse(name, value)?;
        self.change_setting(now, Command::SetOption(setting));
        Ok(())
    }

    /// As [`Cecp::set_option`], for any command that changes how the engine searches.
    pub(crate) fn change_setting(&mut self, now: Instant, change: Command) {
        match self.mode {
            Mode::Analysing => {
                self.drop_search();
                self.commands.push_back(change);
                self.analyse(now);
            }
            Mode::Pondering { guess, .. } => {
                self.drop_search();
                self.commands.push_back(change);
                self.begin_pondering(now, guess);
            }
            _ => self.commands.push_back(change),
        }
    }
}
