//! `orthrus annotate`: what the engine thinks of whole games.

mod accuracy;
mod html;
mod output;
mod review;

use std::ffi::OsStr;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use crossbeam_channel::select;
use indicatif::ProgressBar;
use orthrus_core::engine::Surroundings;
use orthrus_pgn::Fault;

use self::html::Page;
use self::review::Review;
use super::analyst::Analyst;
use super::{ToolError, progress_bar, start_analyst, warn};
use crate::args::{AnnotateArgs, Format, LimitArgs};
use crate::tools::files::{self, FileError};
use crate::tools::games::read_ahead;
use crate::tools::part_file::PartFile;

/// Time per position if no limit is given, in milliseconds.
const DEFAULT_MOVETIME: u64 = 200;

/// Reviews the games of a file, one after the other, and writes them with what was found.
///
/// # Errors
///
/// A file cannot be read or written, or there is no game in it, or part of the games would be lost.
pub(crate) fn annotate(args: &AnnotateArgs, surroundings: Surroundings) -> Result<(), ToolError> {
    let input = files::open(&args.file)?.reader;
    let games = if files::is_standard_stream(&args.file) {
        // If the system has this name, it is the file that standard input comes from.
        Path::new("/dev/stdin")
    } else {
        &args.file
    };
    let format = args.format.unwrap_or_else(|| match &args.output {
        _ if args.json => Format::Json,
        Some(file) => Format::of_name(file),
        None => Format::Pgn,
    });
    let output = args.output.as_deref();
    let output = output.filter(|file| !files::is_standard_stream(file));
    let mut sink = Sink::open(format, output)?;
    if format != Format::Pgn && sink.replaces(games) {
        return Err(ToolError::ReplacesGames(games.to_owned()));
    }
    let mut analyst = start_analyst(&args.engine, surroundings)?;
    let limits = args.limits.or_movetime(DEFAULT_MOVETIME);
    let reviewed = review_all(input, &args.file, &mut analyst, limits, &mut sink)?;
    if reviewed.games == 0 {
        return Err(FileError::no_game(&args.file, reviewed.interrupted).into());
    }
    let is_lossy = !reviewed.all && sink.replaces(games);
    sink.finish(is_lossy, reviewed.interrupted)
}

/// What became of the games of a stream.
struct Reviewed {
    /// How many went into the sink.
    games: u64,
    /// Whether everything did: no game was left out, and no variation.
    all: bool,
    /// Whether Ctrl-C ended it.
    interrupted: bool,
}

/// Reviews the games of a stream, which users call `name`, until its end or Ctrl-C.
fn review_all(
    input: impl Read + Send + 'static,
    name: &Path,
    analyst: &mut Analyst,
    limits: LimitArgs,
    sink: &mut Sink,
) -> Result<Reviewed, ToolError> {
    let entries = read_ahead(input);
    let mut reviewed = Reviewed {
        games: 0,
        all: true,
        interrupted: false,
    };
    loop {
        let entry = select! {
            recv(entries) -> entry => entry,
            recv(analyst.interrupts()) -> _ => {
                if reviewed.games > 0 {
                    let text = format!("interrupted after game {}", reviewed.games);
                    warn(&ProgressBar::hidden(), &text);
                }
                reviewed.interrupted = true;
                break;
            }
        };
        // The end of the stream.
        let Ok(entry) = entry else { break };
        for warning in entry.warnings {
            warn(&ProgressBar::hidden(), &warning);
            reviewed.all = false;
        }
        let game = match entry.game {
            Ok(game) => game,
            Err(source) if matches!(source.fault, Fault::Io(_)) => {
                return Err(FileError::games(name)(source).into());
            }
            Err(error) => {
                warn(&ProgressBar::hidden(), &error.to_string());
                reviewed.all = false;
                continue;
            }
        };
        let bar = progress_bar(game.main.moves.len() as u64 + 1, "positions");
        bar.set_message(format!("game {}, ", reviewed.games + 1));
        let told = || bar.inc(1);
        let (review, interrupted) = Review::make(game, analyst, || limits.limits(), told)?;
        bar.finish_and_clear();
        for notice in analyst.take_notices() {
            warn(&bar, &notice);
        }
        reviewed.games += 1;
        sink.take(&review)?;
        if interrupted {
            let text = format!(
                "interrupted in game {}; what follows is left out",
                reviewed.games
            );
            warn(&bar, &text);
            reviewed.interrupted = true;
            break;
        }
    }
    Ok(reviewed)
}

/// Where reviews go.
struct Sink {
    format: Format,
    page: Page,
    output: Box<dyn Write>,
    /// The file, which gets its own name at the end, so that an earlier one stays intact until then
    /// and may be the one that is read.
    file: Option<PartFile>,
}

impl Sink {
    fn open(format: Format, file: Option<&Path>) -> Result<Self, ToolError> {
        let page = Page::default();
        let Some(file) = file else {
            return Ok(Self {
                format,
                page,
                output: Box::new(BufWriter::new(io::stdout())),
                file: None,
            });
        };
        let (part, output) = PartFile::create(file).map_err(FileError::writing(file))?;
        Ok(Self {
            format,
            page,
            output: Box::new(BufWriter::new(output)),
            file: Some(part),
        })
    }

    /// Whether this is to replace the file `name`.
    fn replaces(&self, name: &Path) -> bool {
        self.file.as_ref().is_some_and(|part| part.replaces(name))
    }

    fn take(&mut self, review: &Review) -> Result<(), ToolError> {
        let text = match self.format {
            Format::Pgn => output::annotated(review).to_string(),
            Format::Json => output::json(review).to_string(),
            Format::Html => {
                self.page.add(review);
                return Ok(());
            }
        };
        self.write(&format!("{text}\n"))
    }

    /// Writes text, and waits until it has arrived.
    fn write(&mut self, text: &str) -> Result<(), ToolError> {
        let written = self.output.write_all(text.as_bytes());
        let written = written.and_then(|()| self.output.flush());
        written.map_err(|source| match &self.file {
            Some(part) => FileError::writing(part.path())(source).into(),
            None => ToolError::Output(source),
        })
    }

    /// Completes the output and moves it into place, but replaces neither the games themselves by
    /// what is `lossy`, nor an earlier result by one that was interrupted.
    fn finish(mut self, is_lossy: bool, interrupted: bool) -> Result<(), ToolError> {
        if self.format == Format::Html {
            let text = self.page.text();
            self.write(&text)?;
        }
        drop(self.output);
        let Some(part) = self.file else {
            return Ok(());
        };
        if is_lossy && !interrupted {
            let file = part.path().to_owned();
            let result = part.keep();
            return Err(ToolError::Lossy { file, result });
        }
        Ok(part.finish(interrupted)?)
    }
}

impl Format {
    /// The format that the extension of a file gives; PGN if it gives none.
    fn of_name(file: &Path) -> Self {
        let ending = file.extension().and_then(OsStr::to_str).unwrap_or_default();
        match ending.to_ascii_lowercase().as_str() {
            "json" | "jsonl" => Self::Json,
            "html" | "htm" => Self::Html,
            _ => Self::Pgn,
        }
    }
}
