//! Zeroed memory for the transposition table: claimed lazily and aligned to huge pages; failure is
//! an error and no abort. One of the modules with `unsafe` that docs/architecture.md lists.
#![allow(
    unsafe_code,
    reason = "allocation and page advice have no safe interface"
)]

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::slice;

use thiserror::Error;

use super::cluster::Cluster;
use crate::search::memory::{self, RESERVE, can_allocate};

/// The system cannot provide this much memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("cannot allocate {mebibytes} MiB for the transposition table")]
pub struct AllocationError {
    /// The size asked for.
    pub mebibytes: usize,
}

/// The size of a huge page on the common processors.
const HUGE_PAGE: usize = 2 << 20;

/// An array of clusters, all zero at first.
#[derive(Debug)]
pub(super) struct TableMemory {
    /// What the allocator returned, kept for deallocation.
    base: NonNull<u8>,
    layout: Layout,
    /// The first cluster: `base` rounded up to a huge page.
    first: NonNull<Cluster>,
    clusters: usize,
}

// SAFETY: the memory is owned by this value alone, and clusters are made of atomics.
unsafe impl Send for TableMemory {}
// SAFETY: as above; shared access is access to atomics.
unsafe impl Sync for TableMemory {}

impl TableMemory {
    /// Memory for this many clusters, at least one. Refused if it would leave too little, once
    /// `freed` bytes that are in use now will have been given back.
    pub(super) fn zeroed(clusters: usize, freed: usize) -> Result<Self, AllocationError> {
        let clusters = clusters.max(1);
        let error = AllocationError {
            mebibytes: clusters / ((1 << 20) / size_of::<Cluster>()),
        };
        // A small alignment keeps the allocator on the path that takes zeroed pages from the
        // system instead of writing zeros, so the table is rounded up to a page here.
        let bytes = clusters.checked_mul(size_of::<Cluster>()).ok_or(error)?;
        let padded = bytes.checked_add(HUGE_PAGE).ok_or(error)?;
        let layout = Layout::from_size_align(padded, align_of::<u64>()).map_err(|_| error)?;
        let needed = bytes + RESERVE.min(bytes);
        if memory::available().is_some_and(|left| needed > left + freed) {
            return Err(error);
        }
        // SAFETY: the size is not zero.
        let base = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or(error)?;
        let offset = base.align_offset(HUGE_PAGE);
        debug_assert!(offset < HUGE_PAGE);
        // SAFETY: `offset` is below the padding, so the result lies within the allocation, and
        // `bytes` follow it.
        let first = unsafe { base.add(offset) }.cast::<Cluster>();
        let memory = Self {
            base,
            layout,
            first,
            clusters,
        };
        if !can_allocate(RESERVE.min(bytes)) {
            return Err(error);
        }
        if bytes >= HUGE_PAGE {
            advise_huge_pages(first, bytes);
        }
        Ok(memory)
    }

    pub(super) fn as_slice(&self) -> &[Cluster] {
        // SAFETY: `first` is aligned and followed by `clusters` clusters of initialised memory
        // (zero is a valid value of atomics), which live as long as `self`.
        unsafe { slice::from_raw_parts(self.first.as_ptr(), self.clusters) }
    }
}

impl Drop for TableMemory {
    fn drop(&mut self) {
        // SAFETY: `base` came from `alloc_zeroed` with this layout and is freed once.
        unsafe { dealloc(self.base.as_ptr(), self.layout) }
    }
}

/// Asks for huge pages, which save address translations; the system may decline.
#[cfg(all(target_os = "linux", not(miri)))]
fn advise_huge_pages(first: NonNull<Cluster>, bytes: usize) {
    // SAFETY: the range lies within our allocation; the advice changes no content.
    unsafe {
        libc::madvise(first.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE);
    }
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn advise_huge_pages(_: NonNull<Cluster>, _: usize) {}
