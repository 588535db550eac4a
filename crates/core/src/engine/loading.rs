//! Files that options name, read on a thread of their own: a large one, or a folder on a network that
//! does not answer, must not keep the engine from its commands.

use std::io;
use std::sync::Arc;
use std::thread::Builder;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded};

use super::Event;
use super::experience::{ExperienceError, ExperienceFile, Knowledge};
use super::named_file::{FileError, Progress};
use super::options::{BookSetting, Setting};
use crate::book::{Book, BookError};
use crate::evaluation::{Network, NetworkError};
use crate::tablebase::{TableFileError, Tablebase};

/// How long commands wait for a file of which nothing arrives, before it is given up: with
/// [`LATER_PATIENCE`] for all others shorter than the 15 s after which match runners take an engine that is
/// silent for dead.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// How long commands wait for a file if another has been given up since they came.
pub(super) const LATER_PATIENCE: Duration = Duration::from_secs(1);

/// The options that name files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Book,
    Network,
    Tables,
    Experience,
}

impl Source {
    /// Whose file this setting names, or says whether to use.
    pub(super) fn of(setting: &Setting) -> Option<Self> {
        match setting {
            Setting::Book(BookSetting::File(_)) => Some(Self::Book),
            Setting::EvalFile(_) => Some(Self::Network),
            Setting::SyzygyPath(_) => Some(Self::Tables),
            Setting::Experience(_) | Setting::ExperienceFile(_) => Some(Self::Experience),
            _ => None,
        }
    }
}

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
    what: String,
    pub(super) source: Source,
    /// Where it arrives.
    pub(super) loaded: Receiver<Loaded>,
    progress: Progress,
    /// When it is given up if nothing has arrived since it was this far; `None` as long as nothing
    /// waits for it.
    deadline: Option<(Instant, u64)>,
}

impl Loading {
    /// Starts to read. Dropped before it has arrived, it is forgotten: the thread is not waited for.
    ///
    /// # Errors
    ///
    /// If the system refuses the thread.
    pub(super) fn start(
        what: String,
        source: Source,
        load: impl FnOnce(&Progress) -> Loaded + Send + 'static,
    ) -> io::Result<Self> {
        let (sender, loaded) = bounded(1);
        let progress = Progress::default();
        let seen = progress.clone();
        Builder::new().name("files".to_owned()).spawn(move || {
            // Nobody wants it any more.
            let _ = sender.send(load(&seen));
        })?;
        Ok(Self {
            what,
            source,
            loaded,
            progress,
            deadline: None,
        })
    }

    /// Tells that it is not there, and what is done: nothing waits for it any more.
    pub(super) fn missed(&mut self, instead: &str) -> Event {
        self.deadline = None;
        Event::Refused {
            reason: format!("{} is not there yet", self.what),
            instead: instead.to_owned(),
        }
    }

    /// When those who wait for it have to ask whether it still comes: so long after they have begun to.
    pub(super) fn deadline(&mut self, patience: Duration) -> Instant {
        let (deadline, _) = self
            .deadline
            .get_or_insert_with(|| (Instant::now() + patience, self.progress.count()));
        *deadline
    }

    /// At the deadline: whether something has arrived since it was set. Then there is another.
    pub(super) fn still_comes(&mut self) -> bool {
        let before = self.deadline.take().map(|(_, count)| count);
        before != Some(self.progress.count())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;
    use crate::engine::named_file::CHUNK;

    #[test]
    fn a_slow_file_is_waited_for_and_one_that_stops_is_not() {
        let (go_on, may_go_on) = bounded::<()>(0);
        let mut loading = Loading::start("book".to_owned(), Source::Book, move |progress| {
            let mut reader = progress.of(io::repeat(0));
            let mut chunk = vec![0; 3 * CHUNK];
            while may_go_on.recv().is_ok() {
                assert_eq!(reader.read(&mut chunk).unwrap(), CHUNK);
            }
            Loaded::Tables(String::new(), Box::default(), Vec::new())
        })
        .unwrap();
        for _ in 0..2 {
            assert!(loading.deadline(PATIENCE) > Instant::now());
            go_on.send(()).unwrap();
            // It takes the second after it has read the first.
            go_on.send(()).unwrap();
            assert!(loading.still_comes());
        }
        drop(go_on);
        assert!(loading.loaded.recv().is_ok());
        loading.deadline(PATIENCE);
        assert!(!loading.still_comes());
    }
}
