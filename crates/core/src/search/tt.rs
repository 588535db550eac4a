//! The transposition table: what earlier searches found out about positions, shared by all
//! threads without locks.
//!
//! An entry is two words: the data, and the key combined with the data by exclusive or (Robert
//! Hyatt and Tim Mann's lockless hashing). If two threads write an entry at once, the words do not
//! fit together and the entry is taken for another position's. So no torn entry is accepted; a
//! move that is found is checked for legality all the same.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use super::table_memory::{AllocationError, TableMemory};
use crate::types::{Key, Move, Score};

/// How a stored score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoredBound {
    /// Nothing is known of the score; move and static evaluation may still serve.
    None,
    /// The true score is at most this.
    Upper,
    /// The true score is at least this.
    Lower,
    /// It is the score.
    Exact,
}

/// What the table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move, or one that was good enough. Of unknown origin: check that it is legal.
    pub mv: Option<Move>,
    /// The score found, mates counted from the root of the present search.
    pub score: Score,
    /// The static evaluation, if it was computed.
    pub evaluation: Option<Score>,
    /// Depth of the search in plies; 0 for quiescence.
    pub depth: i32,
    /// What `score` says.
    pub bound: StoredBound,
    /// Whether the position was on a principal variation.
    pub was_pv: bool,
}

impl Entry {
    /// Whether the stored score alone shows that the node's lies outside, or exactly at, the
    /// window.
    #[inline]
    pub(super) fn proves(&self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            StoredBound::Exact => true,
            StoredBound::Lower => self.score >= beta,
            StoredBound::Upper => self.score <= alpha,
            StoredBound::None => false,
        }
    }

    /// The stored score where it says more than the static `evaluation`.
    #[inline]
    pub(super) fn refine(&self, evaluation: Score) -> Score {
        let better = match self.bound {
            StoredBound::Exact => true,
            StoredBound::Lower => self.score > evaluation,
            StoredBound::Upper => self.score < evaluation,
            StoredBound::None => false,
        };
        if better && !self.score.is_mate() {
            self.score
        } else {
            evaluation
        }
    }
}

/// One entry in memory. All zero means empty.
#[derive(Debug)]
struct Slot {
    /// Key and data, combined by exclusive or.
    check: AtomicU64,
    data: AtomicU64,
}

const SLOTS: usize = 4;

/// The slots of one cache line, among which a position may lie.
#[derive(Debug)]
#[repr(align(64))]
pub(super) struct Cluster([Slot; SLOTS]);

const _: () = assert!(size_of::<Cluster>() == 64);

/// Searches are counted modulo this, to tell old entries from new ones.
const GENERATIONS: u8 = 32;

/// The table.
#[derive(Debug)]
pub struct TranspositionTable {
    clusters: TableMemory,
    generation: u8,
}

/// Bytes in a mebibyte.
const MEBIBYTE: usize = 1 << 20;

impl TranspositionTable {
    /// An empty table of this many MiB. The memory is claimed from the system only as it is used.
    ///
    /// # Errors
    ///
    /// If the system has no address space for it.
    pub fn new(mebibytes: usize) -> Result<Self, AllocationError> {
        let clusters = mebibytes.max(1).saturating_mul(MEBIBYTE) / size_of::<Cluster>();
        Ok(Self {
            clusters: TableMemory::zeroed(clusters)?,
            generation: 0,
        })
    }

    /// Its size in MiB.
    pub fn mebibytes(&self) -> usize {
        size_of_val(self.clusters.as_slice()) / MEBIBYTE
    }

    /// Empties the table, with this many threads.
    pub fn clear(&mut self, threads: usize) {
        self.generation = 0;
        let clusters = self.clusters.as_slice();
        let share = clusters.len().div_ceil(threads.max(1));
        thread::scope(|scope| {
            for part in clusters.chunks(share) {
                scope.spawn(move || {
                    for slot in part.iter().flat_map(|cluster| &cluster.0) {
                        slot.clear();
                    }
                });
            }
        });
    }

    /// Ages all entries: a new search begins.
    pub fn new_search(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    #[inline]
    fn cluster(&self, key: Key) -> &Cluster {
        let clusters = self.clusters.as_slice();
        // The high half of the product maps the key evenly onto any number of clusters.
        let index = (u128::from(key.0) * clusters.len() as u128) >> 64;
        &clusters[index as usize]
    }

    /// Fetches the entries of a position into the processor's cache ahead of use.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        super::table_memory::prefetch(self.cluster(key));
    }

