//! What games have taught: moves with the score and depth that searches found, kept in a file
//! between games.
//!
//! A score is used as an upper bound only: a move is worth what its search said, or less if the
//! opponent has something better. When the next search of the same game scores lower, the move
//! that led there is marked down. Before a search, the bounds of known moves are stored in the
//! transposition table at the depths of their records; a losing line is then avoided until a deeper
//! search thinks better of it. The search itself knows nothing of this.

mod file;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet, VecDeque};
use std::mem;
use std::path::PathBuf;

pub use file::{Contents, ExperienceError, ExperienceFile, MAX_RECORDS, Record, read};

use super::named_file::{Progress, locate};
use crate::position::Position;
use crate::search::{Bound, Entry, Job, SearchResult, Shared, TranspositionTable};
use crate::types::{Key, Move, Score};

/// The default file name.
pub const DEFAULT_FILE: &str = "orthrus.exp";

/// Shallower searches are not recorded: the next one would find the same at once.
const MIN_DEPTH: u32 = 6;

/// The most positions that are looked up before a search: a few milliseconds, as our clock may be
/// running.
const MAX_POSITIONS: usize = 2_000;

/// The score of a move that was hardly searched, or only found to be better than expected: it has no upper
/// bound, until the next search of the game finds one.
const UNBOUNDED: Score = Score::INFINITE;

/// What is known of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Its worth, or an upper bound of it.
    pub score: Score,
    /// The depth of that search in plies.
    pub depth: u8,
}

/// What is known, by position and move.
#[derive(Debug, Default)]
pub struct Knowledge(HashMap<(Key, Move), Known>);

impl Knowledge {
    /// What is known from these records, oldest first: the newest record of each move counts.
    pub fn new(records: &[Record]) -> Self {
        let mut knowledge = Self::default();
        for &record in records {
            knowledge.insert(record);
        }
        knowledge
    }

    fn insert(&mut self, record: Record) {
        let Record { score, depth, .. } = record;
        self.0
            .insert((record.key, record.mv), Known { score, depth });
    }

    /// Whether a record adds to what is known: it is at least as deep, or scores lower.
    fn is_news(&self, record: Record) -> bool {
        let known = self.0.get(&(record.key, record.mv));
        known.is_none_or(|known| record.depth >= known.depth || record.score < known.score)
    }

    /// Takes a record of another file if it adds to what is known; says whether it did. Which file
    /// is newer is not known, so a record only adds something if it is deeper, or as deep with a
    /// lower score. Hence the order of the files does not matter, nor how often each is read.
    pub fn improve(&mut self, record: Record) -> bool {
        let rank = |depth: u8, score: Score| (depth, -score.value());
        let known = self.0.get(&(record.key, record.mv));
        let says_more = known
            .is_none_or(|known| rank(record.depth, record.score) > rank(known.depth, known.score));
        if says_more {
            self.insert(record);
        }
        says_more
    }

    /// How many moves are known.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is known of the legal moves of a position, best first.
    pub fn moves(&self, position: &Position) -> Vec<(Move, Known)> {
        let key = position.key();
        let legal = position.legal_moves();
        let known = legal.iter().map(|&mv| Some((mv, *self.0.get(&(key, mv))?)));
        let mut known: Vec<_> = known.flatten().collect();
        known.sort_by_key(|(_, known)| std::cmp::Reverse((known.score, known.depth)));
        known
    }

    /// The moves of a position that are known to lose by mate or by the endgame tables.
    fn lost_moves(&self, position: &Position) -> Vec<Move> {
        let known = self.moves(position).into_iter();
        known
            .filter_map(|(mv, known)| known.score.is_loss().then_some(mv))
            .collect()
    }

    /// Stores in the table what is known from `root` on, following known moves and every reply to
    /// them.
    fn seed(&self, tt: &TranspositionTable, root: &Position) {
        let mut waiting = VecDeque::from([root.without_history()]);
        let mut seen = HashSet::from([root.key()]);
        while let Some(position) = waiting.pop_front() {
            for (mv, known) in self.moves(&position) {
                let mut next = position.clone();
                next.make_move(mv);
                tt.store(next.tt_key(), 0, refutation(known));
                if seen.len() >= MAX_POSITIONS {
                    continue;
                }
                for &reply in &next.legal_moves() {
                    let mut next = next.clone();
                    next.make_move(reply);
                    if seen.len() < MAX_POSITIONS && seen.insert(next.key()) {
                        waiting.push_back(next);
                    }
                }
            }
        }
    }
}

/// The opponent's view of a known move: the position after it is worth at least this.
fn refutation(known: Known) -> Entry {
    Entry {
        mv: None,
        score: -known.score.nearer(1),
        evaluation: None,
        depth: i32::from(known.depth) - 1,
        bound: Some(Bound::Lower),
        was_pv: false,
    }
}

#[derive(Debug, Default)]
enum Store {
    #[default]
    Closed,
    /// It cannot be used, which has been reported.
    Failed,
    Open {
        file: ExperienceFile,
        knowledge: Knowledge,
    },
}

/// What the last search of this game has found, and where.
#[derive(Debug)]
struct Last {
    record: Record,
    position: Position,
}

impl Last {
    /// Whether `position` can follow by the recorded move and a reply.
    fn leads_to(&self, position: &Position) -> bool {
        let mut after = self.position.clone();
        after.make_move(self.record.mv);
        after.legal_moves().iter().any(|&reply| {
            let mut next = after.clone();
            next.make_move(reply);
            next.key() == position.key()
        })
    }
}

