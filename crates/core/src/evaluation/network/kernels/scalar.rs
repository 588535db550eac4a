//! The arithmetic in plain Rust: for every processor, and the reference that the others must match.

use super::super::format::QA;
use super::{Block, PAIRS, SHIFT, Wide};

/// The sum over both halves of `clamp(value, 0, QA)^2 * weight`.
pub(super) fn forward(halves: [(&[Block], &[Block]); 2]) -> i32 {
    let mut sum = 0_i32;
    for (values, weights) in halves {
        for (values, weights) in values.iter().zip(weights) {
            for (&value, &weight) in values.0.iter().zip(&weights.0) {
                let active = i32::from(value).clamp(0, QA);
                sum = sum.wrapping_add(active * active * i32::from(weight));
            }
        }
    }
    sum
}

/// The sum over all neurons of `clamp(sum / QC, 0, QA) * output`.
pub(super) fn residual(
    inputs: &[i32; PAIRS],
    weights: &[[Block; 2]; PAIRS],
    bias: &Wide,
    output: &Wide,
) -> i32 {
    let mut sums = bias.0;
    for (&pair, weights) in inputs.iter().zip(weights) {
        let [low, high] = [i32::from(pair as i16), pair >> 16];
        let weights = weights.iter().flat_map(|block| block.0.as_chunks().0);
        for (sum, &[first, second]) in sums.iter_mut().zip(weights) {
            let products = low * i32::from(first) + high * i32::from(second);
            *sum = sum.wrapping_add(products);
        }
    }
    let active = sums.map(|sum| (sum >> SHIFT).clamp(0, QA));
    let weighed = active.iter().zip(&output.0);
    weighed.map(|(active, weight)| active * weight).sum()
}

/// `target = source + added - removed`.
pub(super) fn update<const A: usize, const R: usize>(
    target: &mut [Block],
    source: &[Block],
    added: [&[Block]; A],
    removed: [&[Block]; R],
) {
    for (i, (target, source)) in target.iter_mut().zip(source).enumerate() {
        *target = *source;
        for row in added {
            combine(target, &row[i], i16::wrapping_add);
        }
        for row in removed {
            combine(target, &row[i], i16::wrapping_sub);
        }
    }
}

/// `target += added`.
pub(super) fn add<const A: usize>(target: &mut [Block], added: [&[Block]; A]) {
    for (i, target) in target.iter_mut().enumerate() {
        for row in added {
            combine(target, &row[i], i16::wrapping_add);
        }
    }
}

fn combine(target: &mut Block, row: &Block, operation: impl Fn(i16, i16) -> i16) {
    for (target, &weight) in target.0.iter_mut().zip(&row.0) {
        *target = operation(*target, weight);
    }
}
