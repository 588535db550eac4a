//! How strong the engine is asked to play, and what that means for the next search.

use crate::search::{Handicap, Limits};
use crate::types::Key;

/// What the user has asked for; the defaults are in the options table.
#[derive(Debug)]
pub(super) struct Strength {
    /// Whether `elo` applies.
    pub(super) limited: bool,
    pub(super) elo: u32,
    pub(super) skill_level: u32,
    /// Makes the next choice differ from the last one.
    seed: u64,
}

impl Strength {
    /// Full strength, until options say otherwise.
    pub(super) fn new(seed: u64) -> Self {
        Self {
            limited: false,
            elo: 0,
            skill_level: 0,
            seed,
        }
    }

    /// The handicap of the next search, which also narrows its limits; `None` at full strength, as
    /// in every mate search.
    pub(super) fn handicap(&mut self, limits: &mut Limits, root: Key) -> Option<Handicap> {
        if limits.mate.is_some() {
            return None;
        }
        self.seed = self.seed.wrapping_add(1);
        let seed = self.seed ^ root.0;
        let handicap = if self.limited {
            Some(Handicap::elo(self.elo, seed))
        } else {
            Handicap::skill_level(self.skill_level, seed)
        }?;
        handicap.restrict(limits);
        Some(handicap)
    }
}
