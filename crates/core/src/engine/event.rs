//! Everything the engine may report to a front end.

use crate::book::BookMove;
use crate::search::{Plan, Progress, SearchInfo, Status};
use crate::types::Move;

/// News from the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A line of thinking output.
    Info(Box<SearchInfo>),
    /// A search has begun its next root move; sent only once the search has lasted a second.
    CurrentMove(Progress),
    /// A root move has been searched: the move, and the best line found against it, which may be
    /// empty. Sent only if [`super::options::Setting::ShowRefutations`] asks for it, once the
    /// search has lasted a second.
    Refutation(Vec<Move>),
    /// The state of a search; sent every second while it runs.
    Status(Status),
    /// The line that each thread is searching, in the order of the threads; sent after every
    /// [`Event::Status`] if [`super::options::Setting::ShowCurrentLine`] asks for it.
    CurrentLines(Vec<Vec<Move>>),
    /// The answer to [`super::Command::Progress`]; `None` if no search is running or waiting to be
    /// answered.
    Progress(Option<Progress>),
    /// No search is made: the answer comes from the opening book.
    BookMove {
        /// The move that the answer will have.
        chosen: Move,
        /// The moves to choose from, highest weight first.
        moves: Vec<BookMove>,
    },
    /// What was decided for a search that begins, for verbose output.
    Plan(Plan),
    /// The answer to [`super::Command::ShowBook`], highest weight first; `None` if there is no
    /// book.
    BookMoves(Option<Vec<BookMove>>),
    /// The answer to [`super::Command::Go`]. The last [`Event::Info`] before it is sent as soon as
    /// the search has ended; it has an exact score and a line that begins with `best`.
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
    /// An option that could not be changed as requested.
    Refused {
        /// Why, naming the value: `network other.nnue cannot be read: not found`.
        reason: String,
        /// What happens instead: `keeping the one in use`.
        instead: String,
    },
    /// Something users may want to know, such as that no mate in the given number of moves was
    /// found.
    Notice(String),
    /// Routine news, for those who read everything: which network is used from now on, which book
    /// or endgame tables were found, or that a folder is missing which some programs always name.
    Remark(String),
}
