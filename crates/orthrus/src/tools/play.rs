//! `orthrus play`: a game against a person at a terminal.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::ControlFlow;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use console::Term;
use crossbeam_channel::{Receiver, after, bounded, never, select};
use orthrus_core::VERSION;
use orthrus_core::engine::Environment;
use orthrus_core::engine::options::{self, OptionChange, Setting};
use orthrus_core::game::Game;
use orthrus_core::notation::{parse_move, write_san};
use orthrus_core::position::Variant;
use orthrus_core::search::{Clock, FULL_SKILL_LEVEL, Limits};
use orthrus_core::types::{Color, ColorMap};
use orthrus_pgn::{GameResult, Line, PgnGame, Tags};

use super::analyst::Analyst;
use super::output::print;
use crate::args::{PlayArgs, Side};
use crate::board::{Look, rows};
use crate::failure::Failure;
use crate::streams;
use crate::text::{decode, ending, numbered_line, short_time};

/// Time per move if no limit and no clock is given, in milliseconds.
const DEFAULT_MOVETIME: u64 = 1000;

/// How deep a hint looks, in plies.
const HINT_DEPTH: u32 = 12;

const HELP: &str = "\
  Nf3, O-O, e7e8q   a move
  takeback          take your last move back, and the answer to it
  hint              what the engine would play for you, at full strength
  level 1500        play at this Elo from now on; level off: at full strength
  go                change sides: the engine moves for you
  flip, board       turn the board; show it again
  moves             the moves so far
  resign, quit      end the game; its PGN is shown";

/// What a person has said, or what happened instead.
enum Said {
    Line(String),
    /// The input has ended, or Ctrl-C was pressed.
    Gone,
    /// The flag of the person's clock has fallen.
    OutOfTime,
}

/// A game that is being played.
struct TerminalGame {
    game: Game,
    analyst: Analyst,
    person: Color,
    /// At the bottom of the board.
    below: Color,
    clock: Option<ColorMap<Clock>>,
    lines: Receiver<String>,
    look: Look,
    /// `None` while it goes on.
    end: Option<End>,
}

/// How a game ended.
#[derive(Debug, Default)]
struct End {
    result: GameResult,
    /// As a person is told.
    words: String,
    /// Whether somebody's time was over.
    on_time: bool,
}

impl End {
    fn new(result: GameResult, words: &str) -> Self {
        Self {
            result,
            words: words.to_owned(),
            on_time: false,
        }
    }
}

/// Plays a game, and shows its PGN at the end.
///
/// # Errors
///
/// The position cannot be set up, the engine fails, or the game cannot be written.
pub(crate) fn play(args: &PlayArgs, environment: Environment) -> Result<(), Failure> {
    let game = args.position.game()?;
    let movetime = args.clock.is_none().then_some(DEFAULT_MOVETIME);
    let analyst = Analyst::start(&args.search, movetime, environment)?;
    analyst.set(Setting::AnalyseMode(false));
    let person = match args.side {
        Side::White => Color::White,
        Side::Random if fastrand::bool() => Color::White,
        Side::Black | Side::Random => Color::Black,
    };
    let mut game = TerminalGame {
        game,
        analyst,
        person,
        below: person,
        clock: args.clock.map(|clock| ColorMap::new([clock; 2])),
        lines: lines(),
        look: Look::of(&Term::stdout()),
        end: None,
    };
    if args.elo.is_some() {
        game.limit(args.elo.clone());
    }
    let played = game.play_on();
    if played.is_err() {
        game.break_off();
    }
    let finished = game.finish(args);
    played.and(finished)
}

/// The lines that a person types, until the end of the input.
fn lines() -> Receiver<String> {
    let (sender, lines) = bounded(16);
    // Not joined: it may sit in a blocking read when everything else has ended.
    thread::spawn(move || {
        let mut line = Vec::new();
        let mut input = streams::stdin();
        while input
            .read_until(b'\n', &mut line)
            .is_ok_and(|bytes| bytes > 0)
        {
            if sender.send(decode(&line)).is_err() {
                break;
            }
            line.clear();
        }
    });
    lines
}

impl TerminalGame {
    /// Plays until the game ends, or nobody is there to play with.
    fn play_on(&mut self) -> Result<(), Failure> {
        say("You play against Orthrus; help shows what you can type.")?;
        self.show()?;
        while self.end.is_none() {
            self.turn()?;
        }
        Ok(())
    }

