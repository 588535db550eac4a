//! The hot loops: one block of neurons over a chunk of positions, and one step of the optimiser.
#![expect(
    clippy::inline_always,
    reason = "only inlined code takes on the vector instructions of the kernel that calls it"
)]

use orthrus_core::evaluation::network::QA;

use super::model::{Block, LANES, Lanes, Narrow, RoundedBlock};
use super::sample::{Inputs, SeenBy};
use super::simd::Kernel;

/// Adds up the rows of the active inputs, clips, and adds each position's share of the output.
pub(crate) struct Forward<'a> {
    /// The weights of the block.
    pub block: &'a RoundedBlock,
    /// The positions.
    pub inputs: &'a [Inputs],
    /// Per position, the clipped sums of the own and the other perspective: written.
    pub clipped: &'a mut [[Clipped; 2]],
    /// Per position and lane, the sum of the output so far: added to.
    pub outputs: &'a mut [Lanes],
}

/// Sums clipped to 0..=255, which means 0 to 1, for [`LANES`] neurons.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clipped(pub [u8; LANES]);

impl Kernel for Forward<'_> {
    #[inline(always)]
    fn run(self) {
        let rows = self.block.rows();
        let bias = *self.block.bias();
        let weights = self.block.output();
        let positions = self.inputs.iter().zip(self.clipped).zip(self.outputs);
        for ((inputs, clipped), output) in positions {
            let [mut own_sum, mut other_sum] = [bias; 2];
            for &[own, other] in inputs.rows() {
                add(&mut own_sum, &rows[usize::from(own)]);
                add(&mut other_sum, &rows[usize::from(other)]);
            }
            let [own_weights, other_weights] = &weights[inputs.bucket()];
            let [own, other] = clipped;
            clip(&own_sum, own);
            clip(&other_sum, other);
            activate(own, own_weights, output);
            activate(other, other_weights, output);
        }
    }
}

/// Adds a row: one for each active input, at most `MAX_ACTIVE`, and the biases, each within +-1.98,
/// stay within 16 bits.
#[inline(always)]
fn add(sum: &mut Narrow, row: &Narrow) {
    for (sum, weight) in sum.0.iter_mut().zip(row.0) {
        *sum = sum.wrapping_add(weight);
    }
}

#[inline(always)]
fn clip(sum: &Narrow, clipped: &mut Clipped) {
    for (clipped, &sum) in clipped.0.iter_mut().zip(&sum.0) {
        *clipped = sum.clamp(0, QA as i16) as u8;
    }
}

/// The values, `0.0..=`[`MOST`], of clipped sums.
#[inline(always)]
fn values_of(clipped: &Clipped) -> Lanes {
    let mut values = Lanes::splat(0.0);
    for (value, &clipped) in values.0.iter_mut().zip(&clipped.0) {
        *value = f32::from(clipped) * UNIT;
    }
    values
}

/// What a sum of 1 means.
const UNIT: f32 = 1.0 / QA as f32;
/// The value of the largest sum: 1, but for rounding.
const MOST: f32 = QA as f32 * UNIT;

/// Adds the squares of clipped sums, weighted, to the output.
#[inline(always)]
fn activate(clipped: &Clipped, weights: &Lanes, output: &mut Lanes) {
    let values = values_of(clipped);
    for lane in 0..LANES {
        let value = values.0[lane];
        output.0[lane] += value * value * weights.0[lane];
    }
}

/// Propagates the slope of the loss back from the output to the parameters of one block.
pub(crate) struct Backward<'a> {
    /// The weights of the block.
    pub block: &'a RoundedBlock,
    /// The positions.
    pub inputs: &'a [Inputs],
    /// Which perspectives see which input.
    pub seen_by: &'a SeenBy,
    /// What [`Forward`] wrote for the positions.
    pub clipped: &'a [[Clipped; 2]],
    /// Per position, the slope of the loss with respect to the output.
    pub slopes: &'a [f32],
    /// Per position and perspective, the slopes with respect to the sums: overwritten.
    pub sum_slopes: &'a mut [[Lanes; 2]],
    /// The slopes with respect to the parameters of the block: added to.
    pub gradient: &'a mut Block,
}

