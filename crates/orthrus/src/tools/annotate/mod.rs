//! `orthrus annotate`: what the engine thinks of whole games.

mod accuracy;
mod clocks;
mod formats;
mod html;
mod phase;
mod players;
mod reason;
mod remarks;
mod review;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufReader, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use orthrus_core::engine::Environment;
use orthrus_core::types::Color;
use orthrus_pgn::Reader;

use self::html::Page;
use self::players::Players;
use self::review::Review;
use super::analyst::Analyst;
use super::files::{self, Source};
use super::games::{Games, is_by};
use super::output::{position_bar, tell, warn};
use super::part_file::PartFile;
use crate::args::{AnnotateArgs, Format};
use crate::failure::Failure;
use crate::text::{counted, is_standard_stream, printable, short_time, shown};

/// Time per position if no limit is given, in milliseconds.
const DEFAULT_MOVETIME: u64 = 200;

/// How many players a summary in a terminal names.
const SHOWN_PLAYERS: usize = 12;

/// Reviews the games of all files, one after the other, and writes them with what was found.
pub(crate) fn annotate(args: &AnnotateArgs, environment: Environment) -> Result<(), Failure> {
    let inputs = args.files.iter().map(|file| files::open(file));
    let inputs: Vec<Source> = inputs.collect::<Result<_, Failure>>()?;
    let mut output = Output::open(args)?;
    let replaced = args.files.iter().find(|file| output.replaces(named(file)));
    if let Some(file) = replaced
        && (output.format != Format::Pgn || args.files.len() > 1)
    {
        return Err(Failure::ReplacesGames(named(file).to_owned()));
    }
    let is_replaced = replaced.is_some();
    let mut analyst = Analyst::start(&args.search, Some(DEFAULT_MOVETIME), environment)?;
    let begun = Instant::now();
    let mut reviewed = Reviewed::new(&args.files);
    let mut empty = Vec::new();
    let mut unread = Vec::new();
    for (file, input) in args.files.iter().zip(inputs) {
        let mut games = Games::new(file, input.reader, analyst.interrupts());
        let before = reviewed.games;
        match reviewed.review_all(&mut games, &mut analyst, &mut output) {
            Ok(()) if reviewed.games == before => empty.push(games.missing()),
            Ok(()) => {}
            // The games of the other files are not lost for it.
            Err(failure @ (Failure::OtherFormat { .. } | Failure::Games { .. })) => {
                reviewed.is_lossy = true;
                unread.push(failure);
            }
            Err(failure) => return Err(failure),
        }
        if games.interrupted {
            reviewed.interrupted = true;
            break;
        }
    }
    reviewed.bar.finish_and_clear();
    if reviewed.games == 0
        && let Some(failure) = unread.drain(..).chain(empty.drain(..)).next()
    {
        return Err(failure);
    }
    if !reviewed.interrupted {
        for failure in empty {
            warn(&failure.to_string());
        }
    }
    let last = unread.pop();
    for failure in unread {
        warn(&failure.to_string());
    }
    let time = begun.elapsed();
    let finished = output.finish(
        &reviewed.players,
        reviewed.is_lossy && is_replaced,
        reviewed.interrupted,
    );
    let file = args.output.as_deref();
    let file = file.filter(|file| !is_standard_stream(file));
    if file.is_some() || io::stderr().is_terminal() {
        let written = file.filter(|_| finished.is_ok());
        tell(&reviewed.summary(args.files.len(), time, written));
    }
    match (finished, last) {
        (Err(failure), Some(unread)) => {
            warn(&unread.to_string());
            Err(failure)
        }
        (Ok(()), Some(unread)) => Err(unread),
        (finished, None) => finished,
    }
}

/// The file that a name means. If the system has this name, it is the file that standard input comes
/// from.
fn named(file: &Path) -> &Path {
    if is_standard_stream(file) {
        Path::new("/dev/stdin")
    } else {
        file
    }
}

/// What became of the games so far.
struct Reviewed {
    /// How many were written.
    games: u64,
    positions: u64,
    players: Players,
    /// Whether a game, the rest of one, or a variation was left out.
    is_lossy: bool,
    interrupted: bool,
    /// All positions of all games.
    bar: ProgressBar,
    /// Whether games of several files have to be told apart.
    has_files: bool,
}

impl Reviewed {
    fn new(files: &[PathBuf]) -> Self {
        let bar = position_bar(0);
        if !bar.is_hidden() {
            count_positions(files.to_vec(), bar.clone());
        }
        Self {
            games: 0,
            positions: 0,
            players: Players::default(),
            is_lossy: false,
            interrupted: false,
            bar,
            has_files: files.len() > 1,
        }
    }

