//! Everything a front end may ask of the engine.

use std::time::Instant;

use super::Task;
use super::options::Setting;
use crate::game::Game;
use crate::position::Position;
use crate::search::{Limits, SearchId, ValueChange};

/// A request to the engine. All commands go through one queue; none overtakes another.
#[derive(Clone, Debug)]
pub enum Command {
    /// The next position belongs to another game: forget what was learned from this one.
    NewGame,
    /// From now on, search the current position of this game. A running search keeps the position
    /// it was started with.
    SetGame(Box<Game>),
    /// Search the current position; answered by exactly one [`BestMove`](crate::search::Report) of
    /// this name. If a search is running, it is stopped and answered first.
    Go(SearchId, Box<Limits>),
    /// The expected move was played: a search begun with `ponder` goes on, now on our own clock,
    /// which has been running since then.
    PonderHit(Instant),
    /// End the running search and all tasks; each is answered. Does nothing if there are none.
    Stop,
    /// Suspend the running search and its clock until it is resumed or stopped: it uses no
    /// processor time and does not answer. Does nothing if there is no search.
    Pause,
    /// Let a suspended search go on exactly where it was.
    Resume,
    /// Change an option. What a running search depends on (the hash table, the threads, the
    /// network, the endgame tables) is changed when it has ended, before any later search begins.
    SetOption(Setting),
    /// Change the values that users have given to positions. It applies from the next search on.
    SetValue(ValueChange),
    /// Answer [`super::Event::Pong`] with the same number when all earlier commands are done. It
    /// does not wait for the running search, nor for what waits for the end of that search: an
    /// option that cannot be changed before.
    Ping(u64),
    /// Answer [`super::Event::Progress`] with what the running search is doing.
    Progress,
    /// Answer [`super::Event::BookMoves`] with what the opening book has for this position.
    ShowBook(Box<Position>),
    /// Do this beside searches, with the current position and the network in use; answered by
    /// [`super::Event::Task`]. Tasks are done one after the other.
    Task(Task),
    /// Stop and answer every search and every task, and end.
    Quit,
}
