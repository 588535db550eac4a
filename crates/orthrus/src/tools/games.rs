//! Games of a stream, read by a thread of their own.

use std::io::{BufReader, Read};
use std::thread;

use crossbeam_channel::{Receiver, bounded};
use orthrus_pgn::{PgnGame, ReadError, Reader};

/// How many games are read ahead.
const AHEAD: usize = 16;

/// A game of a stream, or why there is none, and what was left out of it.
pub(crate) struct Entry {
    pub(crate) game: Result<PgnGame, ReadError>,
    pub(crate) warnings: Vec<String>,
}

/// Reads games ahead; the channel is closed at the end of the stream. Whoever waits for them can
/// be interrupted, though waiting for standard input, or for the end of a game, cannot.
pub(crate) fn read_ahead(input: impl Read + Send + 'static) -> Receiver<Entry> {
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
    entries
}
