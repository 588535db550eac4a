//! `orthrus-trainer merge`: several data files into one.

use std::collections::HashSet;
use std::fs::File;
use std::io::{Write as _, stdout};
use std::path::PathBuf;

use serde::Serialize;

use super::CommandResult;
use crate::data::{DataError, DataReader, DataWriter, Manifest, intact};

/// Copies the games of several data files into a new one.
///
/// Games whose opening ends in the same position as that of an earlier game are skipped. So are
/// damaged blocks, which are reported.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The files to read.
    #[arg(required = true, value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// The file to write; it must not exist.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Prints the report as JSON.
    #[arg(long)]
    json: bool,
}

/// What became of the games.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Outcome {
    /// Games written.
    games: u64,
    /// Games skipped because their opening had occurred before.
    duplicates: u64,
    /// Blocks skipped.
    damage: Vec<String>,
}

/// Merges the files.
///
/// # Errors
///
/// If a file is not a data file, cannot be read, or the new one exists or cannot be written.
pub fn run(args: &Args) -> CommandResult {
    let outcome = merge(args)?;
    let text = if args.json {
        serde_json::to_string_pretty(&outcome)?
    } else {
        format!(
            "{} games written, {} left out as duplicates, {} damaged blocks left out",
            outcome.games,
            outcome.duplicates,
            outcome.damage.len()
        )
    };
    writeln!(stdout(), "{text}")?;
    Ok(())
}

fn merge(args: &Args) -> Result<Outcome, Box<dyn std::error::Error>> {
    let readers: Result<Vec<DataReader<File>>, DataError> = args
        .inputs
        .iter()
        .map(|path| DataReader::open(path))
        .collect();
    let readers = readers?;
    let manifest = Manifest::union(readers.iter().map(DataReader::manifest))?;
    let mut writer = DataWriter::create(&args.output, &manifest)?;
    let mut outcome = Outcome::default();
    let mut openings = HashSet::new();
    let mut damage = Vec::new();
    let games = readers.into_iter().flat_map(DataReader::games);
    for game in intact(games, |error| damage.push(error.to_string())) {
        let game = game?;
        if openings.insert(game.opening_key()?) {
            writer.push(&game)?;
            outcome.games += 1;
        } else {
            outcome.duplicates += 1;
        }
    }
    for error in &damage {
        log::warn!("{error}");
    }
    outcome.damage = damage;
    writer.finish()?;
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::data::GameRecord;
    use crate::testing::{TempFolder, random_game, write_file};

    /// Games with an opening long enough to be unique.
    fn games(seeds: std::ops::Range<u64>) -> Vec<GameRecord> {
        seeds
            .map(random_game)
            .filter(|game| game.opening_plies >= 8)
            .collect()
    }

    #[test]
    fn every_opening_is_kept_once_and_damage_is_left_out() {
        let folder = TempFolder::new();
        let paths = ["a", "b", "c"].map(|name| folder.file(name));
        write_file(&paths[0], &games(0..100));
        write_file(&paths[1], &games(50..150));
        write_file(&paths[2], &games(150..200));
        let mut damaged = fs::read(&paths[2]).unwrap();
        let last = damaged.len() - 10;
        damaged[last] ^= 1;
        fs::write(&paths[2], damaged).unwrap();

        let args = Args {
            inputs: paths.to_vec(),
            output: folder.file("merged"),
            json: false,
        };
        let outcome = merge(&args).unwrap();
        let expected = games(0..150);
        assert_eq!(outcome.games, expected.len() as u64);
        assert_eq!(outcome.duplicates, games(50..100).len() as u64);
        assert_eq!(outcome.damage.len(), 1);
        let merged = DataReader::open(&args.output).unwrap().games();
        let merged: Vec<GameRecord> = merged.map(Result::unwrap).collect();
        assert!(merged == expected);
        assert!(merge(&args).is_err(), "the output exists");
        // Its games have other numbers than in the run that made them.
        assert!(matches!(
            DataWriter::append(&args.output, &Manifest::default()),
            Err(DataError::OtherRun { .. })
        ));
    }
}
