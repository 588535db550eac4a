//! What a score found by a search says about the true one.

use crate::types::Score;

/// How a score relates to the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// It is the true score.
    #[default]
    Exact,
    /// The true score is at least this (the search failed high).
    Lower,
    /// The true score is at most this (the search failed low).
    Upper,
}

impl Bound {
    /// The bound of the negated score: what it says to the other side.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }

    /// Whether a score with this bound says more than the static `evaluation` does.
    pub(super) fn improves(self, score: Score, evaluation: Score) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score > evaluation,
            Self::Upper => score < evaluation,
        }
    }

    /// Whether a score with this bound settles a node for this window.
    pub(super) fn settles(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score >= beta,
            Self::Upper => score <= alpha,
        }
    }
}
