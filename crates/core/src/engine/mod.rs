//! The engine as front ends see it: commands in, events out.
//!
//! - `handle` starts it; [`Command`] is everything that can be asked, [`Event`] all that is
//!   reported
//! - `run`: the engine's thread, which takes commands in order; `status`: what it reports every
//!   second
//! - `task`: work beside searches, such as the benchmark; `task_queue`: who does it when
//! - [`options`]: every option with its range; `settings`: what a change of one does
//! - `own_book`, [`experience`]: what options switch on; `named_file`: where the files are looked
//!   for that they name

mod command;
mod event;
pub mod experience;
mod handle;
mod named_file;
pub mod options;
mod own_book;
mod run;
mod settings;
mod status;
mod task;
mod task_queue;

pub use command::Command;
pub use event::Event;
pub use handle::{EngineHandle, Environment, spawn};
pub use run::StartError;
pub use task::{Perft, Task, TaskError, TaskResult};
