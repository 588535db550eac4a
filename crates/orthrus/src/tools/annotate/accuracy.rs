//! How good moves were, by what they cost in chances to win.
//!
//! The formulas are those that Lichess publishes (<https://lichess.org/page/accuracy>): the chance
//! to win from a score, the accuracy of a move from the chance it lost, and, from lila's issue
//! 15164, the accuracy of a game from those of its moves. They describe people, not engines; a
//! score of Orthrus takes the place of Stockfish's.

use orthrus_core::types::{Color, Score};
use orthrus_pgn::Nag;

/// A mate counts as this many centipawns, and no score counts for more.
const CEILING: i32 = 1000;

/// How bad a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mark {
    /// It lost at least 5 percent of winning chances: `?!`.
    Inaccuracy,
    /// At least 10 percent: `?`.
    Mistake,
    /// At least 15 percent: `??`.
    Blunder,
}

impl Mark {
    /// All, the worst first, each with the smallest loss of winning chances in percent.
    pub(crate) const ALL: [(Self, f64); 3] = [
        (Self::Blunder, 15.0),
        (Self::Mistake, 10.0),
        (Self::Inaccuracy, 5.0),
    ];

    /// The mark of a move that has lost this many percent of winning chances.
    pub(crate) fn of_loss(percent: f64) -> Option<Self> {
        let mark = Self::ALL
            .into_iter()
            .find(|&(_, min_loss)| percent >= min_loss);
        mark.map(|(mark, _)| mark)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    pub(crate) fn nag(self) -> Nag {
        match self {
            Self::Inaccuracy => Nag::DUBIOUS,
            Self::Mistake => Nag::MISTAKE,
            Self::Blunder => Nag::BLUNDER,
        }
    }
}

/// The centipawns of a score, mates and decided games cut to ten pawns.
pub(crate) fn bounded(score: Score) -> i32 {
    match score {
        _ if score.is_win() => CEILING,
        _ if score.is_loss() => -CEILING,
        _ => score.value().clamp(-CEILING, CEILING),
    }
}

/// The chance that a player with this score wins, in percent.
pub(crate) fn win_percent(score: Score) -> f64 {
    50.0 + 50.0 * (2.0 / (1.0 + (-0.003_682_08 * f64::from(bounded(score))).exp()) - 1.0)
}

/// The chance of a side, from that of White.
pub(crate) fn percent_for(side: Color, white: f64) -> f64 {
    match side {
        Color::White => white,
        Color::Black => 100.0 - white,
    }
}

/// The accuracy of a move that lost this many percent of winning chances, from 0 to 100.
pub(crate) fn move_accuracy(lost: f64) -> f64 {
    (103.1668 * (-0.04354 * lost.max(0.0)).exp() - 3.1669).clamp(0.0, 100.0)
}

/// The accuracy of a side in a game, from 0 to 100: the mean of the harmonic mean of its moves and
/// of their mean weighted by how much was at stake around each. `white` are White's chances before
/// the first move and after each; `None` if none of them is counted as a move of the side.
pub(crate) fn game_accuracy(
    white: &[f64],
    side: Color,
    is_counted: impl Fn(usize) -> bool,
) -> Option<f64> {
    let moves = white.len().saturating_sub(1);
    let window = (moves / 10).clamp(2, 8).min(white.len());
    let mut weighted = 0.0;
    let mut weights = 0.0;
    let mut inverses = 0.0;
    let mut count = 0.0;
    for (index, pair) in white.windows(2).enumerate() {
        let at = (index + 2).saturating_sub(window).min(white.len() - window);
        if is_counted(index) {
            let accuracy = move_accuracy(percent_for(side, pair[0]) - percent_for(side, pair[1]));
            let weight = deviation(&white[at..at + window]).clamp(0.5, 12.0);
            weighted += accuracy * weight;
            weights += weight;
            inverses += 1.0 / accuracy.max(1.0);
            count += 1.0;
        }
    }
    (count > 0.0).then(|| f64::midpoint(weighted / weights, count / inverses))
}

fn deviation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values
        .iter()
        .map(|value| (value - mean).powi(2))
        .sum::<f64>()
        / count;
    variance.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 0.01, "{value}, not {expected}");
    }

    #[test]
    fn chances_rise_with_the_score() {
        near(win_percent(Score::DRAW), 50.0);
        near(win_percent(Score::centipawns(100)), 59.10);
        near(win_percent(Score::centipawns(-300)), 24.89);
        near(
            win_percent(Score::mate_in(3)),
            win_percent(Score::centipawns(4000)),
        );
    }

    #[test]
    fn a_move_that_loses_nothing_is_perfect() {
        near(move_accuracy(0.0), 100.0);
        near(move_accuracy(-5.0), 100.0);
        near(move_accuracy(10.0), 63.58);
        near(move_accuracy(100.0), 0.0);
    }

    #[test]
    fn marks_go_by_what_is_lost() {
        let marks = [4.9, 5.0, 12.0, 40.0].map(Mark::of_loss);
        let expected = [
            None,
            Some(Mark::Inaccuracy),
            Some(Mark::Mistake),
            Some(Mark::Blunder),
        ];
        assert_eq!(marks, expected);
    }

    #[test]
    fn each_side_answers_for_its_own_moves() {
        // White loses 30 percent at once, Black nothing.
        let white = [50.0, 20.0, 20.0, 20.0, 20.0];
        let is_white = |index: usize| index.is_multiple_of(2);
        let of = |white: &[f64], side| {
            game_accuracy(white, side, |index| {
                is_white(index) == (side == Color::White)
            })
        };
        let accuracy = |side| of(&white, side).unwrap();
        near(accuracy(Color::Black), 100.0);
        assert!(accuracy(Color::White) < 60.0, "{}", accuracy(Color::White));
        assert_eq!(of(&[50.0], Color::White), None);
        assert_eq!(of(&[50.0, 40.0], Color::Black), None);
    }
}