impl Kernel for Backward<'_> {
    #[inline(always)]
    fn run(self) {
        let weights = self.block.output();
        let (rows, bias, output) = self.gradient.parts_mut();
        let positions = self.inputs.iter().zip(self.clipped).zip(self.slopes);
        for (((inputs, clipped), &slope), sum_slopes) in positions.zip(&mut *self.sum_slopes) {
            let bucket = inputs.bucket();
            for perspective in [0, 1] {
                sum_slopes[perspective] = slopes_of(
                    &clipped[perspective],
                    &weights[bucket][perspective],
                    slope,
                    &mut output[bucket][perspective],
                );
                bias.add(&sum_slopes[perspective]);
            }
        }
        // Row by row, so that each is read and written once.
        let sum_slopes = self.sum_slopes.as_flattened();
        for (row, seen_by) in rows.iter_mut().zip(self.seen_by.rows()) {
            let mut total = *row;
            for &perspective in seen_by {
                total.add(&sum_slopes[usize::from(perspective)]);
            }
            *row = total;
        }
    }
}

/// The slopes of the loss with respect to the sums of one perspective; those with respect to the
/// output weights are added to `output`.
#[inline(always)]
fn slopes_of(clipped: &Clipped, weights: &Lanes, slope: f32, output: &mut Lanes) -> Lanes {
    let mut slopes = Lanes::splat(0.0);
    let values = values_of(clipped);
    for lane in 0..LANES {
        let value = values.0[lane];
        output.0[lane] += slope * value * value;
        // Outside the clipped range the activation is flat; at its lower end it is anyway.
        let through = slope * weights.0[lane] * 2.0 * value;
        slopes.0[lane] = if value < MOST { through } else { 0.0 };
    }
    slopes
}

/// One step of `AdamW` over some parameters of the same kind.
pub(crate) struct AdamW<'a> {
    /// The exact parameters: changed.
    pub exact: &'a mut [Lanes],
    /// Running mean of the gradient: changed.
    pub first: &'a mut [Lanes],
    /// Running mean of its square: changed.
    pub second: &'a mut [Lanes],
    /// The gradients, which are summed in this order.
    pub gradients: &'a [&'a [Lanes]],
    /// The numbers of this step.
    pub step: Step,
}

/// The numbers of one step of the optimiser.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// What turns the sum of the gradients into their mean.
    pub gradient_scale: f32,
    /// How much of the first moment is kept.
    pub beta1: f32,
    /// How much of the second moment is kept.
    pub beta2: f32,
    /// Learning rate, divided by the bias correction of the first moment.
    pub rate: f32,
    /// Divided by the bias correction of the second moment.
    pub second_scale: f32,
    /// What a weight is multiplied by: 1 less the learning rate times the decay.
    pub keep: f32,
    /// The largest absolute value of a parameter.
    pub clip: f32,
}

/// Keeps the division of a step finite.
const EPSILON: f32 = 1e-8;

impl Kernel for AdamW<'_> {
    #[inline(always)]
    fn run(self) {
        let step = self.step;
        let moments = self.first.iter_mut().zip(self.second);
        for (n, (exact, (first, second))) in self.exact.iter_mut().zip(moments).enumerate() {
            let mut gradient = Lanes::splat(0.0);
            for shard in self.gradients {
                gradient.add(&shard[n]);
            }
            for lane in 0..LANES {
                step.apply(
                    gradient.0[lane] * step.gradient_scale,
                    &mut exact.0[lane],
                    &mut first.0[lane],
                    &mut second.0[lane],
                );
            }
        }
    }
}

impl Step {
    /// Changes one parameter.
    #[inline(always)]
    pub(crate) fn apply(
        self,
        gradient: f32,
        parameter: &mut f32,
        first: &mut f32,
        second: &mut f32,
    ) {
        *first = self.beta1 * *first + (1.0 - self.beta1) * gradient;
        *second = self.beta2 * *second + (1.0 - self.beta2) * gradient * gradient;
        let stride = self.rate * *first / ((*second * self.second_scale).sqrt() + EPSILON);
        *parameter = (*parameter * self.keep - stride)
            .max(-self.clip)
            .min(self.clip);
    }
}

/// Rounds the weights of a block.
pub(crate) struct Round<'a> {
    /// The exact weights.
    pub exact: &'a Block,
    /// The nearest that the engine can hold: written.
    pub rounded: &'a mut RoundedBlock,
}

impl Kernel for Round<'_> {
    #[inline(always)]
    fn run(self) {
        self.rounded.update(self.exact);
    }
}
