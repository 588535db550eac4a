//! `orthrus-trainer train`: from data files to a network.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use orthrus_core::position::Variant;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::CommandResult;
use super::labels::LabelArgs;
use super::network_file::{check_network, read_network, replace};
use super::numbers::{WIDEST_INPUT, count, input_weight, minutes, share};
use crate::train::anchor::anchor;
use crate::train::checkpoint::Checkpoint;
use crate::train::dataset::{Dataset, Selection, variant_of};
use crate::train::gradient::Network;
use crate::train::log::{self, Row};
use crate::train::model::{Parameters, Rounded, Shape, ShapeError};
use crate::train::objective::Objective;
use crate::train::optimizer::Settings;
use crate::train::quantise::quantise;
use crate::train::schedule::Schedule;
use crate::train::session::{Plan, Session};
use crate::train::simd::Level;
use crate::train::speed;
use crate::train::trainer::Trainer;

/// Trains a network from data files.
#[derive(Debug, clap::Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of the command line"
)]
pub struct Args {
    /// The data files.
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "bench")]
    data: Vec<PathBuf>,
    /// Where to write the network.
    #[arg(long, value_name = "FILE", required_unless_present = "bench")]
    output: Option<PathBuf>,
    /// Where to keep checkpoint and log [default: the network's name with `.training`].
    #[arg(long, value_name = "FOLDER")]
    checkpoint: Option<PathBuf>,
    /// Continues from the checkpoint in that folder.
    #[arg(long)]
    resume: bool,
    /// Starts from this network instead of a random one; neurons or buckets can be added, and one of chess
    /// learns any game.
    #[arg(long, value_name = "NETWORK", conflicts_with = "mirrored")]
    from: Option<PathBuf>,
    /// Starts with the network and the optimiser of the training in this folder, to learn from other data:
    /// games need not be kept.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["from", "hidden", "buckets", "mirrored", "direct", "residual"])]
    after: Option<PathBuf>,
    /// Neurons per perspective: a multiple of 32, at most 1024 [default: 64, or as in the network].
    #[arg(long, value_name = "N")]
    hidden: Option<usize>,
    /// Output buckets: 1, or 8 by number of pieces [default: 1, or as in the network].
    #[arg(long, value_name = "N")]
    buckets: Option<usize>,
    /// Mirrors the board for a side with its king on files e to h.
    #[arg(long)]
    mirrored: bool,
    /// What attacks what goes straight to the outputs [default: as in the network].
    #[arg(long)]
    direct: bool,
    /// A residual layer corrects the outputs, in a network with direct inputs [default: as in the network].
    #[arg(long)]
    residual: bool,
    /// Learns only the weights of what goes straight to the outputs, of the residual layer, and the biases of
    /// the outputs, and leaves the rest as it is.
    #[arg(long, requires = "from")]
    frozen: bool,
    /// How much of each score to learn is what the network says of the position before the training: so it forgets
    /// less of what other games have taught it, and learns less of these by heart.
    #[arg(long, value_name = "0..1", default_value_t = 0.0, value_parser = share, requires = "from", conflicts_with = "worth")]
    anchor: f32,
    #[command(flatten)]
    labels: LabelArgs,
    /// The weight of the result at the end of the training; it changes evenly [default: the same].
    #[arg(long, value_name = "0..1", value_parser = share)]
    final_wdl: Option<f32>,
    /// The initial learning rate.
    #[arg(long, value_name = "RATE", default_value_t = 1e-3, value_parser = share)]
    lr: f32,
    /// The final learning rate.
    #[arg(long, value_name = "RATE", default_value_t = 1e-5, value_parser = share)]
    final_lr: f32,
    /// Positions to train on, every visit counted; may be written as 1e9.
    #[arg(long, value_name = "COUNT", default_value = "1e9", value_parser = count)]
    positions: u64,
    /// Ends after this many minutes, such as 0.5; the learning rate falls accordingly.
    #[arg(long, value_name = "M", value_parser = minutes)]
    minutes: Option<f64>,
    /// Positions per step.
    #[arg(long, value_name = "COUNT", default_value = "16384", value_parser = count)]
    batch: u64,
    /// Positions between two reports [default: a 200th of all, but two million at least].
    #[arg(long, value_name = "COUNT", value_parser = count)]
    report_every: Option<u64>,
    /// The largest absolute input weight or bias, at most 1.98 [default: 0.99, or the largest of the network].
    #[arg(long, value_name = "SIZE", value_parser = input_weight)]
    input_clip: Option<f32>,
    /// How many of a thousand games are for validation.
    #[arg(long, value_name = "COUNT", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=500))]
    validation_permille: u32,
    /// Threads; 0 for one per core.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// The seed of the initial weights and of the order of positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Trains on positions of random games instead, and prints the positions per second.
    #[arg(long, value_name = "HIDDEN", num_args = 0.., default_missing_values = ["64", "128", "256"])]
    bench: Option<Vec<usize>>,
}

