//! Existing games scored again by a better player: moves and results stay, scores are new.

use std::fs::{self, File};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use orthrus_core::fen::{self, CastlingLetters};

use super::game::PlayError;
use super::player::Player;
use super::produce::{SelfplayError, Totals, Work, produce};
use crate::data::{DataError, DataReader, DataWriter, GameRecord, NOT_QUIET, SearchRules, intact};

/// Yields games in order, with their numbers.
struct Source<I> {
    games: Mutex<(u64, I)>,
}

impl<I: Iterator<Item = Result<GameRecord, DataError>> + Send> Work for Source<I> {
    type Job = Result<GameRecord, DataError>;

    fn next(&self) -> Option<(u64, Self::Job)> {
        // Even a thread that panicked has left number and games in step.
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let (number, games) = &mut *games;
        let game = games.next()?;
        *number += 1;
        Some((*number - 1, game))
    }
}

/// How many games the file `output` has, if it exists, and those of all `inputs`, in order, that it lacks: so far
/// it must have the same ones, but for the scores. Damaged blocks of the inputs are reported and skipped.
///
/// # Errors
///
/// It has others, or a file cannot be read.
pub(crate) fn lacking(
    inputs: Vec<DataReader<File>>,
    output: &Path,
) -> Result<
    (
        u64,
        impl Iterator<Item = Result<GameRecord, DataError>> + Send + use<>,
    ),
    SelfplayError,
> {
    let mut found = 0;
    let games = inputs.into_iter().flat_map(DataReader::games);
    let mut games = intact(games, |damaged| log::warn!("{damaged}"));
    if fs::metadata(output).is_ok_and(|found| found.len() > 0) {
        let written = DataReader::open(output)?.games();
        // A block that was cut off is overwritten.
        for there in written.map_while(Result::ok) {
            let scores = there.scores.clone();
            let game = games.next().transpose()?;
            if game.is_none_or(|game| GameRecord { scores, ..game } != there) {
                return Err(SelfplayError::OtherGame(found));
            }
            found += 1;
        }
    }
    Ok((found, games))
}

/// Gives every one of `games`, which are those that `writer`'s file [lacks](lacking), the scores of
/// `players`, which search each position after the opening within the limits of `search`, and appends it,
/// until all are there or `stop` is set.
///
/// # Errors
///
/// If a file cannot be read or written, or a player has no move for a position.
pub(crate) fn rescore<P: Player + Send>(
    games: impl Iterator<Item = Result<GameRecord, DataError>> + Send,
    search: SearchRules,
    players: Vec<P>,
    stop: &AtomicBool,
    writer: DataWriter,
    progress: impl FnMut(Totals),
) -> Result<Totals, SelfplayError> {
    let source = Source {
        games: Mutex::new((writer.next_game(), games)),
    };
    let make = |index, game: Result<GameRecord, DataError>, player: &mut P| {
        think_again(game?, search, player).map_err(|error| SelfplayError::Play { index, error })
    };
    produce(&source, make, players, stop, writer, progress)
}

