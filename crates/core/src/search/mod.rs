//! Searching for the best move.
//!
//! Reading order:
//!
//! - `negamax`: one node, step by step as in docs/search.md, with `lmr` and the numbers of `params`;
//!   `qsearch`: one node at depth zero; `node`: kinds of nodes
//! - `iterative`: a whole search; `root`: the root moves; `pv`: the principal variation
//! - `ordering`: the order of moves, and the histories and corrections that the search learns
//! - `tt`: the transposition table; `syzygy`: endgame tablebases; `values`: values given by users
//! - `threads`: what a thread owns, what all share, how they stop, and whose result counts
//! - `limits`: what ends a search; `time`: the time for a move, and the clock; `settings`: how to
//!   search; `strength`: limited strength
//! - `report`, `bound`: what a search reports; `searcher`: a search on the caller's own thread
//! - `mate`: proof of mates; `memory`: whether memory is left; `prefetch`: fetching it ahead of use

mod bound;
mod iterative;
mod limits;
mod lmr;
mod mate;
mod memory;
mod negamax;
mod node;
mod ordering;
mod params;
mod prefetch;
mod pv;
mod qsearch;
mod report;
mod root;
mod searcher;
mod settings;
mod strength;
mod syzygy;
mod threads;
mod time;
mod tt;
mod values;

pub use bound::Bound;
pub use limits::{Clock, Limits, TimeMeasure};
#[cfg(feature = "tune")]
pub use params::Tunable;
pub use report::{Plan, Progress, Report, SearchId, SearchInfo, Status, nodes_per_second};
pub use searcher::{Searcher, on_search_stack};
pub use threads::pool::STACK_SIZE;
pub use threads::stop::StopToken;
pub use threads::worker::SearchResult;
pub use time::{Budget, Lag, Overhead};
pub use tt::memory::AllocationError;
pub use values::{PositionValue, ValueChange};

#[cfg(feature = "tune")]
pub(crate) use params::tunables;
pub(crate) use settings::SearchSettings;
pub use strength::FULL_SKILL_LEVEL;
pub(crate) use strength::{Handicap, MAX_ELO, MIN_ELO};
pub(crate) use syzygy::Syzygy;
#[cfg(test)]
pub(crate) use threads::pool::played::Players;
pub(crate) use threads::pool::{Job, Message, Pool};
pub(crate) use threads::shared::Shared;
pub(crate) use time::lag::LagMeter;
pub(crate) use tt::{Entry, TranspositionTable};
pub(crate) use values::{MAX_VALUES, PositionValues};
