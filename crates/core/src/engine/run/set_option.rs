//! What a change of an option, or of the value of a position, does to the engine.

use std::mem;
use std::sync::Arc;

use super::Engine;
use crate::book::Book;
use crate::engine::Event;
use crate::engine::loading::{Loaded, Loading, Source};
use crate::engine::named_file::{Progress, load};
use crate::engine::options::Setting;
use crate::evaluation::{Evaluation, Network};
use crate::search::{MAX_VALUES, SearchSettings, TranspositionTable, ValueChange};
use crate::tablebase::{TableFileError, Tablebase};
use crate::types::Color;

/// The largest book that is read: 64 million entries, more than any has.
const MAX_BOOK_BYTES: u64 = 1 << 30;

/// The largest network file that is read: far above any network of ours, far below the memory.
const MAX_NETWORK_BYTES: u64 = 1 << 28;

/// How many unusable endgame tables are named; of further ones only the number is reported.
const NAMED_ERRORS: usize = 8;

impl Engine {
    pub(super) fn set_option(&mut self, setting: Setting) {
        // The last value counts.
        let source = Source::of(&setting);
        self.postponed.retain(|it| Some(it.source) != source);
        match setting {
            Setting::MultiPv(lines) => self.settings.search.multi_pv = lines,
            Setting::MoveOverhead(time) => self.settings.search.overhead.reserved = time,
            Setting::ShowRefutations(on) => self.settings.search.refutations = on,
            Setting::ShowCurrentLine(on) => self.settings.search.current_lines = on,
            Setting::Contempt(centipawns) => self.settings.search.contempt = centipawns,
            Setting::AnalysisContempt(whose) => self.settings.analysis_contempt = whose,
            Setting::AnalyseMode(on) => self.settings.analysis = on,
            Setting::NodesTime(nodes) => self.settings.nodes_time = nodes,
            Setting::LimitStrength(on) => self.settings.limit_strength = on,
            Setting::Elo(elo) => self.settings.elo = elo,
            Setting::SkillLevel(level) => self.settings.skill_level = level,
            #[cfg(feature = "tune")]
            Setting::Tunable(tunable, value) => tunable.set(value),
            Setting::SyzygyProbeDepth(depth) => self.settings.syzygy.probe_depth = depth,
            Setting::SyzygyProbeLimit(pieces) => self.settings.syzygy.probe_limit = pieces,
            Setting::Hash(_)
            | Setting::Threads(_)
            | Setting::ClearHash
            | Setting::EvalFile(_)
            | Setting::SyzygyPath(_)
            | Setting::Syzygy50MoveRule(_)
            | Setting::Experience(_)
            | Setting::ExperienceFile(_)
                if self.is_busy() =>
            {
                // Whoever sends thousands of them fills no memory.
                let option = mem::discriminant(&setting);
                self.deferred.retain(|it| mem::discriminant(it) != option);
                self.deferred.push_back(setting);
            }
            Setting::Book(setting) => {
                if let Some(name) = self.own_book.set(setting) {
                    let folder = self.environment.folder.clone();
                    self.load(&format!("book {name}"), Source::Book, move |progress| {
                        let book = load(
                            &name,
                            folder.as_deref(),
                            MAX_BOOK_BYTES,
                            progress,
                            Book::from_bytes,
                        );
                        Loaded::Book(name, book)
                    });
                }
            }
            Setting::EvalFile(name) => self.load_network(name),
            Setting::Hash(mebibytes) => self.resize_hash(mebibytes),
            Setting::Threads(threads) => self.resize_pool(threads),
            Setting::ClearHash => self.clear_hash(),
            Setting::SyzygyPath(folders) => self.open_tables(folders),
            Setting::Syzygy50MoveRule(keep) => self.keep_fifty_moves(keep),
            Setting::Experience(enabled) => {
                if self.experience.set_enabled(enabled) {
                    self.clear_hash();
                }
            }
            Setting::ExperienceFile(name) => {
                if self.experience.set_file(name) {
                    self.clear_hash();
                }
            }
        }
    }

    /// Empties the table if draws had another value in it than in the search by `side` that is
    /// about to begin.
    pub(super) fn forget_other_draws(&mut self, search: SearchSettings, side: Color) {
        let worth = match side {
            Color::White => -search.contempt,
            Color::Black => search.contempt,
        };
        if mem::replace(&mut self.draw_for_white, worth) != worth {
            self.clear_hash();
        }
    }

    pub(super) fn set_value(&mut self, change: ValueChange) {
        if !Arc::make_mut(&mut self.values).apply(change) {
            return self.send(Event::Refused {
                reason: format!("{MAX_VALUES} positions have a value already"),
                instead: "keeping those".to_owned(),
            });
        }
        // The table was filled with other values.
        self.set_option(Setting::ClearHash);
    }

