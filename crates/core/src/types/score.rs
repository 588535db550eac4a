//! Scores and their mate arithmetic.

use std::fmt;
use std::ops::{Add, Neg, Sub};

use super::Color;

/// The deepest ply a search reaches below its root.
pub const MAX_PLY: usize = 240;

/// A score from the side to move's point of view, in centipawns.
///
/// Values within [`MAX_PLY`] of [`Score::MATE`] mean a forced mate: `MATE - n` is
/// "mate in `n` plies", `-(MATE - n)` is "mated in `n` plies". Values within [`MAX_PLY`] below
/// [`Score::TB_WIN`] mean a win that an endgame table knows, likewise counted in plies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

impl Score {
    /// A draw.
    pub const DRAW: Self = Self(0);
    /// The side to move has mated: larger than every other score of a position.
    pub const MATE: Self = Self(32_000);
    /// Beyond every score of a position, on either side; also the widest search window.
    pub const INFINITE: Self = Self(32_001);
    /// The least score that means a forced mate.
    pub const MIN_MATE: Self = Self(Self::MATE.0 - MAX_PLY as i32);
    /// A position that is won by an endgame table (tablebase): less than any mate, more than any
    /// evaluation.
    pub const TB_WIN: Self = Self(20_000);
    /// The least score that means a win by an endgame table.
    pub const MIN_TB_WIN: Self = Self(Self::TB_WIN.0 - MAX_PLY as i32);
    /// The largest score that a static evaluation returns.
    pub const MAX_EVALUATION: Self = Self(Self::MIN_TB_WIN.0 - 1);

    /// This many centipawns, at most [`MAX_EVALUATION`](Self::MAX_EVALUATION) for either side, which
    /// debug builds check.
    #[inline]
    pub const fn centipawns(value: i32) -> Self {
        debug_assert!(value.abs() <= Self::MAX_EVALUATION.0);
        Self(value)
    }

    /// This many centipawns, brought into the range of a static evaluation.
    #[inline]
    pub fn evaluation(value: i32) -> Self {
        Self(value.clamp(-Self::MAX_EVALUATION.0, Self::MAX_EVALUATION.0))
    }

    /// The score with this raw value, if there is one: the inverse of [`Score::value`].
    pub const fn from_value(value: i32) -> Option<Self> {
        if value.abs() <= Self::INFINITE.0 {
            Some(Self(value))
        } else {
            None
        }
    }

    /// The score of giving mate `ply` plies from the root, 0 to [`MAX_PLY`].
    #[inline]
    pub const fn mate_in(ply: usize) -> Self {
        debug_assert!(ply <= MAX_PLY);
        Self(Self::MATE.0 - ply as i32)
    }

    /// The score of being mated `ply` plies from the root, 0 to [`MAX_PLY`].
    #[inline]
    pub const fn mated_in(ply: usize) -> Self {
        debug_assert!(ply <= MAX_PLY);
        Self(ply as i32 - Self::MATE.0)
    }

    /// The score of reaching a win by an endgame table `plies` from the root, 0 to [`MAX_PLY`].
    #[inline]
    pub const fn tb_win(plies: usize) -> Self {
        debug_assert!(plies <= MAX_PLY);
        Self(Self::TB_WIN.0 - plies as i32)
    }

    /// The same score seen from `plies` nearer to the mate or the endgame table that it counts the
    /// plies to; from further away if negative. Other scores stay as they are.
    #[inline]
    #[must_use]
    pub const fn nearer(self, plies: i32) -> Self {
        if self.is_win() {
            Self(self.0 + plies)
        } else if self.is_loss() {
            Self(self.0 - plies)
        } else {
            self
        }
    }

    /// This score of `side` from White's point of view, or the other way round.
    #[inline]
    #[must_use]
    pub fn white_relative(self, side: Color) -> Self {
        match side {
            Color::White => self,
            Color::Black => -self,
        }
    }