/// Trains as the arguments say, until done or interrupted.
///
/// # Errors
///
/// If files cannot be read or written, or arguments do not fit each other or the data.
pub fn run(args: &Args) -> CommandResult {
    if let Some(sizes) = &args.bench {
        return bench(sizes, args);
    }
    let Some(out) = &args.output else {
        return Err("no file to write the network to".into());
    };
    let folder = args
        .checkpoint
        .clone()
        .unwrap_or_else(|| out.with_extension("training"));
    let files = Files {
        network: out.clone(),
        folder,
    };
    if files.network == files.folder {
        return Err(format!(
            "{} is for the network and for the checkpoint",
            out.display()
        )
        .into());
    }
    check_network(&files.network)?;
    if let Some(from) = &args.from
        && let (Ok(from), Ok(output)) = (fs::canonicalize(from), fs::canonicalize(out))
        && from == output
    {
        return Err(format!(
            "{} is what the training begins with, and would be lost",
            out.display()
        )
        .into());
    }
    let variant = variant_of(&args.data)?;
    let earlier = args.after.as_deref().map(read_checkpoint).transpose()?;
    let (shape, parameters) = match &earlier {
        Some(earlier) => (earlier.header.shape, earlier.optimizer.exact.clone()),
        None => beginning(args, variant)?,
    };
    if shape.variant != variant {
        let (network, games) = (shape.variant.name(), variant.name());
        return Err(format!("a network for {network} does not learn from games of {games}").into());
    }
    let _lock = files.lock()?;
    if !args.resume {
        files.check_checkpoint()?;
    }
    let pool = ThreadPoolBuilder::new().num_threads(args.threads).build()?;
    let mut dataset = load(args, &pool)?;
    let settings = Settings {
        input_clip: input_clip(args.input_clip, &parameters),
        frozen: args.frozen,
        ..Settings::default()
    };
    let first = Network {
        shape,
        weights: &Rounded::new(&parameters),
        level: Level::widest(),
    };
    // Those that are not learned from are games enough, and shuffled.
    let sampled: Vec<_> = dataset.validation().chunks(1 << 12).collect();
    let objective = Objective {
        result_weight: args.final_wdl.unwrap_or(args.labels.wdl),
        ..pool.install(|| args.labels.objective(first, &sampled))?
    };
    if args.anchor > 0.0 {
        pool.install(|| anchor(dataset.training_mut(), first, args.anchor, objective));
    }
    let trainer = Trainer::new(shape, parameters, objective, settings, args.threads)?;
    let mut session = Session::new(plan(args), &dataset, trainer);
    if args.resume {
        session.restore(read_checkpoint(&files.folder)?)?;
    } else if let Some(earlier) = earlier {
        session.follow(earlier.optimizer);
    }
    train(&mut session, &files)
}

impl Args {
    /// The shape that was asked for of a network that begins from nothing.
    fn shape(&self, variant: Variant, hidden: usize) -> Result<Shape, ShapeError> {
        Shape {
            variant,
            hidden,
            buckets: self.buckets.unwrap_or(1),
            mirrored: self.mirrored,
            direct: self.direct,
            residual: self.residual,
        }
        .checked()
    }
}

