//! The residual layer in floating point: neurons that see counts and the output of the rest, and
//! correct it.
//!
//! Here its inputs are measured from their mean in games and in units of their spread, so that their weights
//! are of one size and learn at one rate; the network file has them as they are.

use orthrus_core::evaluation::network::{
    COUNTS, QA, QB, QC, QR, RESIDUAL_INPUTS, RESIDUAL_NEURONS, RESIDUAL_REACH, RESIDUAL_STEP,
    RawResidual,
};

/// A number for each neuron.
pub(crate) type Neurons = [f32; RESIDUAL_NEURONS];

/// Mean and spread (standard deviation) of each count, and of the output of the rest in steps of
/// [`RESIDUAL_STEP`], in games of network 22.
const TYPICAL: [(f32, f32); COUNTS + 1] = [
    (0.46, 1.48),
    (0.03, 0.26),
    (0.11, 0.34),
    (0.59, 0.77),
    (0.94, 1.0),
    (28.72, 8.76),
    (0.09, 0.34),
    (0.06, 0.24),
    (0.03, 0.21),
    (0.14, 0.39),
    (0.14, 0.63),
    (0.28, 0.76),
    (0.09, 0.42),
    (4.24, 2.45),
    (0.72, 0.79),
    (0.85, 0.80),
    (1.19, 0.79),
    (0.52, 0.50),
    (1.0, 41.0),
];

/// Steps of the output of the rest in an output of one, and the farthest that counts.
pub(super) const STEPS: f32 = (QA * QB) as f32 / RESIDUAL_STEP as f32;
pub(super) const REACH: f32 = RESIDUAL_REACH as f32;

/// Mean and spread of an input.
pub(super) fn typical(input: usize) -> (f32, f32) {
    TYPICAL[input / 2]
}

/// How many rows of [`Neurons`] the parameters are: the weights of each input, then per bucket the biases, then
/// per bucket the output weights.
pub(crate) const fn rows(buckets: usize) -> usize {
    RESIDUAL_INPUTS + 2 * buckets
}

/// The largest absolute value of a parameter of this row that the network file can hold.
pub(crate) fn limit(row: usize, buckets: usize) -> f32 {
    if row < RESIDUAL_INPUTS {
        f32::from(i16::MAX) / (QA * QC) as f32 * typical(row).1
    } else if row < RESIDUAL_INPUTS + buckets {
        f32::MAX
    } else {
        f32::from(i16::MAX) / QR as f32
    }
}

/// Parameters to begin with: random weights of the inputs, from `uniform`, which draws a number within a bound; the
/// output weights are zero, so that the layer corrects nothing yet.
pub(crate) fn random(buckets: usize, mut uniform: impl FnMut(f32) -> f32) -> Vec<Neurons> {
    let bound = (3.0 / RESIDUAL_INPUTS as f32).sqrt();
    let mut parameters = vec![[0.0; RESIDUAL_NEURONS]; rows(buckets)];
    let (input, rest) = parameters.split_at_mut(RESIDUAL_INPUTS);
    for weight in input.as_flattened_mut() {
        *weight = uniform(bound);
    }
    // Inside the clipped range, where the activation has a slope.
    rest[..buckets].as_flattened_mut().fill(0.3);
    parameters
}

/// The same layer for more buckets, which are copies.
pub(crate) fn widened(rows: &[Neurons], buckets: usize) -> Vec<Neurons> {
    let Some(Residual {
        input,
        bias,
        output,
    }) = Residual::new(rows)
    else {
        return Vec::new();
    };
    let copies =
        |rows: &[Neurons]| -> Vec<Neurons> { rows.iter().copied().cycle().take(buckets).collect() };
    [input.to_vec(), copies(bias), copies(output)].concat()
}

/// The parameters of a layer, by what they are for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Residual<'a> {
    input: &'a [Neurons],
    bias: &'a [Neurons],
    output: &'a [Neurons],
}

/// What a layer made of one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass {
    /// What to add to the output of the rest.
    pub correction: f32,
    inputs: [f32; RESIDUAL_INPUTS],
    sums: Neurons,
}

impl<'a> Residual<'a> {
    /// The layer with these rows; `None` if there are none.
    pub(crate) fn new(rows: &'a [Neurons]) -> Option<Self> {
        let buckets = rows.len().checked_sub(RESIDUAL_INPUTS)? / 2;
        let (input, rest) = rows.split_at(RESIDUAL_INPUTS);
        let (bias, output) = rest.split_at(buckets);
        Some(Self {
            input,
            bias,
            output,
        })
    }

