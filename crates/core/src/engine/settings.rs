//! Option values the engine acts on, and what they mean for a search.

use super::options::ContemptSide;
use crate::position::Position;
use crate::search::{Handicap, Limits, SearchSettings, Syzygy};
use crate::types::Color;

/// The pieces of the smallest position: no endgame table has it.
const BARE_KINGS: u32 = 2;

/// Option values the engine acts on; the defaults are in the options table.
#[derive(Default)]
pub(super) struct Settings {
    pub(super) search: SearchSettings,
    /// The folders whose endgame tables are all in use; empty if there are none, or some are missing.
    pub(super) syzygy_path: String,
    pub(super) syzygy: Syzygy,
    /// Whether `elo` applies.
    pub(super) limit_strength: bool,
    pub(super) elo: u32,
    pub(super) skill_level: u32,
    /// If not 0, clocks are counted in nodes, this many per millisecond.
    pub(super) nodes_time: u64,
    /// Whether the engine analyses instead of playing.
    pub(super) analysis: bool,
    /// Whose contempt applies then.
    pub(super) analysis_contempt: ContemptSide,
}

impl Settings {
    /// The settings for a search of this position within these limits, which are adjusted to the
    /// options.
    pub(super) fn apply(&self, limits: &mut Limits, position: &Position) -> SearchSettings {
        let side = position.side_to_move();
        let mut search = self.search;
        if self.analyses(limits) {
            search.analysis = true;
            search.contempt = self.analysis_contempt.of(side, search.contempt);
        } else if limits.for_opponent {
            // The contempt is ours, whoever is to move.
            search.contempt = -search.contempt;
        }
        if self.nodes_time > 0 && !limits.infinite {
            let rate = self.nodes_time * 1_000;
            let fullmove = position.fullmove_number();
            limits.count_time_in_nodes(side, fullmove, rate, search.overhead);
        }
        search
    }

    /// Whether a search under these limits is analysis: at full strength, looking for sacrifices,
    /// with contempt only as `Analysis Contempt` says.
    pub(super) fn analyses(&self, limits: &Limits) -> bool {
        self.analysis || limits.infinite && !limits.for_opponent
    }

    /// The handicap of a search by `side` under these limits, which it narrows; `None` at full
    /// strength, as in every mate search. The same `seed` makes the same choice.
    pub(super) fn handicap(&self, limits: &mut Limits, side: Color, seed: u64) -> Option<Handicap> {
        let mut handicap = match limits.mate {
            Some(_) => None,
            None if self.limit_strength => Some(Handicap::elo(self.elo, seed)),
            None => Handicap::skill_level(self.skill_level, seed),
        }?;
        handicap.restrict(limits, side);
        Some(handicap)
    }

    /// The endgame tables for a search; `None` if there is nothing to probe.
    pub(super) fn syzygy_for_search(&self) -> Option<Syzygy> {
        (self.syzygy.max_pieces() > BARE_KINGS).then(|| self.syzygy.clone())
    }
}