/// The network before the first step.
fn beginning(
    args: &Args,
    variant: Variant,
) -> Result<(Shape, Parameters), Box<dyn std::error::Error>> {
    let Some(path) = &args.from else {
        let shape = args.shape(variant, args.hidden.unwrap_or(64))?;
        return Ok((shape, Parameters::random(shape, args.seed)));
    };
    let (from, parameters) = read_network(path)?;
    let shape = Shape {
        variant,
        hidden: args.hidden.unwrap_or(from.hidden),
        buckets: args.buckets.unwrap_or(from.buckets),
        mirrored: from.mirrored,
        direct: args.direct || from.direct,
        residual: args.residual || from.residual,
    }
    .checked()?;
    let parameters = parameters
        .widened(from, shape, args.seed)
        .map_err(|error| format!("{}: {error}", path.display()))?;
    Ok((shape, parameters))
}

/// The largest input weight or bias of a training that begins with these.
fn input_clip(wanted: Option<f32>, first: &Parameters) -> f32 {
    let narrowest = Settings::default().input_clip;
    wanted.unwrap_or_else(|| first.largest_input().clamp(narrowest, WIDEST_INPUT as f32))
}

fn plan(args: &Args) -> Plan {
    Plan {
        visits: args.positions,
        time: args
            .minutes
            .map(|minutes| Duration::from_secs_f64(minutes * 60.0)),
        batch: args.batch as usize,
        schedule: Schedule {
            initial: args.lr,
            last: args.final_lr,
        },
        initial_result_weight: args.labels.wdl,
        // A report costs as much as learning from a hundred thousand positions.
        report_every: args
            .report_every
            .unwrap_or((args.positions / 200).max(2_000_000)),
    }
}

fn load(args: &Args, pool: &ThreadPool) -> Result<Dataset, Box<dyn std::error::Error>> {
    let selection = Selection {
        labels: args.labels.labels(),
        validation_permille: args.validation_permille,
        seed: args.seed,
    };
    let dataset = pool.install(|| Dataset::load(&args.data, &selection))?;
    ::log::info!(
        "{} positions to learn from, {} to be tested on",
        HumanCount(dataset.len() as u64),
        HumanCount(dataset.validation().len() as u64),
    );
    Ok(dataset)
}

fn train(session: &mut Session<'_>, files: &Files) -> CommandResult {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))?;

    let style = "{elapsed_precise} [{wide_bar}] {percent_precise} %, {msg}, {eta} left";
    let bar = ProgressBar::new(1_000_000).with_style(ProgressStyle::with_template(style)?);
    bar.set_position((session.progress() * 1e6) as u64);
    bar.reset_eta();
    while !session.is_finished() && !interrupted.load(Ordering::Relaxed) {
        let row = session.step().cloned();
        bar.set_position((session.progress() * 1e6) as u64);
        if let Some(row) = row {
            bar.set_message(format!("loss {:.5}", row.validation));
            bar.suspend(|| ::log::info!("{}", summary(&row)));
            files.save(session)?;
        }
    }
    bar.finish_and_clear();
    let written = files.save(session)?;

    let network = files.network.display();
    match (session.is_finished(), written) {
        (true, _) => ::log::info!("{network} is written"),
        (false, true) => {
            ::log::info!("interrupted: {network} is as far as it got; --resume goes on");
        }
        (false, false) => ::log::info!("interrupted: --resume goes on"),
    }
    Ok(())
}

/// A report in one line.
fn summary(row: &Row) -> String {
    format!(
        "{} positions seen, {:.0} s, learning rate {:.2e}, loss {:.5}, validation {:.5} (score {:.5}, result {:.5})",
        HumanCount(row.visits),
        row.seconds,
        row.rate,
        row.training,
        row.validation,
        row.score,
        row.result
    )
}

