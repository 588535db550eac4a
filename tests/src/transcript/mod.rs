//! Transcripts: a conversation with a [`Frontend`] as a text, checked without a process, a thread
//! or a sleep.
//!
//! One step per line; spaces before a step, empty lines and lines beginning with `#` are ignored:
//!
//! ```text
//! > text      the user sends this line; `\t`, `\r`, `\0` and `\\` stand for those characters
//! < text      the front end must answer this line
//! ~ text      the front end must answer one or more lines that begin like this
//! ! text      the front end must give the engine this command, as `render` writes it, or ask for a
//!             log: `Log "FILE"`
//! * text      the engine reports this event, as `event` reads it
//! @ +500ms    time passes (`ms` or `s`)
//! @ eof       the user's stream ends
//! ```
//!
//! A trailing `*` in `<` and `!` matches any further text. Lines must come in the order written,
//! and so must commands; every line and every command must be named before the next step that gives
//! the front end something to do.

mod event;
pub(crate) mod render;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use orthrus_core::engine::Command;
use orthrus_core::frontend::Frontend;
use orthrus_core::game::Game;
use orthrus_core::position::Position;
use orthrus_core::search::SearchId;
use thiserror::Error;

use crate::data;

/// Where and why a front end does not follow a transcript.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}:{line}: {problem}")]
pub struct Failure {
    /// The transcript.
    pub file: String,
    /// The line of the step, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a step of a transcript.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// Something else came.
    #[error("expected {mark} {expected}\n     got {mark} {got}")]
    Different {
        /// `<` for a line, `!` for a command.
        mark: char,
        /// What the step names.
        expected: String,
        /// What came.
        got: String,
    },
    /// Nothing came.
    #[error("expected {mark} {expected}\n     got nothing")]
    Missing {
        /// `<` for a line, `!` for a command.
        mark: char,
        /// What the step names.
        expected: String,
    },
    /// Something came before this step that no step names.
    #[error("before this step came, unnamed: {mark} {got}")]
    Unnamed {
        /// `<` for a line, `!` for a command.
        mark: char,
        /// What came.
        got: String,
    },
    /// The step cannot be parsed.
    #[error("{0}")]
    Unreadable(String),
}

/// Checks that `frontend` follows the transcript `text`; `file` names it in the failure.
///
/// # Errors
///
/// Names the first step that fails.
pub fn check(file: &str, text: &str, frontend: &mut dyn Frontend) -> Result<(), Failure> {
    let mut stage = Stage::new(frontend);
    let failure = |line, problem| Failure {
        file: file.to_owned(),
        line,
        problem,
    };
    let mut count = 0;
    for (number, line) in (1..).zip(text.lines()) {
        count = number;
        let line = line.trim_start();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        stage
            .step(line)
            .map_err(|problem| failure(number, problem))?;
    }
    stage
        .nothing_unnamed()
        .map_err(|problem| failure(count + 1, problem))
}

