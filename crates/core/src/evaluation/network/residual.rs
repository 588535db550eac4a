//! The residual layer: a few neurons that see counts and what the rest of the network says, and
//! correct it (He et al., 2015: "Deep residual learning for image recognition", adds to what a layer
//! is given in the same way).
//!
//! The output of the rest is a weighted sum, to which a threat adds as much in a lost position as in
//! an even one. These neurons learn from as few games as the weights of direct inputs what goes together:
//! threats with other threats, an advantage with the material that is left to win it.

use super::counts::COUNTS;
use super::format::{QB, QR, RESIDUAL_NEURONS, RESIDUAL_REACH, RESIDUAL_STEP, RawResidual};
use super::kernels::{Block, Kernels, PAIRS, Wide};

/// A residual layer, laid out for evaluating.
#[derive(Debug)]
pub(super) struct Residual {
    /// Per pair of inputs, the weights of both for each neuron, side by side.
    weights: [[Block; 2]; PAIRS],
    /// Per bucket.
    bias: Box<[Wide]>,
    /// Per bucket.
    output: Box<[Wide]>,
}

impl Residual {
    /// Lays out a layer whose sizes have been checked.
    pub(super) fn new(raw: &RawResidual) -> Self {
        const { assert!(Block::LANES == RESIDUAL_NEURONS) };
        let (rows, _) = raw.input_weights.as_chunks::<RESIDUAL_NEURONS>();
        let mut weights = [[Block::ZERO; 2]; PAIRS];
        for (input, row) in rows.iter().enumerate() {
            let pair = &mut weights[input / 2];
            for (neuron, &weight) in row.iter().enumerate() {
                let place = 2 * neuron + input % 2;
                pair[place / Block::LANES].0[place % Block::LANES] = weight;
            }
        }
        let output = raw.output_weights.as_chunks().0.iter();
        Self {
            weights,
            bias: raw.bias.as_chunks().0.iter().copied().map(Wide).collect(),
            output: output.map(|row| Wide(row.map(i32::from))).collect(),
        }
    }

    /// What to add to the output of the rest in this bucket, both in units of `QA * QB`.
    #[inline]
    pub(super) fn correction(
        &self,
        [own, other]: &[[i32; COUNTS]; 2],
        output: i64,
        bucket: usize,
        kernels: Kernels,
    ) -> i32 {
        let mut inputs = [0; PAIRS];
        for (pair, (own, other)) in inputs.iter_mut().zip(own.iter().zip(other)) {
            *pair = own | other << 16;
        }
        let (step, reach) = (i64::from(RESIDUAL_STEP), i64::from(RESIDUAL_REACH));
        let steps = (output + step / 2).div_euclid(step).clamp(-reach, reach);
        inputs[PAIRS - 1] = steps as i32 & 0xffff;
        let (bias, weights) = (&self.bias[bucket], &self.output[bucket]);
        kernels.residual(&inputs, &self.weights, bias, weights) / (QR / QB)
    }
}
