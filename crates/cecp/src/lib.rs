//! The CECP head: the Chess Engine Communication Protocol, version 2, as XBoard and WinBoard
//! speak it, as a state machine without I/O.
//!
//! Reading order:
//!
//! - `mode`: what the engine is doing; the diagram of all modes
//! - `parse`: a line as typed input; `format`, `features`: what is said in reply
//! - `board`, `edit`, `setup`: the game; `clock`: time; `search`, `pings`: what is under way
//! - `play`, `setup`, `pointer`: the commands, one by one; `error`: why one is refused
//! - `reports`: what is told of a search, and of the book
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
mod reports;
mod search;
mod setup;

pub use features::variants;
pub use parse::recognises;

use std::collections::VecDeque;
use std::time::Instant;

use orthrus_core::engine::{Command, Event};
use orthrus_core::frontend::{Frontend, Outbox};
use orthrus_core::position::Position;
use orthrus_core::search::SearchId;
use orthrus_core::types::Color;

use board::{Board, Variant};
use clock::Clocks;
use error::{CommandError, Refusal};
use judgement::Judgement;
use manners::Manners;
use mode::Mode;
use parse::Input;
use pings::Pings;
use pointer::LiftedPiece;
use search::Search;

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
    /// The search that somebody waits for. What is reported of any other is ignored.
    search: Option<Search>,
    last_search: SearchId,
    pings: Pings,
    /// The positions of unanswered `bk` commands, oldest first.
    book_questions: VecDeque<Position>,
    judgement: Judgement,
    manners: Manners,
    /// `setscore` has been used in this game.
    scores_set: bool,
    /// The opponent has offered a draw, and our next move has not answered it yet.
    draw_offered: bool,
    /// The next line is the number that belongs to `depth`.
    depth_follows: bool,
    lifted: LiftedPiece,
    outbox: Outbox,
}

/// What the GUI has switched on (sections 8 and 9).
#[derive(Clone, Debug, Default)]
struct Settings {
    /// Version of the protocol; 0 without `protover`.
    protocol: u32,
    /// `post`: thinking lines are wanted.
    post: bool,
    /// `hard`: the engine may think on the opponent's time.
    pondering: bool,
    /// The feature `debug` was accepted: comments are allowed.
    comments: bool,
    thinking_lines: ThinkingLines,
    scores: Scores,
    client: Client,
}

/// How scores are told.
#[derive(Clone, Copy, Debug, Default)]
struct Scores {
    /// The chances of win, draw and loss come with every thinking line.
    chances: bool,
    /// 100 centipawns win every second game.
    normalised: bool,
}

/// Who the GUI is, by the features that it has accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Client {
    /// It has accepted nothing yet, and need not.
    #[default]
    Unknown,
    /// It has accepted `ping`, the first feature that is sent.
    AcceptsAll,
    /// It has accepted features that come with a setting, but not `ping` before them, as only
    /// python-chess does.
    PythonChess,
}

/// What an interface understands of thinking lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ThinkingLines {
    /// All numbers, and moves in SAN.
    #[default]
    Full,
    /// The four numbers that are not optional, and moves written as those that are played.
    Plain,
}

impl Default for Cecp {
    fn default() -> Self {
        Self {
            mode: Mode::Waiting,
            board: Board::default(),
            us: Color::Black,
            clocks: Clocks::default(),
            settings: Settings::default(),
            search: None,
            last_search: SearchId::default(),
            pings: Pings::default(),
            book_questions: VecDeque::new(),
            judgement: Judgement::default(),
            manners: Manners::default(),
            scores_set: false,
            draw_offered: false,
            depth_follows: false,
            lifted: LiftedPiece::default(),
            outbox: Outbox::default(),
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
            self.depth_follows = false;
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
        self.answer_pings();
    }

    fn outbox(&mut self) -> &mut Outbox {
        &mut self.outbox
    }
}

/// What a person in a terminal is told who has typed a word that only this protocol has.
const GREETING: &str = "\
# This is CECP, the protocol of XBoard, from here on; help shows what a person can type.";

/// For a person who has typed the way here; `#` marks what programs ignore.
const HELP: &str = "\
# This is CECP, the protocol of XBoard; start the engine again for UCI.
# A game: new, usermove e2e4, level 40 5 0, go, force, undo.
# Analysis: post, setboard FEN, analyze, exit.
# quit ends; docs/protocols.md has every command.";

impl Cecp {
    /// Tells a person which protocol is spoken. Programs know.
    pub fn greet(&mut self) {
        self.say(GREETING);
    }

    fn read(&mut self, now: Instant, line: &str) -> Result<(), Refusal> {
        if std::mem::take(&mut self.depth_follows)
            && let Ok(input) = parse::parse(&format!("sd {line}"))
        {
            return self.obey(now, input);
        }
        let input = parse::parse(line)?;
        self.obey(now, input)
    }

