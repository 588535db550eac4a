//! What can be wrong with a data file.

use std::io;
use std::path::{Path, PathBuf};

use orthrus_core::position::Variant;
use thiserror::Error;

use super::block::BlockFault;
use super::codec::EncodeError;
use super::manifest::MixedVariants;

/// What is wrong with a data file.
#[derive(Debug, Error)]
pub enum DataError {
    /// The system refused to read or write.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The first bytes are not those of a data file.
    #[error("{}: not a data file", .0.display())]
    Magic(PathBuf),
    /// The file was written by a later version.
    #[error("{}: version {found} of the format, this program reads {supported}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version this program reads.
        supported: u32,
    },
    /// The manifest in the header is damaged.
    #[error("{}: damaged manifest: {fault}", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: ManifestFault,
    },
    /// A block is damaged. Reading continues with the next one.
    #[error("{}: block at byte {offset}: {fault}", path.display())]
    Block {
        /// The file.
        path: PathBuf,
        /// Where the block begins.
        offset: u64,
        /// What is wrong with it.
        fault: BlockFault,
    },
    /// A file can only be continued by the run that began it.
    #[error("{}: made with other settings\n  by {found}\n  now {wanted}", path.display())]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// Its manifest.
        found: String,
        /// The manifest of the run that wants to continue it.
        wanted: String,
    },
    /// Another process is writing to the file.
    #[error("{}: another process is writing to it", .0.display())]
    InUse(PathBuf),
    /// A game cannot be written.
    #[error("{}: {error}", path.display())]
    Encode {
        /// The file.
        path: PathBuf,
        /// What is wrong with the game.
        error: EncodeError,
    },
}

/// What is wrong with a manifest.
#[derive(Debug, Error)]
pub enum ManifestFault {
    /// It would be longer than any manifest.
    #[error("a length of {0} bytes")]
    Length(u32),
    /// The file ends before it does.
    #[error("the file ends within it")]
    Truncated,
    /// Its checksum is another one.
    #[error("wrong checksum")]
    Checksum,
    /// The version of the format is not that of the game.
    #[error("version {version} of the format for games of {}", variant.name())]
    Version {
        /// The version.
        version: u32,
        /// The game.
        variant: Variant,
    },
    /// It names several games.
    #[error(transparent)]
    Mixed(#[from] MixedVariants),
    /// It is no JSON, or not that of a manifest.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

impl DataError {
    /// Names the file in which something failed.
    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        |error| Self::Io {
            path: path.to_owned(),
            error,
        }
    }
}
