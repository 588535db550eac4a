//! Files that users name in options.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

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
    parse: impl FnOnce(&[u8]) -> Result<T, E>,
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
    // It may have grown since.
    let mut content = Vec::new();
    let read = file.take(limit).read_to_end(&mut content);
    read.map_err(unreadable)?;
    parse(&content).map_err(|source| FileError::Malformed {
        name: name.to_owned(),
        source,
    })
}
