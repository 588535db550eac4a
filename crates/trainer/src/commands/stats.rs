//! `orthrus-trainer stats`: what data files hold.

use std::fs;
use std::io::{Write as _, stdout};
use std::path::PathBuf;

use super::CommandResult;

/// Counts what data files hold.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The data files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// Prints the size of every file.
///
/// # Errors
///
/// If a file cannot be read or the output not be written.
pub fn run(args: &Args) -> CommandResult {
    for path in &args.files {
        let bytes = fs::metadata(path)?.len();
        writeln!(stdout(), "{}: {bytes} bytes", path.display())?;
    }
    Ok(())
}
