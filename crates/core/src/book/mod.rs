//! Opening books in the Polyglot format: 16-byte entries, each a position's key, a move and its
//! weight, in the order of the keys.
//!
//! [`Book`] looks positions up, [`BookBuilder`] makes a book from games.

mod builder;
mod entry;
mod file;
mod key;
mod random;
#[cfg(test)]
mod tests;

pub use builder::{BookBuilder, Weighting, file_content};
pub use entry::{BookMove, ENTRY_SIZE, Entry};
pub use file::{Book, BookError, BookFault};
pub use key::{BookKey, position_key, setup_key};
