//! The commands that drive a game: who plays, moves, offers, pauses (section 8).

use std::time::Instant;

use orthrus_core::engine::Command;
use orthrus_core::notation::{self, MoveError};

use super::{Cecp, CommandError, Mode, Play, Refusal};
use crate::clock;
use crate::error::IllegalMove;
use crate::judgement::Judgement;

impl Cecp {
    pub(crate) fn drive(&mut self, now: Instant, play: Play<'_>) -> Result<(), Refusal> {
        match play {
            Play::Force | Play::Result => self.force(now, play),
            Play::Go => self.go(now)?,
            Play::OtherSide => self.play_other(now)?,
            Play::UserMove(text) => self.take_move(now, text).map_err(as_move)?,
            Play::BareMove(text) => self.take_move(now, text)?,
            Play::MoveNow => self.move_now(),
            Play::DrawOffer => self.consider_draw(),
            Play::Hint => self.hint(now),
            Play::Book => self.ask_for_book(),
            Play::PonderNow => self.ponder_now(now),
            Play::Pause => self.pause(now),
            // The pause has ended already.
            Play::Resume => {}
        }
        Ok(())
    }

    /// `force`, and `result`, which XBoard may send without `force`. The result of somebody else's
    /// game does not end analysis.
    fn force(&mut self, now: Instant, play: Play<'_>) {
        if play == Play::Result && matches!(self.mode, Mode::Analysing) {
            return;
        }
        self.stop_search();
        self.clocks.stop(now);
        self.draw_offered = false;
        self.mode = Mode::Force;
    }

    fn go(&mut self, now: Instant) -> Result<(), CommandError> {
        if self.board.is_refused() {
            return Err(CommandError::NotNow);
        }
        self.board.settle_turn()?;
        if self.board.excludes_all() {
            return Err(CommandError::NotNow);
        }
        self.stop_search();
        self.think(now);
        Ok(())
    }

    fn play_other(&mut self, now: Instant) -> Result<(), CommandError> {
        if self.board.is_refused() {
            return Err(CommandError::NotNow);
        }
        self.board.settle_turn()?;
        self.stop_search();
        let to_move = self.board.turn().side;
        self.us = !to_move;
        self.clocks.associate(self.us, now);
        self.clocks.start(to_move, now);
        self.mode = Mode::Waiting;
        self.ponder(now, None);
        Ok(())
    }

    /// A move of the user: makes it if it is legal, and answers it if the engine plays.
    fn take_move(&mut self, now: Instant, text: &str) -> Result<(), Refusal> {
        if matches!(self.mode, Mode::Thinking { .. }) {
            return match notation::parse_move(self.board.position(), text) {
                Err(MoveError::Unrecognised) => Err(CommandError::Unknown.into()),
                _ => Err(IllegalMove::OutOfTurn.into()),
            };
        }
        self.board.settle_turn()?;
        let mv = self.board.play_text(text)?;
        match std::mem::replace(&mut self.mode, Mode::Force) {
            Mode::Analysing => {
                self.mode = Mode::Analysing;
                self.clocks.earn(self.board.turn());
                self.analyse(now);
            }
            Mode::Pondering { guess, limits } => {
                self.clocks.press(self.board.turn(), now);
                self.clocks.associate(self.board.turn().side, now);
                let actual = self.limits(now);
                if guess.is_some() && guess == mv && clock::still_valid(&limits, &actual, self.us) {
                    self.hit(actual);
                } else {
                    self.stop_search();
                    self.think(now);
                }
            }
            Mode::Waiting => {
                self.clocks.press(self.board.turn(), now);
                self.stop_search();
                self.think(now);
            }
            _ => {
                self.clocks.earn(self.board.turn());
                self.stop_search();
                self.judgement = Judgement::default();
            }
        }
        Ok(())
    }

    /// `?`
    fn move_now(&mut self) {
        if let Mode::Thinking { hurry, .. } = &mut self.mode {
            *hurry = true;
            self.commands.push_back(Command::Stop);
        }
    }

    /// `draw`: accepted at once if the last search says so, otherwise answered with our next move.
    /// In force mode a `go` may follow, as python-chess sends it.
    fn consider_draw(&mut self) {
        let playing = matches!(self.mode, Mode::Waiting | Mode::Pondering { .. });
        if playing && self.judgement.welcomes_draw(self.us, self.board.position()) {
            self.say("offer draw");
        } else {
            self.draw_offered = !matches!(self.mode, Mode::Analysing);
        }
    }

    /// ChessBase's `ponder`: thinks on the user's time, whatever `hard` or `easy` said.
    fn ponder_now(&mut self, now: Instant) {
        if matches!(self.mode, Mode::Waiting) {
            self.begin_pondering(now, self.judgement.expected);
        }
    }

    /// `pause`: suspends thinking and the clocks.
    pub(crate) fn pause(&mut self, now: Instant) {
        if !matches!(self.mode, Mode::Paused { .. }) {
            self.commands.push_back(Command::Pause);
            let before = std::mem::replace(&mut self.mode, Mode::Force);
            self.mode = Mode::Paused {
                before: Box::new(before),
                since: now,
                answer: None,
            };
        }
    }

    /// Ends a pause, unless the engine was thinking about its move: no move must come while the
    /// clocks are stopped.
    pub(crate) fn resume_unless_thinking(&mut self, now: Instant) {
        if !matches!(self.mode.unpaused(), Mode::Thinking { .. }) {
            self.resume(now);
        }
    }

    /// Ends a pause for a command after which no move is wanted: one that came during the pause is
    /// dropped, as it would be if the search were still running.
    pub(crate) fn abandon_pause(&mut self, now: Instant) {
        if let Mode::Paused { answer, .. } = &mut self.mode
            && answer.take().is_some()
        {
            self.searches.answered();
        }
        self.resume(now);
    }

    /// `resume`: continues where the pause began, with the time that was left.
    pub(crate) fn resume(&mut self, now: Instant) {
        let (before, since, answer) = match std::mem::replace(&mut self.mode, Mode::Force) {
            Mode::Paused {
                before,
                since,
                answer,
            } => (before, since, answer),
            running => {
                self.mode = running;
                return;
            }
        };
        self.mode = *before;
        let pause = now.saturating_duration_since(since);
        self.clocks.skip(pause);
        if let Mode::Thinking { limits, .. } = &mut self.mode {
            limits.start += pause;
        }
        self.commands.push_back(Command::Resume);
        if let Some(answer) = answer {
            self.hear_best_move(now, answer);
        }
    }
}

/// After `usermove` everything is a move.
fn as_move(refusal: Refusal) -> Refusal {
    match refusal {
        Refusal::Command(CommandError::Unknown) => IllegalMove::Impossible.into(),
        other => other,
    }
}
