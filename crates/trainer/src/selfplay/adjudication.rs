//! Ending games early: moves played after the outcome is clear teach little and cost as much.

use orthrus_core::types::Color;

use crate::data::{AdjudicationRules, GameResult, Reason};

/// Watches the scores of one game.
#[derive(Clone, Debug)]
pub(super) struct Adjudicator {
    rules: AdjudicationRules,
    /// Plays to the real end.
    patient: bool,
    /// The side that the last scores saw winning, and how many scores agreed so far.
    winner: Color,
    winning_plies: usize,
    drawish_plies: usize,
}

impl Adjudicator {
    /// For a game that is played to its real end if `patient`.
    pub(super) fn new(rules: AdjudicationRules, patient: bool) -> Self {
        Self {
            rules,
            patient,
            winner: Color::White,
            winning_plies: 0,
            drawish_plies: 0,
        }
    }

    /// Takes the score, in centipawns from White, of the move that made the game `plies` long.
    /// Returns how the game ends, if it does.
    pub(super) fn observe(
        &mut self,
        white_score: i32,
        plies: usize,
    ) -> Option<(GameResult, Reason)> {
        let leader = if white_score > 0 {
            Color::White
        } else {
            Color::Black
        };
        if white_score.abs() <= self.rules.win_score {
            self.winning_plies = 0;
        } else if leader == self.winner {
            self.winning_plies += 1;
        } else {
            self.winner = leader;
            self.winning_plies = 1;
        }
        if white_score.abs() <= self.rules.draw_score {
            self.drawish_plies += 1;
        } else {
            self.drawish_plies = 0;
        }
        self.verdict(plies)
    }

    fn verdict(&self, plies: usize) -> Option<(GameResult, Reason)> {
        if plies >= self.rules.max_plies {
            Some((GameResult::Draw, Reason::TooLong))
        } else if self.patient {
            None
        } else if self.winning_plies >= self.rules.win_plies {
            Some((GameResult::won_by(self.winner), Reason::WinAdjudicated))
        } else if plies >= self.rules.draw_from_ply && self.drawish_plies >= self.rules.draw_plies {
            Some((GameResult::Draw, Reason::DrawAdjudicated))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After how many plies, from `first` on, these scores end a game, and how.
    fn verdict(
        patient: bool,
        first: usize,
        white_scores: &[i32],
    ) -> Option<(usize, GameResult, Reason)> {
        let mut adjudicator = Adjudicator::new(AdjudicationRules::default(), patient);
        white_scores.iter().enumerate().find_map(|(n, &score)| {
            let (result, reason) = adjudicator.observe(score, first + n)?;
            Some((n + 1, result, reason))
        })
    }

    #[test]
    fn four_agreeing_scores_win() {
        let win = |result| Some((4, result, Reason::WinAdjudicated));
        assert_eq!(
            verdict(false, 10, &[801, 900, 31_999, 801, 0]),
            win(GameResult::WhiteWins)
        );
        assert_eq!(verdict(false, 10, &[-801; 5]), win(GameResult::BlackWins));
    }

    #[test]
    fn a_doubtful_or_contrary_score_starts_the_count_anew() {
        assert_eq!(
            verdict(false, 10, &[801, 801, 801, 800, 801, 801, 801]),
            None
        );
        assert_eq!(verdict(false, 10, &[801, 801, 801, -801, -801, -801]), None);
        assert_eq!(
            verdict(false, 10, &[801, 801, -801, -801, -801, -801]),
            Some((6, GameResult::BlackWins, Reason::WinAdjudicated))
        );
    }

    #[test]
    fn eight_level_scores_draw_from_ply_seventy_on() {
        let draw = |plies| Some((plies, GameResult::Draw, Reason::DrawAdjudicated));
        assert_eq!(verdict(false, 100, &[10, -10, 0, 0, 5, 5, -5, 9]), draw(8));
        assert_eq!(verdict(false, 60, &[0; 20]), draw(11));
        assert_eq!(verdict(false, 100, &[0, 0, 0, 0, 0, 0, 0, 11, 0]), None);
    }

    #[test]
    fn patient_games_end_only_when_too_long() {
        assert_eq!(verdict(true, 100, &[5_000; 50]), None);
        assert_eq!(
            verdict(true, 990, &[5_000; 50]),
            Some((11, GameResult::Draw, Reason::TooLong))
        );
    }
}
