//! The parameters that make the actual outcomes most likely.
//!
//! Likelihood of an ordered logistic model is concave in its coefficients, so there is one best
//! fit, and Fisher scoring (Newton's method with the expected curvature) finds it in a few steps
//! from anywhere.

use orthrus_core::evaluation::wdl::Model;
use orthrus_core::types::Score;
use thiserror::Error;

use super::Counts;

/// Coefficients of the three polynomials.
const PARAMETERS: usize = 3 * Model::TERMS;

/// Where the coefficients of each begin.
const STEEPNESS: usize = 0;
const MARGIN: usize = Model::TERMS;
const DRAW_MARGIN: usize = 2 * Model::TERMS;

/// More steps than any fit needs.
const MAX_STEPS: usize = 100;

/// The fit has been found when no coefficient moves by more.
const TOLERANCE: f64 = 1e-6;

type Vector = [f64; PARAMETERS];

/// Why there is no fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum FitError {
    /// The plies do not determine the coefficients: there are too few, or they are too much alike.
    #[error("{0} plies, too few or too much alike to fit a model to")]
    Undetermined(u64),
    /// The steps did not converge.
    #[error("no fit within {MAX_STEPS} steps")]
    Unsettled,
}

/// The model under which the counted games are most likely.
///
/// # Errors
///
/// If the games do not determine one.
pub(crate) fn fit(counts: &Counts) -> Result<Model, FitError> {
    let mut model = Model {
        steepness: Model::constant(1.0),
        margin: Model::constant(1.0),
        draw_margin: Model::constant(1.0),
    };
    let mut loss = counts.log_loss(&model);
    for _ in 0..MAX_STEPS {
        let (gradient, curvature) = derivatives(counts, &model);
        let step = solve(curvature, gradient).ok_or(FitError::Undetermined(counts.total()))?;
        // The full step, or the largest half, quarter, ... of it that does not raise the loss.
        let mut share = 1.0;
        let (moved, moved_loss) = loop {
            let moved = step_from(&model, &step, share);
            let moved_loss = counts.log_loss(&moved);
            if moved_loss <= loss || share < TOLERANCE {
                break (moved, moved_loss);
            }
            share /= 2.0;
        };
        (model, loss) = (moved, moved_loss);
        // Near the best fit the loss is the same up to rounding, and only a small share lowers it.
        if step.iter().all(|change| (share * change).abs() < TOLERANCE) {
            return Ok(model);
        }
    }
    Err(FitError::Unsettled)
}

fn step_from(model: &Model, step: &Vector, share: f64) -> Model {
    let moved = |terms: &[f64], first: usize| {
        std::array::from_fn(|term| terms[term] + share * step[first + term])
    };
    Model {
        steepness: moved(&model.steepness, STEEPNESS),
        margin: moved(&model.margin, MARGIN),
        draw_margin: moved(&model.draw_margin, DRAW_MARGIN),
    }
}

/// First derivatives of the log-likelihood by the coefficients, and its expected curvature.
fn derivatives(counts: &Counts, model: &Model) -> (Vector, [Vector; PARAMETERS]) {
    let mut gradient = [0.0; PARAMETERS];
    let mut curvature = [[0.0; PARAMETERS]; PARAMETERS];
    for (score, material, outcomes) in counts.iter() {
        let [win, draw, loss] = model.chances(score, material);
        let (win_slope, loss_slope) = (win * (1.0 - win), loss * (1.0 - loss));
        // Chance of each outcome, and its derivatives by lean and margin.
        let cells = [
            (outcomes.wins, win, [win_slope, -win_slope]),
            (outcomes.losses, loss, [-loss_slope, -loss_slope]),
            (
                outcomes.draws,
                draw,
                [loss_slope - win_slope, win_slope + loss_slope],
            ),
        ];
        let pawns = f64::from(score.value()) / 100.0;
        let margin = if score == Score::DRAW {
            DRAW_MARGIN
        } else {
            MARGIN
        };
        let mut inputs = [0.0; PARAMETERS];
        let mut power = 1.0;
        for term in 0..Model::TERMS {
            inputs[STEEPNESS + term] = pawns * power;
            inputs[margin + term] = power;
            power *= Model::phase(material);
        }
        for (count, chance, [lean_slope, margin_slope]) in cells {
            let slopes: Vector = std::array::from_fn(|i| {
                inputs[i] * if i < MARGIN { lean_slope } else { margin_slope }
            });
            for (i, slope) in slopes.into_iter().enumerate() {
                gradient[i] += count as f64 * slope / chance;
                for (sum, other) in curvature[i].iter_mut().zip(slopes) {
                    *sum += outcomes.total() as f64 * slope * other / chance;
                }
            }
        }
    }
    (gradient, curvature)
}

