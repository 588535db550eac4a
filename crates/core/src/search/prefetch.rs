//! Fetching ahead: a search waits more for memory than for anything else. One of the modules with
//! `unsafe` that docs/architecture.md lists.
#![allow(unsafe_code, reason = "the processor's instruction takes a pointer")]

/// Fetches a value into the processor's cache, without waiting for it.
pub(super) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no effect but on the cache; the reference is valid anyway.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
