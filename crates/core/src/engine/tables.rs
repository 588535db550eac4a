//! The endgame tables of the engine: opened when their folders are named, handed to every search.

use std::sync::Arc;

use super::Event;
use super::run::Engine;
use crate::search::Syzygy;
use crate::tablebase::Tablebase;

/// How many unusable files are named; of further ones only the number is reported.
const NAMED_ERRORS: usize = 8;

/// The pieces of the smallest position: there is nothing to look up.
const BARE_KINGS: u32 = 2;

/// Endgame tables, and when to probe them.
pub(super) struct TableSettings {
    folders: String,
    pub(super) syzygy: Syzygy,
}

impl Default for TableSettings {
    /// No tables. The other values hold only until the options table is read.
    fn default() -> Self {
        let syzygy = Syzygy {
            tables: Arc::default(),
            probe_depth: 1,
            probe_limit: 0,
            fifty_moves: true,
        };
        Self {
            folders: String::new(),
            syzygy,
        }
    }
}

impl TableSettings {
    /// What a search needs; `None` if there is nothing to probe.
    pub(super) fn for_search(&self) -> Option<Syzygy> {
        let pieces = self.syzygy.max_pieces();
        (pieces > BARE_KINGS).then(|| self.syzygy.clone())
    }
}

impl Engine {
    /// Opens the tables of these folders in place of those in use. No search may be running.
    pub(super) fn open_tables(&mut self, folders: &str) {
        if folders == self.settings.tables.folders {
            return;
        }
        let (tables, errors) = Tablebase::open(folders);
        for error in errors.iter().take(NAMED_ERRORS) {
            let text = error.to_string();
            self.send(if error.is_absence() {
                Event::Remark(text)
            } else {
                Event::Notice(text)
            });
        }
        if let Some(more) = errors.len().checked_sub(NAMED_ERRORS + 1) {
            self.send(Event::Notice(format!("{} more skipped", more + 1)));
        }
        if !folders.is_empty() {
            self.send(Event::Remark(format!(
                "endgame tables: {} with results, {} with distances, up to {} men",
                tables.wdl_files(),
                tables.dtz_files(),
                tables.max_men()
            )));
        }
        folders.clone_into(&mut self.settings.tables.folders);
        self.settings.tables.syzygy.tables = Arc::new(tables);
    }

    /// Keeps the fifty-move rule, or not. No search may be running.
    pub(super) fn keep_fifty_moves(&mut self, keep: bool) {
        if keep != self.settings.tables.syzygy.fifty_moves {
            self.settings.tables.syzygy.fifty_moves = keep;
            // The transposition table was filled under the other rule.
            self.clear_hash();
        }
    }
}
