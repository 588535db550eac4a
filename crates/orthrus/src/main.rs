//! Orthrus, the binary: the only part that touches standard input and output, the environment and
//! the exit code.
//!
//! - [`args`]: the command line
//! - [`detect`]: the first line picks the protocol; [`console`] is what a person may type
//! - [`driver`]: the threads and the loop between user, front end and engine
//! - [`perft`]: what it tells
//! - [`logging`], [`signals`]: the surroundings

mod args;
mod console;
#[cfg_attr(not(test), expect(dead_code, reason = "waits for the heads"))]
mod detect;
#[cfg_attr(not(test), expect(dead_code, reason = "waits for the heads"))]
mod driver;
mod logging;
mod perft;
#[expect(dead_code, reason = "waits for the heads")]
mod signals;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::Parser;
use orthrus_core::position::Position;

use args::{Args, Tool};

fn main() -> ExitCode {
    let args = Args::parse();
    if let Err(error) = logging::start(args.log_file.as_deref()) {
        let file = args.log_file.unwrap_or_default();
        // Nobody is left to tell if standard error is gone too.
        let _ = writeln!(
            io::stderr(),
            "orthrus: cannot log to {}: {error}",
            file.display()
        );
        return ExitCode::FAILURE;
    }
    let result = match args.tool {
        None => {
            log::error!("there is no front end yet for {:?}", args.protocol);
            return ExitCode::FAILURE;
        }
        Some(Tool::Perft { depth, fen, divide }) => {
            let position = fen.map_or_else(Position::startpos, |position| *position);
            print(&perft::report(&position, depth, divide))
        }
    };
    if let Err(error) = result {
        // A user who has closed our output has left: no failure of ours.
        log::info!("standard output failed: {error}");
    }
    ExitCode::SUCCESS
}

fn print(lines: &[String]) -> io::Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    for line in lines {
        writeln!(output, "{line}")?;
    }
    output.flush()
}
