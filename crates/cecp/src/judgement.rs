//! What the engine thinks of its game: hints, and whether a draw is welcome.

use orthrus_core::position::{Outcome, Position, Variant};
use orthrus_core::types::{Color, ColorMap, Move, Score};

/// A draw is welcome at this score, in centipawns, and below.
const WORSE: i32 = -80;
/// Up to this score for either side, in centipawns, a draw offered in a late and quiet game is
/// accepted. For our own offers the limit is lower: see [`crate::manners`].
const ACCEPTED_LEVEL: i32 = 15;
/// A level game is given up as drawn from this move on, ...
const LATE_MOVE: u16 = 40;
/// ... if nothing has been taken and no pawn moved for this many plies.
const QUIET_PLIES: u16 = 16;

/// What the last search of this game found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Judgement {
    /// Its score from each side's point of view: the engine may have changed sides since.
    scores: Option<ColorMap<Score>>,
    /// The first move of its line, in the position it searched.
    pub(crate) best: Option<Move>,
    /// The reply expected to the engine's last move; the hint for the user.
    pub(crate) expected: Option<Move>,
}

impl Judgement {
    /// Takes the score of a search, from the point of view of `side`.
    pub(crate) fn set_score(&mut self, side: Color, score: Score) {
        let seen_by = |color| if color == side { score } else { -score };
        self.scores = Some(ColorMap::from_fn(seen_by));
    }

    /// The score from this side's point of view.
    pub(crate) fn score(&self, side: Color) -> Option<Score> {
        self.scores.map(|scores| scores[side])
    }

    /// Whether a draw is as good as `us` can expect in this position.
    pub(crate) fn welcomes_draw(&self, us: Color, position: &Position) -> bool {
        let Some(score) = self.score(us) else {
            return false;
        };
        let level = score.value().abs() <= ACCEPTED_LEVEL
            && position.fullmove_number() >= LATE_MOVE
            && position.halfmove_clock() >= QUIET_PLIES;
        score.value() <= WORSE || level
    }
}

/// Whether a game of this variant with this outcome is drawn only if somebody claims it, or both
/// agree: `offer draw` before the move that leads there does either (section 9).
pub(crate) fn needs_claim(variant: Variant, outcome: Outcome) -> bool {
    match outcome {
        Outcome::Repetition | Outcome::FiftyMoves => true,
        Outcome::InsufficientMaterial => !is_material_draw_known(variant),
        _ => false,
    }
}

/// Whether all programs know by which material a game of this variant is drawn. Where they do not, to
/// claim it may lose the game.
pub(crate) fn is_material_draw_known(variant: Variant) -> bool {
    variant == Variant::Standard
}

#[cfg(test)]
mod tests {
    use orthrus_core::fen;

    use super::*;

    fn welcomes(centipawns: i32, fen: &str) -> bool {
        let mut judgement = Judgement::default();
        judgement.set_score(Color::White, Score::centipawns(centipawns));
        judgement.welcomes_draw(Color::White, &fen::parse(fen).unwrap())
    }

    #[test]
    fn a_draw_is_welcome_when_worse_or_when_nothing_happens() {
        let opening = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let endgame = "8/8/4k3/4p3/4P3/4K3/8/8 w - - 30 60";
        assert!(!welcomes(0, opening));
        assert!(welcomes(-200, opening));
        assert!(welcomes(0, endgame));
        assert!(!welcomes(60, endgame));
        let endgame = fen::parse(endgame).unwrap();
        assert!(!Judgement::default().welcomes_draw(Color::White, &endgame));
    }
}
