//! `orthrus-trainer scale`: a network with other scores.

use std::error::Error;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use orthrus_core::evaluation::network::{
    CpuLevel, Network, NetworkError, QA, QB, RawNetwork, SCALE, Scaling, output_bucket,
};
use orthrus_core::evaluation::{Evaluation, Evaluator};

use super::CommandResult;
use super::network_file::{check_network, read_raw, replace};
use super::numbers::number;
use crate::data::{DataReader, Filter, intact};

/// The factors that an output may be multiplied by.
const FACTORS: RangeInclusive<f64> = 0.1..=10.0;
/// Scores up to this many centipawns say what an output means: with larger ones games are decided.
const COMPARED_SCORE: f64 = 600.0;
/// Fewer positions of an output say nothing of it.
const COMPARED_POSITIONS: f64 = 1_000.0;

/// Multiplies the outputs of a network, or adds to them.
///
/// A network that learns from its own scores never learns that a lead of a pawn is worth less in the
/// endgame than in the opening; its outputs for few pieces can be made smaller here. Nor does anything hold what
/// it thinks the right to move is worth, which each training changes by some centipawns. Weights stay as they
/// are: both are numbers of the network file, and a training with `--from` keeps them.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The network.
    #[arg(long, value_name = "NETWORK")]
    network: PathBuf,
    /// A factor for each output, from 0.1 to 10, that for the fewest pieces first.
    #[arg(long, value_name = "FACTOR,...", value_delimiter = ',', required_unless_present_any = ["tempo", "like"], value_parser = factor)]
    factors: Vec<f64>,
    /// Centipawns for the side to move, from -100 to 100, that are added to each output after that.
    #[arg(long, value_name = "CENTIPAWNS,...", value_delimiter = ',', allow_hyphen_values = true, value_parser = tempo)]
    tempo: Vec<f64>,
    /// Finds both, so that each output means what that of this network does, for the side to move as
    /// well: the search is tuned to that.
    #[arg(long, value_name = "NETWORK", requires = "data", conflicts_with_all = ["factors", "tempo"])]
    like: Option<PathBuf>,
    /// The data files with positions to find them by.
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "like")]
    data: Vec<PathBuf>,
    /// Where to write the new network.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

/// Writes the network.
///
/// # Errors
///
/// If a file is not a network or has no games, cannot be read or written, has another number of outputs, too
/// few positions for one of them, or one that would become too large.
pub fn run(args: &Args) -> CommandResult {
    check_network(&args.output)?;
    let mut network = read_raw(&args.network)?;
    let (factors, tempo) = match &args.like {
        Some(like) => changes_towards(&read_raw(like)?, &network, &args.data)?,
        None => (args.factors.clone(), args.tempo.clone()),
    };
    if !factors.is_empty() {
        scale(&mut network, &factors)?;
    }
    if !tempo.is_empty() {
        add_tempo(&mut network, &tempo)?;
    }
    replace(&args.output, &network.to_bytes())?;
    Ok(())
}

/// Sums over the positions of one output: their number, and the scores of both networks.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    count: f64,
    like: f64,
    own: f64,
    like_squared: f64,
    product: f64,
}

impl Sums {
    fn add(&mut self, like: f64, own: f64) {
        self.count += 1.0;
        self.like += like;
        self.own += own;
        self.like_squared += like * like;
        self.product += like * own;
    }

    /// The factor that takes the slope of the own score over the other to one, and what is then
    /// missing for the side to move.
    fn changes(&self) -> (f64, f64) {
        let (like, own) = (self.like / self.count, self.own / self.count);
        let variance = self.like_squared / self.count - like * like;
        let factor = variance / (self.product / self.count - like * own);
        (factor, like - own * factor)
    }
}

