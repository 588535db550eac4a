//! What the table knows about a position, and how that is packed into a word.

use crate::search::bound::Bound;
use crate::types::{Move, Score};

/// What the table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The best move, or a good enough one. Check that it is legal: it may be another position's.
    pub mv: Option<Move>,
    /// The score found, mates counted from the root of the present search.
    pub score: Score,
    /// The static evaluation, if it was computed.
    pub evaluation: Option<Score>,
    /// Depth of the search in plies; 0 for quiescence.
    pub depth: i32,
    /// What `score` says; `None` if it says nothing, only move and static evaluation do.
    pub bound: Option<Bound>,
    /// Whether the position was on a principal variation.
    pub was_pv: bool,
}

impl Entry {
    /// What is known of a position that has only been evaluated.
    pub(in crate::search) fn evaluated(evaluation: Score) -> Self {
        Self {
            mv: None,
            score: Score::DRAW,
            evaluation: Some(evaluation),
            depth: 0,
            bound: None,
            was_pv: false,
        }
    }

    /// Whether the score settles a node with this window, `ply` plies from the root, and can be
    /// trusted at this count of the fifty-move rule, which a stored score may ignore.
    pub(in crate::search) fn cuts_off(
        &self,
        alpha: Score,
        beta: Score,
        ply: usize,
        halfmove_clock: u16,
    ) -> bool {
        self.bound
            .is_some_and(|bound| bound.settles(self.score, alpha, beta))
            && halfmove_clock < 90
            && self.is_in_time(ply, halfmove_clock)
    }

    /// Whether the score still holds at this count of the fifty-move rule. A mate must come by the
    /// hundredth ply. So must the capture or pawn move into the tables to which a tablebase win
    /// counts the plies; a position in the tables itself must have a count of zero.
    pub(super) fn is_in_time(&self, ply: usize, halfmove_clock: u16) -> bool {
        if let Some(plies) = self.score.mate_plies() {
            return plies.abs() - ply as i32 + i32::from(halfmove_clock) <= 100;
        }
        if !self.score.is_by_tablebase() {
            return true;
        }
        let plies = Score::TB_WIN.value() - self.score.value().abs() - ply as i32;
        let clock = i32::from(halfmove_clock);
        clock == 0 || plies > 0 && plies + clock <= 100
    }

    /// The stored score if it says more than the static `evaluation`, else that.
    pub(in crate::search) fn refine(&self, evaluation: Score) -> Score {
        let improves = self
            .bound
            .is_some_and(|bound| bound.improves(self.score, evaluation));
        if improves && !self.score.is_decided() {
            self.score
        } else {
            evaluation
        }
    }
}

/// An entry in 64 bits, from the lowest: move (16), score (16), static evaluation (16), depth (8),
/// bound (2), was on a principal variation (1), generation (5).
#[derive(Clone, Copy)]
pub(super) struct Data(pub(super) u64);

/// Stands for a static evaluation that was not computed.
const NO_EVALUATION: i16 = i16::MIN;

impl Data {
    pub(super) fn pack(entry: &Entry, ply: usize, generation: u8) -> Self {
        let mv = entry.mv.map_or(0, Move::bits);
        // Mates and tablebase wins are counted from the position, not from the root, so that they
        // hold wherever it comes up again.
        let score = entry.score.nearer(ply as i32).value() as i16 as u16;
        let evaluation = entry
            .evaluation
            .map_or(NO_EVALUATION, |score| score.value() as i16);
        let depth = entry.depth.clamp(0, 255) as u8;
        let bound = match entry.bound {
            None => 0,
            Some(Bound::Upper) => 1,
            Some(Bound::Lower) => 2,
            Some(Bound::Exact) => 3,
        };
        let flags = bound | u8::from(entry.was_pv) << 2 | generation << 3;
        Self(
            u64::from(mv)
                | u64::from(score) << 16
                | u64::from(evaluation as u16) << 32
                | u64::from(depth) << 48
                | u64::from(flags) << 56,
        )
    }

    pub(super) fn entry(self, ply: usize) -> Entry {
        let evaluation = (self.0 >> 32) as i16;
        let flags = (self.0 >> 56) as u8;
        let stored = Score::from_value(self.0 as u32 as i32 >> 16).unwrap_or_default();
        Entry {
            mv: self.mv(),
            score: stored.nearer(-(ply as i32)),
            evaluation: (evaluation != NO_EVALUATION)
                .then(|| Score::evaluation(i32::from(evaluation))),
            depth: self.depth(),
            bound: match flags & 3 {
                0 => None,
                1 => Some(Bound::Upper),
                2 => Some(Bound::Lower),
                _ => Some(Bound::Exact),
            },
            was_pv: flags & 4 != 0,
        }
    }

    /// The same with another move.
    pub(super) fn with_move(self, mv: Move) -> Self {
        Self(self.0 & !0xffff | u64::from(mv.bits()))
    }

    /// The same with a ply of depth less, unless there is none.
    pub(super) fn shallower(self) -> Self {
        Self(self.0 - (u64::from(self.depth() > 0) << 48))
    }

    pub(super) fn mv(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    pub(super) fn depth(self) -> i32 {
        i32::from((self.0 >> 48) as u8)
    }

    pub(super) fn generation(self) -> u8 {
        (self.0 >> 59) as u8
    }
}
