//! Games of a stream, read by a thread of their own.

use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::thread;

use crossbeam_channel::{Receiver, bounded, select};
use orthrus_core::position::Variant;
use orthrus_core::types::Color;
use orthrus_pgn::{Epd, Fault, PgnGame, ReadError, Reader, Tags};

use super::files::not_text;
use crate::failure::Failure;
use crate::text::decode;

const AHEAD: usize = 16;

/// What a stream is instead of games, by its beginning.
fn not_games(beginning: &[u8]) -> Option<&'static str> {
    let line = beginning
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    let is_epd = || Epd::parse(Variant::Standard, &decode(line)).is_ok();
    let epd = || is_epd().then_some("EPD: positions, not games");
    not_text(beginning).or_else(epd)
}

/// Whether this side's player has that in the name; without a `player` everybody's has.
pub(crate) fn is_by(tags: &Tags, side: Color, player: Option<&str>) -> bool {
    let name = tags.get(side.name()).unwrap_or_default().to_lowercase();
    player.is_none_or(|player| name.contains(&player.to_lowercase()))
}

/// A game of a stream, or why there is none, and what was left out of it.
pub(crate) struct Entry {
    /// Its place in the stream, from 1.
    pub(crate) number: u64,
    pub(crate) game: Result<PgnGame, ReadError>,
    pub(crate) warnings: Vec<String>,
}

/// Games read ahead: whoever waits for them can be interrupted, though waiting for standard input,
/// or for the end of a game, cannot.
pub(crate) struct Games {
    file: PathBuf,
    /// Instead of games, what the stream is in place of PGN.
    entries: Receiver<Result<Entry, &'static str>>,
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
            let mut input = BufReader::with_capacity(1 << 16, input);
            // If it cannot be read, the first game will say so.
            if let Some(format) = input.fill_buf().ok().and_then(not_games) {
                let _ = sender.send(Err(format));
                return;
            }
            let mut reader = Reader::new(input);
            let mut number = 0;
            while let Some(game) = reader.next() {
                number += 1;
                let warnings = reader.warnings().iter().map(ToString::to_string).collect();
                let entry = Entry {
                    number,
                    game,
                    warnings,
                };
                if sender.send(Ok(entry)).is_err() {
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
            Some(Err(format)) => {
                let file = self.file.clone();
                Err(Failure::OtherFormat { file, format })
            }
            Some(Ok(Entry {
                game: Err(source), ..
            })) if matches!(source.fault, Fault::Io(_)) => {
                let file = self.file.clone();
                Err(Failure::Games { file, source })
            }
            Some(Ok(entry)) => Ok(Some(entry)),
            None => Ok(None),
        }
    }

    /// What users call the stream.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    pub(crate) fn missing(&self) -> Failure {
        if self.interrupted {
            Failure::Interrupted
        } else {
            Failure::NoGame(self.file.clone())
        }
    }
}
