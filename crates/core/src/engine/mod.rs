//! The engine as front ends see it: commands in, events out.
//!
//! - `handle` starts it in its [`Environment`]; [`Command`] is everything that can be asked,
//!   [`Event`] all that is reported
//! - `run`: the engine's thread, which takes commands in order; `status`: what it reports every
//!   second
//! - `task`: work beside searches, such as the benchmark; `task_queue`: who does it when
//! - [`options`]: every option with its range; `settings`: their values, applied to a search;
//!   `run::set_option`: what a change of one does
//! - `own_book`, [`experience`]: what options switch on; `named_file`: where the files are looked
//!   for that they name; `loading`: reading them beside everything else

mod command;
mod environment;
mod event;
pub mod experience;
mod handle;
mod loading;
mod named_file;
pub mod options;
mod own_book;
mod run;
mod settings;
mod status;
mod task;
mod task_queue;

pub use command::Command;
pub use environment::Environment;
pub use event::Event;
pub use handle::{EngineHandle, spawn};
pub use run::StartError;
pub use task::{Perft, Task, TaskError, TaskResult};