    /// Reviews games until their end or Ctrl-C.
    fn review_all(
        &mut self,
        games: &mut Games,
        analyst: &mut Analyst,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let place = if self.has_files {
            format!("{}: ", shown(games.file()))
        } else {
            String::new()
        };
        let before = self.games;
        while let Some(entry) = games.next()? {
            for warning in &entry.warnings {
                self.warn(&format!("{place}{warning}"));
                self.is_lossy = true;
            }
            let mut game = match entry.game {
                Ok(game) => game,
                Err(error) => {
                    self.warn(&format!("{place}{error}"));
                    self.is_lossy = true;
                    continue;
                }
            };
            if game.broken_off.is_some() {
                let kept = counted(game.main.moves.len() as u64, "move");
                let number = entry.number;
                self.warn(&format!(
                    "{place}game {number} is kept up to there, with {kept}"
                ));
            }
            game.name_opening();
            self.games += 1;
            let number = self.games;
            self.bar.set_message(format!("game {number}, "));
            let (review, interrupted) = Review::make(game, analyst, || self.bar.inc(1))?;
            self.positions += review.evaluations.len() as u64;
            self.players.add(&review);
            self.bar.suspend(|| analyst.show_notices());
            self.bar.suspend(|| output.add(&review, number))?;
            if interrupted {
                self.warn(&format!(
                    "interrupted in game {number}; what follows is left out"
                ));
                games.interrupted = true;
                return Ok(());
            }
        }
        if games.interrupted && self.games > before {
            self.warn(&format!("interrupted after game {}", self.games));
        }
        Ok(())
    }

    fn warn(&self, text: &str) {
        self.bar.suspend(|| warn(text));
    }

    /// What was done, for people.
    fn summary(&self, files: usize, time: Duration, written: Option<&Path>) -> Vec<String> {
        let of_files = match files {
            1 => String::new(),
            files => format!(" of {files} files"),
        };
        let (games, positions) = (
            counted(self.games, "game"),
            counted(self.positions, "position"),
        );
        let to = written.map_or_else(String::new, |file| format!(" -> {}", file.display()));
        let mut lines = vec![format!(
            "{games}{of_files}, {positions} in {}{to}",
            short_time(time)
        )];
        lines.push(String::new());
        lines.extend(self.players.table(SHOWN_PLAYERS));
        lines
    }
}

/// Sets the length of a bar to the number of positions in these files, on a thread that reads them
/// ahead; what is no regular file cannot be read twice.
fn count_positions(files: Vec<PathBuf>, bar: ProgressBar) {
    // Not joined: nobody waits for it.
    thread::spawn(move || {
        for file in files {
            let is_file = fs::metadata(&file).is_ok_and(|found| found.is_file());
            let Some(file) = is_file.then(|| File::open(&file).ok()).flatten() else {
                continue;
            };
            for game in Reader::new(BufReader::new(file)).flatten() {
                bar.inc_length(game.main.moves.len() as u64 + 1);
            }
        }
    });
}

struct Output {
    format: Format,
    page: Page,
    /// Whose mistakes EPD is to have: a part of the name; `None` for everybody's.
    player: Option<String>,
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
        if args.player.is_some() && format != Format::Epd {
            return Err(Failure::PlayerOfNothing(
                "only EPD has the moves of one player",
            ));
        }
        let file = args.output.as_deref();
        let file = file.filter(|file| !is_standard_stream(file));
        Ok(Self {
            format,
            page: Page::default(),
            player: args.player.clone(),
            file: file.map(PartFile::create).transpose()?,
        })
    }

    /// Whether this is to replace the file `name`.
    fn replaces(&self, name: &Path) -> bool {
        self.file.as_ref().is_some_and(|part| part.replaces(name))
    }

    /// Writes the game with this number, from 1.
    fn add(&mut self, review: &Review, number: u64) -> Result<(), Failure> {
        let text = match self.format {
            Format::Pgn => format!("{}\n", formats::annotated(review)),
            Format::Json => format!("{}\n", formats::json(review)),
            Format::Html => self.page.add(review),
            Format::Epd => formats::mistakes(review, number, &self.sides(review)),
        };
        self.write(&text)
    }

    /// The sides whose mistakes are wanted.
    fn sides(&self, review: &Review) -> Vec<Color> {
        let tags = &review.game.tags;
        let is_wanted = |&side: &Color| is_by(tags, side, self.player.as_deref());
        Color::ALL.into_iter().filter(is_wanted).collect()
    }

    /// Writes text, and waits until it has arrived.
    fn write(&mut self, text: &str) -> Result<(), Failure> {
        if let Some(file) = &mut self.file {
            return file.write(text.as_bytes());
        }
        let mut output = io::stdout().lock();
        if output.is_terminal() {
            output.write_all(printable(text).as_bytes())?;
        } else {
            output.write_all(text.as_bytes())?;
        }
        Ok(output.flush()?)
    }

    /// Completes the output and moves it into place, but replaces neither the games themselves by
    /// what is `lossy`, nor an earlier result by one that was interrupted.
    fn finish(
        mut self,
        players: &Players,
        is_lossy: bool,
        interrupted: bool,
    ) -> Result<(), Failure> {
        if self.format == Format::Html {
            let text = self.page.end(players);
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
            "epd" => Self::Epd,
            _ => Self::Pgn,
        }
    }
}