/// The record of a move that promised more than the search after the reply to it has found. That says
/// nothing of the moves before, after which there may have been better ones.
fn marked_down(earlier: Record, later: Record) -> Option<Record> {
    let score = later.score.nearer(-2);
    // Two plies further away, the longest mate would be no mate any more.
    let is_of_a_kind =
        score.is_mate() == later.score.is_mate() && score.is_decided() == later.score.is_decided();
    let promised_more = later.score != UNBOUNDED && score < earlier.score;
    (promised_more && is_of_a_kind).then(|| Record {
        score,
        depth: later.depth.saturating_add(2),
        ..earlier
    })
}

/// A file that is to be opened.
pub(super) struct Opening {
    /// As the option has it.
    pub(super) name: String,
    folder: Option<PathBuf>,
}

impl Opening {
    pub(super) fn open(
        &self,
        progress: &Progress,
    ) -> Result<(ExperienceFile, Knowledge), ExperienceError> {
        let path = locate(&self.name, self.folder.as_deref());
        let (file, contents) = ExperienceFile::open_watched(&path, progress)?;
        // What an earlier process has written: many programs start one for every game.
        file.sync()?;
        Ok((file, Knowledge::new(&contents.records)))
    }
}

/// The engine's experience: off, until an option says otherwise.
#[derive(Debug, Default)]
pub(super) struct Experience {
    enabled: bool,
    name: String,
    /// Where a relative name is looked for if it is not in the working folder.
    folder: Option<PathBuf>,
    store: Store,
    last: Option<Last>,
}

impl Experience {
    pub(super) fn new(folder: Option<PathBuf>) -> Self {
        Self {
            folder,
            ..Self::default()
        }
    }

    /// Returns whether this closed a file whose bounds may be in the table.
    pub(super) fn set_enabled(&mut self, enabled: bool) -> bool {
        if enabled == self.enabled && self.is_open() {
            return false;
        }
        self.enabled = enabled;
        self.close()
    }

    /// Returns the same as [`Self::set_enabled`].
    pub(super) fn set_file(&mut self, name: String) -> bool {
        if name == self.name && self.is_open() {
            return false;
        }
        self.name = name;
        self.close()
    }

    fn close(&mut self) -> bool {
        !matches!(mem::take(&mut self.store), Store::Closed)
    }

    fn is_open(&self) -> bool {
        matches!(self.store, Store::Open { .. })
    }

    /// Another game: its positions do not follow from the last one.
    pub(super) fn new_game(&mut self) -> Result<(), ExperienceError> {
        self.last = None;
        match &self.store {
            Store::Open { file, .. } => file.sync(),
            Store::Closed | Store::Failed => Ok(()),
        }
    }

    /// Before a search: stores what is known in its table, and names the moves that have lost.
    pub(super) fn prepare(&self, shared: &mut Shared, root: &Position) {
        if let Store::Open { knowledge, .. } = &self.store {
            knowledge.seed(&shared.tt, root);
            shared.lost_before = knowledge.lost_moves(root);
        }
    }

    /// What opens the file, if it is to be used and that has not been tried yet. It may take long, or
    /// never end.
    pub(super) fn opening(&mut self) -> Option<Opening> {
        let is_wanted = self.enabled && !self.name.is_empty();
        if !is_wanted || !matches!(self.store, Store::Closed) {
            return None;
        }
        // Holds until it is open: a failure is reported once, not with every move.
        self.store = Store::Failed;
        Some(Opening {
            name: self.name.clone(),
            folder: self.folder.clone(),
        })
    }

    /// Uses what was opened.
    pub(super) fn opened(&mut self, file: ExperienceFile, knowledge: Knowledge) {
        self.store = Store::Open { file, knowledge };
    }

    /// Keeps what a search has found in `position`, and marks down the move before it in the game if
    /// that promised more.
    pub(super) fn learn(
        &mut self,
        position: Position,
        record: Record,
    ) -> Result<(), ExperienceError> {
        let Store::Open { file, knowledge } = &mut self.store else {
            return Ok(());
        };
        let before = self.last.take().filter(|last| last.leads_to(&position));
        let changed = before.and_then(|last| marked_down(last.record, record));
        self.last = Some(Last { record, position });
        for record in changed.into_iter().chain([record]) {
            if record.score == UNBOUNDED || !knowledge.is_news(record) {
                continue;
            }
            if let Err(error) = file.append(record) {
                self.store = Store::Failed;
                return Err(error);
            }
            knowledge.insert(record);
        }
        Ok(())
    }
}

/// The record of a search in a game; `None` unless it was our turn and the engine played as well as it
/// can. A result that is only a lower bound, or of a search that is not deep enough, is [`UNBOUNDED`].
pub(super) fn lesson(job: &Job, result: &SearchResult) -> Option<Record> {
    let limits = &job.shared.limits;
    let teaches = !job.shared.settings.analysis
        && !limits.infinite
        && !limits.for_opponent
        && !job.shared.clock.is_pondering()
        && limits.search_moves.is_none()
        && limits.mate.is_none()
        && job.shared.handicap.is_none();
    // A position that is solved has every depth that was asked for: as deep as it has been looked at will do.
    let depth = result.depth.min(result.seldepth.max(MIN_DEPTH));
    Some(Record {
        key: job.position.key(),
        mv: result.best.filter(|_| teaches)?,
        score: match result.bound {
            Bound::Exact if depth >= MIN_DEPTH => result.score,
            _ => UNBOUNDED,
        },
        depth: depth.min(u8::MAX.into()) as u8,
    })
}
