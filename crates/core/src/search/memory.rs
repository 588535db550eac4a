//! Whether enough memory is left. Rust aborts when a small allocation fails, so large optional ones
//! (hash tables, threads) are refused, with a message, while there is still a reserve.

use std::hint::black_box;

/// Memory in bytes that is left for the rest of the program: far more than a search and a
/// conversation need.
pub(super) const RESERVE: usize = 64 << 20;

/// Whether the system would grant this many bytes more.
pub(super) fn can_allocate(bytes: usize) -> bool {
    let mut memory: Vec<u8> = Vec::new();
    let granted = memory.try_reserve_exact(bytes).is_ok();
    // Keeps the compiler from removing the attempt.
    black_box(memory);
    granted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "Miri ends a program that asks for too much")]
    fn a_little_can_be_allocated_but_not_everything() {
        assert!(can_allocate(RESERVE));
        assert!(!can_allocate(isize::MAX as usize));
    }
}
