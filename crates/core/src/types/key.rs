//! Hash keys of positions.

use std::ops::{BitXor, BitXorAssign};

/// A 64-bit hash of a position or of a part of it (Zobrist, 1970).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Key(pub u64);

/// The lower half of a [`Key`]: enough to index a table with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct HalfKey(pub u32);

impl BitXorAssign<Key> for HalfKey {
    #[inline]
    fn bitxor_assign(&mut self, other: Key) {
        self.0 ^= other.0 as u32;
    }
}

impl BitXor for Key {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl BitXorAssign for Key {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}
