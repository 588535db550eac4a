//! The hot loops: one block of neurons over a chunk of positions, and one step of the optimiser.
#![expect(
    clippy::inline_always,
    reason = "only inlined code takes on the vector instructions of the kernel that calls it"
)]

use super::model::{Block, LANES, Lanes};
use super::sample::Inputs;
use super::simd::Kernel;

/// Adds up the rows of the active inputs, clips, and adds each position's share of the output.
pub(crate) struct Forward<'a> {
    /// The parameters of the block.
    pub block: &'a Block,
    /// The positions.
    pub inputs: &'a [Inputs],
    /// Per position, the clipped sums of the own and the other perspective: written.
    pub clipped: &'a mut [[Lanes; 2]],
    /// Per position and lane, the sum of the output so far: added to.
    pub outputs: &'a mut [Lanes],
}

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
                own_sum.add(&rows[usize::from(own)]);
                other_sum.add(&rows[usize::from(other)]);
            }
            let [own_weights, other_weights] = &weights[inputs.bucket()];
            let [own_clipped, other_clipped] = clipped;
            *own_clipped = activate(own_sum, own_weights, output);
            *other_clipped = activate(other_sum, other_weights, output);
        }
    }
}

/// Clips a sum of rows and adds its squares, weighted, to the output.
#[inline(always)]
fn activate(sum: Lanes, weights: &Lanes, output: &mut Lanes) -> Lanes {
    let mut clipped = sum;
    for lane in 0..LANES {
        let value = clipped.0[lane].clamp(0.0, 1.0);
        clipped.0[lane] = value;
        output.0[lane] += value * value * weights.0[lane];
    }
    clipped
}

/// Propagates the slope of the loss back from the output to the parameters of one block.
pub(crate) struct Backward<'a> {
    /// The parameters of the block.
    pub block: &'a Block,
    /// The positions.
    pub inputs: &'a [Inputs],
    /// What [`Forward`] wrote for the positions.
    pub clipped: &'a [[Lanes; 2]],
    /// Per position, the slope of the loss with respect to the output.
    pub slopes: &'a [f32],
    /// The slopes with respect to the parameters of the block: added to.
    pub gradient: &'a mut Block,
}

impl Kernel for Backward<'_> {
    #[inline(always)]
    fn run(self) {
        let weights = self.block.output();
        let (rows, bias, output) = self.gradient.parts_mut();
        let positions = self.inputs.iter().zip(self.clipped).zip(self.slopes);
        for ((inputs, clipped), &slope) in positions {
            let bucket = inputs.bucket();
            let [own_weights, other_weights] = &weights[bucket];
            let [own_output, other_output] = &mut output[bucket];
            let own_slopes = slopes_of(&clipped[0], own_weights, slope, own_output);
            let other_slopes = slopes_of(&clipped[1], other_weights, slope, other_output);
            bias.add(&own_slopes);
            bias.add(&other_slopes);
            for &[own, other] in inputs.rows() {
                rows[usize::from(own)].add(&own_slopes);
                rows[usize::from(other)].add(&other_slopes);
            }
        }
    }
}

/// The slopes of the loss with respect to the sums of one perspective; those with respect to the
/// output weights are added to `output`.
#[inline(always)]
fn slopes_of(clipped: &Lanes, weights: &Lanes, slope: f32, output: &mut Lanes) -> Lanes {
    let mut slopes = Lanes::splat(0.0);
    for lane in 0..LANES {
        let value = clipped.0[lane];
        output.0[lane] += slope * value * value;
        // Outside the clipped range the activation is flat.
        let inside = value > 0.0 && value < 1.0;
        let through = slope * weights.0[lane] * 2.0 * value;
        slopes.0[lane] = if inside { through } else { 0.0 };
    }
    slopes
}

/// One step of `AdamW` over some parameters of the same kind.
pub(crate) struct AdamW<'a> {
    /// The exact parameters: changed.
    pub exact: &'a mut [Lanes],
    /// The same rounded to multiples of the step's unit: written.
    pub rounded: &'a mut [Lanes],
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
    /// How many units of the rounded parameters make 1.
    pub unit: f32,
}

/// Keeps the division of a step finite.
const EPSILON: f32 = 1e-8;

impl Kernel for AdamW<'_> {
    #[inline(always)]
    fn run(self) {
        let step = self.step;
        let parameters = self.exact.iter_mut().zip(self.rounded);
        let moments = self.first.iter_mut().zip(self.second);
        for (n, ((exact, rounded), (first, second))) in parameters.zip(moments).enumerate() {
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
                rounded.0[lane] = round(exact.0[lane], step.unit);
            }
        }
    }
}

/// The multiple of `1 / unit` that is nearest to `value`.
#[inline(always)]
pub(crate) fn round(value: f32, unit: f32) -> f32 {
    (value * unit).round_ties_even() / unit
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
