//! The commands that change the position (sections 8 and 12), and those that set the engine up
//! (sections 8 and 9).

use std::error::Error;
use std::time::Instant;

use orthrus_core::engine::Command;
use orthrus_core::engine::options::{self, FrontendSetting, OptionChange};
use orthrus_core::search::{PositionValue, ValueChange};
use orthrus_core::types::{Color, ColorMap, Hand};

use super::{Cecp, Mode, Refusal, Variant};
use crate::edit::Editor;
use crate::error::CommandError;
use crate::features;
use crate::format;
use crate::judgement::Judgement;
use crate::parse::{self, Input};

impl Cecp {
    /// `new`: the engine plays Black, and does not ponder before its first move. Analysis goes
    /// on with the new game.
    pub(crate) fn new_game(&mut self, now: Instant) {
        self.stop_search();
        self.board.new_game();
        self.clocks.new_game();
        self.forget_game();
        // The values of positions are forgotten.
        if std::mem::take(&mut self.scores_set) {
            self.outbox.send(Command::SetValue(ValueChange::ClearAll));
        }
        self.outbox.send(Command::NewGame);
        if matches!(self.mode, Mode::Analysing) {
            self.analyse(now);
        } else {
            self.us = Color::Black;
            self.mode = Mode::Waiting;
        }
    }

    pub(crate) fn set_variant(&mut self, now: Instant, name: &str) -> Result<(), CommandError> {
        let variant = Variant::from_name(name).ok_or(CommandError::UnsupportedVariant)?;
        self.leave_game();
        self.clocks.stop(now);
        self.clocks.set_up();
        self.board.set_variant(variant);
        if let Some(announcement) = variant.announcement() {
            self.say(announcement);
        }
        self.position_changed(now);
        Ok(())
    }

    pub(crate) fn set_board(&mut self, now: Instant, fen: &str) {
        self.leave_game();
        self.clocks.stop(now);
        let result = self.board.set_up_fen(fen);
        self.position_set_up(now, result, fen);
    }

    /// `holding`: what each side has in hand. It belongs to a position that has been set up; in a game
    /// the moves say the same.
    pub(crate) fn set_hands(
        &mut self,
        now: Instant,
        hands: ColorMap<Hand>,
    ) -> Result<(), CommandError> {
        if !self.board.variant().has_hands() {
            return Err(CommandError::UnsupportedVariant);
        }
        let mut setup = self.board.setup();
        if self.board.turn().plies > 0 || self.board.is_refused() || setup.hands == hands {
            return Ok(());
        }
        // It thinks again, and still owes what it was asked for meanwhile: pings wait for the move.
        let thinking = match self.mode {
            Mode::Thinking { hurry, .. } => Some((hurry, self.draw_offered)),
            _ => None,
        };
        if thinking.is_none() {
            self.leave_game();
        }
        setup.hands = hands;
        let result = self.board.set_up(setup);
        self.position_set_up(now, result, "holding");
        match thinking {
            Some(_) if self.board.is_refused() => self.leave_game(),
            Some((hurry, draw_offered)) => {
                self.draw_offered = draw_offered;
                self.think(now);
                if hurry {
                    self.move_now();
                }
            }
            None => {}
        }
        Ok(())
    }

    pub(crate) fn begin_edit(&mut self, now: Instant) {
        self.leave_game();
        self.clocks.stop(now);
        let editor = Box::new(Editor::new(self.board.setup()));
        let before = std::mem::replace(&mut self.mode, Mode::Force);
        self.mode = Mode::Editing {
            editor,
            before: Box::new(before),
        };
    }

    /// A line while a position is edited. `ping` and `quit` are still obeyed, so that nobody waits
    /// for ever if the final `.` never comes.
    pub(crate) fn edit(&mut self, now: Instant, line: &str) -> Result<(), Refusal> {
        if let Ok(input @ (Input::Ping(_) | Input::Quit)) = parse::parse(line) {
            return self.obey(now, input);
        }
        let Mode::Editing { editor, .. } = &mut self.mode else {
            return Ok(());
        };
        if line.trim() != "." {
            return Ok(editor.edit(line)?);
        }
        if let Mode::Editing { editor, before } = std::mem::replace(&mut self.mode, Mode::Force) {
            self.mode = *before;
            let variant = self.board.variant();
            let any_file = matches!(variant, Variant::Fischerandom | Variant::Wildcastle);
            let result = self.board.set_up(editor.finish(any_file));
            self.position_set_up(now, result, "edit");
        }
        Ok(())
    }

