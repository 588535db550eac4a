//! Syzygy endgame tables, in the format of Ronald de Man: who wins a position with few pieces, and
//! how far it is to the next capture or pawn move.
//!
//! Reading order: `material` names a table, `file` brings it into memory, `table` parses its
//! header, `encoding` (with the numbers in `geometry`) says where in the table a position is and
//! `pairs` unpacks the value there; `folder` collects the tables in folders, `probe` adds what they
//! leave out (captures, en passant), and `ranking` orders the moves of a position. All bytes of a
//! table are untrusted: a malformed table is as good as none.

mod encoding;
mod file;
mod folder;
mod geometry;
mod material;
mod pairs;
mod probe;
mod ranking;
mod table;

use std::collections::HashMap;
use std::ops::Neg;

use self::file::Bytes;
use self::material::Material;
use self::table::Table;
use crate::position::Position;

pub use self::folder::TableFileError;
pub use self::pairs::Malformed;
pub use self::ranking::{RankedMove, Ranking};

/// The largest number of pieces that tables exist for, kings included.
pub const MAX_PIECES: u32 = 7;

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
    const fn from_index(index: u8) -> Option<Self> {
        Some(match index {
            0 => Self::Loss,
            1 => Self::BlessedLoss,
            2 => Self::Draw,
            3 => Self::CursedWin,
            4 => Self::Win,
            _ => return None,
        })
    }

    /// The result without the fifty-move rule.
    #[must_use]
    pub const fn without_fifty_moves(self) -> Self {
        match self {
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

/// What a table file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Results: win, draw, loss.
    Wdl,
    /// Distances to zeroing, the next capture or pawn move.
    Dtz,
}

impl Kind {
    const fn magic(self) -> u32 {
        match self {
            Self::Wdl => 0x5d23_e871,
            Self::Dtz => 0xa50c_66d7,
        }
    }

    const fn extension(self) -> &'static str {
        match self {
            Self::Wdl => "rtbw",
            Self::Dtz => "rtbz",
        }
    }
}

/// The tables of one material.
#[derive(Debug, Default)]
struct Tables {
    wdl: Option<Table<Bytes>>,
    dtz: Option<Table<Bytes>>,
}

/// Every table that was found. Probing changes nothing, so all threads may probe at once.
#[derive(Debug, Default)]
pub struct Tablebase {
    tables: HashMap<Material, Tables>,
    max_pieces: u32,
    wdl_files: usize,
    dtz_files: usize,
}

impl Tablebase {
    /// The largest number of pieces, kings included, in a position that may be found; 0 without
    /// tables.
    pub fn max_pieces(&self) -> u32 {
        self.max_pieces
    }

    /// How many files with results there are.
    pub fn wdl_files(&self) -> usize {
        self.wdl_files
    }

    /// How many files with distances there are.
    pub fn dtz_files(&self) -> usize {
        self.dtz_files
    }

    /// The tables for a position's material, and whether its colours are exchanged in them.
    fn find(&self, position: &Position) -> Option<(&Tables, bool)> {
        let material = Material::of(position);
        let named = self.tables.get(&material).map(|tables| (tables, false));
        named.or_else(|| Some((self.tables.get(&material.swapped())?, true)))
    }
}
