//! The file that experience is kept in.
//!
//! A heading, then records of equal size. A new record is written after the last in one piece, so
//! that a kill at any moment leaves at most one incomplete record, which its checksum gives away
//! and the next one replaces. In a full file, a new record replaces the oldest.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::engine::named_file::Progress;
use crate::files;
use crate::position::Position;
use crate::types::{Key, Move, Score};

/// The most records that a file holds: 12 MiB.
pub const MAX_RECORDS: u32 = 1 << 19;

/// The highest number of a record: more than any engine writes, and far from what the number's four
/// bytes can hold, beyond which records would overwrite each other.
const MAX_NUMBER: u32 = u32::MAX / 2;

const HEADING_BYTES: usize = 16;

/// What a file begins with: its kind, and the key of the initial position, so that a file with
/// other Zobrist keys is noticed.
fn heading() -> [u8; HEADING_BYTES] {
    let mut bytes = *b"ORTHEXP1\0\0\0\0\0\0\0\0";
    bytes[8..].copy_from_slice(&Position::startpos().key().0.to_le_bytes());
    bytes
}

/// What a search has found out about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The position's key.
    pub key: Key,
    /// The move played there.
    pub mv: Move,
    /// What the move is worth to the side that made it, or less if the opponent has better.
    pub score: Score,
    /// The depth of that search in plies, 1 to 255.
    pub depth: u8,
}

const RECORD_BYTES: usize = 24;

/// From the start: key (8), number (4), move (2), score (2), depth (1), zeros (3), checksum of all
/// these (4); all little-endian.
type RecordBytes = [u8; RECORD_BYTES];

impl Record {
    /// The bytes of the record with this number: records are numbered from 0, and the newest has
    /// the highest number.
    fn to_bytes(self, number: u32) -> RecordBytes {
        let mut bytes = [0; RECORD_BYTES];
        bytes[..8].copy_from_slice(&self.key.0.to_le_bytes());
        bytes[8..12].copy_from_slice(&number.to_le_bytes());
        bytes[12..14].copy_from_slice(&self.mv.bits().to_le_bytes());
        bytes[14..16].copy_from_slice(&(self.score.value() as i16).to_le_bytes());
        bytes[16] = self.depth;
        let checksum = crc32fast::hash(&bytes[..20]);
        bytes[20..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// The record and its number; `None` for anything that [`Self::to_bytes`] has not written, such
    /// as half of a record.
    fn from_bytes(bytes: &RecordBytes) -> Option<(u32, Self)> {
        let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| bytes[at + i]));
        let half = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        if word(20) != crc32fast::hash(&bytes[..20]) {
            return None;
        }
        let record = Self {
            key: Key(u64::from(word(0)) | u64::from(word(4)) << 32),
            mv: Move::from_bits(half(12))?,
            score: Score::from_value((half(14) as i16).into())?,
            depth: bytes[16],
        };
        let is_possible = record.score.value().abs() < Score::MATE.value() && record.depth > 0;
        is_possible.then_some((word(8), record))
    }
}

/// Why experience cannot be used.
#[derive(Debug, Error)]
pub enum ExperienceError {
    /// It cannot be opened, read or written.
    #[error("cannot use experience {}: {}", .0.display(), files::reason(.1.kind()))]
    Io(PathBuf, #[source] io::Error),
    /// Another process has it open for writing.
    #[error("experience {} is in use by another process", .0.display())]
    InUse(PathBuf),
    /// It is not an experience file, or one of another version; it is left as it is.
    #[error("{} holds no experience of this version", .0.display())]
    Foreign(PathBuf),
    /// No further record can be numbered; no engine gets there, but a changed file may.
    #[error("experience {} takes no more records", .0.display())]
    Full(PathBuf),
}

impl ExperienceError {
    fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        |source| Self::Io(path.to_owned(), source)
    }
}

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// The records, oldest first.
    pub records: Vec<Record>,
    /// How many records are damaged, an incomplete one at the end not counted.
    pub damaged: usize,
    next: u32,
}

/// Reads a file; nothing is changed.
///
/// # Errors
///
/// If it cannot be read, or holds something else.
pub fn read(path: &Path) -> Result<Contents, ExperienceError> {
    let file = files::open(path).map_err(ExperienceError::io(path))?;
    parse(&read_all(file, path)?).ok_or_else(|| ExperienceError::Foreign(path.to_owned()))
}

/// Reads what the largest file holds, and one byte more: a file that has it is not ours.
fn read_all(file: impl Read, path: &Path) -> Result<Vec<u8>, ExperienceError> {
    let most = HEADING_BYTES + MAX_RECORDS as usize * RECORD_BYTES + 1;
    let mut bytes = Vec::new();
    file.take(most as u64)
        .read_to_end(&mut bytes)
        .map_err(ExperienceError::io(path))?;
    Ok(bytes)
}

