//! The threads of a search: what each owns, what they share, how they stop, and whose result
//! counts.

mod groups;
pub(super) mod player;
pub(crate) mod pool;
pub(crate) mod shared;
pub(crate) mod stop;
mod vote;
pub(crate) mod worker;
