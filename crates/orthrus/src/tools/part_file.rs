//! Files that are complete at every moment: written under another name, and moved into place at the
//! end. An earlier file stays until then, and may even be the one that is read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A file that is being written. It is removed if dropped before it is in its place.
pub(crate) struct PartFile {
    file: File,
    /// The name it has until it is in its place; `None` if it is there.
    part: Option<PathBuf>,
    place: PathBuf,
    /// The name that users gave: the same, or a link to it.
    name: PathBuf,
}

impl PartFile {
    /// Begins to write the file `name`, with the permissions of an earlier one. A link stays a
    /// link; what is not a regular file, such as a pipe, is written to directly.
    pub(crate) fn create(name: &Path) -> Result<Self, Failure> {
        let place = fs::canonicalize(name).unwrap_or_else(|_| linked(name));
        let found = fs::metadata(&place).ok();
        let (file, part) = if found.as_ref().is_some_and(|found| !found.is_file()) {
            let file = OpenOptions::new().write(true).open(&place);
            (file.map_err(Failure::writing(name))?, None)
        } else {
            let (file, part) = create_part(&place).map_err(Failure::writing(name))?;
            (file, Some(part))
        };
        let output = Self {
            file,
            part,
            place,
            name: name.to_owned(),
        };
        if let Some(found) = found.filter(|_| output.part.is_some()) {
            let set = output.file.set_permissions(found.permissions());
            set.map_err(Failure::writing(name))?;
        }
        Ok(output)
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.file.write_all(bytes);
        written.map_err(Failure::writing(&self.name))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.name
    }

    /// Whether this file is to replace the one that users call `name`.
    pub(crate) fn replaces(&self, name: &Path) -> bool {
        fs::canonicalize(name).is_ok_and(|place| place == self.place)
    }

    /// Leaves the completely written file under its present name, which is returned.
    pub(crate) fn stay(mut self) -> PathBuf {
        self.part.take().unwrap_or_else(|| self.place.clone())
    }

    /// Moves the completely written file into its place; but if it holds only what was done until
    /// an interrupt, and there is an earlier file, both stay where they are.
    pub(crate) fn finish(mut self, interrupted: bool) -> Result<(), Failure> {
        let Some(part) = &self.part else {
            return Ok(());
        };
        if interrupted && fs::metadata(&self.place).is_ok_and(|found| found.len() > 0) {
            let file = self.name.clone();
            let result = self.stay();
            return Err(Failure::Partial { file, result });
        }
        // Before the old one goes: a power failure should not leave an empty file. If the file
        // system cannot do this, all is written nevertheless.
        let _ = self.file.sync_all();
        match fs::rename(part, &self.place) {
            Ok(()) => {
                self.part = None;
                Ok(())
            }
            Err(source) => {
                let file = self.name.clone();
                let result = self.stay();
                Err(Failure::NotInPlace {
                    file,
                    source,
                    result,
                })
            }
        }
    }
}

/// Where a file that is not there yet belongs: the target of a link, or the name itself.
fn linked(name: &Path) -> PathBuf {
    let target = fs::read_link(name).map(|target| name.with_file_name(target));
    target.unwrap_or_else(|_| name.to_owned())
}

/// A new file next to `place`. An existing file of such a name is left alone: it was kept earlier,
/// or another process is writing it.
fn create_part(place: &Path) -> io::Result<(File, PathBuf)> {
    let (mut ending, mut number) = (".part".to_owned(), 1);
    loop {
        let mut name = place.file_name().unwrap_or_default().to_owned();
        name.push(&ending);
        let part = place.with_file_name(name);
        match File::create_new(&part) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => return created.map(|file| (file, part)),
        }
        number += 1;
        ending = format!(".part{number}");
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            // It is of no use any more; the error to report is the one that led here.
            let _ = fs::remove_file(part);
        }
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
    use std::process::Command;
    use std::thread;

    use super::*;

    fn write(name: &Path, text: &str) {
        let mut file = PartFile::create(name).unwrap();
        file.write(text.as_bytes()).unwrap();
        file.finish(false).unwrap();
    }

    #[test]
    fn an_interrupt_replaces_nothing_whole() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path();
        let interrupted = |name: &str| {
            let mut file = PartFile::create(&folder.join(name)).unwrap();
            file.write(b"part").unwrap();
            file.finish(true)
        };
        let content = |name| fs::read_to_string(folder.join(name)).unwrap();
        fs::write(folder.join("whole"), "whole").unwrap();
        fs::write(folder.join("empty"), "").unwrap();
        assert!(interrupted("missing").is_ok() && interrupted("empty").is_ok());
        assert_eq!([content("missing"), content("empty")], ["part", "part"]);
        let kept = interrupted("whole").unwrap_err();
        assert!(matches!(kept, Failure::Partial { .. }), "{kept}");
        assert_eq!([content("whole"), content("whole.part")], ["whole", "part"]);
    }

    #[test]
    fn what_cannot_be_moved_into_place_is_kept() {
        let scratch = tempfile::tempdir().unwrap();
        let name = scratch.path().join("games");
        let mut file = PartFile::create(&name).unwrap();
        file.write(b"all of it").unwrap();
        // Nothing takes the place of a folder.
        fs::create_dir(&name).unwrap();
        let failure = file.finish(false).unwrap_err();
        let Failure::NotInPlace { result, .. } = failure else {
            panic!("{failure}");
        };
        assert_eq!(fs::read_to_string(result).unwrap(), "all of it");
    }

    #[test]
    fn what_stands_there_stays_what_it_is() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path();
        let [file, link, pipe] = ["file", "link", "pipe"].map(|name| folder.join(name));

        write(&file, "new");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        symlink("file", &link).unwrap();
        write(&link, "newer");
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "newer");
        let early = folder.join("early");
        symlink("later", &early).unwrap();
        write(&early, "there");
        assert!(early.is_symlink());
        assert_eq!(fs::read_to_string(folder.join("later")).unwrap(), "there");
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);

        assert!(
            Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        let reader = thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        write(&pipe, "told");
        assert_eq!(reader.join().unwrap(), "told");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());

        let kept = PartFile::create(&file).unwrap().stay();
        fs::write(&kept, "kept").unwrap();
        drop(PartFile::create(&file).unwrap());
        write(&file, "newest");
        assert_eq!(fs::read_to_string(&kept).unwrap(), "kept");
        assert_eq!(fs::read_dir(folder).unwrap().count(), 6);
    }
}
