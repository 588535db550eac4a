//! The UCI head: turns the text of the Universal Chess Interface (April 2006) into commands, and
//! events into text. A state machine without I/O, threads or a clock; see [`Frontend`] for how it
//! is driven.
//!
//! It keeps the game that the GUI has set up, and the root position of every unanswered `go`, from
//! which its moves are written. The engine keeps the rest.
//!
//! What it does where the specification leaves it open:
//!
//! - `position` is applied completely or not at all. If it is refused, the earlier game stays, an
//!   `info string` gives the reason, and until a valid `position` comes every `go` is answered with
//!   the null move `0000`, since any other move would be for a position that the GUI does not have.
//!   After `go infinite` or `go ponder` even that answer waits as the protocol asks.
//! - A `go` during a search ends that search, which is answered first. Every `go` gets exactly one
//!   `bestmove`, in the order of the `go`s.
//! - What is wrong with a line, and what the engine has to say, is sent as `info string`; nothing
//!   else is sent unasked.

#![forbid(unsafe_code)]
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod error;
mod format;
mod go;
mod own_options;
mod parse;
mod words;

pub use parse::recognises;

use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

use orthrus_core::VERSION;
use orthrus_core::engine::options::{self, FrontendSetting, OptionChange};
use orthrus_core::engine::{Command, Event};
use orthrus_core::fen::{self, CastlingLetters};
use orthrus_core::frontend::{Frontend, Outbox};
use orthrus_core::game::Game;
use orthrus_core::notation::{CastlingText, MoveError, NULL_MOVE, parse_coordinate};
use orthrus_core::position::{Position, Variant};
use orthrus_core::search::{Report, SearchId};

use error::{PositionRefusal, UciError};
use format::{Root, Style};
use go::GoParameters;
use own_options::{AUTHOR, OwnOption};
use parse::{Input, Start};

/// The UCI head.
#[derive(Debug, Default)]
pub struct Uci {
    /// The game of the last valid `position`, or until one comes the start of `variant`.
    game: Game,
    /// What became of the last `position`.
    last_position: LastPosition,
    /// The game that positions belong to from now on.
    variant: Variant,
    /// How the lines of searches that begin from now on are written.
    style: Style,
    /// Whether the GUI wants to know what is received and decided.
    debug: bool,
    /// Every unanswered `go` and its root; `None` if its position was refused.
    searches: BTreeMap<SearchId, Option<Root>>,
    /// The name of the last one.
    last_search: SearchId,
    /// The one that waits for `ponderhit`.
    pondering: Option<SearchId>,
    /// The positions of unanswered `book` commands, oldest first.
    book_questions: VecDeque<Root>,
    /// Set by `quit` or the end of input: later lines are ignored.
    quit: bool,
    outbox: Outbox,
}

/// What became of the last `position`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LastPosition {
    /// None has come.
    #[default]
    Missing,
    Accepted,
    /// The GUI's game is not ours.
    Refused,
}

impl Frontend for Uci {
    fn handle_line(&mut self, now: Instant, line: &str) {
        if self.quit {
            return;
        }
        let Some(input) = parse::parse(line).transpose() else {
            return;
        };
        self.report(|| format!("received: {}", line.trim()));
        if let Err(error) = input.and_then(|input| self.obey(now, input)) {
            if matches!(error, UciError::Position(_)) {
                self.last_position = LastPosition::Refused;
            }
            self.tell(&error.to_string());
        }
    }

    fn handle_event(&mut self, _now: Instant, event: Event) {
        match event {
            Event::Search(id, report) => self.handle_report(id, report),
            Event::BookMoves(moves) => match self.book_questions.pop_front() {
                Some(root) => self
                    .outbox
                    .lines
                    .extend(format::book_moves(moves.as_deref(), &root)),
                None => log::error!("book moves that nobody asked for"),
            },
            Event::Pong(_) => self.outbox.say("readyok".to_owned()),
            Event::Refused { reason, instead } => self.tell(&format!("{reason}; {instead}")),
            Event::Notice(text) | Event::Remark(text) => self.tell(&text),
            // Nothing in UCI asks for these.
            Event::Progress(_) | Event::Task(_) => {}
        }
    }

    fn handle_eof(&mut self) {
        self.end();
    }

    fn outbox(&mut self) -> &mut Outbox {
        &mut self.outbox
    }
}

