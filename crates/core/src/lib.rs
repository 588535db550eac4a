//! The engine core: the rules, the search, the evaluation, the time manager, and the engine that
//! ties them together. Knows no protocol, prints nothing, never exits.
//!
//! Reading order, from the bottom up; each module uses only those before it:
//!
//! - [`types`]: colours, squares, pieces, moves, scores
//! - [`files`]: opening files that users name
//! - [`attacks`]: which squares pieces attack
//! - [`position`]: the rules; [`fen`], [`notation`], [`game`], [`book`] and [`perft`] around them
//! - [`tablebase`]: Syzygy endgame tables
//! - [`evaluation`]: the static evaluation
//! - [`search`]: the search
//! - [`mod@bench`]: the signature of the search
//! - [`engine`]: commands, events, options; [`frontend`] is what a protocol implements

pub mod attacks;
pub mod bench;
pub mod book;
pub mod engine;
pub mod evaluation;
pub mod fen;
pub mod files;
pub mod frontend;
pub mod game;
pub mod notation;
pub mod perft;
pub mod position;
pub mod search;
pub mod tablebase;
pub mod types;

/// The version of Orthrus.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
