//! The results that tables know.

use std::ops::Neg;

/// The result of a position for the side to move, with best play by both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// A loss.
    Loss,
    /// A loss that the fifty-move rule makes a draw.
    BlessedLoss,
    /// A draw.
    Draw,
    /// A win that the fifty-move rule makes a draw.
    CursedWin,
    /// A win.
    Win,
}

impl Wdl {
    pub(super) const fn from_index(index: u8) -> Option<Self> {
        Some(match index {
            0 => Self::Loss,
            1 => Self::BlessedLoss,
            2 => Self::Draw,
            3 => Self::CursedWin,
            4 => Self::Win,
            _ => return None,
        })
    }

    /// The result with the fifty-move rule, or without it.
    #[must_use]
    pub const fn under(self, fifty_moves: bool) -> Self {
        match self {
            _ if fifty_moves => self,
            Self::Loss | Self::BlessedLoss => Self::Loss,
            Self::Draw => Self::Draw,
            Self::CursedWin | Self::Win => Self::Win,
        }
    }
}

impl Neg for Wdl {
    type Output = Self;

    /// The result for the other side.
    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }
}