    fn obey(&mut self, now: Instant, input: Input<'_>) -> Result<(), Refusal> {
        let thinking = matches!(self.mode.unpaused(), Mode::Thinking { .. });
        match input {
            // These need a running engine. But no move must come while the clocks are stopped.
            Input::Pondering(_)
            | Input::SetScore(_)
            | Input::Option { .. }
            | Input::Draw
            | Input::Hint
            | Input::Book
                if !thinking =>
            {
                self.resume(now);
            }
            // After these no move is wanted.
            Input::Force
            | Input::Result
            | Input::PlayOther
            | Input::New
            | Input::Variant(_)
            | Input::SetBoard(_)
            | Input::Edit
            | Input::Undo
            | Input::Remove
            | Input::Turn(_)
            | Input::Analyze => self.abandon_pause(now),
            Input::Resume
            | Input::Go
            | Input::UserMove(_)
            | Input::BareMove(_)
            | Input::MoveNow
            | Input::PonderNow
            | Input::Exit
            | Input::Holding(_)
            | Input::Exclude(_)
            | Input::Include(_) => self.resume(now),
            // Everything else can wait for the end of a pause.
            _ => {}
        }
        match input {
            Input::Protover(version) => self.shake_hands(version),
            Input::Accepted("debug") => self.settings.comments = true,
            Input::Accepted("ping") => self.settings.client = Client::AcceptsAll,
            // The only features that python-chess accepts, though it uses others. Whoever accepts all
            // it knows has accepted `ping` before them.
            Input::Accepted("memory" | "smp" | "egt")
                if self.settings.client == Client::Unknown =>
            {
                self.settings.client = Client::PythonChess;
            }
            Input::Nothing | Input::Accepted(_) | Input::Resume => {}
            Input::Rejected(feature) => {
                self.settings.comments &= feature != "debug";
                // Interfaces that know the other numbers know this feature. Scid takes the numbers for
                // moves, and reads moves in the notation in which they are played only.
                if feature == "exclude" {
                    self.settings.thinking_lines = ThinkingLines::Plain;
                }
                self.outbox.lines.extend(features::replacement(feature));
            }
            Input::Ping(number) => self.ping(number)?,
            Input::Quit => self.quit(),
            Input::Help => self.outbox.lines.extend(HELP.lines().map(str::to_owned)),
            // The result of somebody else's game does not end analysis.
            Input::Result if matches!(self.mode, Mode::Analysing) => {}
            Input::Force | Input::Result => self.force(now),
            // The engine thinks already: there is no more to it than the end of the pause.
            Input::Go if thinking => {}
            Input::Go => self.go(now)?,
            Input::PlayOther => self.play_other(now)?,
            Input::UserMove(text) => self.take_user_move(now, text)?,
            Input::BareMove(text) => self.take_move(now, text)?,
            Input::MoveNow => self.move_now(),
            Input::Draw => self.consider_draw(),
            Input::Hint => self.hint(now)?,
            Input::Book => self.ask_for_book(),
            Input::Pause => self.pause(now),
            Input::PonderNow => self.ponder_now(now),
            Input::Level(level) => self.clocks.set_level(level, self.board.turn().plies, now),
            Input::MoveTime(time) => self.clocks.move_time = Some(time),
            Input::OnlyMoveTime(time) => self.clocks.set_move_time_only(time),
            Input::Depth(depth) => self.clocks.depth = Some(depth),
            Input::DepthFollows => self.depth_follows = true,
            Input::NodeRate(rate) => self.clocks.nps = Some(rate),
            Input::OwnClock(reading) => self.clocks.told.own = Some(reading),
            Input::OpponentClock(reading) => self.clocks.told.opponent = Some(reading),
            Input::New => self.new_game(now),
            Input::Variant(name) => self.set_variant(now, name)?,
            Input::SetBoard(fen) => self.set_board(now, fen),
            Input::Holding(hands) => self.set_hands(now, hands)?,
            Input::Edit => self.begin_edit(now),
            Input::Undo => self.undo(now)?,
            Input::Remove => self.remove(now)?,
            Input::Turn(side) => self.override_turn(now, side),
            Input::Analyze => self.enter_analysis(now)?,
            Input::Exit => self.exit_analysis()?,
            // python-chess sends `.` to end an analysis, and complains about an answer.
            Input::Status if self.settings.client == Client::PythonChess => {}
            Input::Status => self.outbox.send(Command::Progress),
            Input::Exclude(text) => {
                self.settle_turn()?;
                self.board.exclude(text)?;
                self.root_moves_changed(now);
            }
            Input::Include(text) => {
                self.settle_turn()?;
                self.board.include(text)?;
                self.root_moves_changed(now);
            }
            Input::Pondering(on) => self.set_pondering(now, on),
            Input::Post(on) => self.settings.post = on,
            Input::SetScore(value) => self.set_score(now, value)?,
            Input::Option { name, value } => self.set_option(now, name, value)?,
            Input::Pointer(pointer) => self.point(pointer),
        }
        Ok(())
    }

    /// `protover N`: from version 2 on the GUI wants the features.
    fn shake_hands(&mut self, version: u32) {
        self.settings.protocol = version;
        if version >= 2 {
            self.outbox.lines.extend(features::lines());
        }
    }

    fn ping(&mut self, number: &str) -> Result<(), CommandError> {
        let thinking = matches!(self.mode, Mode::Thinking { .. });
        let token = self.pings.ask(format::echo(number), thinking);
        self.outbox
            .send(Command::Ping(token.ok_or(CommandError::NotNow)?));
        Ok(())
    }

    fn answer_pings(&mut self) {
        while let Some(number) = self.pings.next_ready() {
            self.say(format!("pong {number}"));
        }
    }

    fn point(&mut self, pointer: parse::Pointer) {
        if self.board.is_refused() {
            return;
        }
        let onto_rook = self.board.variant() == Variant::Fischerandom;
        let position = self.board.position();
        let answer = self.lifted.answer(pointer, position, onto_rook);
        self.outbox.lines.extend(answer);
    }

    fn quit(&mut self) {
        if !matches!(self.mode, Mode::Ended) {
            self.mode = Mode::Ended;
            self.pings.release();
            self.outbox.send(Command::Quit);
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
        self.outbox.say(line.into());
    }
}
