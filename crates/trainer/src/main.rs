//! `orthrus-trainer`: the command line around the library.

use std::error::Error;
use std::io::{self, Write as _, stderr};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use orthrus_trainer::commands::{
    CommandResult, dump, loss, merge, mix, rescore, scale, selfplay, stats, train, verify, wdl,
};

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
    Rescore(rescore::Args),
    Stats(stats::Args),
    Train(train::Args),
    Loss(loss::Args),
    Verify(verify::Args),
    Merge(merge::Args),
    Mix(mix::Args),
    Scale(scale::Args),
    Dump(dump::Args),
    Wdl(wdl::Args),
}

fn main() -> ExitCode {
    let filter = env_logger::Env::default().default_filter_or("info");
    env_logger::Builder::from_env(filter)
        .format_target(false)
        .init();
    match run(Args::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has seen enough.
        Err(error) if is_broken_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            // If standard error is closed too, the message is lost.
            let _ = writeln!(stderr(), "orthrus-trainer: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> CommandResult {
    match command {
        Command::Selfplay(args) => selfplay::run(&args),
        Command::Rescore(args) => rescore::run(&args),
        Command::Stats(args) => stats::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Loss(args) => loss::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Mix(args) => mix::run(&args),
        Command::Scale(args) => scale::run(&args),
        Command::Dump(args) => dump::run(&args),
        Command::Wdl(args) => wdl::run(&args),
    }
}

fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
