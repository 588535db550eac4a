//! The network in floating point: its shape and its parameters.
//!
//! `(768 -> N)x2 -> 1` (a variant may have more inputs): one layer of N neurons sees the board twice,
//! from each side, with the same weights; squared clipped `ReLU`; then one output per bucket of material. The output is in units
//! of [`SCALE`](orthrus_core::evaluation::network::SCALE) centipawns, so that its sigmoid is the
//! expected score. What attacks what may go straight to the outputs (`direct`), and a residual layer correct
//! them ([`residual`]).
#![expect(
    clippy::inline_always,
    reason = "only inlined code takes on the vector instructions of the kernel that calls it"
)]

use std::{array, fmt, iter};

use orthrus_core::evaluation::network::{
    DIRECT_INPUTS, NetworkError, QA, QB, QS, RESIDUAL_INPUTS, RESIDUAL_NEURONS, Scaling,
    check_shape, inputs, output_bucket,
};
use orthrus_core::position::Variant;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::residual::{self, Neurons};
use crate::variant_name;

/// Neurons that are computed together: one vector of AVX2 in 16 bits, of AVX-512 in floating point.
pub(crate) const LANES: usize = 16;

/// One number for each of [`LANES`] neurons: a cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Lanes(pub [f32; LANES]);

impl Lanes {
    /// All lanes equal.
    #[inline(always)]
    pub(crate) const fn splat(value: f32) -> Self {
        Self([value; LANES])
    }

    /// Each lane added to that of `other`.
    #[inline(always)]
    pub(crate) fn add(&mut self, other: &Self) {
        for (lane, other) in self.0.iter_mut().zip(other.0) {
            *lane += other;
        }
    }
}

/// One number for each of [`LANES`] neurons in units of 1/255, as the engine holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub(crate) struct Narrow(pub [i16; LANES]);

/// The shape of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Shape {
    /// The game, which says how many inputs there are.
    #[serde(
        default,
        with = "variant_name",
        skip_serializing_if = "variant_name::is_chess"
    )]
    pub variant: Variant,
    /// Neurons per perspective (N): a multiple of 32 from 32 to 1024.
    pub hidden: usize,
    /// Output buckets: 1 or 8.
    pub buckets: usize,
    /// Whether a side with its king on files e to h sees the board mirrored.
    pub mirrored: bool,
    /// Whether what attacks what goes straight to the outputs.
    #[serde(default)]
    pub direct: bool,
    /// Whether a residual layer corrects the outputs; only with direct inputs.
    #[serde(default)]
    pub residual: bool,
}

/// Why a shape was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum ShapeError {
    /// The engine does not support the size.
    #[error(transparent)]
    Unsupported(#[from] NetworkError),
    /// A network has something that the one to be made from it would lack.
    #[error("a network {from} does not grow into {to}")]
    Narrower {
        /// The shape of the existing network.
        from: Shape,
        /// The requested shape.
        to: Shape,
    },
}

impl Shape {
    /// This shape, if the engine supports it.
    ///
    /// # Errors
    ///
    /// A [`ShapeError`] names the size that does not fit; or there is a residual layer without direct
    /// inputs.
    pub(crate) fn checked(self) -> Result<Self, ShapeError> {
        check_shape(self.hidden, self.buckets)?;
        if self.residual && !self.direct {
            return Err(NetworkError::Residual.into());
        }
        Ok(self)
    }

    /// How many inputs each perspective has.
    pub(crate) const fn inputs(self) -> usize {
        inputs(self.variant)
    }

    /// The output bucket of a position with this many pieces.
    pub(crate) const fn bucket(self, pieces: u32) -> usize {
        output_bucket(pieces, self.buckets)
    }

    /// Whether a network of this shape can represent every one of the shape `other`. The inputs of chess
    /// are the first ones of every game.
    fn covers(self, other: Self) -> bool {
        let variant = self.variant == other.variant || other.variant == Variant::Standard;
        let buckets = self.buckets == other.buckets || other.buckets == 1;
        variant
            && self.hidden >= other.hidden
            && buckets
            && self.mirrored == other.mirrored
            && (self.direct || !other.direct)
            && (self.residual || !other.residual)
    }

