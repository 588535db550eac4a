//! `orthrus-trainer verify`: whether data files are intact and their games correct.

use std::error::Error;
use std::io::{self, BufWriter, Write, stdout};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::CommandResult;
use crate::data::{DataReader, Flaw, GameRecord};

/// Checks data files: every checksum, and every game by replaying it.
///
/// The exit code is 1 if anything is wrong.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The data files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Writes JSON.
    #[arg(long)]
    json: bool,
}

/// What was found in one file.
#[derive(Debug, Serialize)]
struct Finding {
    file: PathBuf,
    /// Games that are correct.
    games: u64,
    /// Everything that is wrong.
    faults: Vec<String>,
}

/// Checks and prints.
///
/// # Errors
///
/// If anything is wrong with a file, or the output cannot be written.
pub fn run(args: &Args) -> CommandResult {
    let findings: Vec<Finding> = args.files.iter().map(|path| check(path)).collect();
    let mut output = BufWriter::new(stdout().lock());
    if args.json {
        serde_json::to_writer_pretty(&mut output, &findings).map_err(io::Error::from)?;
        writeln!(output)?;
    } else {
        for finding in &findings {
            writeln!(
                output,
                "{}: {} games are right",
                finding.file.display(),
                finding.games
            )?;
            for fault in &finding.faults {
                writeln!(output, "  {fault}")?;
            }
        }
    }
    output.flush()?;
    match findings.iter().map(|finding| finding.faults.len()).sum() {
        0 => Ok(()),
        1 => Err(Box::<dyn Error>::from("1 fault")),
        faults => Err(Box::<dyn Error>::from(format!("{faults} faults"))),
    }
}

fn check(path: &Path) -> Finding {
    let mut finding = Finding {
        file: path.to_owned(),
        games: 0,
        faults: Vec::new(),
    };
    let reader = match DataReader::open(path) {
        Ok(reader) => reader,
        Err(error) => {
            finding.faults.push(error.to_string());
            return finding;
        }
    };
    let rescored = reader.manifest().is_rescored();
    // Games are numbered as `dump` does: without those of damaged blocks.
    let mut number = 0;
    for game in reader.games() {
        match game {
            Ok(game) => {
                match verify(&game, rescored) {
                    Ok(()) => finding.games += 1,
                    Err(flaw) => finding.faults.push(format!("game {number}: {flaw}")),
                }
                number += 1;
            }
            Err(error) => finding.faults.push(error.to_string()),
        }
    }
    finding
}

fn verify(game: &GameRecord, rescored: bool) -> Result<(), Flaw> {
    game.verify()?;
    if rescored {
        return Ok(());
    }
    game.verify_adjudication()
}
