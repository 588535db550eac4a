//! Everything a front end may ask of the engine.

use std::sync::Arc;
use std::time::Instant;

use super::Errand;
use super::options::Setting;
use crate::game::Game;
use crate::position::Position;
use crate::search::{Limits, ValueChange};

/// A request to the engine. All commands pass one queue; none overtakes another.
#[derive(Clone, Debug)]
pub enum Command {
    /// The next position is of another game: forget what was learned from this one.
    NewGame,
    /// Think about the current position of this game from now on. A running search goes on with
    /// the position it was started with.
    SetGame(Box<Game>),
    /// Search the current position; answered by exactly one [`super::Event::BestMove`]. If a
    /// search is running, it is stopped and answered first.
    Go(Box<Limits>),
    /// The expected move was played: a search begun with `ponder` goes on, on our own clock, which
    /// has run since then.
    PonderHit(Instant),
    /// End the running search and answer, and all errands. Without any, nothing happens.
    Stop,
    /// Let the running search stand still, its clock too, until it is resumed or stopped: it uses
    /// no processor time, and does not answer. Without a search, nothing happens.
    Pause,
    /// Let the search go on that stands still, exactly where it is.
    Resume,
    /// Change an option. A change that a running search cannot take over is made after it.
    SetOption(Setting),
    /// Change what positions are worth. It holds from the next search on.
    SetValue(ValueChange),
    /// Answer [`super::Event::Pong`] with the same number when all earlier commands are done.
    /// A search begun earlier counts as done: it goes on behind the answer.
    Ping(u64),
    /// Answer [`super::Event::Progress`] with what the running search is busy with.
    Progress,
    /// Answer [`super::Event::BookMoves`] with what the opening book has for this position.
    ShowBook(Box<Position>),
    /// Do this beside the searches, with the network in use now; answered by
    /// [`super::Event::Errand`]. Errands are done one after the other.
    Errand(Arc<dyn Errand>),
    /// Stop and answer every search and every errand, and end.
    Quit,
}
