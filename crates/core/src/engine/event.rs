//! Everything the engine may report to a front end.

use super::{TaskError, TaskResult};
use crate::book::BookMove;
use crate::search::{Progress, Report, SearchId};

/// News from the engine.
#[derive(Clone, Debug)]
pub enum Event {
    /// News of the search of this name; the last of it answers [`super::Command::Go`].
    Search(SearchId, Report),
    /// The answer to [`super::Command::Progress`]: which search is running or waiting to be
    /// answered, and how far it has come; `None` if there is none.
    Progress(Option<(SearchId, Progress)>),
    /// The answer to [`super::Command::ShowBook`], highest weight first; `None` if there is no
    /// book.
    BookMoves(Option<Vec<BookMove>>),
    /// The answer to [`super::Command::Task`].
    Task(Result<TaskResult, TaskError>),
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
