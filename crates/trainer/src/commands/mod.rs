//! The command line: one module per subcommand, each with its arguments and what it does.

use std::error::Error;

pub mod dump;
mod labels;
pub mod loss;
pub mod merge;
pub mod mix;
mod network_file;
mod numbers;
mod progress;
pub mod rescore;
pub mod scale;
mod search;
pub mod selfplay;
pub mod stats;
pub mod train;
pub mod verify;
pub mod wdl;

/// The result of a subcommand; an error is shown to the user and makes the exit code 1.
pub type CommandResult = Result<(), Box<dyn Error>>;
