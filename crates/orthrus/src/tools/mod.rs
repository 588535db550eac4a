//! What the program does instead of a conversation, one module for each tool.
//!
//! - [`analyse`], [`annotate`], [`epd`]: a position, games, a suite of positions. They use the
//!   engine as a chess program would, as an [`analyst`].
//! - [`book`], [`experience`], [`explorer`]: what these files, or games, hold
//! - [`play`]: a game against a person at a terminal
//! - [`genfens`]: openings for self-play on many machines
//! - [`manual`]: manual page, completions and table of options
//! - [`files`], [`games`], [`part_file`], [`output`]: what several of them read and write
//!
//! They report to people or, in JSON, to programs. After Ctrl-C all that was found until then is a
//! complete result.

pub(crate) mod analyse;
mod analyst;
pub(crate) mod annotate;
pub(crate) mod book;
pub(crate) mod epd;
pub(crate) mod experience;
mod explorer;
mod files;
mod games;
pub(crate) mod genfens;
pub(crate) mod manual;
pub(crate) mod output;
mod part_file;
pub(crate) mod play;
