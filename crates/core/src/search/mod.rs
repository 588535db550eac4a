//! Searching for the best move.
//!
//! Reading order: [`Limits`] say what ends a search and [`Budget`] how long to think; a
//! [`Worker`] is one thread, which deepens iteratively (`iterative`), searches nodes (`negamax`,
//! `quiescence`, with the conditions in `pruning` and the numbers in `params`), takes moves from
//! `move_picker` ordered by `history`, and remembers positions in the [`TranspositionTable`].
//! [`Handicap`] makes it play below full strength, `mate` proves mates, `endgames` is what endgame
//! tables tell.
//! [`Shared`] is what the threads of one search have in common, [`Pool`] keeps the threads, and
//! [`Searcher`] is a search on the caller's own thread.

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

pub use endgames::Endgames;
pub use limits::{Clock, Limits};
#[cfg(feature = "tune")]
pub use params::{Tunable, tunables};
#[cfg(test)]
pub(crate) use pool::played::Players;
pub use pool::{Job, Message, Pool, PoolEvent, STACK_SIZE};
pub use report::{Bound, Plan, Progress, SearchInfo, Status, nodes_per_second};
pub use searcher::{Searcher, on_search_stack};
pub use settings::SearchSettings;
pub use shared::{SearchClock, Shared};
pub use skill::{FULL_SKILL_LEVEL, Handicap, MAX_ELO, MIN_ELO};
pub use stop::StopToken;
pub use stopwatch::TimeMeasure;
pub use table_memory::AllocationError;
pub use time::Budget;
pub use tt::{Entry, StoredBound, TranspositionTable};
pub use values::{PositionValue, PositionValues, ValueChange};
pub use worker::{Report, SearchResult, Worker};
