//! Searching for the best move.
//!
//! Reading order:
//!
//! - `limits`: what ends a search; `time`: the time budget; `settings`: how to search
//! - `worker`: one search thread; `iterative`: iterative deepening; `root`: the root moves
//! - `negamax`: one node; its parts are `pruning`, `probcut`, `move_loop` with `lmr` and
//!   `singular`, and `quiescence` at depth zero; `params`: the tunable numbers of all these
//! - `move_picker`: move ordering; `history`, `correction`: what it and the evaluation learn;
//!   `learning`: how they learn it
//! - `tt`: the transposition table, in `table_memory`; `pv`: the principal variation; `values`:
//!   values that users give to positions
//! - `shared`: what the threads of one search share; `pool`: the threads; `vote`: which thread's
//!   result counts; `stop`, `clock`, `stopwatch`: how they end; `room`: whether memory is left
//! - `report`: what a search reports; `bound`: what its scores say; `searcher`: a search on the
//!   caller's own thread
//! - `skill`: limited strength; `mate`: proof of mates; `endgames`: use of endgame tables

mod bound;
mod clock;
mod correction;
mod endgames;
mod history;
mod iterative;
mod learning;
mod limits;
mod lmr;
mod mate;
mod move_loop;
mod move_picker;
mod negamax;
mod params;
mod pool;
mod probcut;
mod pruning;
mod pv;
mod quiescence;
mod report;
mod room;
mod root;
mod searcher;
mod settings;
mod shared;
mod singular;
mod skill;
mod stop;
mod stopwatch;
mod table_memory;
mod time;
mod tt;
mod values;
mod vote;
mod worker;

pub use bound::Bound;
pub use limits::{Clock, Limits};
#[cfg(feature = "tune")]
pub use params::Tunable;
pub use pool::STACK_SIZE;
pub use report::{Plan, Progress, SearchInfo, Status, nodes_per_second};
pub use searcher::{Searcher, on_search_stack};
pub use stop::StopToken;
pub use stopwatch::TimeMeasure;
pub use table_memory::AllocationError;
pub use time::Budget;
pub use values::{PositionValue, ValueChange};
pub use worker::SearchResult;

pub(crate) use endgames::Endgames;
#[cfg(feature = "tune")]
pub(crate) use params::tunables;
#[cfg(test)]
pub(crate) use pool::played::Players;
pub(crate) use pool::{Job, Message, Pool, PoolEvent};
pub(crate) use settings::SearchSettings;
pub(crate) use shared::Shared;
pub(crate) use skill::{FULL_SKILL_LEVEL, Handicap, MAX_ELO, MIN_ELO};
pub(crate) use tt::{Entry, TranspositionTable};
pub(crate) use values::PositionValues;
pub(crate) use worker::Report;
