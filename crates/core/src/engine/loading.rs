//! Files that options name, read on a thread of their own: a large one, or a folder on a network that
//! does not answer, must not keep the engine from its commands.

use std::io;
use std::sync::Arc;
use std::thread::Builder;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded};

use super::experience::{ExperienceError, ExperienceFile, Knowledge};
use super::named_file::FileError;
use crate::book::{Book, BookError};
use crate::evaluation::{Network, NetworkError};
use crate::tablebase::{TableFileError, Tablebase};

/// How long commands wait for a file before it is given up: longer than reading any useful one takes,
/// and shorter than the 15 s after which match runners take an engine that is silent for dead.
const PATIENCE: Duration = Duration::from_secs(10);

/// What became of a file.
pub(super) enum Loaded {
    /// An opening book, by its name.
    Book(String, Result<Book, FileError<BookError>>),
    /// A network, by its name.
    Network(String, Result<Arc<Network>, FileError<NetworkError>>),
    /// The endgame tables of these folders, and what is wrong with some of them.
    Tables(String, Box<Tablebase>, Vec<TableFileError>),
    /// Experience, open for writing, and what it says.
    Experience(Result<(ExperienceFile, Knowledge), ExperienceError>),
}

/// Something that is being read.
pub(super) struct Loading {
    /// What it is, for people: `book performance.bin`.
    pub(super) what: String,
    /// Where it arrives.
    pub(super) loaded: Receiver<Loaded>,
    /// When it is given up; `None` as long as nothing waits for it.
    deadline: Option<Instant>,
}

impl Loading {
    /// Starts to read. Dropped before it has arrived, it is forgotten: the thread is not waited for.
    ///
    /// # Errors
    ///
    /// If the system refuses the thread.
    pub(super) fn start(
        what: String,
        load: impl FnOnce() -> Loaded + Send + 'static,
    ) -> io::Result<Self> {
        let (sender, loaded) = bounded(1);
        Builder::new().name("files".to_owned()).spawn(move || {
            // Nobody wants it any more.
            let _ = sender.send(load());
        })?;
        let deadline = None;
        Ok(Self {
            what,
            loaded,
            deadline,
        })
    }

    /// When those give it up that wait for it from now on, or already do.
    pub(super) fn deadline(&mut self) -> Instant {
        *self
            .deadline
            .get_or_insert_with(|| Instant::now() + PATIENCE)
    }
}
