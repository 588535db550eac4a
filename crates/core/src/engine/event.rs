//! Everything a front end may be told by the engine.

use crate::book::BookMove;
use crate::search::{Plan, Progress, SearchInfo, Status};
use crate::types::Move;

/// News from the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A line of thinking.
    Info(Box<SearchInfo>),
    /// A search has taken up its next root move; sent only by searches that have lasted a second.
    CurrentMove(Progress),
    /// A root move has been searched: the move, and the best line found against it, which may be
    /// empty. Sent only if [`super::options::Setting::ShowRefutations`] asks for it, by searches
    /// that have lasted a second.
    Refutation(Vec<Move>),
    /// How a search stands; sent every second while it runs.
    Status(Status),
    /// The line that each thread is at, in the order of the threads; sent after every
    /// [`Event::Status`] if [`super::options::Setting::ShowCurrentLine`] asks for it.
    CurrentLines(Vec<Vec<Move>>),
    /// The answer to [`super::Command::Progress`]; `None` if no search is running and none waits to
    /// be answered.
    Progress(Option<Progress>),
    /// The search that was asked for is left out: its answer comes from the opening book.
    BookMove {
        /// The move it will be.
        chosen: Move,
        /// What there was to choose from, the heaviest first.
        moves: Vec<BookMove>,
    },
    /// What was decided about a search that begins, for those who follow every decision.
    Plan(Plan),
    /// The answer to [`super::Command::ShowBook`], the heaviest move first; `None` if there is no
    /// book.
    BookMoves(Option<Vec<BookMove>>),
    /// The answer to [`super::Command::Go`]. Directly before it stands an [`Event::Info`] with an
    /// exact score whose line begins with `best`.
    BestMove {
        /// The move to play; `None` if there is no legal move (or none among the search moves).
        best: Option<Move>,
        /// The reply expected from the opponent.
        ponder: Option<Move>,
    },
    /// The answer to [`super::Command::Errand`], line by line.
    Errand(Vec<String>),
    /// The answer to [`super::Command::Ping`].
    Pong(u64),
    /// An option that could not be changed as it was asked for.
    Refused {
        /// Why, naming the value: `network other.nnue cannot be read: NotFound`.
        reason: String,
        /// What holds instead: `keeping the one in use`.
        instead: String,
    },
    /// Something a person may want to know, such as that there is no mate in so many moves.
    Notice(String),
    /// Something that is as it should be, for those who look at everything that is said, such as
    /// which network is used from now on, or which endgame tables were found; or that a folder is not
    /// there which programs name by themselves.
    Remark(String),
}
