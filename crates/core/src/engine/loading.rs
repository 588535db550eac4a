//! Files that options name, read on a thread of their own: a large one, or a folder on a network that
//! does not answer, must not keep the engine from its commands.

use std::io;
use std::sync::Arc;
use std::thread::Builder;

use crossbeam_channel::{Receiver, bounded};

use super::named_file::FileError;
use crate::book::{Book, BookError};
use crate::evaluation::{Network, NetworkError};
use crate::tablebase::{TableFileError, Tablebase};

/// What became of a file.
pub(super) enum Loaded {
    /// An opening book, by its name.
    Book(String, Result<Book, FileError<BookError>>),
    /// A network, by its name.
    Network(String, Result<Arc<Network>, FileError<NetworkError>>),
    /// The endgame tables of these folders, and what is wrong with some of them.
    Tables(String, Box<Tablebase>, Vec<TableFileError>),
}

/// Something that is being read.
pub(super) struct Loading {
    /// What it is, for people: `book performance.bin`.
    pub(super) what: String,
    /// Where it arrives.
    pub(super) loaded: Receiver<Loaded>,
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
        Ok(Self { what, loaded })
    }
}
