//! Whether enough memory is left. Rust aborts when a small allocation fails, so large optional ones
//! (tables, threads) are refused, with a message, while there is still a reserve.

use std::hint::black_box;

/// Memory in bytes that is left for the rest of the program: far more than a search and a
/// conversation need.
pub(super) const RESERVE: usize = 64 << 20;

/// Whether the system would grant this many bytes more.
pub(super) fn has_room(bytes: usize) -> bool {
    let mut room: Vec<u8> = Vec::new();
    let has_room = room.try_reserve_exact(bytes).is_ok();
    // Keeps the compiler from removing the attempt.
    black_box(room);
    has_room
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "Miri ends a program that asks for too much")]
    fn there_is_room_for_little_but_not_for_everything() {
        assert!(has_room(RESERVE));
        assert!(!has_room(isize::MAX as usize));
    }
}
