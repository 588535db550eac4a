//! `orthrus annotate`: what the engine thinks of whole games.

mod accuracy;
mod formats;
mod html;
mod review;

use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::path::Path;

use orthrus_core::engine::Environment;

use self::html::Page;
use self::review::Review;
use super::analyst::Analyst;
use super::files;
use super::games::Games;
use super::output::{position_bar, warn};
use super::part_file::PartFile;
use crate::args::{AnnotateArgs, Format};
use crate::failure::Failure;
use crate::text::is_standard_stream;

/// Time per position if no limit is given, in milliseconds.
const DEFAULT_MOVETIME: u64 = 200;

/// Reviews the games of a file, one after the other, and writes them with what was found.
pub(crate) fn annotate(args: &AnnotateArgs, environment: Environment) -> Result<(), Failure> {
    let input = files::open(&args.file)?.reader;
    let file = if is_standard_stream(&args.file) {
        // If the system has this name, it is the file that standard input comes from.
        Path::new("/dev/stdin")
    } else {
        &args.file
    };
    let mut output = Output::open(args)?;
    if output.format != Format::Pgn && output.replaces(file) {
        return Err(Failure::ReplacesGames(file.to_owned()));
    }
    let mut analyst = Analyst::start(&args.search, Some(DEFAULT_MOVETIME), environment)?;
    let mut games = Games::new(&args.file, input, analyst.interrupts());
    let reviewed = review_all(&mut games, &mut analyst, &mut output)?;
    if reviewed.count == 0 {
        return Err(games.missing());
    }
    let is_lossy = reviewed.is_lossy && output.replaces(file);
    output.finish(is_lossy, games.interrupted)
}

/// What became of the games of a stream.
#[derive(Default)]
struct Reviewed {
    /// How many were written.
    count: u64,
    /// Whether a game or a variation was left out.
    is_lossy: bool,
}

/// Reviews games until their end or Ctrl-C.
fn review_all(
    games: &mut Games,
    analyst: &mut Analyst,
    output: &mut Output,
) -> Result<Reviewed, Failure> {
    let mut reviewed = Reviewed::default();
    while let Some(entry) = games.next()? {
        for warning in &entry.warnings {
            warn(warning);
            reviewed.is_lossy = true;
        }
        let game = match entry.game {
            Ok(game) => game,
            Err(error) => {
                warn(&error.to_string());
                reviewed.is_lossy = true;
                continue;
            }
        };
        reviewed.count += 1;
        let number = reviewed.count;
        let bar = position_bar(game.main.moves.len() + 1);
        bar.set_message(format!("game {number}, "));
        let (review, interrupted) = Review::make(game, analyst, || bar.inc(1))?;
        bar.finish_and_clear();
        analyst.show_notices();
        output.add(&review)?;
        if interrupted {
            warn(&format!(
                "interrupted in game {number}; what follows is left out"
            ));
            games.interrupted = true;
            return Ok(reviewed);
        }
    }
    if games.interrupted && reviewed.count > 0 {
        warn(&format!("interrupted after game {}", reviewed.count));
    }
    Ok(reviewed)
}

struct Output {
    format: Format,
    page: Page,
    /// The file, which gets its own name at the end, so that an earlier one stays intact until then
    /// and may be the one that is read; `None` for standard output.
    file: Option<PartFile>,
}

impl Output {
    fn open(args: &AnnotateArgs) -> Result<Self, Failure> {
        let format = args.format.unwrap_or_else(|| match &args.output {
            _ if args.json => Format::Json,
            Some(file) => Format::of_name(file),
            None => Format::Pgn,
        });
        let file = args.output.as_deref();
        let file = file.filter(|file| !is_standard_stream(file));
        Ok(Self {
            format,
            page: Page::default(),
            file: file.map(PartFile::create).transpose()?,
        })
    }

    /// Whether this is to replace the file `name`.
    fn replaces(&self, name: &Path) -> bool {
        self.file.as_ref().is_some_and(|part| part.replaces(name))
    }

    fn add(&mut self, review: &Review) -> Result<(), Failure> {
        match self.format {
            Format::Pgn => self.write(&format!("{}\n", formats::annotated(review))),
            Format::Json => self.write(&format!("{}\n", formats::json(review))),
            Format::Html => {
                self.page.add(review);
                Ok(())
            }
        }
    }

    /// Writes text, and waits until it has arrived.
    fn write(&mut self, text: &str) -> Result<(), Failure> {
        if let Some(file) = &mut self.file {
            return file.write(text.as_bytes());
        }
        let mut output = io::stdout().lock();
        output.write_all(text.as_bytes())?;
        Ok(output.flush()?)
    }

    /// Completes the output and moves it into place, but replaces neither the games themselves by
    /// what is `lossy`, nor an earlier result by one that was interrupted.
    fn finish(mut self, is_lossy: bool, interrupted: bool) -> Result<(), Failure> {
        if self.format == Format::Html {
            let text = self.page.text();
            self.write(&text)?;
        }
        match self.file {
            None => Ok(()),
            Some(part) if is_lossy && !interrupted => {
                let file = part.path().to_owned();
                let result = part.stay();
                Err(Failure::Lossy { file, result })
            }
            Some(part) => part.finish(interrupted),
        }
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
