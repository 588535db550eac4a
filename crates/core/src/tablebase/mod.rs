//! Syzygy endgame tables, in the format of Ronald de Man: who wins a position with few pieces, and
//! how far it is to the next capture or pawn move.
//!
//! Reading order: `material` names a table, `file` reads it, `table` parses its header, `encoding` (with the numbers in `geometry`) says where in the table a position is and
//! `pairs` unpacks the value there, a distance or a result (`wdl`); `folder` collects the tables in
//! folders, `probe` adds what they leave out (captures, en passant), and `ranking` orders the moves
//! of a position. All bytes of a table are untrusted: a malformed table is as good as none.

mod encoding;
mod file;
mod folder;
mod geometry;
mod material;
mod pairs;
mod probe;
mod ranking;
mod table;
mod wdl;

use std::collections::HashMap;

use self::material::Material;
use self::table::Table;
use crate::position::{Position, Rules};

pub use self::folder::TableFileError;
pub use self::material::MAX_PIECES;
pub use self::pairs::Malformed;
pub use self::ranking::{RankedMove, Ranking};
pub use self::wdl::Wdl;

/// The tables of one material.
#[derive(Debug, Default)]
struct Tables {
    wdl: Option<Table>,
    dtz: Option<Table>,
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
    fn find<R: Rules>(&self, position: &Position<R>) -> Option<(&Tables, bool)> {
        let material = Material::of(position);
        let named = self.tables.get(&material).map(|tables| (tables, false));
        named.or_else(|| Some((self.tables.get(&material.swapped())?, true)))
    }
}
