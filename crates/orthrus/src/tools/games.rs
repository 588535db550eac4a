//! Games of a stream, read by a thread of their own.

use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::thread;

use crossbeam_channel::{Receiver, bounded, select};
use orthrus_pgn::{Fault, PgnGame, ReadError, Reader};

use crate::failure::Failure;

const AHEAD: usize = 16;

/// A game of a stream, or why there is none, and what was left out of it.
pub(crate) struct Entry {
    pub(crate) game: Result<PgnGame, ReadError>,
    pub(crate) warnings: Vec<String>,
}

/// Games read ahead: whoever waits for them can be interrupted, though waiting for standard input,
/// or for the end of a game, cannot.
pub(crate) struct Games {
    file: PathBuf,
    entries: Receiver<Entry>,
    interrupts: Receiver<()>,
    /// Whether Ctrl-C has ended them.
    pub(crate) interrupted: bool,
}

impl Games {
    /// The games of `input`, which users call `file`.
    pub(crate) fn new(
        file: &Path,
        input: impl Read + Send + 'static,
        interrupts: Receiver<()>,
    ) -> Self {
        let (sender, entries) = bounded(AHEAD);
        // Not joined: it may sit in a blocking read when everything else has ended.
        thread::spawn(move || {
            let mut reader = Reader::new(BufReader::with_capacity(1 << 16, input));
            while let Some(game) = reader.next() {
                let warnings = reader.warnings().iter().map(ToString::to_string).collect();
                if sender.send(Entry { game, warnings }).is_err() {
                    break;
                }
            }
        });
        Self {
            file: file.to_owned(),
            entries,
            interrupts,
            interrupted: false,
        }
    }

    /// The next game; `None` at the end of the stream, or after Ctrl-C.
    pub(crate) fn next(&mut self) -> Result<Option<Entry>, Failure> {
        let entry = select! {
            recv(self.entries) -> entry => entry.ok(),
            recv(self.interrupts) -> _ => {
                self.interrupted = true;
                None
            }
        };
        match entry {
            Some(Entry {
                game: Err(source), ..
            }) if matches!(source.fault, Fault::Io(_)) => {
                let file = self.file.clone();
                Err(Failure::Games { file, source })
            }
            entry => Ok(entry),
        }
    }

    pub(crate) fn missing(&self) -> Failure {
        if self.interrupted {
            Failure::Interrupted
        } else {
            Failure::NoGame(self.file.clone())
        }
    }
}
