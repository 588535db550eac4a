//! The searches requested and not yet answered.

use std::collections::VecDeque;

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
pub(crate) struct Searches(VecDeque<Search>);

impl Searches {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The root of the search that the engine is working on.
    pub(crate) fn running(&self) -> Option<&Root> {
        self.0.iter().find_map(|search| search.root.as_ref())
    }

    /// Whether the last `go` is the engine's to answer.
    pub(crate) fn last_is_running(&self) -> bool {
        self.0.back().is_some_and(|search| search.root.is_some())
    }

    /// Adds a search of the engine; it ends the one before.
    pub(crate) fn push(&mut self, root: Root, answer: Answer) {
        self.add(Some(root), answer);
    }

    /// Adds a `go` for a position that was refused; it ends the search before.
    pub(crate) fn push_refused(&mut self, answer: Answer) {
        self.add(None, answer);
    }

    fn add(&mut self, root: Option<Root>, answer: Answer) {
        self.stop();
        self.0.push_back(Search { root, answer });
    }

    /// Allows all to be answered.
    pub(crate) fn stop(&mut self) {
        for search in &mut self.0 {
            search.answer = Answer::default();
        }
    }

    /// The expected move was played; returns whether a search was waiting for that.
    pub(crate) fn ponder_hit(&mut self) -> bool {
        self.0
            .back_mut()
            .is_some_and(|search| std::mem::take(&mut search.answer.after_ponder_hit))
    }

    /// Removes the engine's oldest search, which has been answered.
    pub(crate) fn finish(&mut self) -> Option<Root> {
        self.0.front()?.root.as_ref()?;
        self.0.pop_front()?.root
    }

    /// Removes the oldest search if it was refused and may be answered; returns whether it did.
    pub(crate) fn finish_refused(&mut self) -> bool {
        let ready = self
            .0
            .front()
            .is_some_and(|search| search.root.is_none() && search.answer == Answer::default());
        if ready {
            self.0.pop_front();
        }
        ready
    }
}
