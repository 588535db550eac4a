//! `orthrus-trainer selfplay`: makes data by playing games.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::builder::{RangedU64ValueParser, TypedValueParser};
use clap::value_parser;
use orthrus_core::position::Variant;

use super::CommandResult;
use super::progress::PlayProgress;
use super::search::{EvaluationArgs, SearchArgs, engine_name, stop_on_interrupt};
use crate::data::{
    AdjudicationRules, DataWriter, MAX_PLIES, Manifest, OpeningRules, Run, StartError,
};
use crate::selfplay::{Goal, play};
use crate::variant_name;

/// Plays games against itself and stores them.
///
/// Can be interrupted at any time: the games being played are finished and written. The same
/// command continues with the next game.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The data file; continued if it exists.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// The game to play: chess, or a variant by the name that UCI knows it by.
    #[arg(long, value_name = "NAME", default_value = "chess", value_parser = variant_name::from_argument)]
    variant: Variant,
    #[command(flatten)]
    goal: GoalArgs,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    /// The seed of all random choices: another seed gives other games.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    opening: OpeningArgs,
    #[command(flatten)]
    adjudication: AdjudicationArgs,
}

/// When to stop.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct GoalArgs {
    /// Stops when the file holds this many games.
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Stops after this many minutes.
    #[arg(long, value_name = "M")]
    minutes: Option<u32>,
}

/// How games begin.
#[derive(Debug, clap::Args)]
struct OpeningArgs {
    /// Smallest number of random plies.
    #[arg(long, value_name = "N", default_value_t = OpeningRules::default().min_plies as u16, value_parser = value_parser!(u16).range(..=100))]
    min_opening_plies: u16,
    /// Largest number of random plies, raised to the smallest if that is more.
    #[arg(long, value_name = "N", default_value_t = OpeningRules::default().max_plies as u16, value_parser = value_parser!(u16).range(..=100))]
    max_opening_plies: u16,
    /// Chooses the random plies among ten legal moves by short searches, whose scores err by up to
    /// this much on purpose [default: every legal move is as likely].
    #[arg(long, value_name = "CENTIPAWNS")]
    opening_noise: Option<u16>,
    /// Openings with a larger score for either side are drawn again.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = OpeningRules::default().max_score, value_parser = value_parser!(i32).range(0..))]
    max_opening_score: i32,
    /// Nodes of the search that scores an opening [default: twice --nodes].
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    verification_nodes: Option<u64>,
    /// Percentage of games that begin with a Chess960 position.
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = value_parser!(u8).range(..=100))]
    chess960: u8,
    /// Percentage of games that begin with a double Chess960 position, at most what `--chess960`
    /// leaves.
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = value_parser!(u8).range(..=100))]
    double_chess960: u8,
}

/// A rule that holds after 0 plies would end every game at once.
fn at_least_one() -> impl TypedValueParser<Value = usize> {
    RangedU64ValueParser::new().range(1..)
}

/// When games are ended early.
#[derive(Debug, clap::Args)]
struct AdjudicationArgs {
    /// A side wins if it has been ahead by more than this ...
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = AdjudicationRules::default().win_score, value_parser = value_parser!(i32).range(0..))]
    win_score: i32,
    /// ... for this many plies.
    #[arg(long, value_name = "N", default_value_t = AdjudicationRules::default().win_plies, value_parser = at_least_one())]
    win_plies: usize,
    /// A game is drawn if scores stay within this ...
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = AdjudicationRules::default().draw_score)]
    draw_score: i32,
    /// ... for this many plies ...
    #[arg(long, value_name = "N", default_value_t = AdjudicationRules::default().draw_plies, value_parser = at_least_one())]
    draw_plies: usize,
    /// ... and this many plies have been played.
    #[arg(long, value_name = "N", default_value_t = AdjudicationRules::default().draw_from_ply)]
    draw_from_ply: usize,
    /// Percentage of games that are played to their real end.
    #[arg(long, value_name = "PERCENT", default_value_t = AdjudicationRules::default().real_end_percent, value_parser = value_parser!(u8).range(..=100))]
    real_end: u8,
    /// A game of this many plies is drawn.
    #[arg(long, value_name = "N", default_value_t = AdjudicationRules::default().max_plies as u16, value_parser = value_parser!(u16).range(200..=MAX_PLIES as i64))]
    max_plies: u16,
}

impl OpeningArgs {
    /// The rules for games with this many nodes per move.
    fn rules(&self, nodes: u64) -> OpeningRules {
        let min_plies = usize::from(self.min_opening_plies);
        OpeningRules {
            min_plies,
            max_plies: usize::from(self.max_opening_plies).max(min_plies),
            noise: self.opening_noise,
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

/// Plays until the goal is reached or the user interrupts.
///
/// # Errors
///
/// If the network or the data file is unusable, or a game cannot be played.
pub fn run(args: &Args) -> CommandResult {
    if args.variant != Variant::Standard && args.opening.chess960 + args.opening.double_chess960 > 0
    {
        return Err(StartError::Chess960(args.variant).into());
    }
    let (evaluation, evaluation_name) = args.evaluation.load(args.variant, args.seed)?;
    let search = args.search.rules();
    let run = Run {
        engine: engine_name(),
        variant: args.variant,
        evaluation: evaluation_name,
        search,
        opening: args.opening.rules(search.soft_nodes),
        adjudication: (&args.adjudication).into(),
        seed: args.seed,
        rescored: None,
    };
    let manifest = Manifest {
        runs: vec![run.clone()],
        ..Manifest::default()
    };
    let writer = DataWriter::open(&args.output, &manifest)?;
    let players = args.search.players(&evaluation)?;
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
    let totals = play(&run, goal, players, &stop, writer, |totals| {
        progress.show(totals);
    })?;
    progress.finish(totals);
    Ok(())
}
