//! `orthrus-trainer verify`: whether data files are intact and their games correct.

use std::error::Error;
use std::io::{self, BufWriter, Write, stdout};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::CommandResult;
use crate::data::{DataReader, Flaw, GameRecord, games_of};

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
    let printed = print(&findings, args.json);
    // Also if nobody has read what they are.
    match findings.iter().map(|finding| finding.faults.len()).sum() {
        0 => Ok(printed?),
        1 => Err(Box::<dyn Error>::from("1 fault")),
        faults => Err(Box::<dyn Error>::from(format!("{faults} faults"))),
    }
}

fn print(findings: &[Finding], as_json: bool) -> io::Result<()> {
    let mut output = BufWriter::new(stdout().lock());
    if as_json {
        serde_json::to_writer_pretty(&mut output, findings)?;
        writeln!(output)?;
    } else {
        for finding in findings {
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
    output.flush()
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
    // The number that the next block has to begin with; any, behind one that is damaged.
    let mut next = Some(0);
    // Games are numbered as `dump` does: without those of damaged blocks.
    let mut number = 0;
    for block in reader.blocks() {
        let decoded = block.and_then(|block| Ok((block.header, games_of(&block, path)?)));
        let (header, games) = match decoded {
            Ok(decoded) => decoded,
            Err(error) => {
                finding.faults.push(error.to_string());
                next = None;
                continue;
            }
        };
        if let Some(expected) = next.filter(|&next| next != header.first_game) {
            let found = header.first_game;
            let fault = format!("game {found} of the run where its game {expected} should be");
            finding.faults.push(fault);
        }
        next = Some(header.next_game());
        for game in games {
            match verify(&game, rescored) {
                Ok(()) => finding.games += 1,
                Err(flaw) => finding.faults.push(format!("game {number}: {flaw}")),
            }
            number += 1;
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::testing::{TempFolder, random_game, write_file};

    #[test]
    fn a_block_that_is_missing_or_there_twice_is_noticed() {
        let folder = TempFolder::new();
        let path = folder.file("games");
        // By random players, so adjudication would be wrong.
        write_file(&path, &(0..1_500).map(random_game).collect::<Vec<_>>());
        let whole = fs::read(&path).unwrap();
        let blocks = DataReader::open(&path).unwrap().blocks();
        let blocks: Vec<_> = blocks.map(Result::unwrap).collect();
        let [first, second, third] = [0, 1, 2].map(|number| blocks[number].offset as usize);
        let faults = |bytes: &[&[u8]]| {
            fs::write(&path, bytes.concat()).unwrap();
            let faults = check(&path).faults;
            let mut faults = faults.into_iter();
            faults.find(|fault| fault.contains("should be"))
        };
        let games = blocks[0].header.next_game();
        assert_eq!(faults(&[&whole]), None);
        let missing = faults(&[&whole[..second], &whole[third..]]).unwrap();
        assert!(
            missing.ends_with(&format!("game {games} should be")),
            "{missing}"
        );
        let twice = faults(&[&whole[..second], &whole[first..]]).unwrap();
        assert!(twice.starts_with("game 0 "), "{twice}");
    }
}
