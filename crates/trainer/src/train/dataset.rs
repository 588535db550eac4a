//! The positions to learn from, all in memory, and the order in which they are learned.

use std::path::{Path, PathBuf};

use fastrand::Rng;
use orthrus_core::position::Variant;
use orthrus_core::types::{GOLDEN, mix};
use rayon::prelude::*;
use thiserror::Error;

use super::lookahead::Lookahead;
use super::sample::Sample;
use crate::data::{Block, DataError, DataReader, Filter, GameRecord};

/// Neighbours in memory that stay together in every epoch.
///
/// All samples are shuffled once, singly; an epoch shuffles groups of them, which costs little
/// and reads whole cache lines.
const GROUP: usize = 16;

/// Blocks of a data file that are decoded at a time, in parallel.
const BLOCKS_AT_ONCE: usize = 64;

/// Why there is nothing to learn from.
#[derive(Debug, Error)]
pub(crate) enum DatasetError {
    /// A file could not be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The files hold different games.
    #[error("{}: games of {}, not of {}", path.display(), found.name(), expected.name())]
    Mixed {
        /// The file.
        path: PathBuf,
        /// Its game.
        found: Variant,
        /// That of the files before it.
        expected: Variant,
    },
    /// Too few positions passed the filter.
    #[error(
        "{training} positions for training and {validation} for validation, expected at least {GROUP} and 1"
    )]
    TooSmall {
        /// Positions for training.
        training: usize,
        /// Positions for validation.
        validation: usize,
    },
}

/// The game that all of these data files hold.
///
/// # Errors
///
/// If they hold several, or one cannot be opened.
pub(crate) fn variant_of(files: &[PathBuf]) -> Result<Variant, DatasetError> {
    let mut variant = None;
    for path in files {
        let found = DataReader::open(path)?.variant();
        let expected = *variant.get_or_insert(found);
        if found != expected {
            return Err(DatasetError::Mixed {
                path: path.clone(),
                found,
                expected,
            });
        }
    }
    Ok(variant.unwrap_or_default())
}

/// Which positions of a game to learn from, and with which scores.
#[derive(Clone, Debug)]
pub(crate) struct Labels {
    /// Which positions of a game are worth learning from.
    pub filter: Filter,
    /// How far their scores look ahead.
    pub lookahead: Lookahead,
}

/// Which positions to load, and how to divide them.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    /// Those of a game, with their scores.
    pub labels: Labels,
    /// How many of a thousand games are for validation.
    pub validation_permille: u32,
    /// What the order of the samples comes from.
    pub seed: u64,
}

/// Samples of many games, divided by game into those for training and those for validation.
///
/// The positions of a game resemble each other and share a result: a network would recognise a game
/// when it has learned from a neighbouring position, and validation would reward that.
#[derive(Debug)]
pub(crate) struct Dataset {
    training: Vec<Sample>,
    validation: Vec<Sample>,
    seed: u64,
}

impl Dataset {
    /// Reads the games of data files. Damaged blocks are logged and skipped.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or too few positions are found.
    pub(crate) fn load(files: &[PathBuf], selection: &Selection) -> Result<Self, DatasetError> {
        let mut parts = Parts::default();
        for file in files {
            read_games(file, &selection.labels, |game, samples| {
                parts
                    .of(game, selection.validation_permille)
                    .extend(samples);
            })?;
        }
        Self::shuffled(parts, selection.seed)
    }

    /// Divides samples, each with a number that identifies its game, and shuffles them.
    ///
    /// # Errors
    ///
    /// If there are too few of either kind.
    #[cfg(test)]
    pub(crate) fn new(
        samples: impl IntoIterator<Item = (u64, Sample)>,
        validation_permille: u32,
        seed: u64,
    ) -> Result<Self, DatasetError> {
        let mut parts = Parts::default();
        for (game, sample) in samples {
            parts.of(game, validation_permille).push(sample);
        }
        Self::shuffled(parts, seed)
    }

