//! Why the process ends without having done its work.

use std::io;
use std::path::{Path, PathBuf};

use orthrus_core::book::BookError;
use orthrus_core::engine::experience::ExperienceError;
use orthrus_core::engine::{StartError, TaskError};
use orthrus_core::fen::FenError;
use orthrus_core::notation::MoveError;
use orthrus_core::position::Variant;
use orthrus_core::search::AllocationError;
use orthrus_pgn::ReadError;
use thiserror::Error;

use crate::text::{counted, shown};

/// Why the process ends without having done its work.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// Standard output fails. If its reader has left, that is no failure.
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
    #[error("cannot log to {}: {source}", file.display())]
    Log { file: PathBuf, source: io::Error },
    #[error("cannot start the engine: {0}")]
    Start(#[from] StartError),
    /// The engine is gone; its last words, if there were any.
    #[error("the engine has ended: {0}")]
    Ended(String),
    /// An option cannot have the value asked for: the results would be those of another one.
    #[error("{0}")]
    Refused(String),
    #[error(transparent)]
    Task(#[from] TaskError),
    /// A search without an engine lacks memory.
    #[error(transparent)]
    Memory(#[from] AllocationError),
    /// The system refuses a thread for such a search.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    #[error("cannot listen to Ctrl-C: {0}")]
    Interrupts(#[from] ctrlc::Error),
    #[error("cannot read {}: {source}", shown(file))]
    Read { file: PathBuf, source: io::Error },
    #[error("{} has more than {limit} bytes", shown(file))]
    TooLarge { file: PathBuf, limit: u64 },
    /// A player was named, and nothing of the player is asked for.
    #[error("--player: {0}")]
    PlayerOfNothing(&'static str),
    /// More than anybody has the time to search.
    #[error("more than {limit} positions")]
    TooManyPositions { limit: usize },
    #[error("cannot write {}: {source}", file.display())]
    Write { file: PathBuf, source: io::Error },
    /// All is written, but another program holds the place, or it is no place for a new file.
    #[error("cannot write {}: {source}; the result is in {}", file.display(), result.display())]
    NotInPlace {
        file: PathBuf,
        source: io::Error,
        result: PathBuf,
    },
    /// Ctrl-C would have replaced a whole result by part of one.
    #[error(
        "interrupted: {} stays as it is; the result so far is in {}",
        file.display(),
        result.display()
    )]
    Partial { file: PathBuf, result: PathBuf },
    /// Merged nevertheless, the oldest records would be lost.
    #[error(
        "{} holds {}, and {news} more have no room: merge it into a new file first, which leaves out \
         what no longer counts",
        file.display(),
        counted(*records as u64, "record")
    )]
    NoRoom {
        file: PathBuf,
        records: usize,
        news: usize,
    },
    /// Merging them into a new file would not help.
    #[error("together they know {moves} moves, and a file holds {most} records")]
    TooMuch { moves: usize, most: usize },
    /// Annotated in place, part of the games would be lost.
    #[error(
        "{} stays as it is, because part of it would be lost; the result is in {}",
        file.display(),
        result.display()
    )]
    Lossy { file: PathBuf, result: PathBuf },
    /// Only PGN holds everything in a game, and only of one file everything.
    #[error(
        "{} holds games: JSON, HTML, EPD and the games of several files need a file of their own",
        .0.display()
    )]
    ReplacesGames(PathBuf),
    /// Something else than a book would be lost.
    #[error("{} is no book, and is not replaced by one", .0.display())]
    ReplacesOther(PathBuf),
    #[error("{}: {source}", shown(file))]
    Games { file: PathBuf, source: ReadError },
    /// A file holds something else than is wanted, and users may know what to do about it.
    #[error("{} is {format}", shown(file))]
    OtherFormat { file: PathBuf, format: &'static str },
    #[error("{} has no game that can be read", shown(.0))]
    NoGame(PathBuf),
    /// Only games of the position's variant can have reached it.
    #[error("{} has games of {found}, none of {wanted} (--variant)", shown(file))]
    OtherVariant {
        file: PathBuf,
        found: &'static str,
        wanted: &'static str,
    },
    #[error("interrupted before the first game")]
    Interrupted,
    /// A suite is empty or something else; with what is wrong with its first line.
    #[error("{} has no position that can be used{reason}", shown(file))]
    NoPosition { file: PathBuf, reason: String },
    #[error("{text}: {error}{}", other.map_or_else(String::new, |it| format!("; it can be read with --variant {}", it.name())))]
    Fen {
        text: String,
        error: FenError,
        /// A game whose position it is.
        other: Option<Variant>,
    },
    #[error("{text}: {error}")]
    Move { text: String, error: MoveError },
    #[error("{}: {source}", file.display())]
    NoBook { file: PathBuf, source: BookError },
    #[error(
        "nothing to make a book of: no move occurs in at least {min_games} of the {} read",
        counted(*games, "game")
    )]
    NoMove { games: u64, min_games: u64 },
    /// The words of the system, unlike those of the engine's options.
    #[error("cannot use experience {}: {source}", path.display())]
    ExperienceFile { path: PathBuf, source: io::Error },
    /// A file of experience holds something else, or another process has it.
    #[error(transparent)]
    Experience(ExperienceError),
    #[error("{} would be added to itself", .0.display())]
    Itself(PathBuf),
    #[error("not understood: {0}; expected genfens N seed S book FILE|None")]
    Genfens(String),
    #[error("no position to begin from in the book {0}")]
    EmptyBook(String),
    #[error("{attempts} openings from {origin} are finished or lopsided, one like the other")]
    NoOpening { attempts: usize, origin: String },
}

impl Failure {
    /// Whether the command line itself is wrong.
    pub(crate) fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::Fen { .. } | Self::Move { .. } | Self::PlayerOfNothing(_) | Self::Genfens(_)
        )
    }

    pub(crate) fn reading(file: &Path) -> impl Fn(io::Error) -> Self + use<> {
        let file = file.to_owned();
        move |source| Self::Read {
            file: file.clone(),
            source,
        }
    }

    pub(crate) fn writing(file: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Write {
            file: file.to_owned(),
            source,
        }
    }
}

impl From<ExperienceError> for Failure {
    fn from(error: ExperienceError) -> Self {
        match error {
            ExperienceError::Io(path, source) => Self::ExperienceFile { path, source },
            other => Self::Experience(other),
        }
    }
}