/// The `x` with `matrix * x = right`, by elimination; `None` if there is not exactly one.
fn solve(mut matrix: [Vector; PARAMETERS], mut right: Vector) -> Option<Vector> {
    for column in 0..PARAMETERS {
        let size = |row: &usize| matrix[*row][column].abs();
        let pivot = (column..PARAMETERS).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        if size(&pivot) < f64::MIN_POSITIVE || !size(&pivot).is_finite() {
            return None;
        }
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        for row in column + 1..PARAMETERS {
            let factor = matrix[row][column] / matrix[column][column];
            let above = matrix[column];
            for (entry, above) in matrix[row].iter_mut().zip(above) {
                *entry -= factor * above;
            }
            right[row] -= factor * right[column];
        }
    }
    for row in (0..PARAMETERS).rev() {
        let known: f64 = (row + 1..PARAMETERS)
            .map(|column| matrix[row][column] * right[column])
            .sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right.iter().all(|x| x.is_finite()).then_some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRUE: Model = Model {
        steepness: [0.7, 0.4, -0.6],
        margin: [2.0, -3.0, 1.5],
        draw_margin: [4.0, 1.0, -2.0],
    };

    /// As many outcomes of each kind as the model expects.
    fn counts(model: &Model) -> Counts {
        let mut counts = Counts::default();
        for material in (1_000..=7_800).step_by(400) {
            for score in (-900..=900).step_by(60) {
                let score = Score::centipawns(score);
                let outcomes = model.chances(score, material);
                counts.add(score, material, outcomes.map(|p| (p * 1e9).round() as u64));
            }
        }
        counts
    }

    #[test]
    fn finds_the_model_that_games_came_from() {
        let counts = counts(&TRUE);
        let model = fit(&counts).unwrap();
        let pairs = |a: [f64; 3], b: [f64; 3]| a.into_iter().zip(b);
        let (steepness, margin) = (
            pairs(model.steepness, TRUE.steepness),
            pairs(model.margin, TRUE.margin),
        );
        let draw_margin = pairs(model.draw_margin, TRUE.draw_margin);
        for (found, expected) in steepness.chain(margin).chain(draw_margin) {
            assert!((found - expected).abs() < 1e-4, "{model:?}");
        }
        assert!(counts.log_loss(&model) <= counts.log_loss(&TRUE));
        for row in counts.calibration(&model) {
            assert!((row.wins - row.came.wins as f64).abs() < 1e-4 * row.came.total() as f64);
        }
    }

    #[test]
    fn any_games_are_fitted_as_far_as_numbers_are_exact() {
        for seed in 0..60 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut counts = Counts::default();
            for (score, material, _) in self::counts(&TRUE).iter() {
                let outcomes = TRUE.chances(score, material);
                let outcomes = outcomes.map(|p| (p * random.f64() * 1e4) as u64);
                counts.add(score, material, outcomes);
            }
            assert!(fit(&counts).is_ok(), "{seed}");
        }
    }

    #[test]
    fn games_that_are_all_alike_determine_nothing() {
        let mut counts = Counts::default();
        assert_eq!(fit(&counts), Err(FitError::Undetermined(0)));
        counts.add(Score::centipawns(50), 7_800, [5, 5, 5]);
        assert!(fit(&counts).is_err());
    }
}
