//! What a score means in games: the chances of a win, a draw and a loss.
//!
//! The same score is drawn more often when few pieces are left than in the opening. The chances are
//! those of an ordered logistic model with two parameters, both of which depend on the material:
//! how steeply chances rise with the score, and how wide the draw margin is. A score of exactly 0
//! has a margin of its own: it is usually a draw that the search has found, not an evaluation. The
//! coefficients were fitted to games of Orthrus against itself; see `docs/network.md`.

use crate::position::{Position, Rules, see_value};
use crate::types::{Color, PieceType, Score};

/// The material of both sides in the start position, in centipawns.
const FULL_BOARD: i32 = 7_800;

/// Less material than this counts as this much: there are too few games with less.
const BARE_BOARD: i32 = 1_000;

/// The chances of the side to move, in permille; together 1,000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinDrawLoss {
    /// It wins.
    pub win: u16,
    /// Nobody does.
    pub draw: u16,
    /// It loses.
    pub loss: u16,
}

impl WinDrawLoss {
    /// Nobody wins, for certain.
    pub const DRAW: Self = Self::of_permille(0, 0);

    /// The chances of the side to move of `position`, whose search returned `score`. Mates,
    /// tablebase wins and games that are over are certain.
    pub fn new<R: Rules>(score: Score, position: &Position<R>) -> Self {
        if score.is_decided() {
            return if score.is_win() {
                Self::of_permille(1_000, 0)
            } else {
                Self::of_permille(0, 1_000)
            };
        }
        if score == Score::DRAW && position.outcome().is_some() {
            return Self::DRAW;
        }
        let [win, _, loss] = Model::CURRENT.chances(score, material(position));
        let permille = |chance: f64| (chance * 1_000.0).round() as u16;
        let win = permille(win);
        Self::of_permille(win, permille(loss).min(1_000 - win))
    }

    /// The chances of the other side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self {
            win: self.loss,
            draw: self.draw,
            loss: self.win,
        }
    }

    const fn of_permille(win: u16, loss: u16) -> Self {
        Self {
            win,
            draw: 1_000 - win - loss,
            loss,
        }
    }
}

/// A score of `position` in the scale where 100 centipawns win every second game, whatever the
/// material. Mates and wins by endgame tables stay as they are.
pub fn normalised<R: Rules>(score: Score, position: &Position<R>) -> Score {
    if score.is_decided() {
        return score;
    }
    let even = Model::CURRENT.even_score(material(position));
    Score::evaluation((f64::from(score.value()) * 100.0 / even).round() as i32)
}

/// The material of both sides, in hand too, in centipawns; kings are worth nothing. In every game: here it
/// tells how far a game has come, not who is ahead.
pub fn material<R: Rules>(position: &Position<R>) -> i32 {
    let men = |kind| {
        let in_hand = Color::ALL.map(|color| u32::from(position.hand(color).count(kind)));
        position.pieces(kind).count() + in_hand.iter().sum::<u32>()
    };
    let kinds = PieceType::ALL.into_iter();
    kinds.map(|kind| see_value(kind) * men(kind) as i32).sum()
}

/// How chances depend on score and material.
///
/// With `x` the [`phase`](Self::phase) of the material, the steepness `k` and the margin `t` are
/// polynomials in `x`, and a score of `s` pawns wins with probability `1 / (1 + exp(t - k * s))`
/// and loses with `1 / (1 + exp(t + k * s))`. The rest is the probability of a draw. If `s` is 0,
/// `t` is another polynomial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// Coefficients of the steepness, per pawn, by rising power.
    pub steepness: [f64; Self::TERMS],
    /// Coefficients of the margin, by rising power.
    pub margin: [f64; Self::TERMS],
    /// Coefficients of the margin of a score of exactly 0, by rising power.
    pub draw_margin: [f64; Self::TERMS],
}

impl Model {
    /// Coefficients of a polynomial.
    pub const TERMS: usize = 3;

    /// The fit to games of network 17.
    pub const CURRENT: Self = Self {
        steepness: [2.0346, -2.3179, 1.2039],
        margin: [4.5933, -8.2043, 4.6085],
        draw_margin: [6.2905, -9.5299, 4.5010],
    };

    /// The coefficients of a polynomial with one value everywhere.
    pub const fn constant(value: f64) -> [f64; Self::TERMS] {
        let mut terms = [0.0; Self::TERMS];
        terms[0] = value;
        terms
    }

    /// Material as the argument of the polynomials: 1 is the start position.
    pub fn phase(material: i32) -> f64 {
        f64::from(material.clamp(BARE_BOARD, FULL_BOARD)) / f64::from(FULL_BOARD)
    }

    /// Steepness and margin with this material of both sides, in centipawns.
    pub fn curve(&self, material: i32) -> [f64; 2] {
        [&self.steepness, &self.margin].map(|terms| polynomial(terms, Self::phase(material)))
    }

