//! The searches requested and not yet answered.

use std::collections::VecDeque;

use orthrus_core::search::SearchId;

use crate::format::Root;

/// What must come before a `go` may be answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// `infinite`: a `stop`.
    pub(crate) after_stop: bool,
    /// `ponder`: a `ponderhit` or a `stop`.
    pub(crate) after_ponder_hit: bool,
}

/// One unanswered `go`.
#[derive(Debug)]
struct Search {
    id: SearchId,
    /// Its root; `None` if the position was refused, so that the engine knows nothing of the
    /// search.
    root: Option<Root>,
    answer: Answer,
}

/// The unanswered `go`s, oldest first. The engine answers its own in this order; the head answers a
/// refused one when none is left before it.
///
/// ```text
/// go ─► last ─(next go, stop, ponderhit, ucinewgame, end)─► due ─(all before it are gone)─► gone
/// ```
#[derive(Debug, Default)]
pub(crate) struct Searches {
    unanswered: VecDeque<Search>,
    last: SearchId,
}

impl Searches {
    pub(crate) fn is_empty(&self) -> bool {
        self.unanswered.is_empty()
    }

    /// The root of the search of this name.
    pub(crate) fn root(&self, id: SearchId) -> Option<&Root> {
        let mut searches = self.unanswered.iter();
        searches.find(|search| search.id == id)?.root.as_ref()
    }

    /// Whether the engine has a search to answer.
    pub(crate) fn is_running(&self) -> bool {
        self.unanswered.iter().any(|search| search.root.is_some())
    }

    /// Whether the last `go` is the engine's to answer.
    pub(crate) fn last_is_running(&self) -> bool {
        self.unanswered
            .back()
            .is_some_and(|search| search.root.is_some())
    }

    /// Adds a search of the engine, which ends the one before; returns its name.
    pub(crate) fn push(&mut self, root: Root, answer: Answer) -> SearchId {
        self.add(Some(root), answer);
        self.last
    }

    /// Adds a `go` for a position that was refused; it ends the search before.
    pub(crate) fn push_refused(&mut self, answer: Answer) {
        self.add(None, answer);
    }

    fn add(&mut self, root: Option<Root>, answer: Answer) {
        self.stop();
        self.last = SearchId(self.last.0 + 1);
        let id = self.last;
        self.unanswered.push_back(Search { id, root, answer });
    }

    /// Allows all to be answered.
    pub(crate) fn stop(&mut self) {
        for search in &mut self.unanswered {
            search.answer = Answer::default();
        }
    }

    /// The expected move was played; returns whether a search was waiting for that.
    pub(crate) fn ponder_hit(&mut self) -> bool {
        self.unanswered
            .back_mut()
            .is_some_and(|search| std::mem::take(&mut search.answer.after_ponder_hit))
    }

    /// Removes the search of this name, which has been answered.
    pub(crate) fn finish(&mut self, id: SearchId) {
        self.unanswered.retain(|search| search.id != id);
    }

    /// Removes the oldest search if it was refused and may be answered; returns whether it did.
    pub(crate) fn finish_refused(&mut self) -> bool {
        let ready = self
            .unanswered
            .front()
            .is_some_and(|search| search.root.is_none() && search.answer == Answer::default());
        if ready {
            self.unanswered.pop_front();
        }
        ready
    }
}
