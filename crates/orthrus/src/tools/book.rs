//! `orthrus book`: makes opening books of games, and shows what they have for a position.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use crossbeam_channel::Receiver;
use orthrus_core::book::{Book, BookBuilder, file_content, position_key};
use orthrus_core::notation::write_san;
use orthrus_core::position::Variant;
use orthrus_pgn::{Fault, PgnGame};
use serde_json::{Value, json};

use super::explorer;
use super::files;
use super::games::Games;
use super::output::{progress_bar, tell, warn};
use super::part_file::PartFile;
use crate::args::{MakeArgs, ShowArgs};
use crate::failure::Failure;
use crate::signals;
use crate::streams;
use crate::text::{JSON_SCHEMA, coordinates, counted, fen, is_standard_stream};

/// How many unreadable games are reported one by one.
const MAX_REPORTS: u64 = 10;

/// What the games of a stream have come to.
#[derive(Default)]
struct Counted {
    moves: BookBuilder,
    games: u64,
    /// Games that could not be read.
    unreadable: u64,
    /// Whether Ctrl-C ended the reading: the book is then made of the games until then.
    interrupted: bool,
}

/// Makes a book, and reports what was done.
///
/// # Errors
///
/// The games cannot be read or have no move that is frequent enough, the book cannot be written, or
/// a file of another kind has its name. An existing file then stays as it was.
pub(crate) fn make(args: &MakeArgs) -> Result<Vec<String>, Failure> {
    let source = files::open(&args.games)?;
    let file = (!is_standard_stream(&args.book)).then(|| {
        check_replaceable(&args.book)?;
        PartFile::create(&args.book)
    });
    let file = file.transpose()?;
    // Not earlier: opening a pipe waits for its other end.
    let counted = count(source, args, signals::interrupts()?)?;
    let entries = counted.moves.entries(args.weight.into(), args.min_games);
    if entries.is_empty() {
        return Err(Failure::NoMove {
            games: counted.games,
            min_games: args.min_games,
        });
    }
    let content = file_content(&entries);
    let report = vec![counted.report(entries.len(), args.json)];
    let Some(mut file) = file else {
        streams::stdout().write_all(&content)?;
        tell(&report);
        return Ok(Vec::new());
    };
    file.write(&content)?;
    file.finish(counted.interrupted)?;
    Ok(report)
}

/// Counts the moves of all games, or of those until an interrupt.
fn count(
    source: files::Source,
    args: &MakeArgs,
    interrupts: Receiver<()>,
) -> Result<Counted, Failure> {
    let mut counted = Counted::default();
    let bar = match source.bytes {
        Some(bytes) => progress_bar(bytes, "{wide_bar} {bytes}/{total_bytes}, {msg}, {eta} left"),
        None => progress_bar(0, "{bytes}, {msg}"),
    };
    let mut games = Games::new(&args.games, bar.wrap_read(source.reader), interrupts);
    while let Some(entry) = games.next()? {
        match entry.game {
            Ok(game) if game.broken_off.is_none() && is_chess(&game) => {
                let (winner, max_plies) = (game.result.winner(), args.max_plies as usize);
                counted
                    .moves
                    .add(&game.start, game.moves(), winner, max_plies);
                counted.games += 1;
            }
            unusable => {
                // What is left out is not a game, but text after the last one.
                let is_game =
                    !matches!(&unusable, Err(error) if matches!(error.fault, Fault::LeftOut(_)));
                counted.unreadable += u64::from(is_game);
                if !is_game || counted.unreadable <= MAX_REPORTS {
                    let reason = match unusable {
                        Ok(game) if !is_chess(&game) => {
                            let variant = game.start.variant().name();
                            format!("a game of {variant}: books are for chess")
                        }
                        Ok(_) => entry.warnings.join("; "),
                        Err(error) => error.to_string(),
                    };
                    bar.suspend(|| warn(&reason));
                }
            }
        }
        bar.set_message(format!("{} games", counted.games));
    }
    bar.finish_and_clear();
    if counted.games == 0 {
        return Err(games.missing());
    }
    counted.interrupted = games.interrupted;
    Ok(counted)
}

