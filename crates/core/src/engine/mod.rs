//! The engine as front ends see it: commands in, events out.

mod command;
mod event;
pub mod options;
mod run;

pub use command::Command;
pub use event::Event;
pub use run::{EngineHandle, spawn};
