//! Self-play: the engine plays itself, quickly and from many openings.
//!
//! Reading order:
//!
//! - [`player::Player`]: chooses the moves; the real one is a search
//! - `opening`, `adjudication`: how a game begins, and when it is ended early
//! - [`game::play_game`]: one game, a function of the run's rules and the game's number
//! - `produce`: games made by many threads, written in the order of their numbers
//! - [`play`]: the games of a run
//! - [`mod@rescore`]: existing games, searched again

mod adjudication;
mod game;
mod opening;
mod player;
mod produce;
mod rescore;
mod run;

#[cfg(test)]
pub(crate) use player::Player;
pub(crate) use player::SearchPlayer;
pub(crate) use produce::Totals;
pub(crate) use rescore::{lacking, rescore};
pub(crate) use run::{Goal, play};
