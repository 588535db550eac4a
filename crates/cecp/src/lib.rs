//! The CECP head: the Chess Engine Communication Protocol, version 2, as XBoard and WinBoard
//! speak it, as a state machine without I/O.
//!
//! Reading order:
//!
//! - `mode`: what the engine is doing; the diagram of all modes
//! - `parse`: a line as typed input; `format`, `features`: what is said in reply
//! - `board`, `edit`, `setup`: the game; `clock`: time; `searches`, `pings`: what is under way
//! - `play`, `setup`, `pointer`: the commands, one by one; `settings`: what is switched on;
//!   `error`: why one is refused
//! - `judgement`: what the engine thinks of its game; `manners`: when it resigns or proposes a draw
//!
//! Section numbers in this crate are those of the protocol's specification.

#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod board;
mod clock;
mod edit;
mod error;
mod features;
mod format;
mod judgement;
mod manners;
mod mode;
mod parse;
mod pings;
mod play;
mod pointer;
mod searches;
mod settings;
mod setup;

pub use features::variants;
pub use parse::recognises;

use std::collections::VecDeque;
use std::time::Instant;

use orthrus_core::engine::{Command, Event};
use orthrus_core::frontend::Frontend;
use orthrus_core::position::Position;
use orthrus_core::types::Color;

use board::{Board, Variant};
use clock::Clocks;
use error::{CommandError, Refusal};
use judgement::Judgement;
use manners::Manners;
use mode::Mode;
use parse::{Analysis, BoardChange, Input, Play, Setting, Time};
use pings::Pings;
use pointer::Hand;
use searches::Searches;
use settings::Settings;

/// The CECP head.
///
/// Owns the text, the game and the clocks; of the engine it knows only which searches are
/// unanswered. It starts in the state after `new`: the engine plays Black and waits.
#[derive(Clone, Debug)]
pub struct Cecp {
    mode: Mode,
    board: Board,
    /// The side the engine plays, or played last.
    us: Color,
    clocks: Clocks,
    settings: Settings,
    searches: Searches,
    pings: Pings,
    /// The positions of unanswered `bk` commands, oldest first.
    book_questions: VecDeque<Position>,
    judgement: Judgement,
    manners: Manners,
    /// `setscore` has been used in this game.
    scores_set: bool,
    /// The opponent has offered a draw, and our next move has not answered it yet.
    draw_offered: bool,
    /// What the next line is.
    next_line: NextLine,
    hand: Hand,
    commands: VecDeque<Command>,
    lines: VecDeque<String>,
}

/// How the next line is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NextLine {
    /// As a command.
    Command,
    /// As the number that belongs to `depth`.
    Depth,
}

impl Default for Cecp {
    fn default() -> Self {
        Self {
            mode: Mode::Waiting,
            board: Board::default(),
            us: Color::Black,
            clocks: Clocks::default(),
            settings: Settings::default(),
            searches: Searches::default(),
            pings: Pings::default(),
            book_questions: VecDeque::new(),
            judgement: Judgement::default(),
            manners: Manners::default(),
            scores_set: false,
            draw_offered: false,
            next_line: NextLine::Command,
            hand: Hand::default(),
            commands: VecDeque::new(),
            lines: VecDeque::new(),
        }
    }
}

impl Frontend for Cecp {
    fn handle_line(&mut self, now: Instant, line: &str) {
        // A refused command changes nothing, even if a pause had to end, or the side to move had to
        // change, before it proved wrong.
        let before = self.clone();
        let obeyed = match self.mode {
            Mode::Ended => Ok(()),
            Mode::Editing { .. } => self.edit(now, line),
            _ => self.read(now, line),
        };
        if let Err(refusal) = obeyed {
            *self = before;
            self.next_line = NextLine::Command;
            self.say(format::refusal(&refusal, line));
        }
        self.answer_pings();
    }

    fn handle_event(&mut self, now: Instant, event: Event) {
        let ended = matches!(self.mode, Mode::Ended);
        match event {
            // No move is wanted any more; only earlier questions are still answered.
            _ if ended && !matches!(event, Event::Pong(_) | Event::BookMoves(_)) => return,
            Event::Search(id, report) => self.hear_report(now, id, report),
            Event::Progress(progress) => self.hear_progress(progress.as_ref()),
            Event::BookMoves(moves) => self.hear_book_moves(moves.as_deref()),
            Event::Task(_) => {}
            Event::Pong(token) => self.pings.done(token),
            Event::Refused { reason, instead } => self.tell_user(&format!("{reason}; {instead}")),
            Event::Notice(text) => self.tell_user(&text),
            Event::Remark(text) => self.comment(|| format::echo(&text)),
        }
        self.answer_pings();
    }

    fn handle_eof(&mut self) {
        self.quit();
    }

    fn poll_command(&mut self) -> Option<Command> {
        self.commands.pop_front()
    }

    fn poll_line(&mut self) -> Option<String> {
        self.lines.pop_front()
    }
}

