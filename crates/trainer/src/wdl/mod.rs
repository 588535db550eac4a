//! What scores were worth in games: counts outcomes and fits the model of
//! [`orthrus_core::evaluation::wdl`] to them.

mod counts;
mod fit;

pub use counts::{Counts, Outcomes, Row, SCORE_LIMIT};
pub use fit::{FitError, fit};