    fn shuffled(parts: Parts, seed: u64) -> Result<Self, DatasetError> {
        let Parts {
            mut training,
            mut validation,
        } = parts;
        if training.len() < GROUP || validation.is_empty() {
            return Err(DatasetError::TooSmall {
                training: training.len(),
                validation: validation.len(),
            });
        }
        Rng::with_seed(seed).shuffle(&mut training);
        Rng::with_seed(!seed).shuffle(&mut validation);
        // A remainder of fewer than `GROUP` samples is no loss.
        training.truncate(training.len() / GROUP * GROUP);
        Ok(Self {
            training,
            validation,
            seed,
        })
    }

    /// The positions to learn from, in memory's order, to be labelled anew.
    pub(crate) fn training_mut(&mut self) -> &mut [Sample] {
        &mut self.training
    }

    /// How many positions there are to learn from.
    pub(crate) fn len(&self) -> usize {
        self.training.len()
    }

    /// A fingerprint of the positions to learn from and their order.
    pub(crate) fn fingerprint(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for sample in &self.training {
            sample.hash_into(&mut hasher);
        }
        hasher.finalize()
    }

    /// The positions for validation, in random order.
    pub(crate) fn validation(&self) -> &[Sample] {
        &self.validation
    }

    /// The order of all positions to learn from in one epoch: a pure function of the data set's
    /// seed and the number of the epoch.
    pub(crate) fn epoch(&self, number: u64) -> Epoch {
        let mut groups: Vec<u32> = (0..(self.training.len() / GROUP) as u32).collect();
        Rng::with_seed(self.seed ^ number.wrapping_mul(GOLDEN)).shuffle(&mut groups);
        Epoch { number, groups }
    }

    /// The sample at place `n` of an epoch.
    #[inline]
    pub(crate) fn sample(&self, epoch: &Epoch, n: usize) -> &Sample {
        &self.training[epoch.groups[n / GROUP] as usize * GROUP + n % GROUP]
    }
}

/// An order of all positions.
#[derive(Debug)]
pub(crate) struct Epoch {
    number: u64,
    groups: Vec<u32>,
}

impl Epoch {
    /// Which epoch it is, from 0.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }
}

/// Samples divided by game, as they come.
#[derive(Default)]
struct Parts {
    training: Vec<Sample>,
    validation: Vec<Sample>,
}

impl Parts {
    /// Where the samples of a game belong.
    fn of(&mut self, game: u64, validation_permille: u32) -> &mut Vec<Sample> {
        if is_for_validation(game, validation_permille) {
            &mut self.validation
        } else {
            &mut self.training
        }
    }
}

fn is_for_validation(game: u64, permille: u32) -> bool {
    // Spreads consecutive numbers evenly.
    mix(game.wrapping_add(GOLDEN)) % 1000 < u64::from(permille)
}

