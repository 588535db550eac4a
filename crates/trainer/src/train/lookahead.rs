//! Labels that look ahead: what the search said of a position, and what it said of those that
//! followed in the game.

use super::worth::{log_odds, sigmoid};
use crate::data::NOT_QUIET;

/// How far the label of a position looks ahead (Richard Sutton's TD(lambda)).
///
/// A search of some hundred nodes errs, but its errors in positions that follow each other are
/// largely independent, and later searches see further. So the expected points of a position are
/// those of its own score with weight 1 - lambda, and with weight lambda those of the next position
/// in the game, which has learned from its successors in the same way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lookahead {
    /// The weight of what follows, `0.0..=1.0`.
    pub lambda: f32,
    /// The score that means 0.73 expected points.
    pub scale: f32,
}

impl Lookahead {
    /// For each score of a game the one to learn. All are in centipawns from the side to move.
    pub(crate) fn scores(self, own: Vec<i16>) -> Vec<i16> {
        if self.lambda == 0.0 {
            return own;
        }
        let mut following = None;
        let mut scores: Vec<i16> = own
            .into_iter()
            .rev()
            .map(|score| {
                let was_searched = i32::from(score) != NOT_QUIET.value();
                let own = was_searched.then(|| self.expected(score));
                let after = following.map(|points: f32| 1.0 - points);
                let expected = match (own, after) {
                    (Some(own), Some(after)) => (1.0 - self.lambda) * own + self.lambda * after,
                    // The last position has only its own; what was not searched, only what follows.
                    (Some(only), None) | (None, Some(only)) => only,
                    (None, None) => return score,
                };
                following = Some(expected);
                log_odds(expected.into(), self.scale)
            })
            .collect();
        scores.reverse();
        scores
    }

    fn expected(self, score: i16) -> f32 {
        sigmoid(f32::from(score) / self.scale)
    }
}

#[cfg(test)]
mod tests {
    use orthrus_core::types::Score;

    use super::*;

    fn learned(scores: &[Score], lambda: f32) -> Vec<i16> {
        let scale = 260.0;
        let own = scores.iter().map(|score| score.value() as i16).collect();
        Lookahead { lambda, scale }.scores(own)
    }

    #[test]
    fn a_score_is_drawn_towards_those_that_follow() {
        let scores = [0, 0, 260].map(Score::centipawns);
        assert_eq!(learned(&scores, 0.0), [0, 0, 260]);
        // 0.73 expected points for one side are 0.27 for the other: 0.384 for half of it.
        let scores = learned(&scores, 0.5);
        assert_eq!(scores[2], 260);
        assert!((-123..=-121).contains(&scores[1]), "{scores:?}");
        assert!((59..=61).contains(&scores[0]), "{scores:?}");
    }

    #[test]
    fn steady_scores_stay_as_they_are_and_mates_stay_decided() {
        let steady = [100, -100, 100, -100].map(Score::centipawns);
        assert_eq!(learned(&steady, 0.7), [100, -100, 100, -100]);
        let mate = [Score::mated_in(2), Score::mate_in(1)];
        let decided = learned(&mate, 0.5);
        assert!(decided[0] < -2_999 && decided[1] > 2_999, "{decided:?}");
    }

    #[test]
    fn what_was_not_searched_has_the_value_of_what_follows() {
        let scores = [Score::DRAW, NOT_QUIET, Score::centipawns(260)];
        let scores = learned(&scores, 0.5);
        assert_eq!(scores[1..], [-260, 260]);
        assert!((121..=123).contains(&scores[0]), "{scores:?}");
    }

    #[test]
    fn what_was_not_searched_at_the_end_says_nothing_of_what_came_before() {
        let scores = [Score::DRAW, Score::centipawns(260), NOT_QUIET, NOT_QUIET];
        let learned = learned(&scores, 0.5);
        assert_eq!(learned[1..], scores.map(|score| score.value() as i16)[1..]);
        assert!((-123..=-121).contains(&learned[0]), "{learned:?}");
    }
}
