//! `orthrus-trainer selfplay`: makes data by playing games.

use std::fs;
use std::io::{Write as _, stderr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use clap::value_parser;
use orthrus_core::VERSION;
use orthrus_core::evaluation::{CpuLevel, Evaluation, Material, Network};

use super::CommandResult;
use super::progress::PlayProgress;
use crate::data::{
    AdjudicationRules, DataWriter, MAX_PLIES, Manifest, OpeningRules, Run, SearchRules,
};
use crate::selfplay::{Goal, SearchPlayer, play};

/// Plays games against itself and stores them.
///
/// Can be interrupted at any time: the games being played are finished and written. The same
/// command goes on with the next game.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The data file; continued if it exists.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    goal: GoalArgs,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    /// Games played at once [default: one per processor].
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// What all chance comes from: another seed gives other games.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Nodes per move; the last iteration is finished.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// Nodes after which a search is broken off [default: 10 times --nodes].
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    hard_nodes: Option<u64>,
    /// Hash table of each thread in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 2, value_parser = value_parser!(u16).range(1..=4096))]
    hash: u16,
    #[command(flatten)]
    opening: OpeningArgs,
    #[command(flatten)]
    adjudication: AdjudicationArgs,
}

/// When to stop.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct GoalArgs {
    /// Until the file holds so many games.
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// For so many minutes.
    #[arg(long, value_name = "M")]
    minutes: Option<u32>,
}

/// What scores positions [default: the standard evaluation of the engine].
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
struct EvaluationArgs {
    /// This network file.
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Material values, with a little noise: what the first generation starts from.
    #[arg(long)]
    material: bool,
}

/// How games begin.
#[derive(Debug, clap::Args)]
struct OpeningArgs {
    /// Least number of plies drawn by lot.
    #[arg(long, value_name = "N", default_value_t = OpeningRules::default().min_plies as u16, value_parser = value_parser!(u16).range(..=100))]
    min_opening_plies: u16,
    /// Largest number of plies drawn by lot.
    #[arg(long, value_name = "N", default_value_t = OpeningRules::default().max_plies as u16, value_parser = value_parser!(u16).range(..=100))]
    max_opening_plies: u16,
    /// Openings scored beyond this are drawn anew.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = OpeningRules::default().max_score)]
    max_opening_score: i32,
    /// Nodes of the search that scores an opening [default: twice --nodes].
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    verification_nodes: Option<u64>,
    /// Percent of the games that begin with a position of Chess960.
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = value_parser!(u8).range(..=100))]
    chess960: u8,
    /// Percent of the games that begin with a position of double Chess960.
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = value_parser!(u8).range(..=100))]
    double_chess960: u8,
}

/// When games are ended early.
#[derive(Debug, clap::Args)]
struct AdjudicationArgs {
    /// A side wins if it is ahead by more than this ...
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = AdjudicationRules::default().win_score)]
    win_score: i32,
    /// ... for so many plies.
    #[arg(long, value_name = "N", default_value_t = AdjudicationRules::default().win_plies)]
    win_plies: usize,
    /// A game is drawn if scores stay within this ...
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = AdjudicationRules::default().draw_score)]
    draw_score: i32,
    /// ... for so many plies ...
    #[arg(long, value_name = "N", default_value_t = AdjudicationRules::default().draw_plies)]
    draw_plies: usize,
    /// ... and so many plies have been played.
    #[arg(long, value_name = "N", default_value_t = AdjudicationRules::default().draw_from_ply)]
    draw_from_ply: usize,
    /// Percent of the games that are played to their real end.
    #[arg(long, value_name = "PERCENT", default_value_t = AdjudicationRules::default().real_end_percent, value_parser = value_parser!(u8).range(..=100))]
    real_end: u8,
    /// A game of so many plies is drawn.
    #[arg(long, value_name = "N", default_value_t = AdjudicationRules::default().max_plies as u16, value_parser = value_parser!(u16).range(200..=MAX_PLIES as i64))]
    max_plies: u16,
}