    /// What is known about the position with this key, `ply` plies from the root.
    pub fn probe(&self, key: Key, ply: usize) -> Option<Entry> {
        self.cluster(key)
            .0
            .iter()
            .find_map(|slot| slot.read(key))
            .map(|data| data.entry(ply))
    }

    /// Notes what was found out about a position `ply` plies from the root.
    ///
    /// Takes the slot of the same position, else an empty one, else the one of least value: old
    /// and shallow. A move already known is kept if there is no new one.
    pub fn store(&self, key: Key, ply: usize, mut entry: Entry) {
        let mut victim = None;
        let mut least = i32::MAX;
        for slot in &self.cluster(key).0 {
            let old = Data(slot.data.load(Ordering::Relaxed));
            if slot.read(key).is_some() {
                entry.mv = entry.mv.or(old.mv());
                if !self.is_worth_replacing(old, &entry) {
                    return;
                }
                victim = Some(slot);
                break;
            }
            let worth = old.depth() - 8 * i32::from(self.age(old));
            let worth = if old.0 == 0 { i32::MIN } else { worth };
            if worth < least {
                least = worth;
                victim = Some(slot);
            }
        }
        if let Some(slot) = victim {
            slot.write(key, Data::pack(&entry, ply, self.generation));
        }
    }

    /// Whether a new result replaces an old one of the same position: not a much deeper one of
    /// this very search, unless the new one is exact.
    fn is_worth_replacing(&self, old: Data, new: &Entry) -> bool {
        new.bound == StoredBound::Exact
            || self.age(old) != 0
            || new.depth + 4 + 2 * i32::from(new.was_pv) > old.depth()
    }

    /// How many searches ago an entry was written.
    fn age(&self, data: Data) -> u8 {
        (self.generation + GENERATIONS - data.generation()) % GENERATIONS
    }

    /// How full the table is with entries of the present search, in permille, by a sample.
    pub fn hashfull(&self) -> u32 {
        const SAMPLE: usize = 250;
        let clusters = self.clusters.as_slice();
        let sample = &clusters[..SAMPLE.min(clusters.len())];
        let used = sample.iter().flat_map(|cluster| &cluster.0).filter(|slot| {
            let data = Data(slot.data.load(Ordering::Relaxed));
            data.0 != 0 && self.age(data) == 0
        });
        (used.count() * 1000 / (sample.len() * SLOTS)) as u32
    }
}

impl Slot {
    #[inline]
    fn read(&self, key: Key) -> Option<Data> {
        let check = self.check.load(Ordering::Relaxed);
        let data = self.data.load(Ordering::Relaxed);
        (check ^ data == key.0 && data != 0).then_some(Data(data))
    }

    #[inline]
    fn write(&self, key: Key, data: Data) {
        self.check.store(key.0 ^ data.0, Ordering::Relaxed);
        self.data.store(data.0, Ordering::Relaxed);
    }

    fn clear(&self) {
        self.check.store(0, Ordering::Relaxed);
        self.data.store(0, Ordering::Relaxed);
    }
}

/// An entry in 64 bits, from the lowest: move (16), score (16), static evaluation (16), depth (8),
/// bound (2), was on a principal variation (1), generation (5).
#[derive(Clone, Copy)]
struct Data(u64);

/// Stands for a static evaluation that was not computed.
const NO_EVALUATION: i16 = i16::MIN;

impl Data {
    fn pack(entry: &Entry, ply: usize, generation: u8) -> Self {
        let mv = entry.mv.map_or(0, Move::bits);
        let score = to_table(entry.score, ply).value() as i16 as u16;
        let evaluation = entry
            .evaluation
            .map_or(NO_EVALUATION, |score| score.value() as i16);
        let depth = entry.depth.clamp(0, 255) as u8;
        let flags = entry.bound as u8 | u8::from(entry.was_pv) << 2 | generation << 3;
        Self(
            u64::from(mv)
                | u64::from(score) << 16
                | u64::from(evaluation as u16) << 32
                | u64::from(depth) << 48
                | u64::from(flags) << 56,
        )
    }

    fn entry(self, ply: usize) -> Entry {
        let evaluation = (self.0 >> 32) as i16;
        let flags = (self.0 >> 56) as u8;
        Entry {
            mv: self.mv(),
            score: from_table(self.0 as u32 as i32 >> 16, ply),
            evaluation: (evaluation != NO_EVALUATION)
                .then(|| Score::evaluation(i32::from(evaluation))),
            depth: self.depth(),
            bound: match flags & 3 {
                0 => StoredBound::None,
                1 => StoredBound::Upper,
                2 => StoredBound::Lower,
                _ => StoredBound::Exact,
            },
            was_pv: flags & 4 != 0,
        }
    }

