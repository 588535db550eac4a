//! How entries lie in memory: two words each, four to a cache line.

use std::sync::atomic::{AtomicU64, Ordering};

use super::entry::Data;
use crate::types::Key;

/// One entry in memory. All zero means empty.
#[derive(Debug)]
pub(super) struct Slot {
    /// Key and data, combined by exclusive or.
    check: AtomicU64,
    data: AtomicU64,
}

pub(super) const SLOTS: usize = 4;

/// The slots of one cache line, in any of which a position may be stored.
#[derive(Debug)]
#[repr(align(64))]
pub(super) struct Cluster(pub(super) [Slot; SLOTS]);

const _: () = assert!(size_of::<Cluster>() == 64);

impl Slot {
    /// What is stored, for whatever position; all zero if empty.
    pub(super) fn data(&self) -> Data {
        Data(self.data.load(Ordering::Relaxed))
    }

    /// What is stored for the position with this key.
    pub(super) fn read(&self, key: Key) -> Option<Data> {
        let check = self.check.load(Ordering::Relaxed);
        let data = self.data.load(Ordering::Relaxed);
        (check ^ data == key.0 && data != 0).then_some(Data(data))
    }

    /// Stores the data of the position with this key.
    pub(super) fn write(&self, key: Key, data: Data) {
        self.check.store(key.0 ^ data.0, Ordering::Relaxed);
        self.data.store(data.0, Ordering::Relaxed);
    }

    pub(super) fn clear(&self) {
        self.check.store(0, Ordering::Relaxed);
        self.data.store(0, Ordering::Relaxed);
    }
}
