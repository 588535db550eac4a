//! The bytes of table files, which are larger than the memory: read piece by piece, where a probe
//! needs them, through a cache.
//!
//! Mapping the files instead would be simpler, but then a file that is cut short or cannot be read
//! while it is in use ends the process. Here it is as good as no table.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::files;
use crate::types::GOLDEN;

/// Bytes of a page of the cache.
const PAGE: usize = 4096;

/// Pages of the cache: 8 MiB, which hold the index of the tables that a search uses at a time.
const PAGES: usize = 2048;

/// Pages of files that were read last.
#[derive(Debug)]
pub(super) struct Cache {
    /// A page has its place by its file and its number there.
    pages: Vec<Mutex<Page>>,
}

#[derive(Debug, Default)]
struct Page {
    /// The file, and the number of the page in it; `None` if nothing was read yet.
    place: Option<(usize, u64)>,
    /// Shorter at the end of a file.
    bytes: Vec<u8>,
}

impl Cache {
    /// Nothing is in it, and it takes no memory yet.
    pub(super) fn new() -> Self {
        Self {
            pages: (0..PAGES).map(|_| Mutex::default()).collect(),
        }
    }
}

/// A file that is only read.
#[derive(Debug)]
pub(super) struct TableFile {
    file: File,
    /// Tells it from the others in the cache.
    number: usize,
    cache: Arc<Cache>,
}

impl TableFile {
    /// Opens a file; `number` is its own in this cache.
    pub(super) fn open(path: &Path, number: usize, cache: &Arc<Cache>) -> io::Result<Self> {
        Ok(Self {
            file: files::open(path)?,
            number,
            cache: Arc::clone(cache),
        })
    }

    /// Its size in bytes.
    pub(super) fn size(&self) -> io::Result<usize> {
        let size = self.file.metadata()?.len();
        usize::try_from(size).map_err(io::Error::other)
    }

    /// The first `len` bytes, or all if there are fewer; not through the cache.
    pub(super) fn beginning(&self, len: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; len.min(self.size()?)];
        let read = read_at(&self.file, 0, &mut bytes)?;
        bytes.truncate(read);
        Ok(bytes)
    }

    /// Fills `bytes` with those from `start` on; `None` if the file ends before or cannot be read.
    pub(super) fn read(&self, mut start: usize, mut bytes: &mut [u8]) -> Option<()> {
        while !bytes.is_empty() {
            let (number, within) = ((start / PAGE) as u64, start % PAGE);
            // Consecutive pages get places side by side, other files places elsewhere.
            let mixed = (self.number as u64).wrapping_mul(GOLDEN) >> 32;
            let index = (mixed + number) as usize % self.cache.pages.len();
            let page = self.cache.pages[index].lock();
            // A thread that panics while it reads leaves a page that is still not in use.
            let mut page = page.unwrap_or_else(PoisonError::into_inner);
            if page.place != Some((self.number, number)) {
                self.load(&mut page, number)?;
            }
            let found = page.bytes.get(within..)?;
            let count = found.len().min(bytes.len());
            if count == 0 {
                return None;
            }
            let (now, later) = bytes.split_at_mut(count);
            now.copy_from_slice(&found[..count]);
            start += count;
            bytes = later;
        }
        Some(())
    }

    fn load(&self, page: &mut Page, number: u64) -> Option<()> {
        page.place = None;
        page.bytes.resize(PAGE, 0);
        let read = read_at(&self.file, number * PAGE as u64, &mut page.bytes);
        page.bytes.truncate(*read.as_ref().unwrap_or(&0));
        if let Err(error) = read {
            log::warn!("an endgame table cannot be read: {error}");
            return None;
        }
        page.place = Some((self.number, number));
        Some(())
    }
}

/// Reads until `bytes` is full or the file ends, and returns how many there were.
fn read_at(file: &File, start: u64, bytes: &mut [u8]) -> io::Result<usize> {
    let mut done = 0;
    while done < bytes.len() {
        match read_some_at(file, start + done as u64, &mut bytes[done..]) {
            Ok(0) => break,
            Ok(count) => done += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

#[cfg(unix)]
fn read_some_at(file: &File, start: u64, bytes: &mut [u8]) -> io::Result<usize> {
    use std::os::unix::fs::FileExt as _;

    file.read_at(bytes, start)
}

#[cfg(windows)]
fn read_some_at(file: &File, start: u64, bytes: &mut [u8]) -> io::Result<usize> {
    use std::os::windows::fs::FileExt as _;

    file.seek_read(bytes, start)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn any_part_of_any_file_is_read_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Arc::new(Cache::new());
        let contents: Vec<Vec<u8>> = (0..3_u8)
            .map(|file| {
                let bytes = (0..3 * PAGE + 100).map(|at| (at / 7) as u8 ^ file);
                bytes.collect()
            })
            .collect();
        let open = |number: usize| {
            let path = folder.path().join(number.to_string());
            fs::write(&path, &contents[number]).unwrap();
            TableFile::open(&path, number, &cache).unwrap()
        };
        let files = [open(0), open(1), open(2)];
        for start in (0..3 * PAGE + 100).step_by(61) {
            for len in [1, 6, 64, 5000] {
                for (file, content) in files.iter().zip(&contents) {
                    let mut bytes = vec![0; len];
                    let read = file.read(start, &mut bytes).map(|()| &bytes[..]);
                    assert_eq!(read, content.get(start..start + len), "{start} {len}");
                }
            }
        }
        assert_eq!(files[0].beginning(10).unwrap(), contents[0][..10]);
        assert_eq!(files[0].beginning(1 << 20).unwrap(), contents[0]);
    }

    #[test]
    fn what_is_cut_off_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        fs::write(&path, vec![7; 3 * PAGE]).unwrap();
        let cache = Arc::new(Cache::new());
        let file = TableFile::open(&path, 0, &cache).unwrap();
        let mut bytes = [0; 8];
        assert!(file.read(0, &mut bytes).is_some());
        fs::OpenOptions::new()
            .write(true)
            .open(&path)
            .unwrap()
            .set_len(100)
            .unwrap();
        assert!(file.read(2 * PAGE, &mut bytes).is_none());
        assert!(file.read(usize::MAX - 10, &mut bytes).is_none());
    }
}
