//! Values that users give to positions; searches return them as their result.

use std::collections::HashMap;

use crate::types::{Key, Score};

/// The value that a user gives to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionValue {
    /// From the point of view of the side to move; not a mate.
    pub score: Score,
    /// Searches of the position up to this depth in plies return the score as their result.
    pub depth: u32,
}

/// A change of the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueChange {
    /// Give the position with this key a value, in place of an earlier one.
    Set(Key, PositionValue),
    /// Forget the value of the position with this key, if it has one.
    Clear(Key),
    /// Forget all values.
    ClearAll,
}

/// How many positions may have a value; far more than a person gives.
pub(crate) const MAX_VALUES: usize = 1 << 16;

/// The values of all positions that have one. The root is searched nevertheless: a value provides
/// no move.
#[derive(Clone, Debug, Default)]
pub(crate) struct PositionValues(HashMap<Key, PositionValue>);

impl PositionValues {
    /// Makes a change, unless [`MAX_VALUES`] positions have one; says whether it is made.
    pub(crate) fn apply(&mut self, change: ValueChange) -> bool {
        match change {
            ValueChange::Set(key, _)
                if self.0.len() >= MAX_VALUES && !self.0.contains_key(&key) =>
            {
                return false;
            }
            ValueChange::Set(key, value) => {
                self.0.insert(key, value);
            }
            ValueChange::Clear(key) => {
                self.0.remove(&key);
            }
            ValueChange::ClearAll => self.0.clear(),
        }
        true
    }

    /// The result of searching this position to this depth, if a user has given one.
    pub(super) fn result(&self, key: Key, depth: i32) -> Option<Score> {
        if self.0.is_empty() {
            return None;
        }
        let value = self.0.get(&key)?;
        (depth <= value.depth.min(i32::MAX as u32) as i32).then_some(value.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_holds_up_to_its_depth_and_until_it_is_cleared() {
        let mut values = PositionValues::default();
        let score = Score::centipawns(35);
        values.apply(ValueChange::Set(Key(1), PositionValue { score, depth: 8 }));
        assert_eq!(values.result(Key(1), 8), Some(score));
        assert_eq!(values.result(Key(1), 9), None);
        assert_eq!(values.result(Key(2), 0), None);
        values.apply(ValueChange::Clear(Key(2)));
        assert_eq!(values.result(Key(1), 0), Some(score));
        values.apply(ValueChange::Clear(Key(1)));
        assert_eq!(values.result(Key(1), 0), None);
        values.apply(ValueChange::Set(Key(2), PositionValue { score, depth: 1 }));
        values.apply(ValueChange::ClearAll);
        assert_eq!(values.result(Key(2), 0), None);
    }

    #[test]
    fn so_many_positions_have_a_value_and_each_can_have_another() {
        let mut values = PositionValues::default();
        let mut set = |key: usize, score| {
            let score = Score::centipawns(score);
            values.apply(ValueChange::Set(
                Key(key as u64),
                PositionValue { score, depth: 1 },
            ))
        };
        assert!((0..MAX_VALUES).all(|key| set(key, 1)));
        assert!(set(0, 2));
        assert!(!set(MAX_VALUES, 1));
        assert_eq!(values.result(Key(0), 1), Some(Score::centipawns(2)));
    }
}
