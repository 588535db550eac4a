//! `orthrus-trainer rescore`: new scores for existing games.

use std::path::PathBuf;

use super::CommandResult;
use super::progress::PlayProgress;
use super::search::{EvaluationArgs, SearchArgs, engine_name, stop_on_interrupt};
use crate::data::{DataError, DataReader, DataWriter, Manifest, Rescoring};
use crate::selfplay::{lacking, rescore};

/// Searches the positions of existing games again, and writes the games with the new scores.
///
/// Moves and results stay as they are, so that a better network can use old games. Can be
/// interrupted at any time; the same command continues with the next game. Damaged blocks are
/// reported and skipped.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The files to read.
    #[arg(required = true, value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// The data file; continued if it exists.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    #[command(flatten)]
    search: SearchArgs,
}

/// Scores until all games are written or the user interrupts.
///
/// # Errors
///
/// If the network or a data file is unusable.
pub fn run(args: &Args) -> CommandResult {
    let search = args.search.rules();
    let open = || args.inputs.iter().map(|path| DataReader::open(path));
    let inputs: Vec<_> = open().collect::<Result<_, DataError>>()?;
    let mut manifest = Manifest::union(inputs.iter().map(DataReader::manifest))?;
    let (evaluation, evaluation_name) = args.evaluation.load(manifest.variant()?, 0)?;
    for run in &mut manifest.runs {
        run.rescored = Some(Rescoring {
            engine: engine_name(),
            evaluation: evaluation_name.clone(),
            search,
        });
    }
    let goal = open()
        .map(|input| input?.count_games())
        .sum::<Result<u64, DataError>>()?;
    let (found, games) = lacking(inputs, &args.output)?;
    let writer = DataWriter::open(&args.output, &manifest)?;
    // Another process may have written between the two.
    if writer.next_game() != found {
        return Err(DataError::InUse(args.output.clone()).into());
    }
    let players = args.search.players(&evaluation)?;
    let stop = stop_on_interrupt()?;
    let mut progress = PlayProgress::games(writer.next_game(), goal);
    let totals = rescore(games, search, players, &stop, writer, |totals| {
        progress.show(totals);
    })?;
    progress.finish(totals);
    Ok(())
}
