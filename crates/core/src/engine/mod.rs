//! The engine as front ends see it: commands in, events out.
//!
//! - `handle` starts it; [`Command`] is everything that can be asked, [`Event`] all that is
//!   reported
//! - `run`: the engine's thread, which takes commands in order; `status`: what it reports every
//!   second
//! - `errand`: work alongside searches, such as a benchmark
//! - [`options`]: every option with its range; `settings`: what a change of one does
//! - `own_book`, [`experience`]: what options switch on; `named_file`: where the files are looked
//!   for that they name

mod command;
mod errand;
mod event;
pub mod experience;
mod handle;
mod named_file;
pub mod options;
mod own_book;
mod run;
mod settings;
mod status;

pub use command::Command;
pub use errand::Errand;
pub use event::Event;
pub use handle::{EngineHandle, Environment, spawn};
pub use run::StartError;