/// The game with new scores, or [`NOT_QUIET`].
fn think_again(
    mut game: GameRecord,
    search: SearchRules,
    player: &mut impl Player,
) -> Result<GameRecord, PlayError> {
    player.new_game();
    let mut scores = Vec::with_capacity(game.scores.len());
    let mut replay = game.replay()?;
    while let Some(ply) = replay.next_ply() {
        if ply.score.is_none() {
            continue;
        }
        // No filter keeps these, whatever their score, so they need not be searched.
        let is_noisy = ply.mv.is_tactical() || ply.position.in_check();
        scores.push(if is_noisy {
            NOT_QUIET
        } else {
            let (best, score) = player
                .think(ply.position, search.soft_nodes, search.hard_nodes)
                .ok_or_else(|| {
                    PlayError::NoMove(fen::write(ply.position, CastlingLetters::RookFiles))
                })?;
            if best.is_tactical() { NOT_QUIET } else { score }
        });
    }
    game.scores = scores;
    Ok(game)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::data::{Filter, Manifest};
    use crate::testing::{GreedyPlayer, TempFolder, games, random_game, test_run, write_file};

    fn open(paths: &[PathBuf]) -> Vec<DataReader<File>> {
        let readers = paths.iter().map(|path| DataReader::open(path).unwrap());
        readers.collect()
    }

    /// Files with the first of these games, and with the rest.
    fn in_two_files(folder: &TempFolder, games: &[GameRecord], first: usize) -> [PathBuf; 2] {
        let files = ["a", "b"].map(|name| folder.file(name));
        write_file(&files[0], &games[..first]);
        write_file(&files[1], &games[first..]);
        files
    }

    /// Stops after `stop_at` games.
    fn rescore_into(path: &Path, inputs: &[PathBuf], threads: usize, stop_at: u64) -> Totals {
        let (_, games) = lacking(open(inputs), path).unwrap();
        let manifest = Manifest::default();
        let writer = DataWriter::open(path, &manifest).unwrap();
        let stop = AtomicBool::new(false);
        let players = (0..threads).map(|_| GreedyPlayer::new(7)).collect();
        let search = test_run(0).search;
        rescore(games, search, players, &stop, writer, |totals| {
            if totals.games == stop_at {
                stop.store(true, std::sync::atomic::Ordering::Relaxed);
            }
        })
        .unwrap()
    }

    #[test]
    fn scores_are_those_of_the_player_and_all_else_stays() {
        let folder = TempFolder::new();
        let before: Vec<GameRecord> = (0..60).map(random_game).collect();
        let inputs = in_two_files(&folder, &before, 40);
        let whole = folder.file("whole");
        assert_eq!(rescore_into(&whole, &inputs, 1, u64::MAX).games, 60);
        let after = games(&whole);
        let mut player = GreedyPlayer::new(7);
        for (before, after) in before.iter().zip(&after) {
            let mut replay = after.replay().unwrap();
            while let Some(ply) = replay.next_ply() {
                if let Some(score) = ply.score {
                    let (best, expected) = player.think(ply.position, 1, 1).unwrap();
                    let is_noisy = ply.mv.is_tactical() || ply.position.in_check();
                    if is_noisy || best.is_tactical() {
                        assert_eq!(score, NOT_QUIET);
                        assert!(!Filter::default().keeps(&ply));
                    } else {
                        assert_eq!(score, expected);
                    }
                }
            }
            let scores = before.scores.clone();
            assert_eq!(scores.len(), after.scores.len());
            assert_eq!(
                before,
                &GameRecord {
                    scores,
                    ..after.clone()
                }
            );
        }

        let parts = folder.file("parts");
        let first = rescore_into(&parts, &inputs, 1, 17).games;
        assert!((17..30).contains(&first), "{first}");
        assert_eq!(rescore_into(&parts, &inputs, 3, u64::MAX).games, 60 - first);
        assert!(games(&parts) == after);
        assert_eq!(
            rescore_into(&parts, &inputs, 2, u64::MAX),
            Totals::default()
        );
    }

    /// As when one of several files has grown meanwhile, or is missing.
    #[test]
    fn games_are_not_taken_for_others() {
        let folder = TempFolder::new();
        let games: Vec<GameRecord> = (0..30).map(random_game).collect();
        let inputs = in_two_files(&folder, &games[..20], 10);
        let output = folder.file("output");
        assert_eq!(rescore_into(&output, &inputs, 1, u64::MAX).games, 20);
        let check = |inputs: &[PathBuf]| {
            lacking(open(inputs), &output).map(|(found, rest)| (found, rest.count()))
        };
        assert!(matches!(check(&inputs), Ok((20, 0))));
        let refused = check(&inputs[..1]);
        assert!(
            matches!(refused, Err(SelfplayError::OtherGame(10))),
            "{refused:?}"
        );
        fs::remove_file(&inputs[0]).unwrap();
        write_file(&inputs[0], &games[20..]);
        let refused = check(&inputs);
        assert!(
            matches!(refused, Err(SelfplayError::OtherGame(0))),
            "{refused:?}"
        );
    }

    #[test]
    fn a_damaged_block_is_left_out() {
        let folder = TempFolder::new();
        let before: Vec<GameRecord> = (0..20).map(random_game).collect();
        let inputs = in_two_files(&folder, &before, 10);
        let mut bytes = fs::read(&inputs[0]).unwrap();
        let last = bytes.len() - 10;
        bytes[last] ^= 1;
        fs::write(&inputs[0], bytes).unwrap();
        let output = folder.file("output");
        assert_eq!(rescore_into(&output, &inputs, 2, u64::MAX).games, 10);
        for (after, before) in games(&output).iter().zip(&before[10..]) {
            assert_eq!(after.moves, before.moves);
        }
    }
}
