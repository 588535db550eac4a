//! When to resign, and when to offer a draw. Both are options of this head alone: other protocols
//! leave such things to the user.

use orthrus_core::engine::options;
use orthrus_core::position::Position;
use orthrus_core::types::Score;

use crate::error::CommandError;

/// The engine resigns after this many consecutive searches have found the game hopeless.
const HOPELESS_SEARCHES: u32 = 3;
/// A draw is offered after this many consecutive searches have found the game level.
const LEVEL_SEARCHES: u32 = 8;
/// Up to this score for either side, in centipawns, the game is level: an offer of ours may be
/// accepted, so it needs more certainty than accepting one.
const PROPOSED_LEVEL: i32 = 10;
/// No draw is offered before this move.
const FIRST_OFFER: u16 = 50;
/// Largest value of the option for resigning, in centipawns.
const MAX_RESIGN_SCORE: i32 = 10_000;

/// The name of the option that says when to resign.
const RESIGN_SCORE: &str = "ResignScore";
/// The name of the option that lets the engine offer draws. `XBoard` takes a line with both "offer"
/// and "draw" for an offer, so the name has neither.
const PROPOSALS: &str = "ProposePeace";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gesture {
    OfferDraw,
    Resign,
}

/// The options, and for how long the game has been hopeless or level.
#[derive(Clone, Debug)]
pub(crate) struct Manners {
    /// The opponent's score, in centipawns, from which on the game is hopeless; `None` for never.
    resign_score: Option<i32>,
    proposes_draws: bool,
    /// How many consecutive searches have found the game hopeless.
    hopeless: u32,
    /// How many consecutive searches have found the game level.
    level: u32,
}

impl Default for Manners {
    /// Plays every game to its end, but offers a draw when nothing happens any more.
    fn default() -> Self {
        Self {
            resign_score: None,
            proposes_draws: true,
            hopeless: 0,
            level: 0,
        }
    }
}

impl Manners {
    pub(crate) fn features() -> [String; 2] {
        let defaults = Self::default();
        let score = defaults.resign_score.unwrap_or(0);
        let proposes = u8::from(defaults.proposes_draws);
        [
            format!("feature option=\"{RESIGN_SCORE} -spin {score} 0 {MAX_RESIGN_SCORE}\""),
            format!("feature option=\"{PROPOSALS} -check {proposes}\""),
        ]
    }

    /// Sets an option of this name, if there is one; otherwise returns `None`.
    pub(crate) fn set(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Option<Result<(), CommandError>> {
        let set = if options::is_name(RESIGN_SCORE, name) {
            options::parse_spin(RESIGN_SCORE, value, 0, MAX_RESIGN_SCORE.into())
                .map(|score| self.resign_score = (score > 0).then_some(score as i32))
        } else if options::is_name(PROPOSALS, name) {
            options::parse_check(PROPOSALS, value).map(|on| self.proposes_draws = on)
        } else {
            return None;
        };
        Some(set.map_err(CommandError::from))
    }

    /// Another game, or another position: both counts start again.
    pub(crate) fn forget(&mut self) {
        self.hopeless = 0;
        self.level = 0;
    }

    /// Takes the score of a search for our move in `position`; returns what to declare.
    pub(crate) fn judge(&mut self, score: Score, position: &Position) -> Option<Gesture> {
        let hopeless = self
            .resign_score
            .is_some_and(|limit| score.value() <= -limit);
        self.hopeless = if hopeless { self.hopeless + 1 } else { 0 };
        let level =
            score.value().abs() <= PROPOSED_LEVEL && position.fullmove_number() >= FIRST_OFFER;
        self.level = if level { self.level + 1 } else { 0 };
        if self.hopeless >= HOPELESS_SEARCHES {
            return Some(Gesture::Resign);
        }
        if self.proposes_draws && self.level >= LEVEL_SEARCHES {
            // Not again with every move.
            self.level = 0;
            return Some(Gesture::OfferDraw);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use orthrus_core::fen;

    use super::*;

    fn gestures(manners: &mut Manners, scores: &[i32], fen: &str) -> Vec<Option<Gesture>> {
        let position = fen::parse(fen).unwrap();
        let judge = |&score: &i32| manners.judge(Score::evaluation(score), &position);
        scores.iter().map(judge).collect()
    }

    const EARLY: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 10";
    const LATE: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 60";

    #[test]
    fn a_game_is_given_up_after_three_hopeless_searches() {
        let mut manners = Manners::default();
        let lost = [-900, -900, -900, -900];
        assert_eq!(gestures(&mut manners, &lost, EARLY), [None; 4]);
        assert_eq!(manners.set(RESIGN_SCORE, Some("800")), Some(Ok(())));
        let resigned = [None, None, Some(Gesture::Resign)];
        assert_eq!(
            gestures(&mut manners, &[-900, -700, -900, -900], EARLY),
            [None; 4]
        );
        manners.forget();
        assert_eq!(gestures(&mut manners, &lost[..3], EARLY), resigned);
    }

    #[test]
    fn a_draw_is_proposed_late_and_not_with_every_move() {
        let mut manners = Manners::default();
        assert_eq!(gestures(&mut manners, &[0; 20], EARLY), [None; 20]);
        let offers = gestures(&mut manners, &[5; 20], LATE);
        let count = offers.iter().filter(|offer| offer.is_some()).count();
        assert_eq!((offers[7], count), (Some(Gesture::OfferDraw), 2));
        assert_eq!(manners.set(PROPOSALS, Some("0")), Some(Ok(())));
        assert_eq!(gestures(&mut manners, &[0; 20], LATE), [None; 20]);
    }

    #[test]
    fn names_and_values_are_read_as_those_of_the_table() {
        let mut manners = Manners::default();
        assert_eq!(manners.set("resign score", Some(" 700 ")), Some(Ok(())));
        assert_eq!(manners.resign_score, Some(700));
        assert_eq!(manners.set("PROPOSEPEACE", Some("false")), Some(Ok(())));
        assert!(!manners.proposes_draws);
    }

    #[test]
    fn wrong_values_change_nothing() {
        let mut manners = Manners::default();
        let malformed = Some(Err(CommandError::Malformed));
        assert_eq!(manners.set(PROPOSALS, Some("2")), malformed);
        assert_eq!(manners.set(RESIGN_SCORE, Some("x")), malformed);
        let range = CommandError::OutOfRange {
            min: 0,
            max: MAX_RESIGN_SCORE.into(),
        };
        assert_eq!(manners.set(RESIGN_SCORE, Some("-1")), Some(Err(range)));
        assert_eq!(
            manners.set(RESIGN_SCORE, None),
            Some(Err(CommandError::MissingParameter))
        );
        assert_eq!(manners.set("MultiPV", Some("2")), None);
        assert!(manners.proposes_draws && manners.resign_score.is_none());
    }
}
