//! Repeatable random choices.

use orthrus_core::types::{GOLDEN, mix};

/// Sebastiano Vigna's splitmix64: the same choices from the same seed, on every machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `bound`, which must not be zero.
    ///
    /// # Panics
    ///
    /// If `bound` is zero.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(GOLDEN);
        (mix(self.0) % bound as u64) as usize
    }

    /// One of `choices`, or `None` if there is none.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> Option<T> {
        (!choices.is_empty()).then(|| choices[self.below(choices.len())])
    }
}
