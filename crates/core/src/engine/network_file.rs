//! Networks from files that users name.

use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use super::named_file::{self, FileError};
use crate::evaluation::network::NetworkError;
use crate::evaluation::{CpuLevel, Network};

/// The largest file that is read: far above any network of ours, far below the memory.
const MAX_BYTES: u64 = 1 << 28;

/// Why a network file is not used.
#[derive(Debug, Error)]
pub(super) enum NetworkFileError {
    #[error("network {0}")]
    File(#[from] FileError),
    #[error("network {name}: {source}")]
    Malformed { name: String, source: NetworkError },
}

/// Reads a network. A relative name is looked for in the working folder, then in `folder`.
pub(super) fn load(
    name: &str,
    folder: Option<&Path>,
    level: CpuLevel,
) -> Result<Arc<Network>, NetworkFileError> {
    let content = named_file::read(name, folder, MAX_BYTES)?;
    match Network::from_bytes(&content, level) {
        Ok(network) => Ok(Arc::new(network)),
        Err(source) => Err(NetworkFileError::Malformed {
            name: name.to_owned(),
            source,
        }),
    }
}