/// The factors and the centipawns for the side to move that take the outputs of a network to those of
/// another, on positions of these games.
fn changes_towards(
    like: &RawNetwork,
    own: &RawNetwork,
    data: &[PathBuf],
) -> Result<(Vec<f64>, Vec<f64>), Box<dyn Error>> {
    if like.variant != own.variant {
        let (expected, found) = (own.variant, like.variant);
        return Err(NetworkError::Game { expected, found }.into());
    }
    if like.buckets != own.buckets {
        let (outputs, count) = (own.buckets, like.buckets);
        return Err(format!("{outputs} outputs, and {count} to compare them with").into());
    }
    let mut sums = vec![Sums::default(); own.buckets];
    let mut evaluators = [evaluator(like)?, evaluator(own)?];
    for path in data {
        add_games(path, own, &mut evaluators, &mut sums)?;
    }
    if let Some(rare) = sums.iter().position(|it| it.count < COMPARED_POSITIONS) {
        let count = sums[rare].count;
        return Err(format!("only {count} positions for output {}", rare + 1).into());
    }
    let (factors, tempo): (Vec<_>, Vec<_>) = sums.iter().map(Sums::changes).unzip();
    if let Some(factor) = factors.iter().find(|factor| !FACTORS.contains(factor)) {
        return Err(format!("a factor of {factor}: the networks have too little in common").into());
    }
    log::info!("factors {factors:.4?}, centipawns for the side to move {tempo:.2?}");
    Ok((factors, tempo))
}

fn evaluator(network: &RawNetwork) -> Result<Evaluator, Box<dyn Error>> {
    let network = Network::new(network, CpuLevel::detect())?;
    Ok(Evaluator::new(Evaluation::Network(Arc::new(network))))
}

fn add_games(
    path: &Path,
    network: &RawNetwork,
    evaluators: &mut [Evaluator; 2],
    sums: &mut [Sums],
) -> CommandResult {
    let reader = DataReader::open(path)?;
    if reader.variant() != network.variant {
        let (games, game) = (reader.variant().name(), network.variant.name());
        return Err(format!("{}: {games}, for a network for {game}", path.display()).into());
    }
    let filter = Filter::default();
    for game in intact(reader.games(), |damaged| log::warn!("left out: {damaged}")) {
        let game = game?;
        let mut replay = game.replay()?;
        while let Some(ply) = replay.next_ply() {
            if !filter.keeps(&ply) {
                continue;
            }
            let [like, own] = evaluators.each_mut().map(|evaluator| {
                evaluator.reset(ply.position);
                f64::from(evaluator.evaluate(ply.position).value())
            });
            if like.abs() <= COMPARED_SCORE {
                let pieces = ply.position.occupied().count();
                sums[output_bucket(pieces, network.buckets)].add(like, own);
            }
        }
    }
    Ok(())
}

fn check_count(network: &RawNetwork, what: &str, numbers: &[f64]) -> CommandResult {
    if numbers.len() != network.buckets {
        let (outputs, count) = (network.buckets, numbers.len());
        return Err(format!("{count} {what} for {outputs} outputs").into());
    }
    Ok(())
}

/// The scaling of each output, to be changed.
fn scaling(network: &mut RawNetwork) -> &mut [Scaling] {
    if network.scaling.is_empty() {
        network.scaling = vec![Scaling::NONE; network.buckets];
    }
    &mut network.scaling
}

fn scale(network: &mut RawNetwork, factors: &[f64]) -> CommandResult {
    check_count(network, "factors", factors)?;
    for (scaling, factor) in scaling(network).iter_mut().zip(factors) {
        for number in [&mut scaling.factor, &mut scaling.bonus] {
            *number = (f64::from(*number) * factor).round() as i32;
        }
    }
    network.check()?;
    Ok(())
}

fn add_tempo(network: &mut RawNetwork, tempo: &[f64]) -> CommandResult {
    check_count(network, "bonuses", tempo)?;
    let unit = f64::from(QA * QB) / f64::from(SCALE);
    for (scaling, centipawns) in scaling(network).iter_mut().zip(tempo) {
        let added = (centipawns * unit).round() as i32;
        scaling.bonus = scaling.bonus.saturating_add(added);
    }
    network.check()?;
    Ok(())
}

fn factor(text: &str) -> Result<f64, String> {
    number(text, FACTORS)
}

