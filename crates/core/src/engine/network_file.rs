//! Networks out of files that users name.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use crate::evaluation::network::NetworkError;
use crate::evaluation::{CpuLevel, Network};

/// The largest file that is read: far above any network of ours, far below the memory.
const MAX_BYTES: u64 = 1 << 28;

/// Why a network file is not used.
#[derive(Debug, Error)]
pub(super) enum NetworkFileError {
    /// It cannot be read. The reason is a single word, so that no front end takes a system
    /// message for one of its own.
    #[error("cannot read network {}: {kind:?}", path.display())]
    Unreadable { path: PathBuf, kind: io::ErrorKind },
    #[error("network {} has {bytes} bytes, at most {MAX_BYTES} are read", path.display())]
    TooLarge { path: PathBuf, bytes: u64 },
    #[error("network {}: {source}", path.display())]
    Malformed { path: PathBuf, source: NetworkError },
}

/// Reads a network. A relative name is looked for in the working folder, then in `folder`.
pub(super) fn load(
    name: &str,
    folder: Option<&Path>,
    level: CpuLevel,
) -> Result<Arc<Network>, NetworkFileError> {
    let path = Path::new(name);
    let beside = folder.map(|folder| folder.join(path));
    let path = beside
        .filter(|beside| !path.exists() && beside.exists())
        .unwrap_or(path.into());
    let unreadable = |error: io::Error| NetworkFileError::Unreadable {
        path: path.clone(),
        kind: error.kind(),
    };
    let bytes = fs::metadata(&path).map_err(unreadable)?.len();
    if bytes > MAX_BYTES {
        return Err(NetworkFileError::TooLarge { path, bytes });
    }
    let content = fs::read(&path).map_err(unreadable)?;
    match Network::from_bytes(&content, level) {
        Ok(network) => Ok(Arc::new(network)),
        Err(source) => Err(NetworkFileError::Malformed { path, source }),
    }
}
