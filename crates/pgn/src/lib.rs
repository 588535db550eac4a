//! Chess games as text: Portable Game Notation (PGN, 1994).
//!
//! [`Reader`] takes what people and programs really write, game by game from a stream of any
//! length; [`PgnGame`] is a game with its comments and variations; its `Display` writes what the
//! standard calls export format. [`Epd`] is a position with what is known of it, on one line;
//! [`Opening`] is what one is called.

mod builder;
mod epd;
mod error;
mod game;
mod lexer;
mod nag;
mod opening;
mod reader;
mod result;
mod tags;
mod writer;

#[cfg(test)]
mod tests;

pub use epd::{Epd, EpdError, Operation};
pub use error::{Fault, ReadError};
pub use game::{Line, MoveNode, PgnGame};
pub use nag::Nag;
pub use opening::Opening;
pub use reader::Reader;
pub use result::GameResult;
pub use tags::Tags;
