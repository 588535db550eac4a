//! Files that are whole at every moment: written under another name, and put in their place when
//! they are complete. What stood there before stays until then, and may even be what is read.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A file that is being written. Dropped before it has found its place, it is removed.
pub(crate) struct PartFile {
    /// The name it has until then.
    part: PathBuf,
    /// The name it is for.
    file: PathBuf,
    in_place: bool,
}

impl PartFile {
    /// Begins to write what is to be `file`.
    pub(crate) fn create(file: &Path) -> io::Result<(Self, File)> {
        let mut name = file.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        let part = file.with_file_name(name);
        let output = File::create(&part)?;
        let file = file.to_owned();
        let in_place = false;
        Ok((
            Self {
                part,
                file,
                in_place,
            },
            output,
        ))
    }

    /// The name the file is for.
    pub(crate) fn path(&self) -> &Path {
        &self.file
    }

    /// Puts the file, all of which is written, in its place.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        fs::rename(&self.part, &self.file)?;
        self.in_place = true;
        Ok(())
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        if !self.in_place {
            // It is of no use any more; why it came to that is the error to tell.
            let _ = fs::remove_file(&self.part);
        }
    }
}
