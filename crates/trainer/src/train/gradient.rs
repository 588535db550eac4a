//! Loss and gradient of a series of positions.

use rayon::prelude::*;

use super::kernels::{Backward, Clipped, Forward};
use super::model::{LANES, Lanes, Parameters, Rounded, Shape};
use super::objective::Objective;
use super::residual::Residual;
use super::sample::{Inputs, Sample, SeenBy};
use super::simd::Level;

/// Positions that pass through one block of neurons before the next block's turn: enough to pay for
/// fetching the block, few enough that their slopes stay in the L1 cache.
const CHUNK: usize = 128;

/// Working memory of one thread.
#[derive(Debug)]
pub(crate) struct Scratch {
    inputs: Vec<Inputs>,
    seen_by: SeenBy,
    /// Per block, per position of the chunk: the clipped sums.
    clipped: Vec<Vec<[Clipped; 2]>>,
    partial: Vec<Lanes>,
    slopes: Vec<f32>,
    sum_slopes: Vec<[Lanes; 2]>,
}

impl Scratch {
    /// Memory for networks of this shape.
    pub(crate) fn new(shape: Shape) -> Self {
        Self {
            inputs: Vec::with_capacity(CHUNK),
            seen_by: SeenBy::new(shape.inputs()),
            clipped: vec![vec![[Clipped([0; LANES]); 2]; CHUNK]; shape.blocks()],
            partial: vec![Lanes::splat(0.0); CHUNK],
            slopes: Vec::with_capacity(CHUNK),
            sum_slopes: vec![[Lanes::splat(0.0); 2]; CHUNK],
        }
    }
}

/// A network with what is needed to run it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Network<'a> {
    /// Its shape.
    pub shape: Shape,
    /// Its weights, of that shape.
    pub weights: &'a Rounded,
    /// The vector instructions to use.
    pub level: Level,
}

impl Network<'_> {
    /// Calls `each` with every sample and the network's output for it, in units of
    /// [`SCALE`](orthrus_core::evaluation::network::SCALE) centipawns from the side to move's point
    /// of view.
    pub(crate) fn evaluate<'s>(
        self,
        samples: impl Iterator<Item = &'s Sample>,
        scratch: &mut Scratch,
        mut each: impl FnMut(&Sample, f32),
    ) {
        for_each_chunk(samples, |chunk| {
            self.forward(chunk, scratch);
            for (n, sample) in chunk.iter().enumerate() {
                each(sample, self.output(scratch, n));
            }
        });
    }

    /// What `of` makes of each game, or part of a game, on all threads of the pool.
    pub(crate) fn per_game<S: AsRef<[Sample]> + Sync, T: Send>(
        self,
        games: &[S],
        of: impl Fn(&[Sample], &mut Scratch) -> T + Sync,
    ) -> Vec<T> {
        games
            .par_iter()
            .map_init(
                || Scratch::new(self.shape),
                |scratch, samples| of(samples.as_ref(), scratch),
            )
            .collect()
    }

    /// Adds the slopes of the loss, summed over `samples`, to `gradient`, and returns the sum of
    /// the losses. If the hidden layer is `frozen`, it gets none.
    pub(crate) fn accumulate<'s>(
        self,
        samples: impl Iterator<Item = &'s Sample>,
        objective: Objective,
        frozen: bool,
        scratch: &mut Scratch,
        gradient: &mut Parameters,
    ) -> f64 {
        let mut total = 0.0;
        let layer = Residual::new(&self.weights.residual);
        for_each_chunk(samples, |chunk| {
            self.forward(chunk, scratch);
            scratch.slopes.clear();
            for (n, sample) in chunk.iter().enumerate() {
                let (rest, inputs) = (self.rest(scratch, n), &scratch.inputs[n]);
                let bucket = inputs.bucket();
                let pass = layer.map(|layer| layer.forward(inputs.counts(), rest, bucket));
                let output = rest + pass.map_or(0.0, |pass| pass.correction);
                let [factor, bonus] = self.weights.scaling(bucket);
                let (loss, by_scaled) = objective.loss(sample, output * factor + bonus);
                let mut slope = by_scaled * factor;
                if let (Some(layer), Some(pass)) = (layer, pass) {
                    slope += layer.backward(&pass, slope, bucket, &mut gradient.residual);
                }
                total += loss;
                scratch.slopes.push(slope);
                gradient.output_bias[bucket] += slope;
                if let Some(gradient) = gradient.direct.get_mut(bucket) {
                    for (sum, input) in gradient.iter_mut().zip(inputs.direct()) {
                        *sum += slope * input;
                    }
                }
            }
            if !frozen {
                self.backward(scratch, gradient);
            }
        });
        total
    }

    fn forward(self, chunk: &[Sample], scratch: &mut Scratch) {
        scratch.inputs.clear();
        let inputs = chunk.iter().map(|sample| sample.inputs(self.shape));
        scratch.inputs.extend(inputs);
        scratch.partial.fill(Lanes::splat(0.0));
        for (block, clipped) in self.weights.blocks.iter().zip(&mut scratch.clipped) {
            self.level.run(Forward {
                block,
                inputs: &scratch.inputs,
                clipped,
                outputs: &mut scratch.partial,
            });
        }
    }

    fn output(self, scratch: &Scratch, n: usize) -> f32 {
        let (rest, inputs) = (self.rest(scratch, n), &scratch.inputs[n]);
        let layer = Residual::new(&self.weights.residual);
        let correction = layer.map_or(0.0, |layer| {
            let pass = layer.forward(inputs.counts(), rest, inputs.bucket());
            pass.correction
        });
        let [factor, bonus] = self.weights.scaling(inputs.bucket());
        (rest + correction) * factor + bonus
    }

    /// The output before the residual layer corrects it.
    fn rest(self, scratch: &Scratch, n: usize) -> f32 {
        let inputs = &scratch.inputs[n];
        let mut output = self.weights.output_bias[inputs.bucket()];
        if let Some(weights) = self.weights.direct.get(inputs.bucket()) {
            let products = weights.iter().zip(inputs.direct());
            output += products.map(|(weight, input)| weight * input).sum::<f32>();
        }
        output + scratch.partial[n].0.iter().sum::<f32>()
    }

    fn backward(self, scratch: &mut Scratch, gradient: &mut Parameters) {
        scratch.seen_by.fill(&scratch.inputs);
        let blocks = self.weights.blocks.iter().zip(&mut gradient.blocks);
        for ((block, gradient), clipped) in blocks.zip(&scratch.clipped) {
            self.level.run(Backward {
                block,
                inputs: &scratch.inputs,
                seen_by: &scratch.seen_by,
                clipped,
                slopes: &scratch.slopes,
                sum_slopes: &mut scratch.sum_slopes,
                gradient,
            });
        }
    }
}

/// Calls `work` with [`CHUNK`] samples at a time, at the end with fewer.
fn for_each_chunk<'s>(samples: impl Iterator<Item = &'s Sample>, mut work: impl FnMut(&[Sample])) {
    let mut chunk = Vec::with_capacity(CHUNK);
    for sample in samples {
        chunk.push(*sample);
        if chunk.len() == CHUNK {
            work(&chunk);
            chunk.clear();
        }
    }
    if !chunk.is_empty() {
        work(&chunk);
    }
}
