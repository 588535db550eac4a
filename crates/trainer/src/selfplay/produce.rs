//! Games made by several threads and written in the order of their numbers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded};
use orthrus_core::search::STACK_SIZE;
use thiserror::Error;

use super::game::PlayError;
use crate::data::{DataError, DataWriter, GameRecord};

/// What has been made since the program started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// Games written.
    pub games: u64,
    /// Their positions with a score.
    pub positions: u64,
}

/// Why the production of games stopped. What was written before is intact.
#[derive(Debug, Error)]
pub(crate) enum SelfplayError {
    /// A game could not be played or rescored.
    #[error("game {index}: {error}")]
    Play {
        /// The number of the game.
        index: u64,
        /// What went wrong.
        error: PlayError,
    },
    /// A game that was scored again is not the one that the inputs have in its place.
    #[error(
        "game {0} is another one in the output: the files to read have changed, or their order"
    )]
    OtherGame(u64),
    /// A game could not be read or written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A thread could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
}

/// The work to do: each job yields a game.
pub(super) trait Work: Sync {
    /// What one game is made from.
    type Job;

    /// The next job and the number of its game; `None` when there is no further one. The numbers go
    /// up by one from the first game that the file lacks, so that there are no gaps.
    fn next(&self) -> Option<(u64, Self::Job)>;
}

type Made = (u64, Result<GameRecord, SelfplayError>);

/// Makes games, one at a time for each player, and appends them to `writer` until there is no
/// further job or `stop` is set; then the games in progress are finished. `progress` is called
/// after every game written.
///
/// # Errors
///
/// If a game cannot be made or written; then `stop` is set.
pub(super) fn produce<W: Work, P: Send>(
    work: &W,
    make: impl Fn(u64, W::Job, &mut P) -> Result<GameRecord, SelfplayError> + Sync,
    players: Vec<P>,
    stop: &AtomicBool,
    mut writer: DataWriter,
    progress: impl FnMut(Totals),
) -> Result<Totals, SelfplayError> {
    // A player waits while games arrive faster than they are written; those that are done before an earlier one
    // wait for it in `write_in_order`.
    let (sender, receiver) = bounded(players.len());
    let make = &make;
    thread::scope(|scope| {
        for (number, mut player) in players.into_iter().enumerate() {
            let sender = sender.clone();
            thread::Builder::new()
                .name(format!("player {number}"))
                .stack_size(STACK_SIZE)
                .spawn_scoped(scope, move || serve(work, make, &mut player, stop, &sender))
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

fn serve<W: Work, P>(
    work: &W,
    make: &impl Fn(u64, W::Job, &mut P) -> Result<GameRecord, SelfplayError>,
    player: &mut P,
    stop: &AtomicBool,
    sender: &Sender<Made>,
) {
    while !stop.load(Ordering::Relaxed) {
        let Some((index, job)) = work.next() else {
            return;
        };
        if sender.send((index, make(index, job, player))).is_err() {
            return;
        }
    }
}

/// Writes games as they come, but in the order of their numbers. Drops the receiver after an error,
/// so that no player waits for it.
fn write_in_order(
    games: Receiver<Made>,
    writer: &mut DataWriter,
    mut progress: impl FnMut(Totals),
) -> Result<Totals, SelfplayError> {
    let mut totals = Totals::default();
    let mut early = BTreeMap::new();
    for (index, game) in games {
        early.insert(index, game);
        while let Some(game) = early.remove(&writer.next_game()) {
            let game = game?;
            writer.push(&game)?;
            totals.games += 1;
            totals.positions += game.scores.len() as u64;
            progress(totals);
        }
    }
    Ok(totals)
}
