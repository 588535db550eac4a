//! What the program does instead of a conversation, one module for each tool.
//!
//! - [`analyse`], [`annotate`], [`epd`]: a position, games, a suite of positions. They use the
//!   engine as a chess program would, as an [`analyst`].
//! - [`mod@bench`], [`perft`]: also asked for in a conversation
//! - [`book`], [`experience`]: what these files hold
//! - [`genfens`]: openings for self-play on many machines
//! - [`manual`]: manual page, completions and table of options
//! - [`files`], [`games`], [`part_file`]: what several of them read and write
//!
//! They report to people or, in JSON, to programs. Results go to standard output, complete lines at a time; the progress bar and
//! what went wrong go to standard error. After Ctrl-C all that was found until then is a complete
//! result.

mod analyse;
mod analyst;
mod annotate;
pub(crate) mod bench;
pub(crate) mod book;
mod epd;
pub(crate) mod experience;
mod files;
mod games;
pub(crate) mod genfens;
pub(crate) mod manual;
mod part_file;
pub(crate) mod perft;

use std::io::{self, Write};
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};
use orthrus_core::engine::Surroundings;
use thiserror::Error;

pub(crate) use analyse::analyse;
pub(crate) use annotate::annotate;
pub(crate) use epd::run_suites;

use self::analyst::{Analyst, AnalystError};
use crate::args::EngineArgs;
use crate::tools::files::{FileError, shown};
use crate::{print, signals};

/// Why a tool has not done its work.
#[derive(Debug, Error)]
pub(crate) enum ToolError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Annotated in place, part of the games would be lost.
    #[error(
        "{} stays as it is, because part of it would be lost; the result is in {}",
        file.display(),
        result.display()
    )]
    Lossy { file: PathBuf, result: PathBuf },
    /// Only PGN holds everything in a game.
    #[error("{} holds the games: JSON and HTML need a file of their own", .0.display())]
    ReplacesGames(PathBuf),
    /// A suite is empty or something else; with what is wrong with its first line.
    #[error("{} has no position that can be used{reason}", shown(file))]
    NoPosition { file: PathBuf, reason: String },
    /// One of the moves given is wrong.
    #[error("{text}: {error}")]
    Move {
        text: String,
        error: orthrus_core::notation::MoveError,
    },
    /// Ctrl-C cannot be caught.
    #[error("cannot listen to Ctrl-C: {0}")]
    Interrupts(#[from] ctrlc::Error),
    /// The engine cannot be used.
    #[error(transparent)]
    Analyst(#[from] AnalystError),
    /// Standard output cannot be written to.
    #[error("standard output failed: {0}")]
    Output(#[from] io::Error),
}

fn start_analyst(args: &EngineArgs, surroundings: Surroundings) -> Result<Analyst, ToolError> {
    let interrupts = signals::interrupts()?;
    let mut analyst = Analyst::start(surroundings, args.settings(), interrupts)?;
    for notice in analyst.take_notices() {
        warn(&ProgressBar::hidden(), &notice);
    }
    Ok(analyst)
}

/// A bar that counts, on standard error.
fn progress_bar(length: u64, unit: &str) -> ProgressBar {
    let template = format!("{{wide_bar}} {{pos}}/{{len}} {unit}, {{msg}}{{eta}} left");
    styled_bar(length, &template)
}

/// A bar on standard error; nothing if that is not a terminal.
pub(crate) fn styled_bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    // The template is a constant: were it wrong, the plain bar would do.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// Writes lines to standard output at once, and redraws the bar below them.
fn say(bar: &ProgressBar, lines: &[String]) -> io::Result<()> {
    bar.suspend(|| print(lines))
}

/// Tells people what went wrong; nobody is left to tell if standard error is gone.
pub(crate) fn warn(bar: &ProgressBar, text: &str) {
    bar.suspend(|| {
        let _ = writeln!(io::stderr(), "orthrus: {text}");
    });
}
