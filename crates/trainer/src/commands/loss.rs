//! `orthrus-trainer loss`: how well networks know what games say.

use std::io::{self, BufWriter, Write, stdout};
use std::path::PathBuf;

use indicatif::HumanCount;

use super::CommandResult;
use super::labels::LabelArgs;
use super::network_file::read_network;
use crate::train::dataset::{read_games, variant_of};
use crate::train::gradient::Network;
use crate::train::model::Rounded;
use crate::train::objective::Objective;
use crate::train::sample::Sample;
use crate::train::simd::Level;
use crate::train::trainer::{Loss, Validation};

/// Prints the loss of networks on the games of data files: on games that none of them has learned from, it
/// tells which one knows more.
///
/// Losses are in millionths. What a network differs by from the first one comes with an error of two standard
/// errors, of whole games. Networks of other scales do not compare: `scale --like` restores that of a
/// network before a training.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The networks.
    #[arg(required = true, value_name = "NETWORK")]
    networks: Vec<PathBuf>,
    /// The data files.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    data: Vec<PathBuf>,
    #[command(flatten)]
    labels: LabelArgs,
}

/// Measures and prints.
///
/// # Errors
///
/// If a file cannot be read, is not a network or has no games, if games and networks are of different variants, or
/// if the output cannot be written. Damaged blocks are reported and skipped.
pub fn run(args: &Args) -> CommandResult {
    let variant = variant_of(&args.data)?;
    let labels = args.labels.labels();
    let mut games = Vec::new();
    for path in &args.data {
        read_games(path, &labels, |_, samples| games.push(samples))?;
    }
    let positions: usize = games.iter().map(Vec::len).sum();
    if positions == 0 {
        return Err("no position to measure a loss on".into());
    }
    let mut output = BufWriter::new(stdout().lock());
    writeln!(
        output,
        "{} positions of {} games",
        HumanCount(positions as u64),
        HumanCount(games.len() as u64)
    )?;
    writeln!(
        output,
        "   loss  opening  middlegame  endgame  against the first"
    )?;
    let mut first = None;
    for path in &args.networks {
        let (shape, parameters) = read_network(path)?;
        if shape.variant != variant {
            let (network, played) = (shape.variant.name(), variant.name());
            return Err(format!("{}: for {network}, not for {played}", path.display()).into());
        }
        let network = Network {
            shape,
            weights: &Rounded::new(&parameters),
            level: Level::widest(),
        };
        let objective = match first {
            Some((objective, _)) => objective,
            None => args.labels.objective(network, &games)?,
        };
        let losses = losses(network, &games, objective);
        let (_, first) = first.get_or_insert_with(|| (objective, losses.clone()));
        print(&mut output, &losses, first)?;
        writeln!(output, "  {}", path.display())?;
        output.flush()?;
    }
    Ok(())
}

/// The losses of a network on each game.
fn losses(network: Network<'_>, games: &[Vec<Sample>], objective: Objective) -> Vec<Validation> {
    network.per_game(games, |samples, scratch| {
        Validation::of(network, objective, samples, scratch)
    })
}

fn print(output: &mut impl Write, losses: &[Validation], first: &[Validation]) -> io::Result<()> {
    let mut total = Validation::default();
    for game in losses {
        total.add(*game);
    }
    let millionths = |loss: Loss| loss.mean() * 1e6;
    let [opening, middlegame, endgame] = total.phases.map(millionths);
    let (change, error) = change(losses, first);
    write!(
        output,
        "{:7.0}  {opening:7.0}  {middlegame:10.0}  {endgame:7.0}  {:+9.1} +-{:<5.1}",
        millionths(total.all()),
        change * 1e6,
        error * 1e6
    )
}

/// What the mean loss differs by from `first`, and two standard errors of that, if games are independent.
fn change(losses: &[Validation], first: &[Validation]) -> (f64, f64) {
    let changes = losses.iter().zip(first).map(|(own, first)| {
        let (own, first) = (own.all(), first.all());
        (own.sum - first.sum, own.count as f64)
    });
    let (sum, count) = changes
        .clone()
        .fold((0.0, 0.0), |(sum, count), (change, positions)| {
            (sum + change, count + positions)
        });
    let mean = sum / count;
    let variance: f64 = changes
        .map(|(change, positions)| (change - mean * positions).powi(2))
        .sum();
    (mean, 2.0 * variance.sqrt() / count)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser as _;
    use orthrus_core::position::Variant;

    use super::*;
    use crate::testing::{
        TempFolder, random_game, random_game_of, shape, write_file, write_file_of,
    };
    use crate::train::model::Parameters;
    use crate::train::quantise::quantise;

    #[derive(clap::Parser)]
    struct Command {
        #[command(flatten)]
        args: Args,
    }

    fn game(opening: f64, positions: u64) -> Validation {
        let mut losses = Validation::default();
        losses.phases[0] = Loss {
            sum: opening,
            count: positions,
        };
        losses
    }

    #[test]
    fn a_change_has_the_error_of_games() {
        let first = [game(1.0, 10), game(2.0, 10), game(3.0, 20)];
        let later = [game(2.0, 10), game(3.0, 10), game(5.0, 20)];
        assert_eq!(change(&first, &first), (0.0, 0.0));
        // Every position of every game has become worse by as much.
        assert_eq!(change(&later, &first), (0.1, 0.0));
        let uneven = [game(3.0, 10), game(2.0, 10), game(5.0, 20)];
        let (mean, error) = change(&uneven, &first);
        assert!((mean - 0.1).abs() < 1e-12, "{mean}");
        assert!(
            (error - 2.0 * 2.0_f64.sqrt() / 40.0).abs() < 1e-12,
            "{error}"
        );
    }

    #[test]
    fn the_loss_of_a_network_is_that_of_its_training() {
        let folder = TempFolder::new();
        let (games, network) = (folder.file("games"), folder.file("network"));
        write_file(&games, &(0..20).map(random_game).collect::<Vec<_>>());
        let shape = shape(32, 8, true);
        let parameters = Parameters::random(shape, 3);
        let rounded = Rounded::new(&parameters);
        fs::write(&network, quantise(shape, &rounded).to_bytes()).unwrap();

        let text = |path: &PathBuf| path.to_string_lossy().into_owned();
        let [data, file] = [&games, &network].map(text);
        let words = [
            "loss",
            &file,
            "--data",
            &data,
            "--lookahead",
            "0.5",
            "--wdl",
            "0.1",
        ];
        let args = Command::parse_from(words).args;
        run(&args).unwrap();

        let mut samples = Vec::new();
        let labels = args.labels.labels();
        read_games(&games, &labels, |_, game| samples.push(game)).unwrap();
        let network_of = Network {
            shape,
            weights: &rounded,
            level: Level::widest(),
        };
        let objective = args.labels.objective(network_of, &samples).unwrap();
        let mut total = Validation::default();
        for losses in losses(network_of, &samples, objective) {
            total.add(losses);
        }
        let trainer = crate::train::trainer::Trainer::new(
            shape,
            parameters,
            objective,
            crate::train::optimizer::Settings::default(),
            1,
        )
        .unwrap();
        let expected = trainer.validate(&samples.concat()).all();
        assert_eq!(total.all().count, expected.count);
        assert!((total.all().mean() - expected.mean()).abs() < 1e-9);

        let other = folder.file("horde");
        let horde = random_game_of(Variant::Horde, 1);
        write_file_of(Variant::Horde, &other, &[horde]);
        let args = Args {
            data: vec![other],
            ..args
        };
        assert!(run(&args).is_err(), "games of another variant");
    }
}
