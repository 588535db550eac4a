//! The transposition table: what earlier searches found out about positions, shared by all
//! threads without locks.
//!
//! An entry is two words: the data, and the key combined with the data by exclusive or (Robert
//! Hyatt and Tim Mann's lockless hashing). If two threads write an entry at once, its words do not
//! match, and it is taken for that of another position. So no torn entry is accepted; a move that
//! is found is still checked for legality.

mod cluster;
mod entry;
pub(crate) mod memory;

use std::thread::{self, Builder};

use cluster::{Cluster, SLOTS};
use entry::Data;
pub(crate) use entry::Entry;
use memory::{AllocationError, TableMemory};

use super::bound::Bound;
use super::memory::resident;
use super::prefetch::prefetch;
use crate::types::Key;

/// Searches are counted modulo this, to tell old entries from new ones.
const GENERATIONS: u8 = 32;

#[derive(Debug)]
pub(crate) struct TranspositionTable {
    clusters: TableMemory,
    generation: u8,
    /// Whether clearing it would change nothing. A small table is not clear before it has been
    /// claimed.
    is_clear: bool,
}

const MEBIBYTE: usize = 1 << 20;

/// Tables up to this many bytes are claimed completely at a new game: otherwise the first search
/// would pay for it on its clock. A larger one would keep the caller waiting.
const CLAIMED_AT_ONCE: usize = 256 * MEBIBYTE;

impl TranspositionTable {
    /// An empty table of this many MiB. The memory is claimed from the system as it is used, or
    /// when a small table is cleared.
    ///
    /// # Errors
    ///
    /// If the system has no address space for it, or the machine no memory.
    pub(crate) fn new(mebibytes: usize) -> Result<Self, AllocationError> {
        Self::in_place_of(None, mebibytes)
    }

    /// An empty table of this many MiB; `old` will be dropped.
    ///
    /// # Errors
    ///
    /// As for [`Self::new`].
    pub(crate) fn in_place_of(
        old: Option<&Self>,
        mebibytes: usize,
    ) -> Result<Self, AllocationError> {
        // Of a large table, only what was used takes memory.
        let freed = old.map_or(0, |old| old.bytes().min(resident()));
        let clusters = mebibytes.max(1).saturating_mul(MEBIBYTE) / size_of::<Cluster>();
        let mut table = Self {
            clusters: TableMemory::zeroed(clusters, freed)?,
            generation: 0,
            is_clear: false,
        };
        table.is_clear = !table.is_small();
        Ok(table)
    }

    fn is_small(&self) -> bool {
        self.bytes() <= CLAIMED_AT_ONCE
    }

    fn bytes(&self) -> usize {
        size_of_val(self.clusters.as_slice())
    }

    pub(crate) fn mebibytes(&self) -> usize {
        self.bytes() / MEBIBYTE
    }

    /// Clears the table with this many threads, or fewer if the system refuses some. Costs nothing
    /// if it is already clear: some programs begin one game several times.
    pub(crate) fn clear(&mut self, threads: usize) {
        self.generation = 0;
        if self.is_clear {
            return;
        }
        self.is_clear = true;
        if !self.is_small() {
            // New memory is zero, and claimed only as it is used.
            let freed = self.bytes();
            if let Ok(fresh) = TableMemory::zeroed(self.clusters.as_slice().len(), freed) {
                self.clusters = fresh;
                return;
            }
        }
        self.write_zeros(threads);
    }

    fn write_zeros(&self, threads: usize) {
        let clusters = self.clusters.as_slice();
        let share = clusters.len().div_ceil(threads.max(1));
        thread::scope(|scope| {
            for part in clusters.chunks(share) {
                if Builder::new().spawn_scoped(scope, || clear(part)).is_err() {
                    clear(part);
                }
            }
        });
    }

    /// Ages all entries: a new search begins.
    pub(crate) fn new_search(&mut self) {
        self.is_clear = false;
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    fn cluster(&self, key: Key) -> &Cluster {
        let clusters = self.clusters.as_slice();
        // The high half of the product maps the key evenly onto any number of clusters.
        let index = (u128::from(key.0) * clusters.len() as u128) >> 64;
        &clusters[index as usize]
    }

    /// Fetches the entries of a position into the processor's cache ahead of use.
    pub(crate) fn prefetch(&self, key: Key) {
        prefetch(self.cluster(key));
    }

    /// What is known about the position with this key, `ply` plies from the root.
    pub(crate) fn probe(&self, key: Key, ply: usize) -> Option<Entry> {
        self.cluster(key)
            .0
            .iter()
            .find_map(|slot| slot.read(key))
            .map(|data| data.entry(ply))
    }

    /// Stores what was found out about a position `ply` plies from the root.
    ///
    /// Uses the slot of the same position, else an empty one, else the least valuable: old and
    /// shallow. A move already known is kept if there is no new one; a new one is kept even if the
    /// rest of the old entry is worth more.
    pub(crate) fn store(&self, key: Key, ply: usize, mut entry: Entry) {
        let mut victim = None;
        let mut lowest = i32::MAX;
        for slot in &self.cluster(key).0 {
            if let Some(old) = slot.read(key) {
                if !self.is_worth_replacing(old, &entry) {
                    if let Some(mv) = entry.mv {
                        slot.write(key, old.with_move(mv));
                    }
                    return;
                }
                entry.mv = entry.mv.or(old.mv());
                victim = Some(slot);
                break;
            }
            let old = slot.data();
            let worth = old.depth() - 8 * i32::from(self.age(old));
            let worth = if old.0 == 0 { i32::MIN } else { worth };
            if worth < lowest {
                lowest = worth;
                victim = Some(slot);
            }
        }
        if let Some(slot) = victim {
            slot.write(key, Data::pack(&entry, ply, self.generation));
        }
    }

    /// Takes a ply off the depth of what is known about a position.
    pub(crate) fn wane(&self, key: Key) {
        for slot in &self.cluster(key).0 {
            if let Some(data) = slot.read(key) {
                return slot.write(key, data.shallower());
            }
        }
    }

    /// Whether a new result replaces an old one of the same position: not a much deeper one of the
    /// same search, unless the new one is exact.
    fn is_worth_replacing(&self, old: Data, new: &Entry) -> bool {
        new.bound == Some(Bound::Exact)
            || self.age(old) != 0
            || new.depth + 4 + 2 * i32::from(new.was_pv) > old.depth()
    }

    /// How many searches ago an entry was written.
    fn age(&self, data: Data) -> u8 {
        (self.generation + GENERATIONS - data.generation()) % GENERATIONS
    }

    /// How full the table is with entries of the current search, in permille, from a sample.
    pub(crate) fn hashfull(&self) -> u32 {
        const SAMPLE: usize = 250;
        let clusters = self.clusters.as_slice();
        let sample = &clusters[..SAMPLE.min(clusters.len())];
        let used = sample.iter().flat_map(|cluster| &cluster.0).filter(|slot| {
            let data = slot.data();
            data.0 != 0 && self.age(data) == 0
        });
        (used.count() * 1000 / (sample.len() * SLOTS)) as u32
    }
}

fn clear(clusters: &[Cluster]) {
    for slot in clusters.iter().flat_map(|cluster| &cluster.0) {
        slot.clear();
    }
}

#[cfg(test)]
mod tests;
