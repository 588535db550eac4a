//! `orthrus book make`: games to a book.

use std::fs;
use std::io::Write;
use std::path::Path;

use crossbeam_channel::{Receiver, select};
use orthrus_core::book::{Book, BookBuilder, file_content};
use orthrus_pgn::Fault;
use serde::Serialize;

use super::BookToolError;
use crate::args::MakeArgs;
use crate::signals;
use crate::text::counted;
use crate::tools::files::{self, FileError, Source};
use crate::tools::games::read_ahead;
use crate::tools::part_file::PartFile;
use crate::tools::{styled_bar, warn};

/// How many unreadable games are reported one by one.
const NAMED: u64 = 10;

/// What was done.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Summary {
    /// Games that were counted.
    games: u64,
    /// Games that could not be read.
    unreadable: u64,
    /// Moves that occurred.
    moves: usize,
    /// Moves that the book has.
    entries: usize,
    /// Whether Ctrl-C ended the reading: the book is then made of the games until then.
    interrupted: bool,
}

/// Makes a book, and reports what was done.
///
/// # Errors
///
/// The games cannot be read or have no move that is frequent enough, the book cannot be written, or
/// a file of another kind has its name. An existing file then stays as it was.
pub(crate) fn make(args: &MakeArgs) -> Result<Vec<String>, BookToolError> {
    let summary = run(args)?;
    Ok(vec![if args.json {
        serde_json::to_string(&summary)?
    } else {
        summary.text()
    }])
}

fn run(args: &MakeArgs) -> Result<Summary, BookToolError> {
    let games = files::open(&args.games)?;
    check_replaceable(&args.book)?;
    let (part, mut output) =
        PartFile::create(&args.book).map_err(FileError::writing(&args.book))?;
    // Not earlier: opening a pipe waits for its other end.
    let interrupts = signals::interrupts()?;
    let mut summary = Summary {
        games: 0,
        unreadable: 0,
        moves: 0,
        entries: 0,
        interrupted: false,
    };
    let builder = count(games, args, &interrupts, &mut summary)?;
    let entries = builder.entries(args.weight.into(), args.min_games);
    if summary.games == 0 {
        return Err(FileError::no_game(&args.games, summary.interrupted).into());
    }
    if entries.is_empty() {
        return Err(BookToolError::NoMove {
            games: summary.games,
            min_games: args.min_games,
        });
    }
    let written = output.write_all(&file_content(&entries));
    written.map_err(FileError::writing(&args.book))?;
    drop(output);
    part.finish(summary.interrupted)?;
    summary.moves = builder.len();
    summary.entries = entries.len();
    Ok(summary)
}

/// Counts the moves of all games, or of those until an interrupt.
fn count(
    games: Source,
    args: &MakeArgs,
    interrupts: &Receiver<()>,
    summary: &mut Summary,
) -> Result<BookBuilder, BookToolError> {
    let mut builder = BookBuilder::default();
    let bar = match games.bytes {
        Some(bytes) => styled_bar(bytes, "{wide_bar} {bytes}/{total_bytes}, {msg}, {eta} left"),
        None => styled_bar(0, "{bytes}, {msg}"),
    };
    let entries = read_ahead(bar.wrap_read(games.reader));
    loop {
        let entry = select! {
            recv(entries) -> entry => entry,
            recv(interrupts) -> _ => {
                summary.interrupted = true;
                break;
            }
        };
        // The end of the stream.
        let Ok(entry) = entry else { break };
        match entry.game {
            Ok(game) => {
                let winner = game.result.winner();
                builder.add(&game.start, game.moves(), winner, args.max_plies as usize);
                summary.games += 1;
            }
            Err(source) if matches!(source.fault, Fault::Io(_)) => {
                return Err(FileError::games(&args.games)(source).into());
            }
            // Not a game, but text after the last one.
            Err(error) if matches!(error.fault, Fault::LeftOut(_)) => {
                warn(&bar, &error.to_string());
            }
            Err(error) => {
                summary.unreadable += 1;
                if summary.unreadable <= NAMED {
                    warn(&bar, &error.to_string());
                }
            }
        }
        bar.set_message(format!("{} games", summary.games));
    }
    bar.finish_and_clear();
    Ok(builder)
}

/// Makes sure that only a book is replaced, and not, for example, the games themselves.
///
/// # Errors
///
/// The file is something else, or cannot be read.
fn check_replaceable(path: &Path) -> Result<(), BookToolError> {
    if !fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0) {
        return Ok(());
    }
    match Book::from_bytes(&files::read(path)?) {
        Ok(book) if book.faults().is_empty() => Ok(()),
        _ => Err(BookToolError::NotReplaced(path.to_owned())),
    }
}

impl Summary {
    fn text(&self) -> String {
        let interrupted = if self.interrupted {
            "interrupted: "
        } else {
            ""
        };
        let Self {
            games,
            unreadable,
            moves,
            entries,
            ..
        } = self;
        let lost = match unreadable {
            0 => String::new(),
            count => format!(", {count} could not be read"),
        };
        let (games, moves) = (counted(*games, "game"), counted(*moves as u64, "move"));
        format!("{interrupted}{games}{lost}; {moves}, of which the book has {entries}")
    }
}