    /// Whether a network of this shape that [grows](Parameters::widened) out of one of the shape `other`
    /// begins with random numbers.
    pub(crate) fn draws_beyond(self, other: Self) -> bool {
        self.hidden > other.hidden || self.residual && !other.residual
    }

    /// How many blocks of [`LANES`] neurons it has.
    pub(crate) const fn blocks(self) -> usize {
        self.hidden / LANES
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.variant != Variant::Standard {
            write!(f, "{}: ", self.variant.name())?;
        }
        let mirrored = if self.mirrored { ", mirrored" } else { "" };
        write!(f, "({} -> {})x2", self.inputs(), self.hidden)?;
        if self.direct {
            write!(f, " + {}", 2 * DIRECT_INPUTS)?;
        }
        if self.residual {
            write!(f, " + ({RESIDUAL_INPUTS} -> {RESIDUAL_NEURONS})")?;
        }
        write!(f, " -> {}{mirrored}", self.buckets)
    }
}

/// Everything that belongs to [`LANES`] neurons: a row of weights for each input, the biases, and
/// per bucket the output weights of the own and of the other perspective.
///
/// The input weights of a block for chess are 48 KiB, and half of that when
/// [rounded](RoundedBlock). The trainer takes one block after the other over the same positions, so
/// that the rows stay in the first cache levels.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block {
    inputs: usize,
    rows: Vec<Lanes>,
}

impl Block {
    fn zero(shape: Shape) -> Self {
        let inputs = shape.inputs();
        Self {
            inputs,
            rows: vec![Lanes::splat(0.0); inputs + 1 + 2 * shape.buckets],
        }
    }

    /// The input weights, a row per input.
    pub(crate) fn rows(&self) -> &[Lanes] {
        &self.rows[..self.inputs]
    }

    /// The biases of the neurons.
    fn bias(&self) -> &Lanes {
        &self.rows[self.inputs]
    }

    /// The output weights per bucket: own perspective, other perspective.
    pub(crate) fn output(&self) -> &[[Lanes; 2]] {
        self.rows[self.inputs + 1..].as_chunks().0
    }

    /// Input weights, biases and output weights, to be changed.
    #[inline]
    pub(crate) fn parts_mut(&mut self) -> (&mut [Lanes], &mut Lanes, &mut [[Lanes; 2]]) {
        let (rows, rest) = self.rows.split_at_mut(self.inputs);
        let (bias, output) = rest.split_at_mut(1);
        (rows, &mut bias[0], output.as_chunks_mut().0)
    }

    /// The parameters of the first layer, then those of the output, as plain rows.
    pub(crate) fn layers(&self) -> (&[Lanes], &[Lanes]) {
        self.rows.split_at(self.inputs + 1)
    }

    /// The parameters of the first layer, then those of the output, to be changed.
    pub(crate) fn layers_mut(&mut self) -> (&mut [Lanes], &mut [Lanes]) {
        self.rows.split_at_mut(self.inputs + 1)
    }
}

/// The output weight of new neurons, alternating in sign: about the size of learned ones.
const TWIN_OUTPUT: f32 = 8.0 / QB as f32;

/// One number per parameter of a network: the parameters themselves, a gradient, a moment.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parameters {
    /// The neurons, [`LANES`] at a time.
    pub blocks: Vec<Block>,
    /// The bias of each output bucket.
    pub output_bias: Vec<f32>,
    /// The weights of the direct inputs of each output bucket; none if there are no such inputs.
    pub direct: Vec<DirectWeights>,
    /// The rows of the [residual layer](residual::Residual); none if there is none.
    pub residual: Vec<Neurons>,
    /// What is made of each output in the end, which no training changes; empty if nothing.
    pub scaling: Vec<Scaling>,
}

/// A number for each direct input, the side to move's first.
pub(crate) type DirectWeights = [f32; 2 * DIRECT_INPUTS];