/// Checks every file of a folder, each with a fresh front end.
///
/// # Panics
///
/// With the list of all failures, if there are any; or if there is no file, or one cannot be read.
pub fn check_folder(folder: &Path, make: impl Fn() -> Box<dyn Frontend>) {
    let failures: Vec<String> = data::files(folder)
        .iter()
        .filter_map(|path| {
            let text = fs::read_to_string(path).expect("a transcript is text");
            let failure = check(&path.display().to_string(), &text, make().as_mut()).err()?;
            Some(failure.to_string())
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A front end, and what an engine behind it would know.
struct Stage<'a> {
    frontend: &'a mut dyn Frontend,
    now: Instant,
    lines: VecDeque<String>,
    commands: VecDeque<String>,
    /// The game of the last `SetGame`.
    game: Game,
    /// The searches not yet answered and their positions, oldest first.
    searches: VecDeque<(SearchId, Position)>,
    /// The search answered last.
    answered: Option<(SearchId, Position)>,
    /// The numbers of the pings not yet answered, oldest first.
    pings: VecDeque<u64>,
    /// The positions of the questions about the book not yet answered, oldest first.
    book_questions: VecDeque<Position>,
}

impl<'a> Stage<'a> {
    fn new(frontend: &'a mut dyn Frontend) -> Self {
        Self {
            frontend,
            now: Instant::now(),
            lines: VecDeque::new(),
            commands: VecDeque::new(),
            game: Game::default(),
            searches: VecDeque::new(),
            answered: None,
            pings: VecDeque::new(),
            book_questions: VecDeque::new(),
        }
    }

    fn step(&mut self, step: &str) -> Result<(), Problem> {
        let mut chars = step.chars();
        let mark = chars.next().unwrap_or(' ');
        let text = chars.as_str();
        let text = text.strip_prefix(' ').unwrap_or(text);
        match mark {
            '<' => expect(mark, text, self.lines.pop_front()),
            '~' => self.expect_several(text),
            '!' => expect(mark, text, self.commands.pop_front()),
            '>' => {
                self.nothing_unnamed()?;
                self.frontend.handle_line(self.now, &unescape(text)?);
                self.drain();
                Ok(())
            }
            '*' => {
                self.nothing_unnamed()?;
                let event = event::read(self, text.trim()).map_err(Problem::Unreadable)?;
                self.frontend.handle_event(self.now, event);
                self.drain();
                Ok(())
            }
            '@' if text.trim() == "eof" => {
                self.nothing_unnamed()?;
                self.frontend.handle_eof();
                self.drain();
                Ok(())
            }
            '@' => {
                self.now += read_duration(text.trim())?;
                Ok(())
            }
            _ => Err(Problem::Unreadable(format!("no step begins with {mark}"))),
        }
    }

    /// Takes all lines that begin with `beginning`.
    fn expect_several(&mut self, beginning: &str) -> Result<(), Problem> {
        let fits = |line: &String| line.starts_with(beginning);
        let several = self.lines.iter().take_while(|line| fits(line)).count();
        self.lines.drain(..several);
        if several > 0 {
            return Ok(());
        }
        expect('~', beginning, self.lines.pop_front())
    }

    /// Collects what the front end has to say, as the driver does.
    fn drain(&mut self) {
        let log_file = self.frontend.outbox().log_file.take();
        self.commands
            .extend(log_file.map(|name| format!("Log {name:?}")));
        while let Some(command) = self.frontend.outbox().commands.pop_front() {
            self.commands
                .push_back(render::command(&command, self.now, self.game.position()));
            match command {
                Command::SetGame(game) => self.game = *game,
                Command::Go(id, _) => {
                    let position = self.game.position().clone();
                    self.searches.push_back((id, position));
                }
                Command::Ping(number) => self.pings.push_back(number),
                Command::ShowBook(position) => self.book_questions.push_back(*position),
                _ => {}
            }
        }
        while let Some(line) = self.frontend.outbox().lines.pop_front() {
            self.lines.push_back(line);
        }
    }

    fn nothing_unnamed(&mut self) -> Result<(), Problem> {
        let unnamed = |mark, got: Option<String>| match got {
            Some(got) => Err(Problem::Unnamed { mark, got }),
            None => Ok(()),
        };
        unnamed('<', self.lines.pop_front())?;
        unnamed('!', self.commands.pop_front())
    }

    /// The search that the engine is working on, or the last one, and its position.
    fn search(&self) -> Result<&(SearchId, Position), String> {
        let search = self.searches.front().or(self.answered.as_ref());
        search.ok_or_else(|| "no search is running".to_owned())
    }
}

fn expect(mark: char, expected: &str, got: Option<String>) -> Result<(), Problem> {
    let expected = expected.trim_end();
    let Some(got) = got else {
        return Err(Problem::Missing {
            mark,
            expected: expected.to_owned(),
        });
    };
    let fits = match expected.strip_suffix('*') {
        Some(beginning) => got.starts_with(beginning),
        None => got == expected,
    };
    if fits {
        Ok(())
    } else {
        Err(Problem::Different {
            mark,
            expected: expected.to_owned(),
            got,
        })
    }
}

fn unescape(text: &str) -> Result<String, Problem> {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(letter) = chars.next() {
        plain.push(if letter == '\\' {
            match chars.next() {
                Some('t') => '\t',
                Some('r') => '\r',
                Some('0') => '\0',
                Some('\\') => '\\',
                other => {
                    return Err(Problem::Unreadable(format!(
                        "no escape \\{}",
                        other.unwrap_or(' ')
                    )));
                }
            }
        } else {
            letter
        });
    }
    Ok(plain)
}

fn read_duration(text: &str) -> Result<Duration, Problem> {
    let unreadable = || Problem::Unreadable(format!("not a time such as +500ms: {text}"));
    let text = text.strip_prefix('+').ok_or_else(unreadable)?;
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, Duration::from_millis(1)),
        None => (
            text.strip_suffix('s').ok_or_else(unreadable)?,
            Duration::from_secs(1),
        ),
    };
    let count: u32 = number.parse().map_err(|_| unreadable())?;
    Ok(unit * count)
}
