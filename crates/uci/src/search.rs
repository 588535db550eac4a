//! The searches that are asked for and not answered yet.

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
    /// Where it began; `None` if the position was refused, so that the engine knows nothing of it.
    root: Option<Root>,
    answer: Answer,
}

/// The unanswered `go`s, oldest first. The engine answers its own in this order; the refused ones
/// are answered by the head when nothing stands before them.
///
/// ```text
/// go ──► last ──(the next go, stop, ponderhit)──► may be answered ──(all before it are)──► gone
/// ```
#[derive(Debug, Default)]
pub(crate) struct Searches(VecDeque<Search>);

impl Searches {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Where the search began that the engine is busy with.
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

    /// All may be answered.
    pub(crate) fn stop(&mut self) {
        for search in &mut self.0 {
            search.answer = Answer::default();
        }
    }

    /// The expected move was played; says whether a search waited for that.
    pub(crate) fn ponder_hit(&mut self) -> bool {
        self.0
            .back_mut()
            .is_some_and(|search| std::mem::take(&mut search.answer.after_ponder_hit))
    }

    /// Takes the engine's oldest search out: it is answered.
    pub(crate) fn finish(&mut self) -> Option<Root> {
        self.0.front()?.root.as_ref()?;
        self.0.pop_front()?.root
    }

    /// Takes the oldest search out if it was refused and may be answered; says whether it did.
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
