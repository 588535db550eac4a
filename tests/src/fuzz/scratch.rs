//! Files that a target writes and reads back.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder of one run of a target, removed at the end.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// An empty folder of this name in this process; in memory for speed, if the system has such a
    /// place.
    pub(super) fn new(name: &str) -> Self {
        let memory = Path::new("/dev/shm");
        let place = if memory.is_dir() {
            memory.to_owned()
        } else {
            std::env::temp_dir()
        };
        let folder = format!("orthrus-fuzz-{}-{name}", std::process::id());
        let path = place.join(folder);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder for the target");
        Self(path)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file.
    pub(super) fn write(&self, name: &str, content: &[u8]) {
        fs::write(self.0.join(name), content).expect("a file for the target");
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder left behind does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}
