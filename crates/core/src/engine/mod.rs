//! The engine as front ends see it: commands in, events out.

mod command;
mod errand;
mod event;
pub mod experience;
mod handle;
mod named_file;
mod network_file;
pub mod options;
mod own_book;
mod pulse;
mod run;
mod settings;
mod strength;
mod tables;

pub use command::Command;
pub use errand::Errand;
pub use event::Event;
pub use handle::{EngineHandle, Surroundings, spawn};
pub use run::StartError;
