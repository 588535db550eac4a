//! `orthrus book`: makes and shows opening books.

mod make;
mod show;

use std::path::PathBuf;

use orthrus_core::book::BookError;
use thiserror::Error;

pub(crate) use make::make;
pub(crate) use show::show;

use crate::text::counted;
use crate::tools::files::FileError;

/// Why no book is made or shown.
#[derive(Debug, Error)]
pub(crate) enum BookToolError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Something else would be lost.
    #[error("{} is no book, and is not replaced by one", .0.display())]
    NotReplaced(PathBuf),
    /// No move is frequent enough.
    #[error(
        "nothing to make a book of: no move occurs in at least {min_games} of the {} read",
        counted(*games, "game")
    )]
    NoMove { games: u64, min_games: u64 },
    /// The file is not a book.
    #[error("{}: {source}", file.display())]
    NoBook { file: PathBuf, source: BookError },
    /// Ctrl-C cannot be caught.
    #[error("cannot listen to Ctrl-C: {0}")]
    Interrupts(#[from] ctrlc::Error),
    /// What was found cannot be written as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}
