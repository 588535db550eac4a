//! The command line of the tools for opening books.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use orthrus_core::book::Weighting;
use orthrus_core::position::Position;

use super::number::number;
use super::parse_fen;

/// What to do with an opening book.
#[derive(Debug, Subcommand)]
pub(crate) enum BookTool {
    /// Make a book from games
    Make(MakeArgs),
    /// Show what a book has for a position
    Show(ShowArgs),
}

/// `orthrus book make`
#[derive(Debug, Args)]
pub(crate) struct MakeArgs {
    /// The games (PGN); - for standard input
    #[arg(value_name = "GAMES")]
    pub(crate) games: PathBuf,
    /// The book to write; an existing one is replaced when the new one is complete
    #[arg(value_name = "BOOK")]
    pub(crate) book: PathBuf,
    /// Leave out moves that occur in fewer games
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = number(1..=u64::MAX))]
    pub(crate) min_games: u64,
    /// Take only the first N plies of each game
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = number(1..=u32::MAX))]
    pub(crate) max_plies: u32,
    /// What the weight of a move counts
    #[arg(long, value_enum, default_value_t = WeightBy::Results)]
    pub(crate) weight: WeightBy,
    /// Report what was done in JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `orthrus book show`
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The book (Polyglot format)
    #[arg(value_name = "BOOK")]
    pub(crate) book: PathBuf,
    /// The position, instead of the initial one
    #[arg(long, value_parser = parse_fen)]
    pub(crate) fen: Option<Box<Position>>,
    /// Write JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What the weight of a move counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WeightBy {
    /// Two for each game its side won, one for each draw
    Results,
    /// The number of games
    Games,
}

impl From<WeightBy> for Weighting {
    fn from(by: WeightBy) -> Self {
        match by {
            WeightBy::Results => Self::Results,
            WeightBy::Games => Self::Games,
        }
    }
}