/// Whether a game is of the variant that books are for.
fn is_chess(game: &PgnGame) -> bool {
    game.start.variant() == Variant::Standard
}

impl Counted {
    /// What was done, with the number of moves that the book has.
    fn report(&self, entries: usize, json: bool) -> String {
        let Self {
            games,
            unreadable,
            interrupted,
            ..
        } = self;
        let moves = self.moves.len();
        if json {
            let summary = json!({
                "schema": JSON_SCHEMA,
                "games": games,
                "unreadable": unreadable,
                "moves": moves,
                "entries": entries,
                "interrupted": interrupted,
            });
            return summary.to_string();
        }
        let interrupted = if *interrupted { "interrupted: " } else { "" };
        let lost = match unreadable {
            0 => String::new(),
            count => format!(", {count} could not be used"),
        };
        let (games, moves) = (counted(*games, "game"), counted(moves as u64, "move"));
        format!("{interrupted}{games}{lost}; {moves}, of which the book has {entries}")
    }
}

/// Makes sure that only a book is replaced, and not, for example, the games themselves.
fn check_replaceable(path: &Path) -> Result<(), Failure> {
    if !fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0) {
        return Ok(());
    }
    match Book::from_bytes(files::read(path)?) {
        Ok(book) if book.faults().is_empty() => Ok(()),
        _ => Err(Failure::ReplacesOther(path.to_owned())),
    }
}

/// What a file seems to be instead of a book, by its first bytes, which might be those of a key.
fn not_book(bytes: &[u8]) -> Option<&'static str> {
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let is_pgn = text.trim_ascii_start().starts_with(b"[Event ");
    let pgn = || is_pgn.then_some("PGN: games; name it *.pgn, or give it on standard input, as -");
    files::not_text(bytes).or_else(pgn)
}

/// The moves of a position, one line each and the heaviest first, or in JSON. What is wrong with
/// the book goes to standard error.
pub(crate) fn show(args: &ShowArgs) -> Result<Vec<String>, Failure> {
    let file = &args.book;
    let game = args.position.game()?;
    let position = game.position();
    let is_pgn = file
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("pgn"));
    if is_pgn || is_standard_stream(file) {
        return explorer::explore(file, position, args.player.as_deref(), args.json);
    }
    if args.player.is_some() {
        return Err(Failure::PlayerOfNothing(
            "a book names no players; games do",
        ));
    }
    let bytes = files::read(file)?;
    let other = not_book(&bytes);
    let book = Book::from_bytes(bytes);
    if let Some(format) = other
        && !book.as_ref().is_ok_and(|book| book.faults().is_empty())
    {
        let file = file.clone();
        return Err(Failure::OtherFormat { file, format });
    }
    let book = book.map_err(|source| Failure::NoBook {
        file: file.clone(),
        source,
    })?;
    let (moves, fault) = book.moves(position);
    for fault in book.faults().iter().chain(&fault) {
        warn(&format!("{}: {fault}", file.display()));
    }
    let described = moves.iter().map(|found| {
        let (san, uci) = (
            write_san(position, found.mv),
            coordinates(position, found.mv),
        );
        (san, uci, found.weight, found.percentage(&moves))
    });
    if args.json {
        let moves: Vec<Value> = described
            .map(|(san, uci, weight, percentage)| {
                json!({ "move": san, "uci": uci, "weight": weight, "percentage": percentage })
            })
            .collect();
        let key = format!("{:016x}", position_key(position).0);
        return Ok(vec![
            json!({ "schema": JSON_SCHEMA, "fen": fen(position), "key": key, "moves": moves })
                .to_string(),
        ]);
    }
    if moves.is_empty() {
        return Ok(vec!["the book has no move here".to_owned()]);
    }
    Ok(described
        .map(|(san, uci, weight, percentage)| {
            format!("{san:7} {uci:5} {weight:7} {percentage:5.1} %")
        })
        .collect())
}
