//! Self-play: the games of a run, from the first one that its file lacks.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use super::game::play_game;
use super::player::Player;
use super::produce::{SelfplayError, Totals, Work, produce};
use crate::data::{DataWriter, Run};

/// When to stop starting games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// When the file holds this many games.
    Games(u64),
    /// At this moment.
    Until(Instant),
}

/// Assigns the numbers of games. Every number assigned is played, so that the file has no gaps.
#[derive(Debug)]
struct Schedule {
    next: AtomicU64,
    goal: Goal,
}

impl Work for Schedule {
    type Job = ();

    fn next(&self) -> Option<(u64, ())> {
        let index = match self.goal {
            Goal::Until(moment) if Instant::now() >= moment => return None,
            Goal::Until(_) => self.next.fetch_add(1, Ordering::Relaxed),
            Goal::Games(games) => self
                .next
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
                    (next < games).then(|| next + 1)
                })
                .ok()?,
        };
        Some((index, ()))
    }
}

/// Plays the games of a run, one at a time for each player, and appends them to `writer`, until the
/// goal is reached or `stop` is set; then the games in progress are finished. `progress` is called
/// after every game written.
///
/// # Errors
///
/// If a game cannot be played or written.
pub(crate) fn play<P: Player + Send>(
    run: &Run,
    goal: Goal,
    players: Vec<P>,
    stop: &AtomicBool,
    writer: DataWriter,
    progress: impl FnMut(Totals),
) -> Result<Totals, SelfplayError> {
    let schedule = Schedule {
        next: AtomicU64::new(writer.next_game()),
        goal,
    };
    let make = |index, (), player: &mut P| {
        play_game(run, index, player).map_err(|error| SelfplayError::Play { index, error })
    };
    produce(&schedule, make, players, stop, writer, progress)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::game::PlayError;
    use super::*;
    use crate::data::Manifest;
    use crate::testing::{GreedyPlayer, TempFolder, games, test_run};

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
            ..Manifest::default()
        };
        let writer = DataWriter::open(path, &manifest).unwrap();
        let players = (0..threads).map(|_| GreedyPlayer::new(3)).collect();
        play(&run, Goal::Games(games), players, stop, writer, |totals| {
            if totals.games == stop_at {
                stop.store(true, Ordering::Relaxed);
            }
        })
        .unwrap()
    }

    #[test]
    fn threads_and_interruptions_do_not_change_the_games() {
        let folder = TempFolder::new();
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
        let folder = TempFolder::new();
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
        let folder = TempFolder::new();
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