    /// The raw value: centipawns; [`MATE`](Self::MATE) or [`TB_WIN`](Self::TB_WIN) less the plies to
    /// it for a win, the negative for a loss.
    #[inline]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// Whether it is a forced mate, for either side.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Self::MIN_MATE.0
    }

    /// Whether the side to move wins for sure: by a forced mate, or by an endgame table.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 >= Self::MIN_TB_WIN.0
    }

    /// Whether the side to move loses for sure.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Self::MIN_TB_WIN.0
    }

    /// Whether one side wins for sure.
    #[inline]
    pub const fn is_decided(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Whether one side wins by an endgame table, and no mate is known.
    #[inline]
    pub const fn is_by_tablebase(self) -> bool {
        self.is_decided() && !self.is_mate()
    }

    /// Plies to the mate, positive if the side to move gives it; `None` if it is no mate.
    pub const fn mate_plies(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.is_win() {
            Some(Self::MATE.0 - self.0)
        } else {
            Some(-Self::MATE.0 - self.0)
        }
    }

    /// Full moves to the mate as players count them: 1 mates at once, -1 is mated by the opponent's
    /// next move, 0 is mated on the board. Seen from the other side, only the sign changes.
    pub const fn mate_moves(self) -> Option<i32> {
        match self.mate_plies() {
            Some(plies) if plies > 0 => Some((plies + 1) / 2),
            Some(plies) => Some((plies - 1) / 2),
            None => None,
        }
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;

    #[inline]
    fn add(self, centipawns: i32) -> Self {
        Self(self.0 + centipawns)
    }
}

impl Sub<i32> for Score {
    type Output = Self;

    #[inline]
    fn sub(self, centipawns: i32) -> Self {
        Self(self.0 - centipawns)
    }
}

impl Sub for Score {
    type Output = i32;

    /// The difference in centipawns.
    #[inline]
    fn sub(self, other: Self) -> i32 {
        self.0 - other.0
    }
}

impl fmt::Display for Score {
    /// `+0.35`, `-1.20`, `#3`, `#-2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_moves() {
            Some(moves) => write!(f, "#{moves}"),
            None => write!(f, "{:+.2}", f64::from(self.0) / 100.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_in_moves() {
        assert_eq!(Score::mate_in(1).mate_moves(), Some(1));
        assert_eq!(Score::mate_in(2).mate_moves(), Some(1));
        assert_eq!(Score::mate_in(3).mate_moves(), Some(2));
        assert_eq!(Score::mated_in(0).mate_moves(), Some(0));
        assert_eq!(Score::mated_in(2).mate_moves(), Some(-1));
        assert_eq!(Score::mated_in(4).mate_moves(), Some(-2));
        assert_eq!(Score::centipawns(500).mate_moves(), None);
        for ply in 0..9 {
            let (win, loss) = (Score::mate_in(ply), Score::mated_in(ply));
            assert_eq!((-win).mate_moves(), win.mate_moves().map(|moves| -moves));
            assert_eq!((-loss).mate_moves(), loss.mate_moves().map(|moves| -moves));
        }
    }

    #[test]
    fn evaluation_never_looks_decided() {
        assert!(!Score::evaluation(1_000_000).is_decided());
        assert!(!Score::evaluation(-1_000_000).is_decided());
    }

    #[test]
    fn table_wins_lie_between_evaluations_and_mates() {
        for plies in [0, MAX_PLY] {
            let score = Score::tb_win(plies);
            assert!(score.is_win() && (-score).is_loss() && score.is_by_tablebase());
            assert!(score < Score::MIN_MATE && score > Score::MAX_EVALUATION);
            assert_eq!(score.mate_plies(), None);
        }
        assert!(!Score::mate_in(3).is_by_tablebase());
    }

    #[test]
    fn what_is_decided_comes_nearer_and_the_rest_stays() {
        assert_eq!(Score::mate_in(5).nearer(2), Score::mate_in(3));
        assert_eq!(Score::mated_in(4).nearer(-1), Score::mated_in(5));
        assert_eq!(Score::tb_win(7).nearer(7), Score::tb_win(0));
        assert_eq!((-Score::tb_win(7)).nearer(1), -Score::tb_win(6));
        assert_eq!(Score::centipawns(35).nearer(9), Score::centipawns(35));
    }

    #[test]
    fn shows_pawns_or_mate() {
        assert_eq!(Score::centipawns(35).to_string(), "+0.35");
        assert_eq!(Score::centipawns(-120).to_string(), "-1.20");
        assert_eq!(Score::mate_in(5).to_string(), "#3");
    }
}
