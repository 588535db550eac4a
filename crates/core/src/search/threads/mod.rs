//! The threads of a search: what each owns, what they share, how they stop, and whose result
//! counts.

pub(crate) mod pool;
pub(crate) mod shared;
pub(crate) mod stop;
mod vote;
pub(crate) mod worker;
