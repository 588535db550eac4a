//! Books from games.

use std::collections::HashMap;

use super::entry::{ENTRY_SIZE, Entry, encode};
use super::key::{BookKey, position_key};
use crate::position::Position;
use crate::types::{Color, Move};

/// What a move's weight is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighting {
    /// Two points for each game its side won, one for each draw; a move that never scored is left
    /// out.
    Results,
    /// The number of games.
    Games,
}

/// Counts the moves of games.
#[derive(Clone, Debug, Default)]
pub struct BookBuilder {
    moves: HashMap<(BookKey, u16), Count>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    games: u64,
    /// Two for each win, one for each draw.
    points: u64,
}

impl Count {
    fn weight(self, weighting: Weighting) -> u64 {
        match weighting {
            Weighting::Results => self.points,
            Weighting::Games => self.games,
        }
    }
}

impl BookBuilder {
    /// Counts the first `max_plies` moves of a game, up to the first that is not legal. A move that
    /// recurs within the game counts as if in another game, as with Polyglot. `winner` is `None`
    /// for a draw and for an unknown result.
    pub fn add(
        &mut self,
        start: &Position,
        moves: impl IntoIterator<Item = Move>,
        winner: Option<Color>,
        max_plies: usize,
    ) {
        let mut position = start.clone();
        for mv in moves.into_iter().take(max_plies) {
            if !position.is_legal(mv) {
                return;
            }
            let count = self.moves.entry((position_key(&position), encode(mv)));
            let count = count.or_default();
            count.games += 1;
            count.points += match winner {
                Some(color) if color == position.side_to_move() => 2,
                Some(_) => 0,
                None => 1,
            };
            position.make_move(mv);
        }
    }

    /// How many different moves have been counted.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether nothing has been counted.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The entries of all moves that occurred in at least `min_games` games, by key, highest weight
    /// first. If a weight does not fit into 16 bits, all weights of its position are scaled by the
    /// same factor, but none below 1.
    pub fn entries(&self, weighting: Weighting, min_games: u64) -> Vec<Entry> {
        let kept = |count: &Count| count.games >= min_games && count.weight(weighting) > 0;
        let kept = || self.moves.iter().filter(move |(_, count)| kept(count));
        let mut heaviest: HashMap<BookKey, u64> = HashMap::new();
        for ((key, _), count) in kept() {
            let heaviest = heaviest.entry(*key).or_default();
            *heaviest = (*heaviest).max(count.weight(weighting));
        }
        let limit = u64::from(u16::MAX);
        let mut entries: Vec<Entry> = kept()
            .map(|(&(key, code), count)| {
                let weight = count.weight(weighting);
                let scale = heaviest.get(&key).map_or(limit, |&most| most.max(limit));
                let weight = u128::from(weight) * u128::from(limit) / u128::from(scale);
                Entry {
                    key,
                    code,
                    weight: weight.clamp(1, u128::from(limit)) as u16,
                    learn: 0,
                }
            })
            .collect();
        entries.sort_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight), entry.code));
        entries
    }
}

/// The content of a book file.
pub fn file_content(entries: &[Entry]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(entries.len() * ENTRY_SIZE);
    bytes.extend(entries.iter().flat_map(|entry| entry.to_bytes()));
    bytes
}
