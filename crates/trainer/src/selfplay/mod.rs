//! Self-play: the engine plays itself, quickly and from many openings.
//!
//! Reading order:
//!
//! - [`Player`]: whoever thinks; the real one is a search
//! - `opening`, `adjudication`: how a game begins, and when it is ended early
//! - [`play_game`]: one game, a function of the run's rules and the game's number
//! - [`play`]: many games at once, written in the order of their numbers

mod adjudication;
mod game;
mod opening;
mod player;
mod run;

pub use game::{PlayError, play_game};
pub use player::{Player, SearchPlayer};
pub use run::{Goal, SelfplayError, Totals, play};