/// For a person who has typed the way here; `#` marks what programs ignore.
const HELP: &str = "\
# This is CECP, the protocol of XBoard; start the engine again for UCI.
# A game: new, usermove e2e4, level 40 5 0, go, force, undo.
# Analysis: post, setboard FEN, analyze, exit.
# quit ends; docs/protocols.md has every command.";

impl Cecp {
    fn read(&mut self, now: Instant, line: &str) -> Result<(), Refusal> {
        if std::mem::replace(&mut self.next_line, NextLine::Command) == NextLine::Depth
            && let Ok(input @ Input::Time(_)) = parse::parse(&format!("sd {line}"))
        {
            return self.obey(now, input);
        }
        let input = parse::parse(line)?;
        self.obey(now, input)
    }

    fn obey(&mut self, now: Instant, input: Input<'_>) -> Result<(), Refusal> {
        match input {
            Input::Nothing => {}
            Input::Protover(version) => self.shake_hands(version),
            Input::Accepted(feature) => self.settings.accepted(feature),
            Input::Rejected(feature) => {
                self.settings.rejected(feature);
                self.lines.extend(features::replacement(feature));
            }
            Input::Ping(number) => self.ping(number),
            Input::Quit => self.quit(),
            Input::Help => self.lines.extend(HELP.lines().map(str::to_owned)),
            // Showing or hiding the thinking does not end a pause.
            Input::Setting(setting @ Setting::Post(_)) => self.set(now, setting)?,
            Input::Analysis(status @ Analysis::Status) => self.serve_analysis(now, status)?,
            Input::Pointer(pointer) => self.point(pointer),
            Input::Time(time) => self.tell_time(time),
            Input::Play(Play::Pause) => self.pause(now),
            // A command that needs a running engine ends the pause.
            Input::Setting(setting) => {
                self.resume_unless_thinking(now);
                self.set(now, setting)?;
            }
            Input::Play(play @ (Play::DrawOffer | Play::Hint | Play::Book)) => {
                self.resume_unless_thinking(now);
                self.drive(now, play)?;
            }
            // The engine thinks already: there is no more to it than the end of the pause.
            Input::Play(Play::Go) if matches!(self.mode.unpaused(), Mode::Thinking { .. }) => {
                self.resume(now);
            }
            Input::Play(play @ (Play::Force | Play::Result | Play::OtherSide)) => {
                self.abandon_pause(now);
                self.drive(now, play)?;
            }
            Input::Play(play) => {
                self.resume(now);
                self.drive(now, play)?;
            }
            Input::Board(change) => {
                self.abandon_pause(now);
                self.change_board(now, change)?;
            }
            Input::Analysis(enter @ Analysis::Enter) => {
                self.abandon_pause(now);
                self.serve_analysis(now, enter)?;
            }
            Input::Analysis(analysis) => {
                self.resume(now);
                self.serve_analysis(now, analysis)?;
            }
        }
        Ok(())
    }

    /// `protover N`: from version 2 on the GUI wants the features.
    fn shake_hands(&mut self, version: u32) {
        self.settings.shake_hands(version);
        if version >= 2 {
            self.lines.extend(features::lines());
        }
    }

    fn ping(&mut self, number: &str) {
        let thinking = matches!(self.mode, Mode::Thinking { .. });
        let token = self.pings.ask(number, thinking);
        self.commands.push_back(Command::Ping(token));
    }

    fn answer_pings(&mut self) {
        while let Some(number) = self.pings.next_ready() {
            self.say(format!("pong {}", format::echo(&number)));
        }
    }

    fn tell_time(&mut self, time: Time) {
        match time {
            Time::Level(level) => self.clocks.set_level(level, self.board.turn().plies),
            Time::PerMove(time) => self.clocks.set_move_time(time),
            Time::OnlyPerMove(time) => self.clocks.set_move_time_only(time),
            Time::Depth(depth) => self.clocks.set_depth(depth),
            Time::DepthFollows => self.next_line = NextLine::Depth,
            Time::NodeRate(rate) => self.clocks.set_node_rate(rate),
            Time::Own(reading) => self.clocks.tell_own(reading),
            Time::Opponent(reading) => self.clocks.tell_opponent(reading),
        }
    }

    fn point(&mut self, pointer: parse::Pointer) {
        if self.board.is_refused() {
            return;
        }
        let any_castling = self.board.variant() == Variant::Fischerandom;
        let position = self.board.position();
        let answer = self.hand.answer(pointer, position, any_castling);
        self.lines.extend(answer);
    }

    fn quit(&mut self) {
        if !matches!(self.mode, Mode::Ended) {
            self.mode = Mode::Ended;
            self.pings.release();
            self.commands.push_back(Command::Quit);
        }
    }

    /// XBoard searches plain lines for words that mean a failed start, but not these.
    fn tell_user(&mut self, text: &str) {
        self.say(format!("telluser {}", format::echo(text)));
    }

    /// A line for the GUI's debug file, if it takes such lines.
    fn comment(&mut self, text: impl FnOnce() -> String) {
        if self.settings.comments {
            self.say(format!("# {}", text()));
        }
    }

    fn say(&mut self, line: impl Into<String>) {
        self.lines.push_back(line.into());
    }
}
