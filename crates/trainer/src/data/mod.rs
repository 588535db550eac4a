//! Files of games: compact, checked, append-only. The format is described in `docs/network.md`.
//!
//! Reading order:
//!
//! - [`GameRecord`]: one game; [`Replay`] walks through it, [`Filter`] picks what to learn from,
//!   [`GameRecord::verify`] checks that it ends as it says
//! - [`DataReader`] and [`DataWriter`]: a file of games, with its [`Manifest`]
//! - [`Block`]: a few hundred games, written and rejected together
//! - `codec`, `moves`, `models`, `range_coder`: how a game becomes bytes

mod block;
mod codec;
mod error;
mod manifest;
mod models;
mod moves;
mod range_coder;
mod reader;
mod record;
mod replay;
mod verify;
mod writer;

pub use block::{Block, BlockFault, BlockHeader, HEADER_LEN, MAX_PAYLOAD_LEN};
pub use codec::{DecodeError, EncodeError};
pub use error::{DataError, ManifestFault};
pub use manifest::{
    AdjudicationRules, Manifest, MixedVariants, OpeningRules, Rescoring, Run, SearchRules,
};
pub use moves::canonical_moves;
pub use range_coder::CoderError;
pub use reader::{Blocks, DataReader, Games, games_of, intact};
pub use record::{GameRecord, GameResult, MAX_PLIES, Reason, Start, StartError};
pub use replay::{Filter, NOT_QUIET, Ply, Replay};
pub use verify::{Flaw, ending};
pub use writer::DataWriter;

#[cfg(test)]
mod tests;
