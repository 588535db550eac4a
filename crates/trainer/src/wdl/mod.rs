//! What scores were worth in games: counts outcomes and fits the model of
//! [`orthrus_core::evaluation::wdl`] to them.

mod counts;
mod fit;

pub(crate) use counts::{Counts, Row, SCORE_LIMIT};
pub(crate) use fit::{FitError, fit};
