//! From floating point to the integers that the engine computes with, and back.

use orthrus_core::evaluation::network::{QA, QB, RawNetwork};

use super::model::{LANES, Lanes, Parameters, Rounded, Shape, ShapeError};
use super::residual::{self, Residual};

/// A network of this shape in the units and the order of the network file.
///
/// [`RawNetwork::check`] says whether the engine can evaluate the result without overflow; single
/// weights are limited by the optimiser's clipping.
pub(crate) fn quantise(shape: Shape, weights: &Rounded) -> RawNetwork {
    let hidden = shape.hidden;
    let mut network = RawNetwork {
        variant: shape.variant,
        hidden,
        buckets: shape.buckets,
        mirrored: shape.mirrored,
        direct: shape.direct,
        feature_weights: vec![0; shape.inputs() * hidden],
        feature_bias: vec![0; hidden],
        output_weights: vec![0; shape.buckets * 2 * hidden],
        output_bias: Vec::with_capacity(shape.buckets),
        direct_weights: Vec::with_capacity(weights.direct.as_flattened().len()),
        residual: Residual::new(&weights.residual).map(Residual::quantise),
        scaling: weights.scaling.clone(),
    };
    for (n, block) in weights.blocks.iter().enumerate() {
        let columns = n * LANES..(n + 1) * LANES;
        let rows = network.feature_weights.chunks_mut(hidden);
        for (target, row) in rows.zip(block.rows()) {
            target[columns.clone()].copy_from_slice(&row.0);
        }
        network.feature_bias[columns.clone()].copy_from_slice(&block.bias().0);
        let rows = network.output_weights.chunks_mut(hidden);
        for (target, row) in rows.zip(block.output().as_flattened()) {
            for (target, weight) in target[columns.clone()].iter_mut().zip(row.0) {
                *target = (weight * QB as f32) as i16;
            }
        }
    }
    let rounded = |&weight: &f32| (f64::from(weight) * f64::from(QA * QB)).round();
    let biases = weights.output_bias.iter().map(rounded);
    network.output_bias.extend(biases.map(|bias| bias as i32));
    let direct = weights.direct.as_flattened().iter().map(rounded);
    network
        .direct_weights
        .extend(direct.map(|weight| weight as i16));
    network
}

/// The shape and the parameters of a network, to continue learning from: [`quantise`] makes the
/// same network of them.
///
/// # Errors
///
/// If the trainer does not support the shape.
pub(crate) fn dequantise(network: &RawNetwork) -> Result<(Shape, Parameters), ShapeError> {
    let hidden = network.hidden;
    let shape = Shape {
        variant: network.variant,
        hidden,
        buckets: network.buckets,
        mirrored: network.mirrored,
        direct: network.direct,
        residual: network.residual.is_some(),
    }
    .checked()?;
    let mut parameters = Parameters::zero(shape);
    for (n, block) in parameters.blocks.iter_mut().enumerate() {
        let columns = n * LANES..(n + 1) * LANES;
        let (rows, bias, output) = block.parts_mut();
        let sources = network.feature_weights.chunks(hidden);
        for (row, source) in rows.iter_mut().zip(sources) {
            read(&source[columns.clone()], QA, row);
        }
        read(&network.feature_bias[columns.clone()], QA, bias);
        let sources = network.output_weights.chunks(hidden);
        for (row, source) in output.as_flattened_mut().iter_mut().zip(sources) {
            read(&source[columns.clone()], QB, row);
        }
    }
    let unit = f64::from(QA * QB);
    let biases = network.output_bias.iter();
    let biases = biases.map(|&bias| (f64::from(bias) / unit) as f32);
    parameters.output_bias = biases.collect();
    let direct = parameters.direct.as_flattened_mut().iter_mut();
    for (weight, &source) in direct.zip(&network.direct_weights) {
        *weight = (f64::from(source) / unit) as f32;
    }
    if let Some(residual) = &network.residual {
        parameters.residual = residual::dequantise(residual);
    }
    parameters.scaling.clone_from(&network.scaling);
    Ok((shape, parameters))
}

/// `source`, which is in units of `1 / unit`.
fn read(source: &[i16], unit: i32, row: &mut Lanes) {
    for (value, &source) in row.0.iter_mut().zip(source) {
        *value = f32::from(source) / unit as f32;
    }
}