    /// Lets the side to move do something.
    fn turn(&mut self) -> Result<(), Failure> {
        if let Some(outcome) = self.game.outcome() {
            let result = outcome.winner().map_or(GameResult::Draw, GameResult::Win);
            self.end = Some(End::new(result, &ending(outcome)));
            return Ok(());
        }
        if self.game.position().side_to_move() != self.person {
            return self.answer();
        }
        let begun = Instant::now();
        // Not that of the person any more after `go`.
        let side = self.person;
        match self.listen()? {
            Said::Line(line) => {
                let has_moved = self.obey(line.trim())?;
                if has_moved {
                    self.spend(side, begun.elapsed());
                } else if let Some(clock) = &mut self.clock {
                    // What was said took time, too.
                    let left = &mut clock[side].remaining;
                    *left = left.saturating_sub(begun.elapsed());
                }
            }
            Said::Gone => self.break_off(),
            Said::OutOfTime => self.lose_on_time(side),
        }
        Ok(())
    }

    /// Waits for a line.
    fn listen(&mut self) -> Result<Said, Failure> {
        let side = self.person.name();
        let left = self
            .clock
            .as_ref()
            .map(|clock| clock[self.person].remaining);
        let time = left.map_or_else(String::new, |left| format!(" ({})", short_time(left)));
        let mut output = io::stdout().lock();
        write!(output, "{side}{time}> ")?;
        output.flush()?;
        drop(output);
        let flag = left.map_or_else(never, after);
        let said = select! {
            recv(self.lines) -> line => line.map_or(Said::Gone, Said::Line),
            recv(self.analyst.interrupts()) -> _ => Said::Gone,
            recv(flag) -> _ => Said::OutOfTime,
        };
        if !matches!(said, Said::Line(_)) {
            // What follows is not part of the prompt. The terminal may be closed.
            let _ = writeln!(io::stdout());
        }
        Ok(said)
    }

