//! Books in memory, read from files.

use thiserror::Error;

use super::entry::{BookMove, ENTRY_SIZE, Entry};
use super::key::{BookKey, position_key};
use crate::position::{Position, Variant};

/// Why a file is not a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BookError {
    /// It is shorter than one entry.
    #[error("{0} bytes hold no entry")]
    NoEntry(usize),
    /// There is no memory for sorting so many entries.
    #[error("there is no memory for sorting its {0} entries")]
    NoMemory(usize),
}

/// What is wrong with a book that can still be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BookFault {
    /// The file ends within an entry.
    #[error("{0} bytes after the last whole entry are ignored")]
    Tail(usize),
    /// The entries are not in the order of their keys.
    #[error("its entries are out of order and were sorted; it may be no book")]
    Unordered,
    /// A move of a position is not legal in it.
    #[error("it has a move that is not legal (code {code:#06x} at key {key:016x}); such are ignored", key = .0.key.0, code = .0.code)]
    Illegal(Entry),
}

/// An opening book in memory.
#[derive(Clone, Debug)]
pub struct Book {
    /// Whole entries as they are in the file, in the order of their keys. Few of them are ever
    /// looked at.
    bytes: Vec<u8>,
    faults: Vec<BookFault>,
}

impl Book {
    /// Takes the content of a file. Entries out of order are sorted.
    ///
    /// # Errors
    ///
    /// If there is not even one entry, or no memory for sorting them.
    pub fn from_bytes(mut bytes: Vec<u8>) -> Result<Self, BookError> {
        let (whole, tail) = bytes.as_chunks_mut::<ENTRY_SIZE>();
        let (entries, rest) = (whole.len(), tail.len());
        if entries == 0 {
            return Err(BookError::NoEntry(rest));
        }
        let mut faults = Vec::new();
        if rest > 0 {
            faults.push(BookFault::Tail(rest));
        }
        if !whole.is_sorted_by_key(key_of) {
            faults.push(BookFault::Unordered);
            // Sorting takes as much memory again at most, and ends the process if there is none.
            let room = Vec::<u8>::new().try_reserve_exact(entries * ENTRY_SIZE);
            room.map_err(|_| BookError::NoMemory(entries))?;
            whole.sort_by_key(key_of);
        }
        bytes.truncate(entries * ENTRY_SIZE);
        Ok(Self { bytes, faults })
    }

    fn all(&self) -> &[[u8; ENTRY_SIZE]] {
        self.bytes.as_chunks().0
    }

    /// What is wrong with the file as a whole.
    pub fn faults(&self) -> &[BookFault] {
        &self.faults
    }

    /// How many entries it has.
    pub fn len(&self) -> usize {
        self.all().len()
    }

    /// Whether it has no entry; never true of a book read from a file.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The entries of a position, in the order of the file.
    pub fn entries(&self, key: BookKey) -> impl ExactSizeIterator<Item = Entry> + '_ {
        let all = self.all();
        let rest = &all[all.partition_point(|entry| key_of(entry) < key)..];
        let found = &rest[..rest.partition_point(|entry| key_of(entry) == key)];
        found.iter().map(Entry::from_bytes)
    }

    /// The legal moves for a position, highest weight first, and the first entry that is not a
    /// legal move. A move that occurs twice has the sum of both weights. Books and their keys are of
    /// chess: for the position of a variant there is none.
    pub fn moves(&self, position: &Position) -> (Vec<BookMove>, Option<BookFault>) {
        let mut moves: Vec<BookMove> = Vec::new();
        let mut fault = None;
        if position.variant() != Variant::Standard {
            return (moves, fault);
        }
        // The format's null move is to be ignored.
        let entries = self.entries(position_key(position));
        let legal = position.legal_moves();
        for entry in entries.filter(|entry| entry.code != 0) {
            let Some(mv) = entry.find_among(&legal) else {
                fault = fault.or(Some(BookFault::Illegal(entry)));
                continue;
            };
            let weight = u32::from(entry.weight);
            match moves.iter_mut().find(|known| known.mv == mv) {
                Some(known) => known.weight = known.weight.saturating_add(weight),
                None => moves.push(BookMove { mv, weight }),
            }
        }
        moves.sort_by_key(|entry| std::cmp::Reverse(entry.weight));
        (moves, fault)
    }
}

/// The key of an entry, by which a file is in order.
fn key_of(entry: &[u8; ENTRY_SIZE]) -> BookKey {
    Entry::from_bytes(entry).key
}