impl Parameters {
    /// All zero.
    pub(crate) fn zero(shape: Shape) -> Self {
        Self {
            blocks: vec![Block::zero(shape); shape.blocks()],
            output_bias: vec![0.0; shape.buckets],
            direct: vec![[0.0; 2 * DIRECT_INPUTS]; if shape.direct { shape.buckets } else { 0 }],
            residual: if shape.residual {
                vec![[0.0; RESIDUAL_NEURONS]; residual::rows(shape.buckets)]
            } else {
                Vec::new()
            },
            scaling: Vec::new(),
        }
    }

    /// The largest absolute input weight or bias.
    pub(crate) fn largest_input(&self) -> f32 {
        let lanes = self.blocks.iter().flat_map(|block| block.layers().0);
        let weights = lanes.flat_map(|lanes| lanes.0);
        weights.fold(0.0, |largest, weight| weight.abs().max(largest))
    }

    /// Small random weights, a pure function of `seed`; those of direct inputs are zero.
    ///
    /// Some twenty inputs are on at a time, so weights within +-0.1 give sums well inside the
    /// clipped range; the biases start inside it too, where the activation has a slope.
    pub(crate) fn random(shape: Shape, seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut uniform = |bound: f32| (random.f32() * 2.0 - 1.0) * bound;
        let mut parameters = Self::zero(shape);
        let output_bound = (1.0 / shape.hidden as f32).sqrt();
        for block in &mut parameters.blocks {
            let (rows, bias, output) = block.parts_mut();
            for weight in rows.iter_mut().flat_map(|row| &mut row.0) {
                *weight = uniform(0.1);
            }
            *bias = Lanes::splat(0.2);
            for weight in output
                .as_flattened_mut()
                .iter_mut()
                .flat_map(|row| &mut row.0)
            {
                *weight = uniform(output_bound);
            }
        }
        if shape.residual {
            parameters.residual = residual::random(shape.buckets, uniform);
        }
        parameters
    }

    /// Parameters with which a network of the shape `to` gives the same output as these of the
    /// shape `from`: added neurons have random input weights, a pure function of `seed`, and come
    /// in pairs whose outputs cancel; added buckets are copies; added inputs, direct ones too,
    /// and an added residual layer count for nothing.
    ///
    /// With output weights of zero their inputs would have no slope, and since the rounded network
    /// learns, most of them would never get one.
    ///
    /// # Errors
    ///
    /// If `to` has less of anything.
    pub(crate) fn widened(&self, from: Shape, to: Shape, seed: u64) -> Result<Self, ShapeError> {
        if !to.covers(from) {
            return Err(ShapeError::Narrower { from, to });
        }
        let mut wide = Self::random(to, seed);
        let known = self.blocks.iter().map(Some).chain(iter::repeat(None));
        for (block, known) in wide.blocks.iter_mut().zip(known) {
            let (rows, bias, output) = block.parts_mut();
            let Some(known) = known else {
                for row in rows.iter_mut().chain([&mut *bias]) {
                    for twins in row.0.as_chunks_mut::<2>().0 {
                        twins[1] = twins[0];
                    }
                }
                let contradicting = |lane: usize| TWIN_OUTPUT * (1.0 - 2.0 * (lane % 2) as f32);
                output.fill([Lanes(array::from_fn(contradicting)); 2]);
                continue;
            };
            let (shared, added) = rows.split_at_mut(known.rows().len());
            shared.copy_from_slice(known.rows());
            added.fill(Lanes::splat(0.0));
            *bias = *known.bias();
            for (new, known) in output.iter_mut().zip(known.output().iter().cycle()) {
                *new = *known;
            }
        }
        for (new, known) in wide
            .output_bias
            .iter_mut()
            .zip(self.output_bias.iter().cycle())
        {
            *new = *known;
        }
        for (new, known) in wide.direct.iter_mut().zip(self.direct.iter().cycle()) {
            *new = *known;
        }
        if from.residual {
            wide.residual = residual::widened(&self.residual, to.buckets);
        }
        let scaling = self.scaling.iter().copied().cycle();
        wide.scaling = scaling.take(to.buckets).collect();
        Ok(wide)
    }

    /// Sets all to zero.
    pub(crate) fn clear(&mut self) {
        for block in &mut self.blocks {
            block.rows.fill(Lanes::splat(0.0));
        }
        self.output_bias.fill(0.0);
        self.direct.as_flattened_mut().fill(0.0);
        self.residual.as_flattened_mut().fill(0.0);
    }