    /// The score that wins every second game, in centipawns.
    fn even_score(&self, material: i32) -> f64 {
        let [steepness, margin] = self.curve(material);
        100.0 * margin / steepness
    }

    /// The chances to win, to draw and to lose with a score that is no mate, each from 0 to 1.
    /// `material` is that of both sides, in centipawns.
    pub fn chances(&self, score: Score, material: i32) -> [f64; 3] {
        let [steepness, margin] = self.curve(material);
        let lean = steepness * f64::from(score.value()) / 100.0;
        let margin = if score == Score::DRAW {
            polynomial(&self.draw_margin, Self::phase(material))
        } else {
            margin
        };
        let (win, loss) = (logistic(lean - margin), logistic(-lean - margin));
        // The rest to 1, computed without subtracting nearly equal numbers.
        let draw = win * loss * (2.0 * margin).exp_m1();
        [win, draw, loss]
    }
}

/// A polynomial with these coefficients, by rising power.
fn polynomial(terms: &[f64], x: f64) -> f64 {
    terms.iter().rev().fold(0.0, |sum, term| sum * x + term)
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;

    fn of(score: Score, fen: &str) -> WinDrawLoss {
        WinDrawLoss::new(score, &fen::parse(fen).unwrap())
    }

    const ROOKS: &str = "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1";
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn decided_games_are_certain() {
        let certain = |win, draw, loss| WinDrawLoss { win, draw, loss };
        assert_eq!(of(Score::mate_in(9), START), certain(1_000, 0, 0));
        assert_eq!(of(Score::tb_win(9), START), certain(1_000, 0, 0));
        assert_eq!(of(Score::mated_in(2), START), certain(0, 0, 1_000));
        let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
        assert_eq!(of(Score::DRAW, stalemate), certain(0, 1_000, 0));
        let bare = "7k/8/6K1/8/8/8/8/8 b - - 0 1";
        assert_eq!(of(Score::DRAW, bare), certain(0, 1_000, 0));
    }

    #[test]
    fn a_draw_that_was_found_is_likely_but_not_certain() {
        for fen in [ROOKS, START] {
            let found = of(Score::DRAW, fen);
            assert_eq!(found.win, found.loss);
            assert!((1..1_000).contains(&found.draw), "{found:?}");
            assert!(found.draw > of(Score::centipawns(1), fen).draw);
        }
    }

    #[test]
    fn a_larger_score_wins_more_and_chances_add_up() {
        for material in 0..=103 {
            // Beyond that a chance is 1 as nearly as a number can say.
            for centipawns in (-2_000..2_000).filter(|it| ![-1, 0].contains(it)) {
                let chances =
                    |score| Model::CURRENT.chances(Score::centipawns(score), material * 100);
                let [win, draw, loss] = chances(centipawns);
                assert!(win > 0.0 && draw > 0.0 && loss > 0.0);
                assert!((win + draw + loss - 1.0).abs() < 1e-9);
                let [wins_above, _, losses_above] = chances(centipawns + 1);
                assert!(
                    wins_above > win && losses_above < loss,
                    "{centipawns}, {material}"
                );
            }
        }
        let most = Score::MAX_EVALUATION.value();
        for centipawns in -most..=most {
            let chances = of(Score::centipawns(centipawns), ROOKS);
            assert_eq!(chances.win + chances.draw + chances.loss, 1_000);
            let other_side = of(Score::centipawns(-centipawns), ROOKS);
            assert_eq!(
                (chances.win, chances.loss),
                (other_side.loss, other_side.win)
            );
        }
    }

    #[test]
    fn a_normalised_pawn_wins_every_second_game() {
        for material in 0..=103 {
            let even = Model::CURRENT.even_score(material * 100);
            assert!((50.0..500.0).contains(&even), "{material}: {even}");
            let score = Score::centipawns(even.round() as i32);
            let [win, ..] = Model::CURRENT.chances(score, material * 100);
            assert!((win - 0.5).abs() < 0.005, "{material}: {win}");
        }
        let rooks = fen::parse(ROOKS).unwrap();
        let even = Model::CURRENT.even_score(material(&rooks)).round() as i32;
        for (score, expected) in [(0, 0), (even, 100), (-even, -100), (2 * even, 200)] {
            let normalised = normalised(Score::centipawns(score), &rooks);
            assert!(
                (normalised.value() - expected).abs() <= 1,
                "{score}: {normalised:?}"
            );
        }
        for decided in [Score::mate_in(3), Score::tb_win(7), Score::mated_in(2)] {
            assert_eq!(normalised(decided, &rooks), decided);
        }
    }

    #[test]
    fn few_men_are_drawn_more_often() {
        let draws = |fen| of(Score::centipawns(30), fen).draw;
        assert!(draws(ROOKS) > draws(START) + 200);
    }
}
