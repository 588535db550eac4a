//! `orthrus-trainer`: the command line around the library.

use std::io::{Write as _, stderr};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use orthrus_trainer::commands::{CommandResult, selfplay, stats};

/// Makes the evaluation network of Orthrus from its own games.
#[derive(Debug, Parser)]
#[command(version, about)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Selfplay(selfplay::Args),
    Stats(stats::Args),
}

fn main() -> ExitCode {
    env_logger::init_from_env(env_logger::Env::default().default_filter_or("info"));
    match run(Args::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody is left to tell if standard error is gone too.
            let _ = writeln!(stderr(), "orthrus-trainer: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> CommandResult {
    match command {
        Command::Selfplay(args) => selfplay::run(&args),
        Command::Stats(args) => stats::run(&args),
    }
}