    /// Does what a person has typed; says whether that was a move.
    fn obey(&mut self, line: &str) -> Result<bool, Failure> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" => {}
            "help" | "?" => say(HELP)?,
            "board" => self.show()?,
            "flip" => {
                self.below = !self.below;
                self.show()?;
            }
            "takeback" | "undo" => {
                if self.game.moves().len() < 2 {
                    say("There is no move of yours to take back.")?;
                } else {
                    self.game.undo();
                    self.game.undo();
                    self.show()?;
                }
            }
            "hint" => self.hint()?,
            "level" if rest.trim() == "off" => {
                self.limit(None);
                say("The engine plays at full strength.")?;
            }
            "level" => match options::parse("UCI_Elo", Some(rest.trim())) {
                Ok(elo) => {
                    self.limit(Some(elo));
                    say(&format!("The engine plays at Elo {}.", rest.trim()))?;
                }
                Err(error) => say(&format!("{error}; level off is full strength"))?,
            },
            "go" => {
                self.person = !self.person;
                self.below = self.person;
            }
            "moves" => say(&numbered_line(self.game.start(), self.game.moves()))?,
            "resign" => {
                self.end = Some(End::new(GameResult::Win(!self.person), "You resign."));
            }
            "quit" | "exit" => self.break_off(),
            _ => return self.play(line),
        }
        Ok(false)
    }

    fn play(&mut self, text: &str) -> Result<bool, Failure> {
        match parse_move(self.game.position(), text) {
            Ok(mv) => Ok(self.game.play(mv)),
            Err(error) => {
                say(&format!("{text}: {error}; help shows what you can type."))?;
                Ok(false)
            }
        }
    }

    /// The engine moves.
    fn answer(&mut self) -> Result<(), Failure> {
        let side = !self.person;
        let begun = Instant::now();
        let mut limits = self.analyst.limits();
        if let Some(clock) = &self.clock {
            limits.clocks = ColorMap::new([Some(clock[Color::White]), Some(clock[Color::Black])]);
        }
        let analysis = self
            .analyst
            .search_within(&self.game, limits, |_| ControlFlow::Continue(()))?;
        self.analyst.show_notices();
        if analysis.interrupted {
            self.break_off();
            return Ok(());
        }
        let Some(best) = analysis.best else {
            return Ok(());
        };
        self.spend(side, begun.elapsed());
        let text = numbered_line(self.game.position(), &[best]);
        self.game.play(best);
        if self.end.is_none() {
            self.show()?;
            say(&text)?;
        }
        Ok(())
    }

    /// Shows what the engine would play for the person, at full strength: that is analysis, and not a move of
    /// the game to learn from.
    fn hint(&mut self) -> Result<(), Failure> {
        self.analyst.set(Setting::AnalyseMode(true));
        let limits = Limits::depth(HINT_DEPTH);
        let analysis = self
            .analyst
            .search_within(&self.game, limits, |_| ControlFlow::Continue(()))?;
        self.analyst.set(Setting::AnalyseMode(false));
        if let Some(best) = analysis.best {
            say(&format!("Hint: {}", write_san(self.game.position(), best)))?;
        }
        Ok(())
    }

    /// Limits the strength to the value of `UCI_Elo`, or to none.
    fn limit(&mut self, elo: Option<OptionChange>) {
        self.analyst.set(Setting::LimitStrength(elo.is_some()));
        match elo.and_then(OptionChange::engine) {
            Some(elo) => self.analyst.set(elo),
            // It would limit the strength, too.
            None => self.analyst.set(Setting::SkillLevel(FULL_SKILL_LEVEL)),
        }
    }

    fn break_off(&mut self) {
        self.end = Some(End::new(GameResult::Unknown, "The game was broken off."));
    }

    /// Takes the time of a move from the clock of its side.
    fn spend(&mut self, side: Color, time: Duration) {
        let Some(clock) = &mut self.clock else { return };
        let clock = &mut clock[side];
        match clock.remaining.checked_sub(time) {
            Some(left) => clock.remaining = left + clock.increment,
            None => self.lose_on_time(side),
        }
    }

    fn lose_on_time(&mut self, side: Color) {
        let loser = if side == self.person {
            "You have"
        } else {
            "The engine has"
        };
        let position = self.game.position();
        let is_bare = position.color(!side).count() == 1;
        // Article 6.9 of the laws of chess.
        let (result, words) = if position.variant() == Variant::Standard && is_bare {
            let words = format!("{loser} run out of time, but a bare king cannot win on time.");
            (GameResult::Draw, words)
        } else {
            (GameResult::Win(!side), format!("{loser} lost on time."))
        };
        self.end = Some(End {
            result,
            words,
            on_time: true,
        });
    }

    fn show(&self) -> io::Result<()> {
        let board = rows(
            self.game.position(),
            self.look,
            self.below,
            self.game.moves().last().copied(),
        );
        let mut output = io::stdout().lock();
        // Colours are no text that could be printed: what users give is not in it.
        writeln!(output, "\n{}\n", board.join("\n"))
    }

    /// Adds the PGN to the file that was named, if one was and anything has been played, and shows the
    /// end and the PGN.
    fn finish(self, args: &PlayArgs) -> Result<(), Failure> {
        let End {
            result,
            words,
            on_time,
        } = self.end.unwrap_or_default();
        let mut tags = Tags::default();
        let engine = format!("Orthrus {VERSION}");
        tags.set(self.person.name(), &args.name);
        tags.set((!self.person).name(), &engine);
        if let Some(clock) = args.clock {
            let (start, increment) = (clock.remaining.as_secs_f64(), clock.increment.as_secs_f64());
            tags.set("TimeControl", &format!("{start}+{increment}"));
        }
        if on_time {
            tags.set("Termination", "time forfeit");
        }
        let game = PgnGame {
            tags,
            start: self.game.start().clone(),
            result,
            main: Line::from(self.game.moves().to_vec()),
            broken_off: None,
        };
        // First: the terminal may be closed.
        let is_worth_keeping = result != GameResult::Unknown || !game.main.moves.is_empty();
        let kept = match &args.pgn {
            Some(file) if is_worth_keeping => append(file, &format!("{game}\n")),
            _ => Ok(()),
        };
        say(&format!("{words} {result}\n\n{game}"))?;
        kept
    }
}

/// Adds a game to a file, which is created if missing.
fn append(file: &Path, text: &str) -> Result<(), Failure> {
    let begin = if ends_within_a_line(file) { "\n\n" } else { "" };
    let opened = OpenOptions::new().append(true).create(true).open(file);
    let written =
        opened.and_then(|mut opened| opened.write_all(format!("{begin}{text}").as_bytes()));
    written.map_err(Failure::writing(file))
}

/// Whether the last line of a file has no end; the tags that follow would not be read.
fn ends_within_a_line(file: &Path) -> bool {
    if !fs::metadata(file).is_ok_and(|found| found.is_file()) {
        return false;
    }
    let last = File::open(file).and_then(|mut file| {
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        Ok(last)
    });
    last.is_ok_and(|last| last != *b"\n")
}

fn say(text: &str) -> io::Result<()> {
    print(&text.lines().map(str::to_owned).collect::<Vec<_>>())
}
