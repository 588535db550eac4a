//! `AdamW`: Adam with decoupled weight decay, and weights kept to what the engine can hold.
//!
//! The engine computes with integers, so the network that learns is the rounded one: its weights
//! are multiples of 1/255 and 1/64, and the slopes of the loss are taken there. Steps are much
//! smaller than that; the optimiser collects them in exact weights of its own.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::kernels::{AdamW, Round, Step};
use super::model::{Block, Lanes, Parameters, Rounded, Shape};
use super::residual;
use super::simd::Level;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;

/// The settings of every step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settings {
    /// The share of every weight that a step at learning rate 1 would remove.
    pub decay: f32,
    /// The largest absolute value of an input weight or bias.
    pub input_clip: f32,
    /// The largest absolute value of an output weight.
    pub output_clip: f32,
    /// Whether the hidden layer and its output weights stay as they are.
    #[serde(default)]
    pub frozen: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            decay: 0.01,
            input_clip: 0.99,
            output_clip: 1.98,
            frozen: false,
        }
    }
}

/// The exact weights and the moments of the gradient.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Optimizer {
    /// The weights before rounding.
    pub exact: Parameters,
    /// Running mean of the gradient.
    pub first: Parameters,
    /// Running mean of its square.
    pub second: Parameters,
    /// Steps taken.
    pub steps: u64,
}

impl Optimizer {
    /// Starts from these weights.
    pub(crate) fn new(shape: Shape, exact: Parameters) -> Self {
        Self {
            exact,
            first: Parameters::zero(shape),
            second: Parameters::zero(shape),
            steps: 0,
        }
    }

    /// Takes a step of size `rate` against the mean of `gradients`, which sum up the slopes of
    /// `positions` positions, and rounds the weights that result.
    /// The work is spread over the current thread pool.
    pub(crate) fn step(
        &mut self,
        rounded: &mut Rounded,
        gradients: &[&Parameters],
        positions: usize,
        rate: f32,
        settings: Settings,
        level: Level,
    ) {
        self.steps += 1;
        let steps = self.steps.min(1_000_000) as i32; // beyond that the corrections are 1
        let input = Step {
            gradient_scale: 1.0 / positions as f32,
            beta1: BETA1,
            beta2: BETA2,
            rate: rate / (1.0 - BETA1.powi(steps)),
            second_scale: 1.0 / (1.0 - BETA2.powi(steps)),
            keep: 1.0 - rate * settings.decay,
            clip: settings.input_clip,
        };
        let output = Step {
            clip: settings.output_clip,
            ..input
        };

        let learning = if settings.frozen {
            0
        } else {
            rounded.blocks.len()
        };
        let weights = (&mut self.exact.blocks, &mut rounded.blocks[..learning]).into_par_iter();
        let moments = (&mut self.first.blocks, &mut self.second.blocks).into_par_iter();
        let blocks = weights.zip(moments).enumerate();
        blocks.for_each(|(n, ((exact, rounded), (first, second)))| {
            let gradients: Vec<&Block> = gradients.iter().map(|shard| &shard.blocks[n]).collect();
            step_block(
                [&mut *exact, first, second],
                &gradients,
                [input, output],
                level,
            );
            level.run(Round { exact, rounded });
        });

        // The biases of the outputs are one number per bucket, 32 bits wide: not clipped. Like the
        // weights of the direct inputs and the residual layer they are so finely divided that rounding changes
        // nothing.
        let bias = Step {
            clip: f32::MAX,
            ..input
        };
        step_plain(
            [&mut self.exact, &mut self.first, &mut self.second].map(|it| &mut it.output_bias[..]),
            |n| gradients.iter().map(|shard| shard.output_bias[n]).sum(),
            bias,
        );
        rounded.output_bias.copy_from_slice(&self.exact.output_bias);
        step_plain(
            [&mut self.exact, &mut self.first, &mut self.second]
                .map(|it| it.direct.as_flattened_mut()),
            |n| {
                gradients
                    .iter()
                    .map(|shard| shard.direct.as_flattened()[n])
                    .sum()
            },
            output,
        );
        rounded.direct.copy_from_slice(&self.exact.direct);

        for row in 0..self.exact.residual.len() {
            let step = Step {
                clip: residual::limit(row, rounded.output_bias.len()),
                ..input
            };
            step_plain(
                [&mut self.exact, &mut self.first, &mut self.second]
                    .map(|it| &mut it.residual[row][..]),
                |n| gradients.iter().map(|shard| shard.residual[row][n]).sum(),
                step,
            );
        }
        rounded.residual.copy_from_slice(&self.exact.residual);
    }
}

/// One step over exact weights, first and second moments, one by one; `slope` sums up the gradient.
fn step_plain([exact, first, second]: [&mut [f32]; 3], slope: impl Fn(usize) -> f32, step: Step) {
    let moments = first.iter_mut().zip(second);
    for (n, (exact, (first, second))) in exact.iter_mut().zip(moments).enumerate() {
        step.apply(slope(n) * step.gradient_scale, exact, first, second);
    }
}

/// One step over the two layers of a block, each with its own numbers. The blocks are those of
/// exact weights, first and second moments.
fn step_block(blocks: [&mut Block; 3], gradients: &[&Block], steps: [Step; 2], level: Level) {
    let [exact, first, second] = blocks.map(Block::layers_mut);
    let (input, output): (Vec<&[Lanes]>, Vec<&[Lanes]>) =
        gradients.iter().map(|block| block.layers()).unzip();
    level.run(AdamW {
        exact: exact.0,
        first: first.0,
        second: second.0,
        gradients: &input,
        step: steps[0],
    });
    level.run(AdamW {
        exact: exact.1,
        first: first.1,
        second: second.1,
        gradients: &output,
        step: steps[1],
    });
}
