//! How long to think and the engine that thinks: arguments of every tool that searches.

use std::time::{Duration, Instant};

use clap::value_parser;
use orthrus_core::engine::options::{self, FrontendSetting, OptionChange, OptionError, Setting};
use orthrus_core::search::Limits;
use thiserror::Error;

use crate::option_text;

/// How long to think, where whichever limit comes first ends a search, and the engine that thinks.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "How long to think (whichever comes first)")]
pub(crate) struct SearchArgs {
    /// Milliseconds per position
    #[arg(long, value_name = "MS", value_parser = value_parser!(u64).range(1..=u64::MAX))]
    pub(crate) movetime: Option<u64>,

    /// Depth in plies
    #[arg(long, value_name = "PLIES", value_parser = value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,

    /// Nodes per position; with one thread the result is the same every time
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=u64::MAX))]
    pub(crate) nodes: Option<u64>,

    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "The engine")]
pub(crate) struct EngineArgs {
    #[arg(long, value_name = "N", value_parser = option("Threads"), help = option_text::help("Threads"))]
    threads: Option<OptionChange>,

    #[arg(long, value_name = "MIB", value_parser = option("Hash"), help = option_text::help("Hash"))]
    hash: Option<OptionChange>,

    /// Any option of the engine (orthrus options lists them), such as "EvalFile=other.nnue"; may be
    /// repeated
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = tool_option)]
    options: Vec<OptionChange>,
}

impl SearchArgs {
    /// The limits of a search that begins now: those given, or else this many milliseconds.
    pub(crate) fn limits(&self, default_movetime: Option<u64>) -> Limits {
        let has_limit = self.depth.is_some() || self.nodes.is_some();
        let movetime = self.movetime.or(default_movetime.filter(|_| !has_limit));
        Limits {
            move_time: movetime.map(Duration::from_millis),
            depth: self.depth,
            nodes: self.nodes,
            ..Limits::none(Instant::now())
        }
    }

    /// What the engine is to be set to, in the order of setting it.
    pub(crate) fn settings(&self) -> impl Iterator<Item = Setting> {
        let EngineArgs {
            threads,
            hash,
            options,
        } = &self.engine;
        let changes = options.iter().chain(threads).chain(hash);
        changes.cloned().filter_map(OptionChange::engine)
    }
}

/// Reads a value of this option of the engine.
pub(super) fn option(
    name: &'static str,
) -> impl Fn(&str) -> Result<OptionChange, OptionError> + Clone {
    move |text| options::parse(name, Some(text))
}

/// Why an option cannot be given to a tool.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
enum ToolOptionError {
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error("{name} is for conversations; a tool {instead}")]
    Conversation { name: String, instead: &'static str },
}

fn tool_option(text: &str) -> Result<OptionChange, ToolOptionError> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value)),
        None => (text.trim(), None),
    };
    let change = options::parse(name, value)?;
    let instead = match &change {
        OptionChange::Frontend(FrontendSetting::DebugLogFile(_)) => "has none",
        OptionChange::Frontend(FrontendSetting::Chess960(_)) => {
            "writes castling as the position asks"
        }
        OptionChange::Frontend(FrontendSetting::Variant(_)) => {
            "takes --variant, or what its games say"
        }
        _ => return Ok(change),
    };
    Err(ToolOptionError::Conversation {
        name: name.to_owned(),
        instead,
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        search: SearchArgs,
    }

    fn search_args(line: &str) -> Result<SearchArgs, clap::Error> {
        Line::try_parse_from(line.split_whitespace()).map(|line| line.search)
    }

    #[test]
    fn limits_combine_and_have_a_default() {
        let limits = |line| search_args(line).unwrap().limits(Some(1000));
        let given = limits("x --nodes 500 --depth 9");
        assert_eq!(
            (given.nodes, given.depth, given.move_time),
            (Some(500), Some(9), None)
        );
        assert_eq!(limits("x").move_time, Some(Duration::from_secs(1)));
    }

    #[test]
    fn options_are_those_of_the_table() {
        let args =
            search_args("x --option multipv=3 --option Ponder=1 --hash 64 --threads 2").unwrap();
        let settings: Vec<Setting> = args.settings().collect();
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
            assert!(search_args(line).is_err(), "{line}");
        }
    }
}
