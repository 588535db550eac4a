//! Searching for the best move.

mod limits;
mod report;

pub use limits::{Clock, Limits, StopToken};
pub use report::{Bound, Progress, SearchInfo, nodes_per_second};
