//! Tests of the complete engine; shared helpers live here.

pub mod conversation;
pub mod data;
#[path = "../fuzz/targets/mod.rs"]
pub mod fuzz;
pub mod process;
pub mod random;
pub mod scratch;
pub mod session;
pub mod sources;
pub mod transcript;
