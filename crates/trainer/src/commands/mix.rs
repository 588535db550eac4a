//! `orthrus-trainer mix`: a network between two others.

use std::path::PathBuf;

use super::CommandResult;
use super::train::{check_network, read_network, replace, share};
use crate::train::model::Rounded;
use crate::train::quantise::quantise;

/// Writes the weighted mean of a network and of what a training with `--from` has made of it.
///
/// The training has fitted its own games too closely, the network before it knows nothing of them:
/// between them is often one that is better than both (Wortsman et al., 2022: "Robust fine-tuning of
/// zero-shot models").
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The network from which the training began.
    #[arg(long, value_name = "NETWORK")]
    from: PathBuf,
    /// The network that it made; it may have more neurons or buckets.
    #[arg(long, value_name = "NETWORK")]
    to: PathBuf,
    /// How far to go from the one to the other.
    #[arg(long, value_name = "0..1", value_parser = share, default_value = "0.5")]
    share: f32,
    /// Where to write the new network.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// The seed of the training, from which neurons were added.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Writes the network.
///
/// # Errors
///
/// If a file is not a network, cannot be read or written, or the second network lacks something that
/// the first one has.
pub fn run(args: &Args) -> CommandResult {
    check_network(&args.output)?;
    let (from, before) = read_network(&args.from)?;
    let (shape, after) = read_network(&args.to)?;
    let mut mixed = before.widened(from, shape, args.seed)?;
    for (weight, after) in mixed.iter_mut().zip(after.iter()) {
        *weight += (after - *weight) * args.share;
    }
    let network = quantise(shape, &Rounded::new(&mixed));
    network.check()?;
    replace(&args.output, &network.to_bytes())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use orthrus_core::evaluation::network::RawNetwork;
    use orthrus_core::position::Variant;

    use super::*;
    use crate::testing::TempFolder;
    use crate::train::model::{Parameters, Shape};
    use crate::train::quantise::dequantise;

    #[test]
    fn the_ends_are_the_networks_themselves() {
        let folder = TempFolder::new();
        let small = Shape::new(Variant::Standard, 32, 1, true).unwrap();
        let large = Shape::new(Variant::Standard, 64, 8, true).unwrap();
        let before = Parameters::random(small, 5);
        let after = Parameters::random(large, 6);
        let write = |name, shape, parameters: &Parameters| {
            let network = quantise(shape, &Rounded::new(parameters));
            let path = folder.file(name);
            fs::write(&path, network.to_bytes()).unwrap();
            (path, network)
        };
        let (from, known) = write("from", small, &before);
        let (to, learned) = write("to", large, &after);
        let (_, begun) = {
            let (shape, rounded) = dequantise(&known).unwrap();
            let widened = rounded.widened(shape, large, 1).unwrap();
            write("begun", large, &widened)
        };
        let mixed = |share| {
            let output = folder.file("mixed");
            let args = Args {
                from: from.clone(),
                to: to.clone(),
                share,
                output: output.clone(),
                seed: 1,
            };
            run(&args).unwrap();
            RawNetwork::from_bytes(&fs::read(output).unwrap()).unwrap()
        };
        assert!(mixed(0.0) == begun);
        assert!(mixed(1.0) == learned);
        let half = mixed(0.5);
        let ends = begun.feature_weights.iter().zip(&learned.feature_weights);
        for (&middle, (&first, &last)) in half.feature_weights.iter().zip(ends) {
            assert!((i32::from(first) + i32::from(last) - 2 * i32::from(middle)).abs() <= 2);
        }
        assert!(half != begun && half != learned);

        let games = folder.file("games");
        fs::write(&games, "no network").unwrap();
        let args = Args {
            from,
            to,
            share: 0.5,
            output: games.clone(),
            seed: 1,
        };
        assert!(run(&args).is_err(), "only a network is replaced");
        assert_eq!(fs::read(games).unwrap(), b"no network");
    }
}
