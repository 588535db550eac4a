//! `orthrus-trainer mix`: a network between others.

use std::path::PathBuf;

use super::CommandResult;
use super::network_file::{check_network, read_network, replace};
use super::numbers::share;
use crate::train::model::Rounded;
use crate::train::quantise::quantise;

/// Writes the weighted mean of a network and of what trainings with `--from` have made of it.
///
/// A training has fitted its own games too closely, the network before it knows nothing of them:
/// between them is often one that is better than both (Wortsman et al., 2022: "Robust fine-tuning of
/// zero-shot models").
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The network from which the training began.
    #[arg(long, value_name = "NETWORK")]
    from: PathBuf,
    /// The network that it made, or several of one shape, whose mean counts; they may have more neurons
    /// or buckets.
    #[arg(long, value_name = "NETWORK", required = true, num_args = 1..)]
    to: Vec<PathBuf>,
    /// How far to go from the one to the others.
    #[arg(long, value_name = "0..1", value_parser = share, default_value = "0.5")]
    share: f32,
    /// Where to write the new network.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// The seed of the training, if it has added neurons or a residual layer: these began with numbers
    /// drawn from it.
    #[arg(long)]
    seed: Option<u64>,
}

/// Writes the network.
///
/// # Errors
///
/// If a file is not a network, cannot be read or written, or the networks that trainings made differ in
/// shape, lack something that the first one has, or their outputs are scaled otherwise; or the seed is missing.
pub fn run(args: &Args) -> CommandResult {
    check_network(&args.output)?;
    let (from, before) = read_network(&args.from)?;
    let made = args.to.iter().map(|path| read_network(path));
    let made = made.collect::<Result<Vec<_>, _>>()?;
    let shape = made[0].0;
    if let Some(other) = made.iter().position(|(other, _)| *other != shape) {
        let [first, other] = [0, other].map(|number| args.to[number].display());
        return Err(format!("{other} has another shape than {first}").into());
    }
    if shape.draws_beyond(from) && args.seed.is_none() {
        let to = args.to[0].display();
        return Err(format!("{to} has grown from random numbers: --seed says which").into());
    }
    let begun = before.widened(from, shape, args.seed.unwrap_or_default())?;
    if let Some(other) = made.iter().position(|(_, it)| it.scaling != begun.scaling) {
        let [first, other] = [&args.from, &args.to[other]].map(|path| path.display());
        return Err(
            format!("the outputs of {other} are scaled otherwise than those of {first}").into(),
        );
    }
    let mut mixed = begun.clone();
    let part = args.share / made.len() as f32;
    for (_, after) in &made {
        for ((weight, before), after) in mixed.iter_mut().zip(begun.iter()).zip(after.iter()) {
            *weight += (after - before) * part;
        }
    }
    let network = quantise(shape, &Rounded::new(&mixed));
    network.check()?;
    replace(&args.output, &network.to_bytes())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use orthrus_core::evaluation::network::{RawNetwork, Scaling};

    use super::*;
    use crate::testing::{TempFolder, shape};
    use crate::train::model::{Parameters, Shape};
    use crate::train::quantise::dequantise;

    /// Writes a network of these parameters to a file.
    fn write(
        folder: &TempFolder,
        name: &str,
        shape: Shape,
        parameters: &Parameters,
    ) -> (PathBuf, RawNetwork) {
        let network = quantise(shape, &Rounded::new(parameters));
        let path = folder.file(name);
        fs::write(&path, network.to_bytes()).unwrap();
        (path, network)
    }

    fn args(from: &Path, to: &[&Path], share: f32, output: &Path) -> Args {
        Args {
            from: from.to_owned(),
            to: to.iter().map(|&path| path.to_owned()).collect(),
            share,
            output: output.to_owned(),
            seed: Some(1),
        }
    }

    #[test]
    fn the_ends_are_the_networks_themselves() {
        let folder = TempFolder::new();
        let small = shape(32, 1, true);
        let large = shape(64, 8, true);
        let before = Parameters::random(small, 5);
        let after = Parameters::random(large, 6);
        let (from, known) = write(&folder, "from", small, &before);
        let (to, learned) = write(&folder, "to", large, &after);
        let (_, begun) = {
            let (shape, rounded) = dequantise(&known).unwrap();
            let widened = rounded.widened(shape, large, 1).unwrap();
            write(&folder, "begun", large, &widened)
        };
        let mixed = |share| {
            let output = folder.file("mixed");
            run(&args(&from, &[&to], share, &output)).unwrap();
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
        let refused = run(&args(&from, &[&to], 0.5, &games));
        assert!(refused.is_err(), "only a network is replaced");
        let without_seed = |from, to| {
            run(&Args {
                seed: None,
                ..args(from, &[to], 0.5, &folder.file("mixed"))
            })
        };
        assert!(without_seed(&from, &to).is_err(), "which neurons?");
        without_seed(&to, &to).unwrap();
        assert_eq!(fs::read(games).unwrap(), b"no network");
    }

    #[test]
    fn several_networks_count_by_their_mean() {
        let folder = TempFolder::new();
        let narrow = shape(32, 1, true);
        let random =
            |name, shape, seed| write(&folder, name, shape, &Parameters::random(shape, seed));
        let (from, begun) = random("from", narrow, 5);
        let (first, _) = random("first", narrow, 6);
        let (second, _) = random("second", narrow, 7);
        let output = folder.file("mixed");
        let mixed = |to: &[&Path]| {
            run(&args(&from, to, 0.6, &output)).unwrap();
            RawNetwork::from_bytes(&fs::read(&output).unwrap()).unwrap()
        };
        let both = mixed(&[&first, &second]);
        let alone = [&first, &second].map(|one| mixed(&[one]));
        let halves = alone[0]
            .feature_weights
            .iter()
            .zip(&alone[1].feature_weights);
        for (&mean, (&one, &other)) in both.feature_weights.iter().zip(halves) {
            assert!((i32::from(one) + i32::from(other) - 2 * i32::from(mean)).abs() <= 2);
        }
        assert!(both != begun);
        let wide = shape(64, 1, true);
        let (larger, _) = random("larger", wide, 8);
        let refused = run(&args(&from, &[&first, &larger], 0.5, &output));
        assert!(refused.is_err(), "of one shape");

        let scaled = Parameters {
            scaling: vec![Scaling {
                factor: 9_000,
                bonus: 5,
            }],
            ..Parameters::random(narrow, 6)
        };
        let (scaled, network) = write(&folder, "scaled", narrow, &scaled);
        run(&args(&scaled, &[&scaled], 0.6, &output)).unwrap();
        assert!(RawNetwork::from_bytes(&fs::read(&output).unwrap()).unwrap() == network);
        let refused = run(&args(&from, &[&scaled], 0.6, &output));
        assert!(refused.is_err(), "scaled otherwise");
    }
}