    /// Every number that is learned, in an order that depends on the shape alone.
    pub(crate) fn iter(&self) -> impl Iterator<Item = f32> {
        let rows = self.blocks.iter().flat_map(|block| &block.rows);
        rows.flat_map(|row| &row.0)
            .chain(&self.output_bias)
            .chain(self.direct.as_flattened())
            .chain(self.residual.as_flattened())
            .copied()
    }

    /// Every number in the order of [`Self::iter`], to be changed.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let rows = self.blocks.iter_mut().flat_map(|block| &mut block.rows);
        rows.flat_map(|row| &mut row.0)
            .chain(&mut self.output_bias)
            .chain(self.direct.as_flattened_mut())
            .chain(self.residual.as_flattened_mut())
    }
}

/// A network as the engine will hold it, ready to be run: input weights and biases in 16 bits, so
/// that their sums are exact and take half the memory; output weights rounded.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rounded {
    /// The neurons, [`LANES`] at a time.
    pub blocks: Vec<RoundedBlock>,
    /// The bias of each output bucket, which is not rounded.
    pub output_bias: Vec<f32>,
    /// The weights of the direct inputs of each output bucket, which are not rounded either.
    pub direct: Vec<DirectWeights>,
    /// The rows of the residual layer, nor are these.
    pub residual: Vec<Neurons>,
    /// As in [`Parameters`].
    pub scaling: Vec<Scaling>,
}

/// What a [`Block`] becomes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RoundedBlock {
    /// A row per input, then the biases, in units of 1/255.
    input: Vec<Narrow>,
    /// The output weights per bucket, multiples of 1/64: own perspective, other perspective.
    output: Vec<[Lanes; 2]>,
}

impl Rounded {
    /// The nearest network that the engine can hold.
    pub(crate) fn new(parameters: &Parameters) -> Self {
        Self {
            blocks: parameters.blocks.iter().map(RoundedBlock::new).collect(),
            output_bias: parameters.output_bias.clone(),
            direct: parameters.direct.clone(),
            residual: parameters.residual.clone(),
            scaling: parameters.scaling.clone(),
        }
    }

    /// What an output of this bucket is multiplied by in the end, and what is added to it then.
    #[inline(always)]
    pub(crate) fn scaling(&self, bucket: usize) -> [f32; 2] {
        let Scaling { factor, bonus } = *self.scaling.get(bucket).unwrap_or(&Scaling::NONE);
        [factor as f32 / QS as f32, bonus as f32 / (QA * QB) as f32]
    }
}

impl RoundedBlock {
    fn new(block: &Block) -> Self {
        let mut rounded = Self {
            input: vec![Narrow([0; LANES]); block.inputs + 1],
            output: vec![[Lanes::splat(0.0); 2]; block.output().len()],
        };
        rounded.update(block);
        rounded
    }

    /// Becomes the nearest to `block`.
    #[inline(always)]
    pub(crate) fn update(&mut self, block: &Block) {
        let (input, output) = block.layers();
        for (rounded, exact) in self.input.iter_mut().zip(input) {
            for (rounded, exact) in rounded.0.iter_mut().zip(exact.0) {
                *rounded = (exact * QA as f32).round_ties_even() as i16;
            }
        }
        for (rounded, exact) in self.output.as_flattened_mut().iter_mut().zip(output) {
            for (rounded, exact) in rounded.0.iter_mut().zip(exact.0) {
                *rounded = (exact * QB as f32).round_ties_even() / QB as f32;
            }
        }
    }

    /// The input weights, a row per input.
    #[inline(always)]
    pub(crate) fn rows(&self) -> &[Narrow] {
        &self.input[..self.input.len() - 1]
    }

    /// The biases of the neurons.
    #[inline(always)]
    pub(crate) fn bias(&self) -> &Narrow {
        &self.input[self.input.len() - 1]
    }

    /// The output weights per bucket: own perspective, other perspective.
    #[inline(always)]
    pub(crate) fn output(&self) -> &[[Lanes; 2]] {
        &self.output
    }
}