impl Uci {
    /// Whether castling is written as in Chess960, whatever the position.
    pub fn is_chess960(&self) -> bool {
        self.style.castling == CastlingText::KingTakesRook
    }

    fn handle_report(&mut self, id: SearchId, report: Report) {
        let root = match self.searches.get(&id) {
            Some(Some(root)) => root,
            Some(None) => {
                if let Report::BestMove { .. } = report {
                    self.outbox.say(format!("bestmove {NULL_MOVE}"));
                    self.searches.remove(&id);
                }
                return;
            }
            None => return log::error!("news of a search that nobody asked for"),
        };
        match report {
            Report::Plan(plan) => self.report(|| format!("plan: {plan}")),
            Report::BookMove { chosen, moves } => {
                self.outbox
                    .lines
                    .extend(format::book_move(chosen, &moves, root));
            }
            Report::Info(info) => self.outbox.say(format::search_info(&info, root)),
            Report::CurrentMove(progress) => {
                self.outbox.say(format::current_move(&progress, root));
            }
            Report::Refutation(line) => {
                let line = root.line(&line);
                self.outbox.say(format!("info refutation{line}"));
            }
            Report::Status(status) => self.outbox.say(format::status(&status)),
            Report::CurrentLines(lines) => {
                for (cpu, line) in (1..).zip(&lines) {
                    let line = root.line(line);
                    self.outbox.say(format!("info currline {cpu}{line}"));
                }
            }
            Report::BestMove { best, ponder } => {
                self.outbox.say(format::best_move(best, ponder, root));
                self.searches.remove(&id);
            }
        }
    }

    fn obey(&mut self, now: Instant, input: Input<'_>) -> Result<(), UciError> {
        match input {
            Input::Uci => self.introduce(),
            Input::Debug(on) => {
                self.debug = on;
                self.report(|| "debug mode is on".to_owned());
            }
            Input::IsReady => {
                // Only their order tells them apart.
                self.outbox.send(Command::Ping(0));
            }
            Input::SetOption { name, value } => self.set_option(&name, value)?,
            // Orthrus is free: every attempt to register succeeds.
            Input::Register => {
                self.outbox.say("registration checking".to_owned());
                self.outbox.say("registration ok".to_owned());
            }
            Input::RegisterLater => {}
            Input::NewGame => {
                self.pondering = None;
                self.outbox.send(Command::NewGame);
            }
            Input::Position { start, moves } => {
                self.take_over(read_game(self.variant, &start, &moves)?);
                self.last_position = LastPosition::Accepted;
            }
            Input::Go(go) => self.go(now, *go),
            Input::Stop => self.stop(),
            Input::PonderHit => self.ponder_hit(now),
            Input::Quit => self.end(),
            Input::Flip => self.flip()?,
            Input::Book => self.show_book(),
        }
        Ok(())
    }

    fn introduce(&mut self) {
        self.outbox.say(format!("id name Orthrus {VERSION}"));
        self.outbox.say(format!("id author {AUTHOR}"));
        self.outbox.lines.extend(options::all().map(format::option));
        self.outbox.lines.extend(own_options::announcements());
        self.outbox.say("uciok".to_owned());
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), UciError> {
        if let Some(own) = own_options::parse(self.variant, name, value) {
            self.set_own_option(own?);
            return Ok(());
        }
        match options::parse(name, value)? {
            OptionChange::Engine(setting) => {
                self.report(|| format!("option set: {setting:?}"));
                self.outbox.send(Command::SetOption(setting));
            }
            OptionChange::Frontend(setting) => {
                self.report(|| format!("option set: {setting:?}"));
                self.apply(setting);
            }
        }
        Ok(())
    }

    fn apply(&mut self, setting: FrontendSetting) {
        match setting {
            // The GUI says when to ponder.
            FrontendSetting::Ponder(_) => {}
            FrontendSetting::Chess960(true) => self.style.castling = CastlingText::KingTakesRook,
            FrontendSetting::Chess960(false) => self.style.castling = CastlingText::KingMove,
            FrontendSetting::Variant(variant) => {
                let is_other = variant != self.variant;
                self.variant = variant;
                if is_other && self.last_position == LastPosition::Missing {
                    self.take_over(Game::new(fen::start(variant)));
                }
            }
            FrontendSetting::ShowWinDrawLoss(on) => self.style.wdl = on,
            FrontendSetting::NormaliseScores(on) => self.style.normalised = on,
            FrontendSetting::DebugLogFile(name) => self.outbox.log_file = Some(name),
        }
    }

