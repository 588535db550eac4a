//! `orthrus-trainer stats`: what data files hold.

use std::fs;
use std::io::{self, BufWriter, Write, stdout};
use std::path::PathBuf;

use orthrus_core::position::Variant;
use serde::Serialize;

use super::CommandResult;
use crate::data::{DataReader, Manifest, Run, intact};
use crate::statistics::Statistics;

/// Counts what data files hold: games, positions, results, scores, size.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The data files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Writes JSON: manifest and counts.
    #[arg(long)]
    json: bool,
}

/// What one or more files hold.
#[derive(Debug, Serialize)]
struct Summary {
    files: Vec<FileSummary>,
    bytes: u64,
    bytes_per_ply: f64,
    damage: Vec<String>,
    #[serde(flatten)]
    statistics: Statistics,
}

#[derive(Debug, Serialize)]
struct FileSummary {
    path: PathBuf,
    bytes: u64,
    manifest: Manifest,
}

/// Counts and prints.
///
/// # Errors
///
/// If a file is not a data file, cannot be read, or the output cannot be written. Damaged blocks
/// are listed and not counted.
pub fn run(args: &Args) -> CommandResult {
    let summary = summarize(&args.files)?;
    let mut output = BufWriter::new(stdout().lock());
    if args.json {
        serde_json::to_writer_pretty(&mut output, &summary).map_err(io::Error::from)?;
        writeln!(output)?;
    } else {
        print(&mut output, &summary)?;
    }
    output.flush()?;
    Ok(())
}

fn summarize(paths: &[PathBuf]) -> Result<Summary, Box<dyn std::error::Error>> {
    let mut files = Vec::new();
    let mut damage = Vec::new();
    let mut statistics = Statistics::new();
    for path in paths {
        let reader = DataReader::open(path)?;
        files.push(FileSummary {
            path: path.clone(),
            bytes: fs::metadata(path)?.len(),
            manifest: reader.manifest().clone(),
        });
        for game in intact(reader.games(), |error| damage.push(error.to_string())) {
            statistics.add(&game?)?;
        }
    }
    let bytes = files.iter().map(|file| file.bytes).sum();
    Ok(Summary {
        files,
        bytes,
        bytes_per_ply: bytes as f64 / statistics.plies.max(1) as f64,
        damage,
        statistics,
    })
}

fn print(output: &mut impl Write, summary: &Summary) -> io::Result<()> {
    let statistics = &summary.statistics;
    let games = statistics.games.max(1) as f64;
    for file in &summary.files {
        for run in &file.manifest.runs {
            writeln!(output, "{}: {}", file.path.display(), run_text(run))?;
        }
    }
    writeln!(output, "games               {:>12}", statistics.games)?;
    writeln!(output, "  of Chess960       {:>12}", statistics.chess960)?;
    writeln!(
        output,
        "  openings repeated {:>12}",
        statistics.duplicate_openings
    )?;
    writeln!(output, "plies               {:>12}", statistics.plies)?;
    writeln!(
        output,
        "  per game          {:>12.1}",
        statistics.plies as f64 / games
    )?;
    writeln!(output, "  with a score      {:>12}", statistics.scored)?;
    writeln!(output, "  not quiet         {:>12}", statistics.not_quiet)?;
    writeln!(output, "  kept for training {:>12}", statistics.kept)?;
    writeln!(output, "bytes               {:>12}", summary.bytes)?;
    writeln!(
        output,
        "  per ply           {:>12.3}",
        summary.bytes_per_ply
    )?;
    writeln!(output, "results")?;
    for (result, &count) in &statistics.results {
        writeln!(output, "{}", row(result, count, statistics.games))?;
    }
    writeln!(output, "reasons")?;
    for (reason, &count) in &statistics.reasons {
        writeln!(output, "{}", row(reason, count, statistics.games))?;
    }
    writeln!(output, "scores from White, centipawns, steps from")?;
    for (step, &count) in &statistics.scores {
        writeln!(
            output,
            "{}",
            row(&step.to_string(), count, statistics.scored)
        )?;
    }
    for error in &summary.damage {
        writeln!(output, "damaged: {error}")?;
    }
    Ok(())
}

/// Who played the games of a run, and who scored them.
fn run_text(run: &Run) -> String {
    let nodes = run.search.soft_nodes;
    let again = run.rescored.as_ref().map_or_else(String::new, |again| {
        let nodes = again.search.soft_nodes;
        format!(
            "; scored again by engine {}, {}, {nodes} nodes",
            again.engine, again.evaluation
        )
    });
    let game = match run.variant {
        Variant::Standard => String::new(),
        variant => format!("{}, ", variant.name()),
    };
    format!(
        "{game}engine {}, {}, {nodes} nodes, seed {}{again}",
        run.engine, run.evaluation, run.seed
    )
}

/// A count and its share.
fn row(name: &str, count: u64, total: u64) -> String {
    let percent = 100.0 * count as f64 / total.max(1) as f64;
    format!("  {name:<22} {count:>8} {percent:>6.1} %")
}