impl OpeningArgs {
    /// The rules for games with so many nodes per move.
    fn rules(&self, nodes: u64) -> OpeningRules {
        let min_plies = usize::from(self.min_opening_plies);
        OpeningRules {
            min_plies,
            max_plies: usize::from(self.max_opening_plies).max(min_plies),
            max_score: self.max_opening_score,
            verification_nodes: self.verification_nodes.unwrap_or(nodes.saturating_mul(2)),
            chess960_percent: self.chess960,
            double_chess960_percent: self.double_chess960.min(100 - self.chess960),
        }
    }
}

impl From<&AdjudicationArgs> for AdjudicationRules {
    fn from(args: &AdjudicationArgs) -> Self {
        Self {
            win_score: args.win_score,
            win_plies: args.win_plies,
            draw_score: args.draw_score,
            draw_plies: args.draw_plies,
            draw_from_ply: args.draw_from_ply,
            real_end_percent: args.real_end,
            max_plies: args.max_plies.into(),
        }
    }
}

impl EvaluationArgs {
    /// The evaluation, and its name for the manifest.
    fn load(&self, seed: u64) -> Result<(Evaluation, String), Box<dyn std::error::Error>> {
        /// Enough to tell games apart, too little to be a judgement.
        const NOISE_CENTIPAWNS: u16 = 3;
        let level = CpuLevel::detect();
        let evaluation = if let Some(path) = &self.network {
            let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
            let bytes = fs::read(path).map_err(|error| named(&error))?;
            let network = Network::from_bytes(&bytes, level).map_err(|error| named(&error))?;
            Evaluation::Network(Arc::new(network))
        } else if self.material {
            Evaluation::Material(Material::noisy(seed, NOISE_CENTIPAWNS))
        } else {
            Evaluation::standard(level)
        };
        let name = match &evaluation {
            Evaluation::Network(network) => format!("network {:016x}", network.hash()),
            Evaluation::Material(_) => format!("material, noise {NOISE_CENTIPAWNS} cp"),
        };
        Ok((evaluation, name))
    }
}

/// Plays until the goal is reached or somebody interrupts.
///
/// # Errors
///
/// If the network or the data file is unusable, or a game cannot be played.
pub fn run(args: &Args) -> CommandResult {
    let (evaluation, evaluation_name) = args.evaluation.load(args.seed)?;
    let run = Run {
        engine: format!("{VERSION} {}", env!("ORTHRUS_COMMIT")),
        evaluation: evaluation_name,
        search: SearchRules {
            soft_nodes: args.nodes,
            hard_nodes: args.hard_nodes.unwrap_or(args.nodes.saturating_mul(10)),
            hash_mebibytes: args.hash.into(),
        },
        opening: args.opening.rules(args.nodes),
        adjudication: (&args.adjudication).into(),
        seed: args.seed,
    };
    let manifest = Manifest {
        runs: vec![run.clone()],
    };
    let writer = if args.output.exists() {
        DataWriter::append(&args.output, &manifest)?
    } else {
        DataWriter::create(&args.output, &manifest)?
    };
    let threads = match args.threads {
        Some(threads) => threads,
        None => available_parallelism()?,
    };
    let players: Result<Vec<SearchPlayer>, _> = (0..threads.get())
        .map(|_| SearchPlayer::new(run.search.hash_mebibytes, evaluation.clone()))
        .collect();
    let stop = stop_on_interrupt()?;
    let start = Instant::now();
    let first_game = writer.next_game();
    let (goal, mut progress) = match (args.goal.games, args.goal.minutes.unwrap_or_default()) {
        (Some(games), _) => (Goal::Games(games), PlayProgress::games(first_game, games)),
        (None, minutes) => {
            let time = Duration::from_secs(u64::from(minutes) * 60);
            (Goal::Until(start + time), PlayProgress::time(time))
        }
    };
    let totals = play(&run, goal, players?, &stop, writer, |totals| {
        progress.show(totals);
    })?;
    progress.finish(totals);
    Ok(())
}

/// A flag that Ctrl-C sets, or the system when it asks the program to end.
fn stop_on_interrupt() -> Result<Arc<AtomicBool>, ctrlc::Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        flag.store(true, Ordering::Relaxed);
        // If standard error is gone, nobody needs the hint.
        let _ = writeln!(stderr(), "finishing the games being played");
    })?;
    Ok(stop)
}
