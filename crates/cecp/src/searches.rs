//! The search that somebody waits for.

use orthrus_core::engine::Command;
use orthrus_core::game::Game;
use orthrus_core::position::Position;
use orthrus_core::search::{Limits, SearchId};
use orthrus_core::types::Move;

/// Whom a search serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The mode: a move, pondering, analysis.
    Mode,
    /// The user, who asked for a hint.
    Hint,
}

/// A search whose answer is wanted.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    id: SearchId,
    pub(crate) purpose: Purpose,
    /// The position at which it began.
    pub(crate) root: Position,
}

impl Search {
    /// The move, if it is legal where the search began.
    pub(crate) fn legal(&self, mv: Move) -> Option<Move> {
        self.root.is_legal(mv).then_some(mv)
    }
}

/// The search in progress, if it serves anyone. What is reported of any other is ignored.
#[derive(Clone, Debug, Default)]
pub(crate) struct Searches {
    current: Option<Search>,
    last: SearchId,
}

impl Searches {
    /// Begins a search; an earlier one serves nobody any more.
    pub(crate) fn begin(
        &mut self,
        purpose: Purpose,
        game: Game,
        limits: Limits,
    ) -> impl Iterator<Item = Command> + use<> {
        let stop = self.abandon();
        self.last = SearchId(self.last.0 + 1);
        self.current = Some(Search {
            id: self.last,
            purpose,
            root: game.position().clone(),
        });
        let commands = [
            Command::SetGame(Box::new(game)),
            Command::Go(self.last, Box::new(limits)),
        ];
        stop.into_iter().chain(commands)
    }

    /// The search serves nobody any more. Returns the command to stop it, if there is one.
    pub(crate) fn abandon(&mut self) -> Option<Command> {
        self.answered().map(|_| Command::Stop)
    }

    /// The search in progress.
    pub(crate) fn current(&self) -> Option<&Search> {
        self.current.as_ref()
    }

    /// The search in progress, if this is its name.
    pub(crate) fn named(&self, id: SearchId) -> Option<&Search> {
        self.current().filter(|search| search.id == id)
    }

    /// The search has been answered.
    pub(crate) fn answered(&mut self) -> Option<Search> {
        self.current.take()
    }
}
