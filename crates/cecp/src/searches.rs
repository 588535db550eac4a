//! Which searches are under way, and whether anybody still wants their answer.

use std::collections::VecDeque;

use orthrus_core::game::Game;
use orthrus_core::position::Position;
use orthrus_core::search::Limits;
use orthrus_core::{engine::Command, types::Move};

/// Whom a search serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The mode: a move, pondering, analysis.
    Mode,
    /// The user, who asked for a hint.
    Hint,
    /// Nobody any more: it was stopped, and what it still reports is ignored.
    Nobody,
}

/// The searches begun and not yet answered, oldest first.
///
/// The engine answers every `Go` by exactly one best move, in order, so what it reports belongs to
/// the oldest. At most the newest serves anyone.
#[derive(Clone, Debug)]
pub(crate) struct Searches {
    unanswered: VecDeque<Purpose>,
    /// The position at which the newest search began.
    root: Position,
}

impl Default for Searches {
    fn default() -> Self {
        Self {
            unanswered: VecDeque::new(),
            root: Position::startpos(),
        }
    }
}

impl Searches {
    /// Begins a search; earlier ones serve nobody any more.
    pub(crate) fn begin(
        &mut self,
        purpose: Purpose,
        game: Game,
        limits: Limits,
    ) -> impl Iterator<Item = Command> + use<> {
        let stop = self.drop_all();
        self.unanswered.push_back(purpose);
        self.root = game.position().clone();
        let commands = [
            Command::SetGame(Box::new(game)),
            Command::Go(Box::new(limits)),
        ];
        stop.into_iter().chain(commands)
    }

    /// All searches serve nobody any more. Returns the command to stop the running one, if it was
    /// wanted.
    pub(crate) fn drop_all(&mut self) -> Option<Command> {
        let wanted = self.is_wanted();
        self.unanswered
            .iter_mut()
            .for_each(|purpose| *purpose = Purpose::Nobody);
        wanted.then_some(Command::Stop)
    }

    /// Whether somebody waits for an answer.
    fn is_wanted(&self) -> bool {
        self.unanswered
            .back()
            .is_some_and(|&purpose| purpose != Purpose::Nobody)
    }

    /// Whom the oldest search serves.
    pub(crate) fn speaking(&self) -> Purpose {
        self.unanswered.front().copied().unwrap_or(Purpose::Nobody)
    }

    /// The oldest search has answered; returns whom it served.
    pub(crate) fn answered(&mut self) -> Purpose {
        self.unanswered.pop_front().unwrap_or(Purpose::Nobody)
    }

    /// Where the newest search began.
    pub(crate) fn root(&self) -> &Position {
        &self.root
    }

    /// The move, if it is legal where the newest search began.
    pub(crate) fn legal(&self, mv: Move) -> Option<Move> {
        self.root.is_legal(mv).then_some(mv)
    }
}