fn tempo(text: &str) -> Result<f64, String> {
    number(text, -100.0..=100.0)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use orthrus_core::evaluation::network::QS;

    use super::*;
    use crate::testing::{TempFolder, random_game, shape, write_file};
    use crate::train::model::{Parameters, Rounded};
    use crate::train::quantise::quantise;

    #[test]
    fn each_output_has_its_factor_and_its_bonus_for_the_side_to_move() {
        let shape = shape(32, 8, true);
        let before = quantise(shape, &Rounded::new(&Parameters::random(shape, 5)));
        let mut network = before.clone();
        let factors = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.0, 1.1];
        let bonuses = [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.5, -14.0];
        scale(&mut network, &factors).unwrap();
        add_tempo(&mut network, &bonuses).unwrap();
        // What was added before is multiplied as well.
        scale(&mut network, &[2.0; 8]).unwrap();
        for ((scaling, factor), bonus) in network.scaling.iter().zip(factors).zip(bonuses) {
            let found = f64::from(scaling.factor) / f64::from(QS);
            assert!((found - 2.0 * factor).abs() < 1e-3, "{found} for {factor}");
            let found = f64::from(scaling.bonus) * f64::from(SCALE) / f64::from(QA * QB);
            assert!((found - 2.0 * bonus).abs() < 0.1, "{found} for {bonus}");
        }
        let unscaled = RawNetwork {
            scaling: Vec::new(),
            ..network.clone()
        };
        assert!(unscaled == before);
        assert!(scale(&mut network, &[1.0]).is_err(), "one for each output");
        assert!(
            add_tempo(&mut network, &[1.0]).is_err(),
            "one for each output"
        );
        assert!(scale(&mut network, &[10.0; 8]).is_err(), "too large");
    }

    #[test]
    fn outputs_are_made_like_those_of_another_network() {
        let folder = TempFolder::new();
        let (games, other, output) = (folder.file("games"), folder.file("like"), folder.file("to"));
        write_file(&games, &(0..60).map(random_game).collect::<Vec<_>>());
        let shape = shape(32, 1, true);
        let before = quantise(shape, &Rounded::new(&Parameters::random(shape, 5)));
        fs::write(&other, before.to_bytes()).unwrap();
        let mut network = before.clone();
        scale(&mut network, &[0.8]).unwrap();
        add_tempo(&mut network, &[-6.0]).unwrap();
        let (factors, tempo) =
            changes_towards(&before, &network, std::slice::from_ref(&games)).unwrap();
        assert!((factors[0] - 1.25).abs() < 0.02, "{factors:?}");
        assert!((tempo[0] - 7.5).abs() < 1.0, "{tempo:?}");

        let changed = folder.file("changed");
        fs::write(&changed, network.to_bytes()).unwrap();
        let args = |data| Args {
            network: changed.clone(),
            factors: Vec::new(),
            tempo: Vec::new(),
            like: Some(other.clone()),
            data: vec![data],
            output: output.clone(),
        };
        run(&args(games)).unwrap();
        let restored = RawNetwork::from_bytes(&fs::read(&output).unwrap()).unwrap();
        let Scaling { factor, bonus } = restored.scaling[0];
        assert!(
            (factor - QS).abs() < QS / 50 && bonus.abs() < 50,
            "{factor} {bonus}"
        );
        let constant = RawNetwork {
            output_weights: vec![0; before.output_weights.len()],
            ..before.clone()
        };
        fs::write(&other, constant.to_bytes()).unwrap();
        assert!(
            run(&args(folder.file("games"))).is_err(),
            "nothing in common"
        );
        fs::write(&other, before.to_bytes()).unwrap();
        let few = folder.file("few");
        write_file(&few, &[random_game(1)]);
        assert!(run(&args(few)).is_err(), "too few positions");
    }

    #[test]
    fn factors_are_positive_numbers() {
        assert_eq!(factor("0.7"), Ok(0.7));
        for wrong in ["", "0", "-1", "nan", "1e9"] {
            assert!(factor(wrong).is_err(), "{wrong}");
        }
    }
}