    fn resize_hash(&mut self, mebibytes: usize) {
        if mebibytes == self.tt.mebibytes() {
            return;
        }
        match TranspositionTable::in_place_of(Some(&self.tt), mebibytes) {
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

    /// Evaluates the game that the network of this file is for with it, or every game with what is
    /// embedded if the name is empty.
    fn load_network(&mut self, name: String) {
        let level = self.environment.level;
        if name == self.network_name {
            return;
        }
        if name.is_empty() {
            return self.use_network(name, &Evaluation::standard(level));
        }
        let folder = self.environment.folder.clone();
        self.load(
            &format!("network {name}"),
            Source::Network,
            move |progress| {
                let parse = |content: Vec<u8>| Network::from_bytes(&content, level);
                let network = load(&name, folder.as_deref(), MAX_NETWORK_BYTES, progress, parse);
                Loaded::Network(name, network.map(Arc::new))
            },
        );
    }

    fn use_network(&mut self, name: String, evaluation: &Evaluation) {
        self.network_name = name;
        self.pool.set_evaluation(evaluation);
        // The table was filled with other scores.
        self.clear_hash();
    }

    /// Opens the endgame tables of these folders in place of those in use.
    fn open_tables(&mut self, folders: String) {
        if folders.is_empty() {
            return self.use_tables(folders, Tablebase::default());
        }
        if folders == self.settings.syzygy_path {
            return;
        }
        let what = format!("endgame tables {folders}");
        self.load(&what, Source::Tables, move |progress| {
            let (tables, errors) = Tablebase::open_watched(&folders, || progress.note());
            Loaded::Tables(folders, Box::new(tables), errors)
        });
    }

    fn use_tables(&mut self, folders: String, tables: Tablebase) {
        self.settings.syzygy_path = folders;
        self.settings.syzygy.tables = Arc::new(tables);
    }

    /// Reads files on another thread; all later commands wait for them.
    fn load(
        &mut self,
        what: &str,
        source: Source,
        load: impl FnOnce(&Progress) -> Loaded + Send + 'static,
    ) {
        match Loading::start(what.to_owned(), source, load) {
            Ok(loading) => self.loading = Some(loading),
            Err(error) => self.send(Event::Refused {
                reason: format!("{what} cannot be read: {error}"),
                instead: "keeping what is in use".to_owned(),
            }),
        }
    }

    /// Begins to open the experience file, if it is to be used and that has not been tried yet; says
    /// whether it has begun.
    pub(super) fn opens_experience(&mut self) -> bool {
        let Some(opening) = self.experience.opening() else {
            return false;
        };
        let what = format!("experience {}", opening.name);
        self.load(&what, Source::Experience, move |progress| {
            Loaded::Experience(opening.open(progress))
        });
        self.loading.is_some()
    }

    /// Uses what was read.
    pub(super) fn take_loaded(&mut self, loaded: Loaded) {
        match loaded {
            Loaded::Book(name, book) => self.own_book.opened(name, book),
            Loaded::Network(name, Ok(network)) => {
                self.send(Event::Remark(format!("network {}", network.describe())));
                self.use_network(name, &Evaluation::Network(network));
            }
            Loaded::Network(_, Err(error)) => self.send(Event::Refused {
                reason: format!("network {error}"),
                instead: "keeping the one in use".to_owned(),
            }),
            Loaded::Tables(folders, tables, errors) => {
                self.tell_tables(&tables, &errors);
                // What is missing may be there when the same is asked for again.
                let is_whole = errors.is_empty() && tables.max_pieces() > 0;
                self.use_tables(if is_whole { folders } else { String::new() }, *tables);
            }
            Loaded::Experience(Ok((file, knowledge))) => self.experience.opened(file, knowledge),
            Loaded::Experience(Err(error)) => self.complain(Err(error)),
        }
    }

    fn tell_tables(&self, tables: &Tablebase, errors: &[TableFileError]) {
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
        self.send(Event::Remark(format!(
            "endgame tables: {} with results, {} with distances, up to {} men",
            tables.wdl_files(),
            tables.dtz_files(),
            tables.max_pieces()
        )));
    }

    fn keep_fifty_moves(&mut self, keep: bool) {
        if mem::replace(&mut self.settings.syzygy.fifty_moves, keep) != keep {
            // The transposition table was filled under the other rule.
            self.clear_hash();
        }
    }

    pub(super) fn clear_hash(&mut self) {
        let threads = self.pool.threads();
        match Arc::get_mut(&mut self.tt) {
            Some(tt) => tt.clear(threads),
            None => log::error!("the transposition table is in use while no search runs"),
        }
    }
}
