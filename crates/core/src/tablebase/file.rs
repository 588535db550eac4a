//! The bytes of a table file. One of the modules with `unsafe` that docs/architecture.md lists.
#![allow(
    unsafe_code,
    reason = "tables are larger than the memory and must be mapped"
)]

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use memmap2::Mmap;

use crate::files;

/// The bytes of a file that is only read.
#[derive(Debug)]
pub(super) enum Bytes {
    /// Mapped: read from the disk when first touched, and shared with other processes.
    Mapped(Mmap),
    /// Read completely, if the system cannot map the file.
    Read(Vec<u8>),
}

impl Bytes {
    /// Opens a file.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let mut file = files::open(path)?;
        // SAFETY: the map is only read, byte for byte and with checked indices, so that any content
        // will do. The file must not be changed or truncated while it is in use; as with every
        // program that maps files, that is left to the user, as docs/architecture.md says.
        match unsafe { Mmap::map(&file) } {
            Ok(map) => Ok(Self::Mapped(map)),
            Err(_) => Self::read(&mut file),
        }
    }

    fn read(file: &mut File) -> io::Result<Self> {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(Self::Read(bytes))
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Read(bytes) => bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapped_file_has_the_bytes_of_a_read_one() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let mapped = Bytes::open(&path).expect("the file is there");
        let read = Bytes::read(&mut File::open(&path).expect("the file is there"));
        assert!(matches!(mapped, Bytes::Mapped(_)));
        assert_eq!(mapped.as_ref(), read.expect("it can be read").as_ref());
    }
}
