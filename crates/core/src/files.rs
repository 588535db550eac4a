//! Opening files that users name. Pipes, devices and the like are refused: opening one may block
//! for ever, and reading it may never end.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Opens a file for reading.
///
/// # Errors
///
/// If it cannot be opened; [`io::ErrorKind::Unsupported`] if it is a pipe, a device or the like.
pub fn open(path: &Path) -> io::Result<File> {
    check(path)?;
    File::open(path)
}

/// Makes sure that this path, if it exists, is a file or a folder.
///
/// # Errors
///
/// [`io::ErrorKind::Unsupported`] if it is something else.
pub fn check(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() && !found.is_dir() => Err(io::ErrorKind::Unsupported.into()),
        _ => Ok(()),
    }
}

/// Why a file cannot be used, in fixed words: the system's own may look like a message of a
/// protocol, and differ between systems.
pub fn reason(kind: io::ErrorKind) -> String {
    match kind {
        io::ErrorKind::NotFound => "not found".to_owned(),
        io::ErrorKind::PermissionDenied => "no permission".to_owned(),
        io::ErrorKind::IsADirectory => "a folder".to_owned(),
        io::ErrorKind::NotADirectory => "not a folder".to_owned(),
        io::ErrorKind::Unsupported => "neither a file nor a folder".to_owned(),
        io::ErrorKind::StorageFull => "no space left".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_opened() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        assert!(open(&path).is_ok());
        let kind = |path: &str| open(Path::new(path)).unwrap_err().kind();
        assert_eq!(kind("/no/such/file"), io::ErrorKind::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn what_has_no_end_is_refused() {
        let kind = |path: &str| open(Path::new(path)).unwrap_err().kind();
        assert_eq!(kind("/dev/zero"), io::ErrorKind::Unsupported);
        assert!(check(Path::new("/no/such/file")).is_ok());
        assert!(check(Path::new("/")).is_ok());
    }
}
