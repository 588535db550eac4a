//! The hash table of the search for mates.

use crate::search::memory::{RESERVE, can_allocate};
use crate::types::Key;

/// How much is left to do before a node is settled: proof number and disproof number, seen from
/// the side to move ("phi" and "delta" of depth-first proof-number search).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    /// The least number of leaves to settle so that the side to move reaches its aim.
    pub(super) phi: u32,
    /// The least number of leaves to settle so that it does not.
    pub(super) delta: u32,
}

impl Numbers {
    /// More than any number of leaves: it cannot be done.
    pub(super) const NEVER: u32 = (1 << 28) - 1;
    /// The side to move reaches its aim.
    pub(super) const WON: Self = Self {
        phi: 0,
        delta: Self::NEVER,
    };
    /// It does not.
    pub(super) const LOST: Self = Self {
        phi: Self::NEVER,
        delta: 0,
    };

    pub(super) fn is_won(self) -> bool {
        self.phi == 0
    }

    pub(super) fn is_settled(self) -> bool {
        self.phi == 0 || self.delta == 0
    }
}

/// One position with a number of plies: its key, and both numbers and the plies in one word.
type Entry = (u64, u64);

/// Entries that share an index.
const BUCKET: usize = 4;
const BUCKET_BYTES: usize = size_of::<[Entry; BUCKET]>();

/// More than one search for mates fills.
const MOST_MEBIBYTES: usize = 256;

/// A table of positions. A settled entry may also hold for other numbers of plies.
pub(super) struct MateTable(Vec<[Entry; BUCKET]>);

impl MateTable {
    /// A table of at most this size and [`MOST_MEBIBYTES`]; smaller if there is not enough memory.
    /// The system provides it as it is used, so that nobody waits for it.
    pub(super) fn new(mebibytes: usize) -> Self {
        let bytes = mebibytes.clamp(1, MOST_MEBIBYTES) << 20;
        let mut buckets = 1 << (bytes / BUCKET_BYTES).ilog2();
        while buckets > 1 && !can_allocate(RESERVE + buckets * BUCKET_BYTES) {
            buckets /= 2;
        }
        Self(vec![[(0, 0); BUCKET]; buckets])
    }

    fn index(&self, key: Key) -> usize {
        key.0 as usize & (self.0.len() - 1)
    }

    /// What is known of a position with `plies` left. `attacks` says whether it is the mating
    /// side's turn: a mate proved within fewer plies counts, and so does none within more.
    pub(super) fn get(&self, key: Key, plies: u32, attacks: bool) -> Option<Numbers> {
        let mut known = None;
        for &(entry_key, word) in &self.0[self.index(key)] {
            let (numbers, entry_plies) = unpack(word);
            if entry_key != key.0 || word == 0 {
                continue;
            }
            let mates = numbers.is_settled() && numbers.is_won() == attacks;
            let holds = if mates {
                entry_plies <= plies
            } else {
                entry_plies >= plies
            };
            if numbers.is_settled() && holds {
                return Some(numbers);
            }
            if entry_plies == plies {
                known = Some(numbers);
            }
        }
        known
    }

    /// Stores a position, in place of its own entry or of the shallowest one.
    pub(super) fn put(&mut self, key: Key, plies: u32, numbers: Numbers) {
        let index = self.index(key);
        let bucket = &mut self.0[index];
        let same = |&(entry_key, word): &Entry| entry_key == key.0 && unpack(word).1 == plies;
        let place = bucket.iter().position(same).unwrap_or_else(|| {
            let depth = |&place: &usize| match bucket[place] {
                (_, 0) => 0,
                (_, word) => unpack(word).1 + 1,
            };
            (0..BUCKET).min_by_key(depth).unwrap_or_default()
        });
        bucket[place] = (key.0, pack(numbers, plies));
    }
}

fn pack(numbers: Numbers, plies: u32) -> u64 {
    u64::from(plies) << 56 | u64::from(numbers.phi) << 28 | u64::from(numbers.delta)
}

fn unpack(word: u64) -> (Numbers, u32) {
    let mask = u64::from(Numbers::NEVER);
    let numbers = Numbers {
        phi: (word >> 28 & mask) as u32,
        delta: (word & mask) as u32,
    };
    (numbers, (word >> 56) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_takes_no_more_than_it_may() {
        for (wanted, expected) in [(1, 1), (16, 16), (100, 64), (300, 256), (1 << 20, 256)] {
            let table = MateTable::new(wanted);
            assert_eq!(table.0.len() * BUCKET_BYTES, expected << 20, "{wanted}");
        }
    }
}