    /// Corrects the output of the rest, `rest`, for a position with these counts in this bucket.
    pub(crate) fn forward(self, counts: &[[i16; COUNTS]; 2], rest: f32, bucket: usize) -> Pass {
        let mut inputs = [0.0; RESIDUAL_INPUTS];
        let [own, other] = counts;
        let counted = own
            .iter()
            .zip(other)
            .flat_map(|(own, other)| [*own, *other]);
        let score = (rest * STEPS).clamp(-REACH, REACH);
        let raw = counted.map(f32::from).chain([score]);
        for (number, (input, raw)) in inputs.iter_mut().zip(raw).enumerate() {
            let (mean, spread) = typical(number);
            *input = (raw - mean) / spread;
        }
        let mut sums = self.bias[bucket];
        for (weights, input) in self.input.iter().zip(inputs) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += weight * input;
            }
        }
        let weighed = sums.iter().zip(&self.output[bucket]);
        Pass {
            correction: weighed
                .map(|(sum, weight)| sum.clamp(0.0, 1.0) * weight)
                .sum(),
            inputs,
            sums,
        }
    }

    /// Adds the slopes of the loss to `gradient`, rows as those of the layer, where `slope` is that by the corrected
    /// output. Returns the loss's slope by the output of the rest as far as it goes through the layer.
    pub(crate) fn backward(
        self,
        pass: &Pass,
        slope: f32,
        bucket: usize,
        gradient: &mut [Neurons],
    ) -> f32 {
        let (by_input, by_rest) = gradient.split_at_mut(RESIDUAL_INPUTS);
        let (by_bias, by_output) = by_rest.split_at_mut(self.bias.len());
        let mut by_sum = [0.0; RESIDUAL_NEURONS];
        let neurons = by_sum.iter_mut().zip(&mut by_output[bucket]);
        for ((by_sum, by_output), (sum, weight)) in
            neurons.zip(pass.sums.iter().zip(&self.output[bucket]))
        {
            *by_output += slope * sum.clamp(0.0, 1.0);
            let is_sloped = *sum > 0.0 && *sum < 1.0;
            *by_sum = if is_sloped { slope * weight } else { 0.0 };
        }
        for (total, own) in by_bias[bucket].iter_mut().zip(by_sum) {
            *total += own;
        }
        for (row, input) in by_input.iter_mut().zip(pass.inputs) {
            for (total, own) in row.iter_mut().zip(by_sum) {
                *total += own * input;
            }
        }
        let last = RESIDUAL_INPUTS - 1;
        let (mean, spread) = typical(last);
        if (pass.inputs[last] * spread + mean).abs() >= REACH {
            return 0.0;
        }
        let weights = self.input[last].iter().zip(by_sum);
        weights.map(|(weight, own)| weight * own).sum::<f32>() * STEPS / spread
    }

    /// The layer in the units of the network file.
    pub(crate) fn quantise(self) -> RawResidual {
        let unit = f64::from(QA * QC);
        let mut input_weights = Vec::with_capacity(self.input.len() * RESIDUAL_NEURONS);
        let mut means = [0.0; RESIDUAL_NEURONS];
        for (number, row) in self.input.iter().enumerate() {
            let (mean, spread) = typical(number);
            for (weight, means) in row.iter().zip(&mut means) {
                let rounded = (f64::from(*weight) / f64::from(spread) * unit).round();
                *means += rounded * f64::from(mean);
                input_weights.push(rounded as i16);
            }
        }
        let biases = self.bias.iter().flat_map(|row| row.iter().zip(means));
        let output = self.output.as_flattened().iter();
        RawResidual {
            input_weights,
            bias: biases
                .map(|(bias, mean)| (f64::from(*bias) * unit - mean).round() as i32)
                .collect(),
            output_weights: output
                .map(|weight| (weight * QR as f32).round() as i16)
                .collect(),
        }
    }
}

/// The parameters of a layer in a file: [`Residual::quantise`] makes the same of them.
pub(crate) fn dequantise(raw: &RawResidual) -> Vec<Neurons> {
    let unit = f64::from(QA * QC);
    let mut means = [0.0; RESIDUAL_NEURONS];
    let mut parameters = Vec::new();
    let (input, _) = raw.input_weights.as_chunks::<RESIDUAL_NEURONS>();
    for (number, row) in input.iter().enumerate() {
        let (mean, spread) = typical(number);
        for (weight, means) in row.iter().zip(&mut means) {
            *means += f64::from(*weight) * f64::from(mean);
        }
        parameters.push(row.map(|it| (f64::from(it) * f64::from(spread) / unit) as f32));
    }
    for row in raw.bias.as_chunks::<RESIDUAL_NEURONS>().0 {
        let mut means = means.iter();
        parameters.push(row.map(|bias| {
            let mean = means.next().copied().unwrap_or_default();
            ((f64::from(bias) + mean) / unit) as f32
        }));
    }
    for row in raw.output_weights.as_chunks::<RESIDUAL_NEURONS>().0 {
        parameters.push(row.map(|weight| f32::from(weight) / QR as f32));
    }
    parameters
}
