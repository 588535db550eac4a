//! Files of one test.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A folder that is removed, with all that is in it, when this is dropped.
#[derive(Debug)]
pub struct Scratch(TempDir);

impl Scratch {
    /// An empty folder.
    ///
    /// # Panics
    ///
    /// If none can be made.
    #[expect(clippy::new_without_default, reason = "it makes a folder")]
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder for the test"))
    }

    /// An empty folder in memory, if the system has such a place: for many runs.
    ///
    /// # Panics
    ///
    /// If none can be made.
    pub fn in_memory() -> Self {
        let memory = Path::new("/dev/shm");
        if memory.is_dir() {
            Self(tempfile::tempdir_in(memory).expect("a folder in memory"))
        } else {
            Self::new()
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file in the folder, which need not exist.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// The same as text.
    ///
    /// # Panics
    ///
    /// If the folder's name is no text.
    pub fn name(&self, name: &str) -> String {
        let path = self.path(name);
        path.to_str().expect("the folder's name is text").to_owned()
    }

    /// Writes a file, and returns its path.
    ///
    /// # Panics
    ///
    /// If it cannot be written.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), content).expect("a file for the test");
        self.name(name)
    }
}
