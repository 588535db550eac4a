//! The training of a network, on the processor's cores.
//!
//! Reading order:
//!
//! - [`sample`]: a labelled position, packed; [`lookahead`]: labels from later scores; [`anchor`]: labels that
//!   hold a network to what it knows; [`dataset`]: many positions, divided and shuffled
//! - [`model`]: the network in floating point, with its [`residual`] layer; [`quantise`]: from there to integers
//! - [`objective`]: what it learns, in expected points ([`worth`]); [`gradient`] and [`optimizer`]: how it learns, with the loops
//!   of [`kernels`], which [`simd`] runs with the best instructions of the machine; [`trainer`]:
//!   one step on all cores
//! - [`schedule`], [`session`], [`checkpoint`]: a training from its first step to its last
//! - [`log`], [`speed`]: what people see of it
//!
//! Training is reproducible: the same data, settings and seed give the same network, bit by bit, on
//! any number of threads, with any vector instructions, in one go or with interruptions. (With a
//! limit on time instead of visits it is not.)

pub(crate) mod anchor;
pub(crate) mod checkpoint;
pub(crate) mod dataset;
pub(crate) mod gradient;
pub(crate) mod kernels;
pub(crate) mod log;
pub(crate) mod lookahead;
pub(crate) mod model;
pub(crate) mod objective;
pub(crate) mod optimizer;
pub(crate) mod quantise;
pub(crate) mod residual;
pub(crate) mod sample;
pub(crate) mod schedule;
pub(crate) mod session;
pub(crate) mod simd;
pub(crate) mod speed;
pub(crate) mod synthetic;
pub(crate) mod trainer;
pub(crate) mod worth;

#[cfg(test)]
mod tests;
