//! Many games at once, written in the order of their numbers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded};
use orthrus_core::search::STACK_SIZE;
use thiserror::Error;

use super::game::{PlayError, play_game};
use super::player::Player;
use crate::data::{DataError, DataWriter, GameRecord, Run};

/// When to begin no further game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// When the file holds so many games.
    Games(u64),
    /// At this moment.
    Until(Instant),
}

/// What has been played since the program began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Games written.
    pub games: u64,
    /// Their positions with a score.
    pub positions: u64,
}

/// Why self-play broke off. What was written before is whole.
#[derive(Debug, Error)]
pub enum SelfplayError {
    /// A game could not be played.
    #[error("game {index}: {error}")]
    Play {
        /// The number of the game.
        index: u64,
        /// What went wrong.
        error: PlayError,
    },
    /// A game could not be written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The system gave no thread.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
}

/// Hands out the numbers of games.
#[derive(Debug)]
struct Schedule<'a> {
    next: AtomicU64,
    goal: Goal,
    stop: &'a AtomicBool,
}

impl Schedule<'_> {
    /// The next game to play; `None` when no further one is to begin. Every number handed out is
    /// played, so that the file has no gaps.
    fn next(&self) -> Option<u64> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        match self.goal {
            Goal::Until(moment) if Instant::now() >= moment => None,
            Goal::Until(_) => Some(self.next.fetch_add(1, Ordering::Relaxed)),
            Goal::Games(games) => self
                .next
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
                    (next < games).then(|| next + 1)
                })
                .ok(),
        }
    }
}

type Played = (u64, Result<GameRecord, PlayError>);

/// Plays the games of a run, one at a time for each player, and appends them to `writer`, until
/// the goal is reached or `stop` is set; then the games that have begun are finished. `progress`
/// hears of every game written.
///
/// # Errors
///
/// If a game cannot be played or written.
pub fn play<P: Player + Send>(
    run: &Run,
    goal: Goal,
    players: Vec<P>,
    stop: &AtomicBool,
    mut writer: DataWriter,
    progress: impl FnMut(Totals),
) -> Result<Totals, SelfplayError> {
    let schedule = Schedule {
        next: AtomicU64::new(writer.next_game()),
        goal,
        stop,
    };
    // No player gets far ahead of the writer.
    let (sender, receiver) = bounded(players.len());
    thread::scope(|scope| {
        for (number, mut player) in players.into_iter().enumerate() {
            let (schedule, sender) = (&schedule, sender.clone());
            thread::Builder::new()
                .name(format!("self-play {number}"))
                .stack_size(STACK_SIZE)
                .spawn_scoped(scope, move || work(run, schedule, &mut player, &sender))
                .map_err(SelfplayError::Thread)
                .inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
        }
        // Now the channel closes when the last player has finished.
        drop(sender);
        let written = write_in_order(receiver, &mut writer, progress);
        if written.is_err() {
            stop.store(true, Ordering::Relaxed);
        }
        let flushed = writer.finish();
        let totals = written?;
        flushed?;
        Ok(totals)
    })
}

fn work(run: &Run, schedule: &Schedule<'_>, player: &mut impl Player, sender: &Sender<Played>) {
    while let Some(index) = schedule.next() {
        let game = play_game(run, index, player);
        if sender.send((index, game)).is_err() {
            return;
        }
    }
}

/// Writes games as they come, but in the order of their numbers. After an error nobody waits for
/// the receiver, so that no player does.
fn write_in_order(
    games: Receiver<Played>,
    writer: &mut DataWriter,
    mut progress: impl FnMut(Totals),
) -> Result<Totals, SelfplayError> {
    let mut totals = Totals::default();
    let mut early = BTreeMap::new();
    for (index, game) in games {
        early.insert(index, game);
        while let Some(game) = early.remove(&writer.next_game()) {
            let index = writer.next_game();
            let game = game.map_err(|error| SelfplayError::Play { index, error })?;
            writer.push(&game)?;
            totals.games += 1;
            totals.positions += game.scores.len() as u64;
            progress(totals);
        }
    }
    Ok(totals)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::data::{DataReader, Manifest};
    use crate::testing::{GreedyPlayer, TempFolder, test_run};

    fn play_into(
        path: &Path,
        games: u64,
        threads: usize,
        stop: &AtomicBool,
        stop_at: u64,
    ) -> Totals {
        let run = test_run(3);
        let manifest = Manifest {
            runs: vec![run.clone()],
        };
        let writer = if path.exists() {
            DataWriter::append(path, &manifest).unwrap()
        } else {
            DataWriter::create(path, &manifest).unwrap()
        };
        let players = (0..threads).map(|_| GreedyPlayer::new(3)).collect();
        play(&run, Goal::Games(games), players, stop, writer, |totals| {
            if totals.games == stop_at {
                stop.store(true, Ordering::Relaxed);
            }
        })
        .unwrap()
    }

    fn games(path: &Path) -> Vec<GameRecord> {
        let games = DataReader::open(path).unwrap().games();
        games.map(Result::unwrap).collect()
    }

    #[test]
    fn threads_and_interruptions_do_not_change_the_games() {
        let folder = TempFolder::new("run");
        let (one, many) = (folder.file("one"), folder.file("many"));
        let go = AtomicBool::new(false);
        let totals = play_into(&one, 40, 1, &go, u64::MAX);
        assert_eq!(totals.games, 40);
        let expected = games(&one);
        assert_eq!(expected.len(), 40);
        let positions: usize = expected.iter().map(|game| game.scores.len()).sum();
        assert_eq!(totals.positions, positions as u64);

        // One player is never far ahead of the writer, which interrupts it.
        let interrupted = AtomicBool::new(false);
        let totals = play_into(&many, 40, 1, &interrupted, 7);
        assert!((7..20).contains(&totals.games), "{totals:?}");
        assert_eq!(games(&many), expected[..totals.games as usize]);
        play_into(&many, 40, 3, &go, u64::MAX);
        assert_eq!(games(&many), expected);
        assert_eq!(play_into(&many, 40, 2, &go, u64::MAX), Totals::default());
    }

    #[test]
    fn a_moment_in_the_past_begins_no_game() {
        let folder = TempFolder::new("deadline");
        let path = folder.file("games");
        let writer = DataWriter::create(&path, &Manifest::default()).unwrap();
        let stop = AtomicBool::new(false);
        let players = vec![GreedyPlayer::new(0)];
        let goal = Goal::Until(Instant::now());
        let totals = play(&test_run(0), goal, players, &stop, writer, |_| {}).unwrap();
        assert_eq!(totals, Totals::default());
        assert!(games(&path).is_empty());
    }

    #[test]
    fn a_game_that_cannot_be_played_ends_the_run() {
        let folder = TempFolder::new("unplayable");
        let writer = DataWriter::create(&folder.file("games"), &Manifest::default()).unwrap();
        let mut run = test_run(0);
        run.opening.max_score = -1;
        let stop = AtomicBool::new(false);
        let players = vec![GreedyPlayer::new(0), GreedyPlayer::new(0)];
        let error = play(&run, Goal::Games(1_000), players, &stop, writer, |_| {}).unwrap_err();
        assert!(matches!(
            error,
            SelfplayError::Play {
                index: 0,
                error: PlayError::NoOpening
            }
        ));
        assert!(
            stop.load(Ordering::Relaxed),
            "the other threads are stopped"
        );
    }
}