/// `None` if the bytes are something else. A truncated heading counts as an empty file.
fn parse(bytes: &[u8]) -> Option<Contents> {
    let heading = heading();
    let Some((first, rest)) = bytes.split_first_chunk::<HEADING_BYTES>() else {
        return heading.starts_with(bytes).then(Contents::default);
    };
    let (records, _) = rest.as_chunks::<RECORD_BYTES>();
    if *first != heading || rest.len() > MAX_RECORDS as usize * RECORD_BYTES {
        return None;
    }
    let mut numbered: Vec<(u32, Record)> = (0..)
        .zip(records)
        .filter_map(|(place, bytes)| own(place, bytes))
        .collect();
    let damaged = records.len() - numbered.len();
    numbered.sort_unstable_by_key(|&(number, _)| number);
    let next = numbered.last().map_or(0, |&(number, _)| number + 1);
    Some(Contents {
        records: numbered.into_iter().map(|(_, record)| record).collect(),
        damaged,
        next,
    })
}

/// The record in this place, if it is intact and belongs there.
fn own(place: u32, bytes: &RecordBytes) -> Option<(u32, Record)> {
    Record::from_bytes(bytes)
        .filter(|&(number, _)| number <= MAX_NUMBER && number % MAX_RECORDS == place)
}

/// A file open for writing; no other process has it.
#[derive(Debug)]
pub struct ExperienceFile {
    file: File,
    path: PathBuf,
    next: u32,
}

impl ExperienceFile {
    /// Opens a file, or makes an empty one, and reads what it holds.
    ///
    /// # Errors
    ///
    /// If it cannot be read and written, is in use, or holds something else.
    pub fn open(path: &Path) -> Result<(Self, Contents), ExperienceError> {
        Self::open_watched(path, &Progress::default())
    }

    /// The same, while it is noted that the records arrive.
    pub(in crate::engine) fn open_watched(
        path: &Path,
        progress: &Progress,
    ) -> Result<(Self, Contents), ExperienceError> {
        let failed = ExperienceError::io(path);
        files::check_file(path).map_err(&failed)?;
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(&failed)?;
        // What the name means may have changed since.
        files::check_opened(&file).map_err(&failed)?;
        let path = path.to_owned();
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ExperienceError::InUse(path)),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let bytes = read_all(progress.of(&file), &path)?;
        let Some(contents) = parse(&bytes) else {
            return Err(ExperienceError::Foreign(path));
        };
        if bytes.len() < HEADING_BYTES {
            file.rewind()
                .and_then(|()| file.write_all(&heading()))
                .map_err(&failed)?;
        }
        let next = contents.next;
        Ok((Self { file, path, next }, contents))
    }

    /// Writes a record; from then on it survives the end of this process.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or its numbers are used up; earlier records stay intact.
    pub fn append(&mut self, record: Record) -> Result<(), ExperienceError> {
        if self.next > MAX_NUMBER {
            return Err(ExperienceError::Full(self.path.clone()));
        }
        let place = HEADING_BYTES + (self.next % MAX_RECORDS) as usize * RECORD_BYTES;
        let bytes = record.to_bytes(self.next);
        self.file
            .seek(SeekFrom::Start(place as u64))
            .and_then(|_| self.file.write_all(&bytes))
            .map_err(ExperienceError::io(&self.path))?;
        self.next += 1;
        Ok(())
    }

    /// Makes the records survive a power failure as well.
    ///
    /// # Errors
    ///
    /// If the system cannot.
    pub fn sync(&self) -> Result<(), ExperienceError> {
        self.file
            .sync_data()
            .map_err(ExperienceError::io(&self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    #[test]
    fn numbers_end_before_records_overwrite_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("experience");
        let record = Record {
            key: Key(1),
            mv: Move::new(Square::E2, Square::E4, MoveKind::DoublePush),
            score: Score::DRAW,
            depth: 9,
        };
        let with_number = |number: u32| {
            let place = (number % MAX_RECORDS) as usize;
            let mut bytes = heading().to_vec();
            bytes.resize(HEADING_BYTES + place * RECORD_BYTES, 0);
            bytes.extend(record.to_bytes(number));
            std::fs::write(&path, bytes).unwrap();
        };
        // One that is too high is none of ours: those that follow have numbers of their own.
        with_number(u32::MAX);
        let (mut file, contents) = ExperienceFile::open(&path).unwrap();
        assert!(contents.records.is_empty() && contents.damaged > 0);
        file.append(record).unwrap();
        file.append(record).unwrap();
        drop(file);
        assert_eq!(read(&path).unwrap().records.len(), 2);

        with_number(MAX_NUMBER - 1);
        let (mut file, contents) = ExperienceFile::open(&path).unwrap();
        assert_eq!(contents.records, [record]);
        file.append(record).unwrap();
        let refused = file.append(record);
        assert!(
            matches!(refused, Err(ExperienceError::Full(_))),
            "{refused:?}"
        );
        drop(file);
        assert_eq!(read(&path).unwrap().records.len(), 2);
    }

    #[test]
    fn survives_as_bytes_and_notices_damage() {
        let record = Record {
            key: Key(0x0123_4567_89ab_cdef),
            mv: Move::new(Square::E2, Square::E4, MoveKind::DoublePush),
            score: Score::centipawns(-321),
            depth: 17,
        };
        let bytes = record.to_bytes(70_000);
        assert_eq!(Record::from_bytes(&bytes), Some((70_000, record)));
        for place in 0..RECORD_BYTES {
            let mut damaged = bytes;
            damaged[place] ^= 0x10;
            assert_eq!(Record::from_bytes(&damaged), None, "byte {place}");
        }
    }
}
