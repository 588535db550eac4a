//! Whether the memory still has room. A program whose small allocations fail is ended by the
//! standard library, in the middle of a game; so what is large, and may be refused with a word,
//! is refused before it comes to that.

use std::hint::black_box;

/// What the rest of the program is left, in bytes, whatever takes memory: far more than a search
/// and a conversation need.
pub(super) const RESERVE: usize = 64 << 20;

/// Whether the system would give this many bytes more.
pub(super) fn has_room(bytes: usize) -> bool {
    let mut room: Vec<u8> = Vec::new();
    let has_room = room.try_reserve_exact(bytes).is_ok();
    // Seen from outside, so that the compiler cannot leave the attempt out.
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
