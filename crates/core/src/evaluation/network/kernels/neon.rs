//! NEON: a block of 32 values is four vectors.

use std::arch::aarch64::{
    int16x8_t, int32x4_t, vaddq_s16, vaddq_s32, vaddvq_s32, vdupq_n_s16, vdupq_n_s32, vget_low_s16,
    vld1q_s16, vmaxq_s16, vminq_s16, vmlal_high_s16, vmlal_s16, vmulq_s16, vst1q_s16, vsubq_s16,
};

use super::super::format::QA;
use super::{Block, PAIRS, Wide, shortened};

/// See `scalar::forward`.
#[target_feature(enable = "neon")]
pub(super) fn forward(halves: [(&[Block], &[Block]); 2]) -> i32 {
    let zero = vdupq_n_s16(0);
    let most = vdupq_n_s16(QA as i16);
    let add_term = |sum: int32x4_t, values: int16x8_t, weights: int16x8_t| {
        let active = vminq_s16(vmaxq_s16(values, zero), most);
        // At most 255 * 127: the product fits into 16 bits, and its product with the value again
        // is summed in 32.
        let weighed = vmulq_s16(active, weights);
        let sum = vmlal_s16(sum, vget_low_s16(weighed), vget_low_s16(active));
        vmlal_high_s16(sum, weighed, active)
    };
    // One sum per vector of a block, so that one addition need not wait for the other.
    let mut sums = [vdupq_n_s32(0); 4];
    for (values, weights) in halves {
        for (values, weights) in values.iter().zip(weights) {
            let (values, weights) = (load(values), load(weights));
            for (sum, (values, weights)) in sums.iter_mut().zip(values.into_iter().zip(weights)) {
                *sum = add_term(*sum, values, weights);
            }
        }
    }
    let [a, b, c, d] = sums;
    vaddvq_s32(vaddq_s32(vaddq_s32(a, b), vaddq_s32(c, d)))
}

/// See `scalar::residual`, of which the compiler makes as good a loop: it may use NEON in all code for ARM.
#[target_feature(enable = "neon")]
pub(super) fn residual(
    inputs: &[i32; PAIRS],
    weights: &[[Block; 2]; PAIRS],
    bias: &Wide,
    output: &Wide,
) -> i32 {
    super::scalar::residual(inputs, weights, bias, output)
}

/// See `scalar::update`.
#[target_feature(enable = "neon")]
pub(super) fn update<const A: usize, const R: usize>(
    target: &mut [Block],
    source: &[Block],
    added: [&[Block]; A],
    removed: [&[Block]; R],
) {
    let blocks = target.len();
    let added = shortened(added, blocks);
    let removed = shortened(removed, blocks);
    for (i, (target, source)) in target.iter_mut().zip(&source[..blocks]).enumerate() {
        let mut values = load(source);
        for row in added {
            let row = load(&row[i]);
            values = [0, 1, 2, 3].map(|part| vaddq_s16(values[part], row[part]));
        }
        for row in removed {
            let row = load(&row[i]);
            values = [0, 1, 2, 3].map(|part| vsubq_s16(values[part], row[part]));
        }
        store(target, values);
    }
}

/// See `scalar::add`.
#[target_feature(enable = "neon")]
pub(super) fn add<const A: usize>(target: &mut [Block], added: [&[Block]; A]) {
    let blocks = target.len();
    let added = shortened(added, blocks);
    for (i, target) in target.iter_mut().enumerate() {
        let mut values = load(target);
        for row in added {
            let row = load(&row[i]);
            values = [0, 1, 2, 3].map(|part| vaddq_s16(values[part], row[part]));
        }
        store(target, values);
    }
}

#[target_feature(enable = "neon")]
fn load(block: &Block) -> [int16x8_t; 4] {
    let (vectors, _) = block.0.as_chunks::<8>();
    [0, 1, 2, 3].map(|part| {
        // SAFETY: the chunk is 16 bytes that may be read.
        unsafe { vld1q_s16(vectors[part].as_ptr()) }
    })
}

#[target_feature(enable = "neon")]
fn store(block: &mut Block, values: [int16x8_t; 4]) {
    let (vectors, _) = block.0.as_chunks_mut::<8>();
    for (vector, values) in vectors.iter_mut().zip(values) {
        // SAFETY: the chunk is 16 bytes that may be written.
        unsafe { vst1q_s16(vector.as_mut_ptr(), values) }
    }
}
