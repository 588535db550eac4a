//! `orthrus-trainer scale`: a network with other scores.

use std::path::PathBuf;

use orthrus_core::evaluation::network::{DIRECT_INPUTS, QA, QB, RawNetwork, SCALE};

use super::CommandResult;
use super::train::{check_network, number, read_raw, replace};

/// Multiplies the outputs of a network, or adds to them.
///
/// A network that learns from its own scores never learns that a lead of a pawn is worth less in the
/// endgame than in the opening; its outputs for few pieces can be made smaller here. Nor does anything hold what
/// it thinks the right to move is worth, which each training changes by some centipawns. The products are
/// rounded: a training with `--from` on games of the new network makes up for that.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The network.
    #[arg(long, value_name = "NETWORK")]
    network: PathBuf,
    /// A factor for each output, that for the fewest pieces first.
    #[arg(long, value_name = "FACTOR,...", value_delimiter = ',', required_unless_present = "tempo", value_parser = factor)]
    factors: Vec<f64>,
    /// Centipawns for the side to move that are added to each output after that.
    #[arg(long, value_name = "CENTIPAWNS,...", value_delimiter = ',', allow_hyphen_values = true, value_parser = tempo)]
    tempo: Vec<f64>,
    /// Where to write the new network.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

/// Writes the network.
///
/// # Errors
///
/// If a file is not a network, cannot be read or written, has another number of outputs, or has one that
/// would become too large.
pub fn run(args: &Args) -> CommandResult {
    check_network(&args.output)?;
    let mut network = read_raw(&args.network)?;
    if !args.factors.is_empty() {
        scale(&mut network, &args.factors)?;
    }
    if !args.tempo.is_empty() {
        add_tempo(&mut network, &args.tempo)?;
    }
    replace(&args.output, &network.to_bytes())?;
    Ok(())
}

fn check_count(network: &RawNetwork, what: &str, numbers: &[f64]) -> CommandResult {
    if numbers.len() != network.buckets {
        let (outputs, count) = (network.buckets, numbers.len());
        return Err(format!("{count} {what} for {outputs} outputs").into());
    }
    Ok(())
}

fn scale(network: &mut RawNetwork, factors: &[f64]) -> CommandResult {
    check_count(network, "factors", factors)?;
    let rows = network.output_weights.chunks_exact_mut(2 * network.hidden);
    for (weights, factor) in rows.zip(factors) {
        for weight in weights {
            *weight = (f64::from(*weight) * factor).round() as i16;
        }
    }
    for (bias, factor) in network.output_bias.iter_mut().zip(factors) {
        *bias = (f64::from(*bias) * factor).round() as i32;
    }
    let rows = network.direct_weights.chunks_exact_mut(2 * DIRECT_INPUTS);
    for (weights, factor) in rows.zip(factors) {
        for weight in weights {
            *weight = (f64::from(*weight) * factor).round() as i16;
        }
    }
    network.check()?;
    Ok(())
}

fn add_tempo(network: &mut RawNetwork, tempo: &[f64]) -> CommandResult {
    check_count(network, "bonuses", tempo)?;
    let unit = f64::from(QA * QB) / f64::from(SCALE);
    for (bias, centipawns) in network.output_bias.iter_mut().zip(tempo) {
        *bias += (centipawns * unit).round() as i32;
    }
    network.check()?;
    Ok(())
}

fn factor(text: &str) -> Result<f64, String> {
    number(text, 0.1..=10.0)
}

fn tempo(text: &str) -> Result<f64, String> {
    number(text, -100.0..=100.0)
}

#[cfg(test)]
mod tests {
    use orthrus_core::evaluation::network::MAX_OUTPUT_WEIGHT;
    use orthrus_core::position::Variant;

    use super::*;
    use crate::train::model::{Parameters, Rounded, Shape};
    use crate::train::quantise::{dequantise, quantise};

    #[test]
    fn each_output_has_its_factor() {
        let shape = Shape::new(Variant::Standard, 32, 8, true).unwrap();
        let shape = shape.with_direct(true).unwrap();
        let mut before = quantise(shape, &Rounded::new(&Parameters::random(shape, 5)));
        before.direct_weights.fill(1_000);
        let mut network = before.clone();
        let factors = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.0, 1.1];
        scale(&mut network, &factors).unwrap();
        let rows = before.output_weights.chunks_exact(64);
        for ((old, new), factor) in rows
            .zip(network.output_weights.chunks_exact(64))
            .zip(factors)
        {
            for (&old, &new) in old.iter().zip(new) {
                assert!((f64::from(old) * factor - f64::from(new)).abs() <= 0.5);
            }
        }
        assert!(network.output_weights != before.output_weights);
        for (new, factor) in network
            .direct_weights
            .iter()
            .step_by(2 * DIRECT_INPUTS)
            .zip(factors)
        {
            assert_eq!(*new, (1_000.0 * factor) as i16);
        }
        assert_eq!(network.feature_weights, before.feature_weights);
        assert!(scale(&mut network, &[1.0]).is_err(), "one for each output");
        network.output_weights[0] = MAX_OUTPUT_WEIGHT;
        assert!(scale(&mut network, &[2.0; 8]).is_err(), "too large");
    }

    #[test]
    fn each_output_has_its_bonus_for_the_side_to_move() {
        let shape = Shape::new(Variant::Standard, 32, 8, true).unwrap();
        let before = quantise(shape, &Rounded::new(&Parameters::random(shape, 5)));
        let mut network = before.clone();
        let bonuses = [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.5, -14.0];
        add_tempo(&mut network, &bonuses).unwrap();
        let biases = |network| dequantise(network).unwrap().1.output_bias;
        for ((old, new), bonus) in biases(&before)
            .into_iter()
            .zip(biases(&network))
            .zip(bonuses)
        {
            let gained = f64::from(new - old) * f64::from(SCALE);
            assert!((gained - bonus).abs() < 0.02, "{gained} for {bonus}");
        }
        assert_eq!(network.output_weights, before.output_weights);
        assert!(
            add_tempo(&mut network, &[1.0]).is_err(),
            "one for each output"
        );
    }

    #[test]
    fn factors_are_positive_numbers() {
        assert_eq!(factor("0.7"), Ok(0.7));
        for wrong in ["", "0", "-1", "nan", "1e9"] {
            assert!(factor(wrong).is_err(), "{wrong}");
        }
    }
}
