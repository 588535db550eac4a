//! Files that users name on the command line: how they are read, and what may be wrong with them.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use orthrus_pgn::ReadError;
use thiserror::Error;

use crate::text::decode;

/// Means standard input, or standard output, instead of a file.
const STANDARD_STREAM: &str = "-";

/// The largest file that is read as a whole, as for the option `Book File`. Games are read one by
/// one, and may be any number.
const MAX_BYTES: u64 = 1 << 30;

/// Why a file is not read or written.
#[derive(Debug, Error)]
pub(crate) enum FileError {
    /// It cannot be read.
    #[error("cannot read {}: {source}", shown(file))]
    Read { file: PathBuf, source: io::Error },
    /// It cannot be read as a whole.
    #[error("{} has more than {MAX_BYTES} bytes", shown(.0))]
    TooLarge(PathBuf),
    /// It cannot be written.
    #[error("cannot write {}: {source}", file.display())]
    Write { file: PathBuf, source: io::Error },
    /// Its games cannot be read to the end.
    #[error("{}: {source}", shown(file))]
    Games { file: PathBuf, source: ReadError },
    /// It holds nothing of use.
    #[error("{} has no game that can be read", shown(.0))]
    NoGame(PathBuf),
    /// Ctrl-C came before there was anything of use.
    #[error("interrupted before the first game")]
    Interrupted,
    /// Ctrl-C would have replaced a whole result by part of one.
    #[error(
        "interrupted: {} stays as it is; the result so far is in {}",
        file.display(),
        result.display()
    )]
    Kept { file: PathBuf, result: PathBuf },
}

impl FileError {
    /// What the system says about reading this file.
    pub(crate) fn reading(file: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Read {
            file: file.to_owned(),
            source,
        }
    }

    /// What the system says about writing this file.
    pub(crate) fn writing(file: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Write {
            file: file.to_owned(),
            source,
        }
    }

    /// Why no game of this file is of use.
    pub(crate) fn no_game(file: &Path, interrupted: bool) -> Self {
        if interrupted {
            Self::Interrupted
        } else {
            Self::NoGame(file.to_owned())
        }
    }

    /// Why there are no more games in this file.
    pub(crate) fn games(file: &Path) -> impl Fn(ReadError) -> Self {
        move |source| Self::Games {
            file: file.to_owned(),
            source,
        }
    }
}

/// Whether users mean standard input or standard output by this name.
pub(crate) fn is_standard_stream(file: &Path) -> bool {
    file == Path::new(STANDARD_STREAM)
}

/// The name of a file to read, as users know it.
pub(crate) fn shown(file: &Path) -> String {
    if is_standard_stream(file) {
        "standard input".to_owned()
    } else {
        file.display().to_string()
    }
}

/// What a file holds, or standard input.
pub(crate) struct Source {
    /// Not buffered.
    pub(crate) reader: Box<dyn Read + Send>,
    /// The size of the file; `None` if it is no regular file.
    pub(crate) bytes: Option<u64>,
}

/// Opens a file for reading bit by bit; it may be a pipe or a device.
///
/// # Errors
///
/// It cannot be opened, or is a folder.
pub(crate) fn open(file: &Path) -> Result<Source, FileError> {
    open_unless(file, |_| false)
}

/// Opens a file, but nothing that `is_refused`, and no folder.
fn open_unless(file: &Path, is_refused: impl Fn(&Metadata) -> bool) -> Result<Source, FileError> {
    if is_standard_stream(file) {
        return Ok(Source {
            reader: Box::new(io::stdin()),
            bytes: None,
        });
    }
    let failed = FileError::reading(file);
    let found = fs::metadata(file).map_err(&failed)?;
    // Some systems open a folder, and fail only when it is read.
    if found.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    if is_refused(&found) {
        return Err(failed(io::ErrorKind::Unsupported.into()));
    }
    let reader = File::open(file).map_err(failed)?;
    Ok(Source {
        reader: Box::new(reader),
        bytes: found.is_file().then_some(found.len()),
    })
}

/// Reads a file as a whole. It may be a pipe, such as a shell makes of the output of a program, but
/// no device, which may have no end.
///
/// # Errors
///
/// It cannot be read, or is too large.
pub(crate) fn read(file: &Path) -> Result<Vec<u8>, FileError> {
    let input = open_unless(file, is_device)?;
    let too_large = || FileError::TooLarge(file.to_owned());
    if input.bytes.is_some_and(|bytes| bytes > MAX_BYTES) {
        return Err(too_large());
    }
    read_up_to(MAX_BYTES, input.reader)
        .map_err(FileError::reading(file))?
        .ok_or_else(too_large)
}

/// The lines of a text file, which [`read`] reads.
///
/// # Errors
///
/// As for [`read`].
pub(crate) fn read_lines(file: &Path) -> Result<Vec<String>, FileError> {
    let content = read(file)?;
    Ok(content.split(|&byte| byte == b'\n').map(decode).collect())
}

/// What can be read; `None` if it is more than this many bytes.
fn read_up_to(limit: u64, reader: impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut content = Vec::new();
    let read = reader.take(limit + 1).read_to_end(&mut content)? as u64;
    Ok((read <= limit).then_some(content))
}

#[cfg(unix)]
fn is_device(found: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;

    let kind = found.file_type();
    kind.is_char_device() || kind.is_block_device()
}

/// Devices have no names in the file system here.
#[cfg(not(unix))]
fn is_device(_found: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_the_limit_is_not_read() {
        let read = |limit| read_up_to(limit, &b"12345"[..]).unwrap();
        assert_eq!(read(5).as_deref(), Some(&b"12345"[..]));
        assert_eq!(read(4), None);
        let endless = read_up_to(1000, io::repeat(b'1')).unwrap();
        assert_eq!(endless, None);
    }

    #[test]
    fn text_is_utf_8_or_latin_1() {
        let name = format!("orthrus-{}-lines", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, b"\xef\xbb\xbfR\xc3\xa9ti\r\nGr\xfcnfeld\n").unwrap();
        let lines = read_lines(&path);
        fs::remove_file(&path).unwrap();
        assert_eq!(lines.unwrap(), ["Réti\r", "Grünfeld", ""]);
    }

    #[test]
    fn a_folder_is_no_file() {
        let folder = std::env::temp_dir();
        let name = folder.display();
        let expected = format!("cannot read {name}: is a directory");
        let refused = [open(&folder).err(), read(&folder).err()];
        for error in refused.into_iter().map(Option::unwrap) {
            assert_eq!(error.to_string(), expected);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_not_read_as_a_whole() {
        let zeros = Path::new("/dev/zero");
        let refused = read(zeros).unwrap_err().to_string();
        assert_eq!(refused, "cannot read /dev/zero: unsupported");
        assert!(open(zeros).is_ok());
    }
}