    /// Who the opponent is does not change how Orthrus plays; it is only logged.
    fn set_own_option(&mut self, option: OwnOption) {
        match option {
            OwnOption::EngineAbout => {}
            OwnOption::Opponent(opponent) => {
                log::info!("the opponent is {opponent:?}");
                let opponent = opponent.unwrap_or("nobody in particular".to_owned());
                self.report(|| format!("opponent: {opponent}"));
            }
            OwnOption::PositionValue(change) => {
                self.report(|| format!("values of positions: {change:?}"));
                self.outbox.commands.extend(change.map(Command::SetValue));
            }
        }
    }

    /// Starts a new game from the position with the colours exchanged: a check by hand that the
    /// engine treats both sides alike. What was refused stays refused.
    fn flip(&mut self) -> Result<(), UciError> {
        let setup = self.game.position().setup().color_flipped();
        let position = Position::from_setup(&setup).map_err(UciError::Flip)?;
        self.take_over(Game::new(position));
        if self.last_position == LastPosition::Missing {
            self.last_position = LastPosition::Accepted;
        }
        Ok(())
    }

    fn show_book(&mut self) {
        let root = self.root();
        let position = Box::new(root.position.clone());
        self.outbox.send(Command::ShowBook(position));
        self.book_questions.push_back(root);
    }

    /// The position on the board, and how its moves are written.
    fn root(&self) -> Root {
        Root {
            position: self.game.position().clone(),
            style: self.style,
        }
    }

    fn take_over(&mut self, game: Game) {
        self.game = game.clone();
        self.report(|| {
            let fen = fen::write(game.position(), CastlingLetters::KingAndQueen);
            format!("position set: {fen} after {} moves", game.moves().len())
        });
        self.outbox.send(Command::SetGame(Box::new(game)));
    }

    fn go(&mut self, now: Instant, go: GoParameters<'_>) {
        let is_ponder = go.ponder;
        let (limits, root) = if self.last_position == LastPosition::Refused {
            self.tell("nothing is searched: the last position was refused");
            (go.no_move(now), None)
        } else {
            let (limits, fault) = go.limits(now, self.game.position());
            if let Some(fault) = fault {
                self.tell(&format!("go: {fault}"));
            }
            self.report(|| format!("searching: {limits}"));
            (limits, Some(self.root()))
        };
        self.last_search = SearchId(self.last_search.0 + 1);
        self.pondering = is_ponder.then_some(self.last_search);
        self.searches.insert(self.last_search, root);
        let go = Command::Go(self.last_search, Box::new(limits));
        self.outbox.send(go);
    }

    fn stop(&mut self) {
        self.pondering = None;
        if self.searches.is_empty() {
            self.report(|| "nothing is searched: stop ignored".to_owned());
        } else {
            self.outbox.send(Command::Stop);
        }
    }

    fn ponder_hit(&mut self, now: Instant) {
        if self.pondering.take().is_some() {
            self.outbox.send(Command::PonderHit(now));
        } else {
            self.report(|| "nothing is pondered: ponderhit ignored".to_owned());
        }
    }

    fn end(&mut self) {
        if !self.quit {
            self.quit = true;
            self.outbox.send(Command::Quit);
        }
    }

    /// Sends `text` as `info string`.
    fn tell(&mut self, text: &str) {
        for line in text.lines() {
            self.outbox.say(format::info_string(line));
        }
    }

    /// As [`Uci::tell`], but only in debug mode.
    fn report(&mut self, text: impl FnOnce() -> String) {
        if self.debug {
            self.outbox.say(format::info_string(&text()));
        }
    }
}

/// The complete game of a `position`, or why it is refused.
fn read_game(variant: Variant, start: &Start, moves: &[&str]) -> Result<Game, PositionRefusal> {
    let mut game = Game::new(match start {
        Start::Standard => fen::start(variant),
        Start::Fen(text) => fen::parse_as(variant, text)?,
    });
    for (number, &text) in (1..).zip(moves) {
        let refusal = |error| PositionRefusal::Move {
            number,
            text: text.to_owned(),
            error,
        };
        if text == NULL_MOVE {
            game = game.after_pass().ok_or(refusal(MoveError::Illegal))?;
        } else {
            game.play(parse_coordinate(game.position(), text).map_err(refusal)?);
        }
    }
    Ok(game)
}