/// Calls `each` with the samples of every game of a data file, in the order of the file, and with a number
/// that identifies the game. Damaged blocks are logged and skipped.
///
/// # Errors
///
/// If the file cannot be read.
pub(crate) fn read_games(
    path: &Path,
    labels: &Labels,
    mut each: impl FnMut(u64, Vec<Sample>),
) -> Result<(), DatasetError> {
    let mut blocks = DataReader::open(path)?.blocks().peekable();
    while blocks.peek().is_some() {
        let batch: Vec<_> = blocks.by_ref().take(BLOCKS_AT_ONCE).collect();
        let decoded: Vec<_> = batch
            .into_par_iter()
            .map(|block| block.map(|block| samples_of_block(path, &block, labels)))
            .collect();
        for block in decoded {
            match block {
                Ok(games) => {
                    for (game, samples) in games {
                        each(game, samples);
                    }
                }
                Err(damaged @ DataError::Block { .. }) => log::warn!("left out: {damaged}"),
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(())
}

/// The samples of each game, with the number that identifies it.
fn samples_of_block(path: &Path, block: &Block, labels: &Labels) -> Vec<(u64, Vec<Sample>)> {
    match block.decode() {
        Ok(games) => games
            .iter()
            .map(|game| (number_of(game), samples_of_game(game, labels)))
            .collect(),
        Err(fault) => {
            log::warn!(
                "left out: {}, byte {}: {fault}",
                path.display(),
                block.offset
            );
            Vec::new()
        }
    }
}

fn samples_of_game(game: &GameRecord, labels: &Labels) -> Vec<Sample> {
    let mut samples = Vec::new();
    let Ok(mut replay) = game.replay() else {
        return samples;
    };
    let scores = game.scores.iter().map(|score| score.value() as i16);
    let scores = labels.lookahead.scores(scores.collect());
    while let Some(ply) = replay.next_ply() {
        if labels.filter.keeps(&ply) {
            let score = scores[ply.searched_before];
            samples.push(Sample::new(ply.position, score, ply.result));
        }
    }
    samples
}

/// A number that identifies a game: a hash of its moves. So a game is on the same side of the
/// division wherever and however often it is stored.
fn number_of(game: &GameRecord) -> u64 {
    let mut hasher = crc32fast::Hasher::new();
    for mv in &game.moves {
        hasher.update(&mv.bits().to_le_bytes());
    }
    u64::from(hasher.finalize())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::testing::{TempFolder, random_game, write_file};
    use crate::train::synthetic;

    #[test]
    fn an_epoch_shows_every_position_once() {
        let dataset = Dataset::new(synthetic::samples(1).take(5_000), 50, 7).unwrap();
        let places = |number| -> Vec<*const Sample> {
            let epoch = dataset.epoch(number);
            (0..dataset.len())
                .map(|n| std::ptr::from_ref(dataset.sample(&epoch, n)))
                .collect()
        };
        let [first, second] = [places(0), places(1)];
        assert_ne!(first, second);
        assert_eq!(first, places(0));
        for places in [first, second] {
            assert_eq!(
                places.into_iter().collect::<HashSet<_>>().len(),
                dataset.len()
            );
        }
    }

    #[test]
    fn a_game_is_on_one_side_of_the_division() {
        // Numbers the positions' games by their scores, to recognise them afterwards.
        let numbered = synthetic::samples(1).take(20_000).map(|(game, _)| {
            let position = orthrus_core::position::Position::startpos();
            (
                game,
                Sample::new(&position, game as i16, crate::data::GameResult::Draw),
            )
        });
        let dataset = Dataset::new(numbered, 100, 7).unwrap();
        let training: HashSet<_> = dataset.training.iter().map(Sample::score).collect();
        let validation: HashSet<_> = dataset.validation.iter().map(Sample::score).collect();
        assert!(training.is_disjoint(&validation));
        let share = validation.len() as f64 / (training.len() + validation.len()) as f64;
        assert!((0.05..0.15).contains(&share), "{share}");
    }

    #[test]
    fn a_file_is_loaded_as_far_as_it_is_whole() {
        let folder = TempFolder::new();
        let path = folder.file("games.dat");
        let games: Vec<_> = (0..200).map(random_game).collect();
        write_file(&path, &games);
        let labels = Labels {
            filter: Filter::default(),
            lookahead: Lookahead {
                lambda: 0.0,
                scale: 400.0,
            },
        };
        let selection = Selection {
            labels: labels.clone(),
            validation_permille: 100,
            seed: 1,
        };
        let expected: usize = games
            .iter()
            .map(|game| samples_of_game(game, &labels).len())
            .sum();
        let load = || {
            let dataset = Dataset::load(std::slice::from_ref(&path), &selection).unwrap();
            dataset.len() + dataset.validation().len()
        };
        let found = load();
        assert!(found <= expected && found + GROUP > expected);

        let mut bytes = std::fs::read(&path).unwrap();
        let last = bytes.len() - 10;
        bytes[last] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        let whole = Dataset::load(std::slice::from_ref(&path), &selection)
            .map_or(0, |dataset| dataset.len() + dataset.validation().len());
        assert!(whole < found, "a damaged block was trusted");
    }

    #[test]
    fn too_few_positions_are_refused() {
        let error = Dataset::new(synthetic::samples(1).take(10), 50, 7).unwrap_err();
        assert!(matches!(
            error,
            DatasetError::TooSmall {
                training: 10,
                validation: 0
            }
        ));
    }
}
