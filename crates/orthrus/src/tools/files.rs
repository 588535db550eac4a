//! Reading files that users name on the command line.

use std::fs::{self, File, Metadata};
use std::io::{self, BufRead as _, BufReader, Read};
use std::iter;
use std::path::Path;

#[cfg(not(unix))]
use orthrus_core::files;

use crate::failure::Failure;
use crate::streams;
use crate::text::{decode, is_standard_stream};

/// The largest file that is read as a whole, as for the option `Book File`. Games are read one by
/// one, and may be any number.
const MAX_BYTES: u64 = 1 << 30;

/// What a file holds, or standard input.
pub(crate) struct Source {
    /// Not buffered.
    pub(crate) reader: Box<dyn Read + Send>,
    /// The size of the file; `None` if it is no regular file.
    pub(crate) bytes: Option<u64>,
}

/// Opens a file for reading bit by bit; it may be a pipe or a device.
pub(crate) fn open(file: &Path) -> Result<Source, Failure> {
    open_unless(file, |_| false)
}

/// Opens a file, but nothing that `is_refused`, and no folder.
fn open_unless(file: &Path, is_refused: impl Fn(&Metadata) -> bool) -> Result<Source, Failure> {
    if is_standard_stream(file) {
        return Ok(Source {
            reader: Box::new(streams::stdin()),
            bytes: None,
        });
    }
    let failed = Failure::reading(file);
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
pub(crate) fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    let source = open_unless(file, |found| is_device(file, found))?;
    let content = if source.bytes.is_some_and(|bytes| bytes > MAX_BYTES) {
        None
    } else {
        read_up_to(MAX_BYTES, source.reader).map_err(Failure::reading(file))?
    };
    content.ok_or_else(|| Failure::TooLarge {
        file: file.to_owned(),
        limit: MAX_BYTES,
    })
}

/// What a file is instead of text, by its first bytes, with what to do about it; `None` if it may be
/// text.
pub(crate) fn not_text(beginning: &[u8]) -> Option<&'static str> {
    match beginning {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("text in UTF-16; save it as UTF-8"),
        [0x1f, 0x8b, ..] | [b'P', b'K', 3, 4, ..] | [b'B', b'Z', b'h', ..] => {
            Some("compressed; unpack it first")
        }
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Some("compressed with zstd; unpack it first"),
        _ => None,
    }
}

/// The lines of a text file, one after the other: only the longest has to fit into memory, and may
/// be as long as [`read`] allows a file to be. It may be a pipe, but no device.
///
/// # Errors
///
/// It cannot be opened. Each line may then be one that cannot be read, after which no more follow.
pub(crate) fn lines(
    file: &Path,
) -> Result<impl Iterator<Item = Result<String, Failure>> + use<>, Failure> {
    let source = open_unless(file, |found| is_device(file, found))?;
    let failed = Failure::reading(file);
    let file = file.to_owned();
    let mut reader = BufReader::new(source.reader.take(MAX_BYTES + 1));
    let mut read = 0;
    let mut line = Vec::new();
    Ok(iter::from_fn(move || {
        line.clear();
        match reader.read_until(b'\n', &mut line) {
            Ok(0) => None,
            Ok(bytes) => {
                if read == 0
                    && let Some(format) = not_text(&line)
                {
                    let file = file.clone();
                    return Some(Err(Failure::OtherFormat { file, format }));
                }
                read += bytes as u64;
                if read > MAX_BYTES {
                    let (file, limit) = (file.clone(), MAX_BYTES);
                    return Some(Err(Failure::TooLarge { file, limit }));
                }
                Some(Ok(decode(line.strip_suffix(b"\n").unwrap_or(&line))))
            }
            Err(error) => Some(Err(failed(error))),
        }
    }))
}

/// What can be read; `None` if it is more than this many bytes.
fn read_up_to(limit: u64, reader: impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut content = Vec::new();
    let read = reader.take(limit + 1).read_to_end(&mut content)? as u64;
    Ok((read <= limit).then_some(content))
}

#[cfg(unix)]
fn is_device(_file: &Path, found: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;

    let kind = found.file_type();
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(file: &Path, _found: &Metadata) -> bool {
    files::is_device_name(file)
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
        let lines: Result<Vec<String>, Failure> = lines(&path).unwrap().collect();
        fs::remove_file(&path).unwrap();
        assert_eq!(lines.unwrap(), ["Réti\r", "Grünfeld"]);
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
