//! Files that users name in options.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use thiserror::Error;

use crate::files;

/// Why a file is not used; `E` says what is wrong with its content.
#[derive(Debug, Error)]
pub(super) enum FileError<E> {
    #[error("{} cannot be read: {}", path.display(), files::reason(*kind))]
    Unreadable { path: PathBuf, kind: io::ErrorKind },
    #[error("{} has {bytes} bytes, at most {limit} are read", path.display())]
    TooLarge {
        path: PathBuf,
        bytes: u64,
        limit: u64,
    },
    #[error("{name}: {source}")]
    Malformed { name: String, source: E },
}

/// The most bytes read at once. Those of a slow disk arrive in less than a second.
pub(super) const CHUNK: usize = 1 << 20;

/// Counts what has arrived, so that a slow file can be told from one that never comes.
#[derive(Clone, Default)]
pub(super) struct Progress(Arc<AtomicU64>);

impl Progress {
    /// Something has arrived.
    pub(super) fn note(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// How often that was.
    pub(super) fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// The same bytes, while it is noted that they arrive.
    pub(super) fn of<R: Read>(&self, reader: R) -> impl Read {
        Watched(reader, self.clone())
    }
}

struct Watched<R>(R, Progress);

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let end = buffer.len().min(CHUNK);
        let bytes = self.0.read(&mut buffer[..end])?;
        self.1.note();
        Ok(bytes)
    }
}

/// The file of this name. A relative name is looked for in the working folder, then in `folder`;
/// one that is in neither is taken to be in the working folder.
pub(super) fn locate(name: &str, folder: Option<&Path>) -> PathBuf {
    let path = Path::new(name);
    let beside = folder.map(|folder| folder.join(path));
    beside
        .filter(|beside| !path.exists() && beside.exists())
        .unwrap_or(path.into())
}

/// What `parse` makes of a file of at most `limit` bytes, read from where [`locate`] finds it.
pub(super) fn load<T, E>(
    name: &str,
    folder: Option<&Path>,
    limit: u64,
    progress: &Progress,
    parse: impl FnOnce(Vec<u8>) -> Result<T, E>,
) -> Result<T, FileError<E>> {
    let path = locate(name, folder);
    let unreadable = |error: io::Error| FileError::Unreadable {
        path: path.clone(),
        kind: error.kind(),
    };
    let file = files::open(&path).map_err(unreadable)?;
    let bytes = file.metadata().map_err(unreadable)?.len();
    if bytes > limit {
        return Err(FileError::TooLarge { path, bytes, limit });
    }
    let mut content = Vec::new();
    let room = content.try_reserve_exact(bytes as usize);
    room.map_err(|error| unreadable(error.into()))?;
    // It may have grown since.
    let read = progress.of(file).take(limit).read_to_end(&mut content);
    read.map_err(unreadable)?;
    parse(content).map_err(|source| FileError::Malformed {
        name: name.to_owned(),
        source,
    })
}
