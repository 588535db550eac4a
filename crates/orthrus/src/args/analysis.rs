//! The arguments of the tools that analyse.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use orthrus_core::engine::options::{self, OptionError, Setting};
use orthrus_core::position::Position;
use orthrus_core::search::Limits;
use thiserror::Error;

use super::number::number;
use super::parse_fen;
use crate::tools::manual::option_help;

/// How long to think; whichever limit comes first ends a search.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "How long to think (whichever comes first)")]
pub(crate) struct LimitArgs {
    /// Milliseconds per position
    #[arg(long, value_name = "MS", value_parser = number(1..=u64::MAX))]
    pub(crate) movetime: Option<u64>,

    /// Depth in plies
    #[arg(long, value_name = "PLIES", value_parser = number(1..=u32::MAX))]
    pub(crate) depth: Option<u32>,

    /// Nodes per position; with one thread the result is the same every time
    #[arg(long, value_name = "N", value_parser = number(1..=u64::MAX))]
    pub(crate) nodes: Option<u64>,
}

impl LimitArgs {
    /// The limits of a search that begins now; none if none were given.
    pub(crate) fn limits(self) -> Limits {
        Limits {
            move_time: self.movetime.map(Duration::from_millis),
            depth: self.depth,
            nodes: self.nodes,
            ..Limits::none(Instant::now())
        }
    }

    /// These limits, or this many milliseconds if none were given.
    pub(crate) fn or_movetime(self, millis: u64) -> Self {
        match self {
            Self {
                movetime: None,
                depth: None,
                nodes: None,
            } => Self {
                movetime: Some(millis),
                ..self
            },
            _ => self,
        }
    }
}

/// The engine that thinks.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "The engine")]
pub(crate) struct EngineArgs {
    #[arg(long, value_name = "N", value_parser = option("Threads"), help = option_help("Threads"))]
    threads: Option<Setting>,

    #[arg(long, value_name = "MIB", value_parser = option("Hash"), help = option_help("Hash"))]
    hash: Option<Setting>,

    /// Any option of the engine (orthrus options lists them), such as "EvalFile=other.net"; may be
    /// repeated
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = setting)]
    options: Vec<Setting>,
}

impl EngineArgs {
    /// The changes to make to the options, in the order of making them.
    pub(crate) fn settings(&self) -> impl Iterator<Item = Setting> {
        let named = [&self.threads, &self.hash].into_iter().flatten();
        self.options.iter().chain(named).cloned()
    }
}

/// The arguments of `orthrus epd`.
#[derive(Clone, Debug, Args)]
pub(crate) struct EpdArgs {
    /// The suites, one position per line; - for standard input
    #[arg(required = true, value_name = "SUITE")]
    pub(crate) suites: Vec<PathBuf>,

    /// Write JSON: one line with an object for each position, then one with the totals
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

/// The arguments of `orthrus analyse`.
#[derive(Clone, Debug, Args)]
pub(crate) struct AnalyseArgs {
    /// The position, instead of the initial one
    #[arg(long, value_parser = parse_fen)]
    pub(crate) fen: Option<Box<Position>>,

    /// Moves from there, such as "e4 c5 Nf3" or "e2e4 c7c5"
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    pub(crate) moves: Vec<String>,

    #[arg(long, value_name = "LINES", value_parser = option("MultiPV"), help = option_help("MultiPV"))]
    pub(crate) multipv: Option<Setting>,

    /// Write JSON: one line with an object each time something is found
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

/// The arguments of `orthrus annotate`.
#[derive(Clone, Debug, Args)]
pub(crate) struct AnnotateArgs {
    /// The games (PGN); - for standard input
    #[arg(value_name = "GAMES")]
    pub(crate) file: PathBuf,

    /// Write to this file; its extension may give the format; - for standard output, as without it
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// What to write; without this, what the extension of FILE says, or PGN
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,

    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

/// The format of annotated games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Games with evaluations, marks and better lines
    Pgn,
    /// One line with an object for each game
    Json,
    /// One self-contained page for a browser, with board and graph
    Html,
}

/// Reads a value of this option of the engine.
fn option(name: &'static str) -> impl Fn(&str) -> Result<Setting, OptionError> + Clone {
    move |text| options::parse(name, Some(text))
}

/// Why an option cannot be given to a tool.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
enum ToolOptionError {
    #[error(transparent)]
    Option(#[from] OptionError),
    /// There is no conversation that could be logged.
    #[error("{0} keeps conversations, and a tool has none")]
    Conversation(String),
    /// A tool writes castling as the position requires.
    #[error("{0} is for conversations; a tool writes castling as the position asks")]
    Castling(String),
}

fn setting(text: &str) -> Result<Setting, ToolOptionError> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value)),
        None => (text.trim(), None),
    };
    match options::parse(name, value)? {
        Setting::DebugLogFile(_) => Err(ToolOptionError::Conversation(name.to_owned())),
        Setting::Chess960(_) => Err(ToolOptionError::Castling(name.to_owned())),
        setting => Ok(setting),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        limits: LimitArgs,
        #[command(flatten)]
        engine: EngineArgs,
    }

    fn read(line: &str) -> Result<Line, clap::Error> {
        Line::try_parse_from(line.split_whitespace())
    }

    #[test]
    fn limits_combine_and_have_a_default() {
        let limits = read("x --nodes 500 --depth 9").unwrap().limits;
        let limits = limits.or_movetime(1000).limits();
        assert_eq!(
            (limits.nodes, limits.depth, limits.move_time),
            (Some(500), Some(9), None)
        );
        let limits = read("x").unwrap().limits.or_movetime(1000).limits();
        assert_eq!(limits.move_time, Some(Duration::from_secs(1)));
    }

    #[test]
    fn options_are_those_of_the_table() {
        let line = read("x --option multipv=3 --hash 64 --threads 2").unwrap();
        let settings: Vec<Setting> = line.engine.settings().collect();
        let expected = [Setting::MultiPv(3), Setting::Threads(2), Setting::Hash(64)];
        assert_eq!(settings, expected);
    }

    #[test]
    fn values_out_of_range_are_refused() {
        for line in [
            "x --hash 0",
            "x --threads 9999",
            "x --nodes 0",
            "x --option Nonsense=1",
            "x --option Hash",
            "x --option DebugLogFile=x.log",
            "x --option UCI_Chess960=true",
        ] {
            assert!(read(line).is_err(), "{line}");
        }
    }
}