    fn mv(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    fn depth(self) -> i32 {
        i32::from((self.0 >> 48) as u8)
    }

    fn generation(self) -> u8 {
        (self.0 >> 59) as u8
    }
}

/// Mates are stored as plies from the position, not from the root, so that they hold wherever the
/// position comes up again.
fn to_table(score: Score, ply: usize) -> Score {
    if score.is_win() {
        score + ply as i32
    } else if score.is_loss() {
        score - ply as i32
    } else {
        score
    }
}

fn from_table(value: i32, ply: usize) -> Score {
    let score = Score::from_value(value).unwrap_or_default();
    if score.is_win() {
        score - ply as i32
    } else if score.is_loss() {
        score + ply as i32
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    fn entry(depth: i32) -> Entry {
        Entry {
            mv: Some(Move::new(Square::E2, Square::E4, MoveKind::DoublePush)),
            score: Score::centipawns(-35),
            evaluation: Some(Score::centipawns(-1234)),
            depth,
            bound: StoredBound::Lower,
            was_pv: true,
        }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = TranspositionTable::new(1).unwrap();
        let key = Key(0x1234_5678_9abc_def0);
        assert_eq!(table.probe(key, 0), None);
        table.store(key, 0, entry(7));
        assert_eq!(table.probe(key, 0), Some(entry(7)));
        assert_eq!(table.probe(Key(key.0 ^ 1), 0), None);
    }

    #[test]
    fn mates_are_counted_from_the_position() {
        let table = TranspositionTable::new(1).unwrap();
        for score in [Score::mate_in(9), Score::mated_in(10)] {
            let key = Key(score.value() as u64);
            table.store(key, 4, Entry { score, ..entry(7) });
            let plies = |score: Score| score.mate_plies().unwrap().abs();
            let found = table.probe(key, 2).unwrap().score;
            assert_eq!(plies(found), plies(score) - 2);
        }
    }

    #[test]
    fn an_old_move_outlives_a_result_without_one() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(Key(5), 0, entry(3));
        table.store(
            Key(5),
            0,
            Entry {
                mv: None,
                ..entry(9)
            },
        );
        assert_eq!(table.probe(Key(5), 0), Some(entry(9)));
    }

    #[test]
    fn deep_results_survive_and_old_ones_give_way() {
        let mut table = TranspositionTable::new(1).unwrap();
        // All keys share a cluster: they differ in the low bits only.
        for low in 0..4 {
            table.store(Key(low), 0, entry(10 + low as i32));
        }
        table.store(Key(100), 0, entry(1));
        assert_eq!(table.probe(Key(0), 0), None, "the shallowest gave way");
        assert!(table.probe(Key(3), 0).is_some());
        table.new_search();
        table.new_search();
        for low in 200..204 {
            table.store(Key(low), 0, entry(1));
        }
        assert_eq!(table.probe(Key(3), 0), None, "old entries gave way");
    }

    #[test]
    fn a_cleared_table_is_empty() {
        let mut table = TranspositionTable::new(2).unwrap();
        for key in 0..20_000u64 {
            table.store(Key(key << 40), 0, entry(5));
        }
        assert!(table.hashfull() > 0);
        table.clear(2);
        assert_eq!(table.hashfull(), 0);
        assert_eq!(table.mebibytes(), 2);
    }

    #[test]
    fn no_torn_entry_is_accepted() {
        let table = TranspositionTable::new(1).unwrap();
        let keys: Vec<Key> = (0..8).map(Key).collect();
        thread::scope(|scope| {
            for writer in 0..2 {
                let (table, keys) = (&table, &keys);
                scope.spawn(move || {
                    for round in 0..20_000 {
                        let key = keys[(round * 3 + writer) % keys.len()];
                        let value = key.0 as i32 * 100;
                        let score = Score::centipawns(value);
                        let evaluation = Some(Score::centipawns(-value));
                        table.store(
                            key,
                            0,
                            Entry {
                                score,
                                evaluation,
                                ..entry(round as i32 % 64)
                            },
                        );
                    }
                });
            }
            for _ in 0..2 {
                let (table, keys) = (&table, &keys);
                scope.spawn(move || {
                    for round in 0..20_000 {
                        let key = keys[round % keys.len()];
                        if let Some(found) = table.probe(key, 0) {
                            assert_eq!(found.score.value(), key.0 as i32 * 100);
                            assert_eq!(found.evaluation.unwrap().value(), -(key.0 as i32) * 100);
                        }
                    }
                });
            }
        });
    }
}
