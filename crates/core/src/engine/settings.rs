//! How options act on the engine.

use std::sync::Arc;

use super::Event;
use super::named_file::load;
use super::options::{Contemptuous, Setting};
use super::run::Engine;
use super::tables::TableSettings;
use crate::evaluation::{Evaluation, Network};
use crate::search::{Limits, SearchSettings, TranspositionTable, ValueChange};
use crate::types::Color;

/// The largest network file that is read: far above any network of ours, far below the memory.
const MAX_NETWORK_BYTES: u64 = 1 << 28;

/// Option values the engine acts on; the defaults are in the options table.
#[derive(Default)]
pub(super) struct Settings {
    search: SearchSettings,
    pub(super) tables: TableSettings,
    /// If not 0, clocks are counted in nodes, this many per millisecond.
    nodes_time: u64,
    /// Whether the engine analyses instead of playing.
    analysis: bool,
    /// Whose contempt applies then.
    analysis_contempt: Contemptuous,
}

impl Settings {
    /// The search settings for these limits, which are adjusted to the options. `side` is to move.
    pub(super) fn apply(&self, limits: &mut Limits, side: Color) -> SearchSettings {
        let mut search = self.search;
        if self.analyses(limits) {
            search.analysis = true;
            search.contempt = self.analysis_contempt.of(side, search.contempt);
        } else if limits.for_opponent {
            // The contempt is ours, whoever is to move.
            search.contempt = -search.contempt;
        }
        if self.nodes_time > 0 && !limits.infinite {
            limits.count_time_in_nodes(side, self.nodes_time * 1_000, search.overhead);
        }
        search
    }

    /// Whether a search under these limits is analysis: at full strength, looking for sacrifices,
    /// with contempt only as `Analysis Contempt` says.
    pub(super) fn analyses(&self, limits: &Limits) -> bool {
        self.analysis || limits.infinite && !limits.for_opponent
    }

    /// What a draw is worth to White in a search by `side`; `None` if the contempt is that of
    /// whichever side is to move.
    fn draw_for_white(&self, search: SearchSettings, side: Color) -> Option<i32> {
        let contempt = search.contempt;
        let is_movers = search.analysis && self.analysis_contempt == Contemptuous::Mover;
        match side {
            _ if is_movers && contempt != 0 => None,
            Color::White => Some(-contempt),
            Color::Black => Some(contempt),
        }
    }
}

impl Engine {
    pub(super) fn set_option(&mut self, setting: Setting) {
        match setting {
            Setting::MultiPv(lines) => self.settings.search.multi_pv = lines,
            Setting::MoveOverhead(overhead) => self.settings.search.overhead = overhead,
            Setting::ShowRefutations(on) => self.settings.search.refutations = on,
            Setting::ShowCurrentLine(on) => self.settings.search.current_lines = on,
            Setting::Contempt(centipawns) => self.settings.search.contempt = centipawns,
            Setting::AnalysisContempt(whose) => self.settings.analysis_contempt = whose,
            Setting::AnalyseMode(on) => self.settings.analysis = on,
            Setting::NodesTime(nodes) => self.settings.nodes_time = nodes,
            Setting::LimitStrength(on) => self.strength.limited = on,
            Setting::Elo(elo) => self.strength.elo = elo,
            Setting::SkillLevel(level) => self.strength.skill_level = level,
            Setting::Experience(enabled) => self.experience.set_enabled(enabled),
            Setting::ExperienceFile(name) => self.experience.set_file(name),
            // These are acted on elsewhere.
            Setting::Ponder(_)
            | Setting::Chess960(_)
            | Setting::ShowWinDrawLoss(_)
            | Setting::DebugLogFile(_) => {}
            #[cfg(feature = "tune")]
            Setting::Tunable(tunable, value) => tunable.set(value),
            Setting::SyzygyProbeDepth(depth) => self.settings.tables.syzygy.probe_depth = depth,
            Setting::SyzygyProbeLimit(men) => self.settings.tables.syzygy.probe_limit = men,
            Setting::Hash(_)
            | Setting::Threads(_)
            | Setting::ClearHash
            | Setting::EvalFile(_)
            | Setting::SyzygyPath(_)
            | Setting::Syzygy50MoveRule(_)
                if self.is_busy() =>
            {
                self.deferred.push(setting);
            }
            Setting::Book(setting) => {
                let folder = self.surroundings.folder.as_deref();
                self.own_book.set(setting, folder);
            }
            Setting::EvalFile(name) => self.load_network(&name),
            Setting::Hash(mebibytes) => self.resize_hash(mebibytes),
            Setting::Threads(threads) => self.resize_pool(threads),
            Setting::ClearHash => self.clear_hash(),
            Setting::SyzygyPath(folders) => self.open_tables(&folders),
            Setting::Syzygy50MoveRule(keep) => self.keep_fifty_moves(keep),
        }
    }

    /// Empties the table if draws had another value in it than in the search by `side` that is
    /// about to begin.
    pub(super) fn forget_other_draws(&mut self, search: SearchSettings, side: Color) {
        let worth = self.settings.draw_for_white(search, side);
        if std::mem::replace(&mut self.draw_for_white, worth) != worth {
            self.clear_hash();
        }
    }

    pub(super) fn set_value(&mut self, change: ValueChange) {
        Arc::make_mut(&mut self.values).apply(change);
        // The table was filled with other values.
        self.set_option(Setting::ClearHash);
    }

    fn resize_hash(&mut self, mebibytes: usize) {
        if mebibytes == self.tt.mebibytes() {
            return;
        }
        match TranspositionTable::new(mebibytes) {
            Ok(tt) => self.tt = Arc::new(tt),
            Err(error) => {
                let kept = self.tt.mebibytes();
                self.send(Event::Refused {
                    reason: error.to_string(),
                    instead: format!("keeping {kept} MiB"),
                });
            }
        }
    }

    fn resize_pool(&mut self, threads: usize) {
        self.pool.resize(threads);
        let started = self.pool.threads();
        if started < threads {
            self.send(Event::Notice(format!(
                "only {started} of {threads} threads could be started"
            )));
        }
    }

    /// Switches to the network of this file, or to the embedded one if the name is empty.
    fn load_network(&mut self, name: &str) {
        let level = self.surroundings.level;
        if name == self.network_name {
            return;
        }
        let evaluation = if name.is_empty() {
            Evaluation::standard(level)
        } else {
            let folder = self.surroundings.folder.as_deref();
            let parse = |content: &[u8]| Network::from_bytes(content, level);
            match load(name, folder, MAX_NETWORK_BYTES, parse) {
                Ok(network) => {
                    self.send(Event::Remark(format!("network {}", network.describe())));
                    Evaluation::Network(Arc::new(network))
                }
                Err(error) => {
                    self.send(Event::Refused {
                        reason: format!("network {error}"),
                        instead: "keeping the one in use".to_owned(),
                    });
                    return;
                }
            }
        };
        name.clone_into(&mut self.network_name);
        self.pool.set_evaluation(&evaluation);
        // The table was filled with other scores.
        self.clear_hash();
    }

    pub(super) fn clear_hash(&mut self) {
        let threads = self.pool.threads();
        match Arc::get_mut(&mut self.tt) {
            Some(tt) => tt.clear(threads),
            None => log::error!("the transposition table is in use while no search runs"),
        }
    }
}
