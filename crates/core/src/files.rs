//! Opening files that users name. Pipes, devices and the like are refused: opening one may block
//! for ever, and reading it may never end.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a file for reading.
///
/// # Errors
///
/// If it cannot be opened; [`io::ErrorKind::Unsupported`] if it is a pipe, a device or the like,
/// [`io::ErrorKind::IsADirectory`] if it is a folder.
pub fn open(path: &Path) -> io::Result<File> {
    check_file(path)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;

        // What the name means may have changed since: opening a pipe must not wait.
        options.custom_flags(libc::O_NONBLOCK);
    }
    let file = options.open(path)?;
    check_opened(&file)?;
    Ok(file)
}

/// Makes sure that what has been opened is a file or a folder.
///
/// # Errors
///
/// [`io::ErrorKind::Unsupported`] if it is something else, or the system's error.
pub fn check_opened(file: &File) -> io::Result<()> {
    check_kind(&file.metadata()?)
}

/// Makes sure that this path, if it exists, is a file or a folder.
///
/// # Errors
///
/// [`io::ErrorKind::Unsupported`] if it is something else.
pub fn check(path: &Path) -> io::Result<()> {
    if is_device_name(path) {
        return Err(io::ErrorKind::Unsupported.into());
    }
    fs::metadata(path).map_or(Ok(()), |found| check_kind(&found))
}

/// Makes sure that this path, if it exists, is a file.
///
/// # Errors
///
/// As for [`open`].
pub fn check_file(path: &Path) -> io::Result<()> {
    check(path)?;
    refuse_folder(path)
}

/// Makes sure that this path is no folder: some systems open one, others say that there is no permission.
///
/// # Errors
///
/// [`io::ErrorKind::IsADirectory`] if it is one.
pub fn refuse_folder(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok(())
}

fn check_kind(found: &Metadata) -> io::Result<()> {
    if found.is_file() || found.is_dir() {
        Ok(())
    } else {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Whether the system opens a device or a pipe by this name, whatever files there are: Windows does.
pub fn is_device_name(path: &Path) -> bool {
    cfg!(windows) && is_device_of_windows(&path.to_string_lossy())
}

/// Whether Windows opens a device or a pipe by this name, in any folder and with any extension.
fn is_device_of_windows(path: &str) -> bool {
    let path = path.replace('/', "\\");
    let mut parts = path.split('\\');
    // Also `\\server\pipe\name`.
    let is_network = parts.next() == Some("") && parts.next() == Some("");
    let server = parts.next();
    let is_pipe = parts
        .next()
        .is_some_and(|share| share.eq_ignore_ascii_case("pipe"));
    if is_network && (server == Some(".") || is_pipe) {
        return true;
    }
    let name = path.rsplit('\\').next().unwrap_or_default();
    let stem = name.split(['.', ':']).next().unwrap_or(name);
    let stem = stem.trim_end().to_ascii_uppercase();
    let is_numbered = ["COM", "LPT"].iter().any(|kind| {
        let number = stem.strip_prefix(kind);
        let mut digits = number.unwrap_or_default().chars();
        let is_digit = |digit: char| digit.is_ascii_digit() || "\u{b9}\u{b2}\u{b3}".contains(digit);
        digits.next().is_some_and(is_digit) && digits.next().is_none()
    });
    is_numbered || ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(&stem.as_str())
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
        // Such as that of a disk that fails: std knows its number only.
        unnamed if unnamed == io::Error::from_raw_os_error(i32::MAX).kind() => {
            "the system fails".to_owned()
        }
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

    #[test]
    fn devices_of_windows_have_names() {
        for name in [
            "CON",
            "nul",
            "Nul .bin",
            r"C:\games\com1",
            "games/lpt9.txt",
            "COM1:",
            r"\\.\pipe\x",
            "//./COM12",
            r"\\localhost\PIPE\x",
            "COM\u{b9}",
            "conin$",
        ] {
            assert!(is_device_of_windows(name), "{name}");
        }
        for name in [
            "console",
            "com",
            "COM12",
            "nullbook.bin",
            r"C:\con\book.bin",
            r"\\server\books\pipe",
            "C:",
            "",
        ] {
            assert!(!is_device_of_windows(name), "{name}");
        }
        assert_eq!(is_device_name(Path::new("NUL")), cfg!(windows));
    }

    #[test]
    fn a_folder_is_not_opened() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(
            open(folder).unwrap_err().kind(),
            io::ErrorKind::IsADirectory
        );
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