/// The file in the folder of a training with which it, or another, continues.
fn checkpoint_in(folder: &Path) -> PathBuf {
    folder.join("checkpoint.bin")
}

fn read_checkpoint(folder: &Path) -> Result<Checkpoint, Box<dyn std::error::Error>> {
    let path = checkpoint_in(folder);
    let named = |error: &dyn Display| format!("{}: {error}", path.display());
    let bytes = fs::read(&path).map_err(|error| named(&error))?;
    Ok(Checkpoint::from_bytes(&bytes).map_err(|error| named(&error))?)
}

/// The files that a training writes.
struct Files {
    network: PathBuf,
    folder: PathBuf,
}

impl Files {
    /// Keeps other trainings out of the folder, which is made, as long as the file is open.
    fn lock(&self) -> Result<File, String> {
        let path = self.folder.join("lock");
        let lock = || {
            fs::create_dir_all(&self.folder)?;
            let file = File::create(&path)?;
            file.try_lock()?;
            Ok(file)
        };
        lock().map_err(|error: io::Error| match error.kind() {
            io::ErrorKind::WouldBlock => {
                format!("{}: another training writes there", self.folder.display())
            }
            _ => format!("{}: {error}", path.display()),
        })
    }

    /// Makes sure that the checkpoint of another training is not overwritten.
    fn check_checkpoint(&self) -> CommandResult {
        let path = checkpoint_in(&self.folder);
        if !path.exists() {
            return Ok(());
        }
        Err(format!(
            "{} is there already: --resume goes on with an interrupted training; to begin anew, remove it",
            path.display()
        )
        .into())
    }

    /// Writes checkpoint, log and network; returns whether the network was written. One that could
    /// overflow in the engine is not; during training that may pass.
    fn save(&self, session: &Session<'_>) -> Result<bool, Box<dyn std::error::Error>> {
        replace(
            &checkpoint_in(&self.folder),
            &session.checkpoint().to_bytes()?,
        )?;
        replace(
            &self.folder.join("log.csv"),
            log::csv(session.rows()).as_bytes(),
        )?;

        let trainer = session.trainer();
        let network = quantise(trainer.shape(), trainer.network().weights);
        match network.check() {
            Ok(()) => {
                replace(&self.network, &network.to_bytes())?;
                Ok(true)
            }
            Err(error) if session.is_finished() => Err(error.into()),
            Err(error) => {
                ::log::warn!("the network is not written now: {error}");
                Ok(false)
            }
        }
    }
}

fn bench(sizes: &[usize], args: &Args) -> CommandResult {
    for &hidden in sizes {
        let shape = args.shape(Variant::Standard, hidden)?;
        let speed = speed::measure(shape, args.threads, Duration::from_secs(5))?;
        writeln!(
            io::stdout(),
            "{hidden} neurons: {} positions/s",
            HumanCount(speed as u64)
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TempFolder, shape};

    #[test]
    fn a_folder_is_for_one_training_at_a_time() {
        let folder = TempFolder::new();
        let files = Files {
            network: folder.file("network"),
            folder: folder.file("training"),
        };
        let lock = files.lock().unwrap();
        assert!(
            files
                .lock()
                .unwrap_err()
                .ends_with("another training writes there")
        );
        drop(lock);
        files.lock().unwrap();
    }

    #[test]
    fn a_network_keeps_its_largest_weights_unless_told_otherwise() {
        let shape = shape(32, 1, true);
        let mut parameters = Parameters::random(shape, 3);
        let mut clip = |largest: f32, wanted| {
            parameters.blocks[1].parts_mut().0[7].0[5] = -largest;
            input_clip(wanted, &parameters)
        };
        let cases = [
            (0.1, None, 0.99),
            (1.5, None, 1.5),
            (2.5, None, WIDEST_INPUT as f32),
            (1.5, Some(0.5), 0.5),
        ];
        for (largest, wanted, expected) in cases {
            assert!((clip(largest, wanted) - expected).abs() < 1e-6, "{largest}");
        }
    }
}
