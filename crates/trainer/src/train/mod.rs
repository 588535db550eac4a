//! The training of a network, on the processor's cores.
//!
//! Reading order:
//!
//! - [`sample`]: a labelled position, packed; [`dataset`]: many of them, divided and shuffled
//! - [`model`]: the network in floating point; [`quantise`]: from there to integers
//! - [`objective`]: what it learns; [`gradient`] and [`optimizer`]: how it learns, with the loops
//!   of [`kernels`], which [`simd`] runs with the best instructions of the machine; [`trainer`]:
//!   one step on all cores
//! - [`schedule`], [`session`], [`checkpoint`]: a training from its first step to its last
//! - [`log`], [`plot`], [`speed`]: what people see of it
//!
//! Training is reproducible: the same data, settings and seed give the same network, bit by bit, on
//! any number of threads, with any vector instructions, in one go or with interruptions. (With a
//! limit on time instead of visits it is not.)

pub mod checkpoint;
pub mod dataset;
pub mod gradient;
pub mod kernels;
pub mod log;
pub mod model;
pub mod objective;
pub mod optimizer;
pub mod plot;
pub mod quantise;
pub mod sample;
pub mod schedule;
pub mod session;
pub mod simd;
pub mod speed;
pub mod synthetic;
pub mod trainer;

#[cfg(test)]
mod tests;