    /// The GUI has set up a position, which may be refused.
    fn position_set_up(&mut self, now: Instant, result: Result<(), impl Error>, setup: &str) {
        match result {
            Ok(()) => self.clocks.set_up(),
            Err(reason) => self.say(format::illegal_position(&reason.to_string(), setup)),
        }
        self.position_changed(now);
    }

    pub(crate) fn undo(&mut self, now: Instant) -> Result<(), CommandError> {
        if self.board.turn().plies == 0 || self.board.is_refused() {
            return Err(CommandError::NotNow);
        }
        self.leave_game();
        self.take_back();
        if !matches!(self.mode, Mode::Analysing) {
            self.clocks.stop(now);
            self.mode = Mode::Force;
        }
        self.position_changed(now);
        Ok(())
    }

    /// `remove`: takes back the last move of each side. The engine keeps its colour.
    pub(crate) fn remove(&mut self, now: Instant) -> Result<(), CommandError> {
        let thinking = matches!(self.mode, Mode::Thinking { .. });
        if thinking || self.board.turn().plies < 2 || self.board.is_refused() {
            return Err(CommandError::NotNow);
        }
        self.leave_game();
        self.take_back();
        self.take_back();
        self.position_changed(now);
        Ok(())
    }

    fn take_back(&mut self) {
        self.clocks.take_back(self.board.turn());
        self.board.undo();
    }

    /// `white` and `black` set the side to move, give the engine the other, and stop the clocks.
    pub(crate) fn override_turn(&mut self, now: Instant, to_move: Color) {
        self.leave_game();
        self.clocks.stop(now);
        self.us = !to_move;
        self.board.override_turn(to_move);
        if matches!(self.mode, Mode::Analysing) {
            // If it cannot be that side's turn now, it may be in the position of an `edit` to come.
            if self.settle_turn().is_ok() {
                self.analyse(now);
            }
        }
    }

    /// Stops the search of a position that is leaving the board; an engine that was playing waits.
    fn leave_game(&mut self) {
        self.stop_search();
        if matches!(self.mode, Mode::Thinking { .. } | Mode::Pondering { .. }) {
            self.mode = Mode::Waiting;
        }
    }

    fn forget_game(&mut self) {
        self.judgement = Judgement::default();
        self.manners.forget();
        self.draw_offered = false;
    }

    fn position_changed(&mut self, now: Instant) {
        self.forget_game();
        if matches!(self.mode, Mode::Analysing) {
            self.analyse(now);
        }
    }

    /// `hard` and `easy`. XBoard pauses pondering with `easy` and resumes it with `hard`, so it
    /// begins again if a reply is expected.
    pub(crate) fn set_pondering(&mut self, now: Instant, on: bool) {
        self.settings.pondering = on;
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

    pub(crate) fn set_option(
        &mut self,
        now: Instant,
        name: &str,
        value: Option<&str>,
    ) -> Result<(), CommandError> {
        if let Some(set) = self.manners.set(name, value) {
            return set;
        }
        let spec = options::find(name).filter(|spec| features::is_settable(spec));
        match spec.ok_or(CommandError::NoSuchOption)?.parse(value)? {
            OptionChange::Engine(setting) => {
                self.change_setting(now, Command::SetOption(setting));
            }
            OptionChange::Frontend(FrontendSetting::DebugLogFile(name)) => {
                self.outbox.log_file = Some(name);
            }
            OptionChange::Frontend(FrontendSetting::ShowWinDrawLoss(on)) => {
                self.settings.scores.chances = on;
            }
            OptionChange::Frontend(FrontendSetting::NormaliseScores(on)) => {
                self.settings.scores.normalised = on;
            }
            // CECP has its own commands for the others.
            OptionChange::Frontend(_) => return Err(CommandError::NoSuchOption),
        }
        Ok(())
    }

    /// Analysis and pondering restart with the new setting; a search for a move is finished with
    /// the old one.
    fn change_setting(&mut self, now: Instant, change: Command) {
        self.outbox.send(change);
        match self.mode {
            Mode::Analysing => self.analyse(now),
            Mode::Pondering { guess, .. } => self.begin_pondering(now, guess),
            _ => {}
        }
    }

    /// The value holds until `new`.
    pub(crate) fn set_score(
        &mut self,
        now: Instant,
        value: PositionValue,
    ) -> Result<(), CommandError> {
        if self.board.is_refused() {
            return Err(CommandError::NotNow);
        }
        self.scores_set = true;
        let change = ValueChange::Set(self.board.position().key(), value);
        self.change_setting(now, Command::SetValue(change));
        Ok(())
    }
}
