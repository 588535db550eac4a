//! `setscore`: the user gives the position on the board a value (section 8).

use std::time::Instant;

use orthrus_core::engine::Command;
use orthrus_core::search::{PositionValue, ValueChange};
use orthrus_core::types::Score;

use super::{Cecp, CommandError};
use crate::parse::number;

/// Reads `SCORE DEPTH`: centipawns from the side to move's point of view, and plies. A score out of
/// range, such as that of a mate, is clamped to the range of evaluations.
pub(crate) fn parse(text: &str) -> Result<PositionValue, CommandError> {
    let mut words = text.split_whitespace();
    let mut word = || words.next().ok_or(CommandError::MissingParameter);
    let (score, depth) = (word()?, word()?);
    if words.next().is_some() {
        return Err(CommandError::ExtraParameter);
    }
    Ok(PositionValue {
        score: Score::evaluation(score.parse().map_err(|_| CommandError::Malformed)?),
        depth: number(depth)?,
    })
}

impl Cecp {
    /// The value holds until `new`.
    pub(crate) fn set_score(
        &mut self,
        now: Instant,
        value: PositionValue,
    ) -> Result<(), CommandError> {
        if self.board.is_refused() {
            return Err(CommandError::NotNow);
        }
        self.scores_set = true;
        let change = ValueChange::Set(self.board.position().key(), value);
        self.change_setting(now, Command::SetValue(change));
        Ok(())
    }

    /// Another game begins: the values are forgotten.
    pub(crate) fn forget_scores(&mut self) {
        if std::mem::take(&mut self.scores_set) {
            self.commands
                .push_back(Command::SetValue(ValueChange::ClearAll));
        }
    }
}
