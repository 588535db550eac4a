//! Numbers that can be set at run time.

use std::sync::atomic::{AtomicI32, Ordering};

/// A tunable number with its range.
#[derive(Debug)]
pub struct Tunable {
    /// Its name in the table.
    pub name: &'static str,
    /// Its value in a normal build.
    pub default: i32,
    /// Least value.
    pub min: i32,
    /// Largest value.
    pub max: i32,
    value: AtomicI32,
}

impl Tunable {
    pub(super) const fn new(name: &'static str, default: i32, min: i32, max: i32) -> Self {
        Self {
            name,
            default,
            min,
            max,
            value: AtomicI32::new(default),
        }
    }

    #[inline]
    pub(super) fn get(&self) -> i32 {
        self.value.load(Ordering::Relaxed)
    }

    /// Sets the number, for all searches of the process. It must lie in the range.
    pub fn set(&self, value: i32) {
        debug_assert!((self.min..=self.max).contains(&value));
        self.value.store(value, Ordering::Relaxed);
    }
}

/// Every number of the search.
pub(crate) fn tunables() -> &'static [Tunable] {
    &super::TABLE
}

impl PartialEq for Tunable {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Tunable {}
