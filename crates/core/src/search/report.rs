//! What a search tells while it runs and when it ends: plain data, without a protocol.

use std::time::Duration;

use crate::types::{Move, Score};

/// How a reported score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the score of the search.
    Exact,
    /// The true score is at least this (the search failed high).
    Lower,
    /// The true score is at most this (the search failed low).
    Upper,
}

/// One line of thinking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchInfo {
    /// Depth of the iteration in plies. 0 only where there was nothing to search.
    pub depth: u32,
    /// The deepest ply reached in this iteration.
    pub seldepth: u32,
    /// Rank of this line among several, from 1.
    pub multipv: usize,
    /// Score from the side to move's point of view.
    pub score: Score,
    /// What `score` says about the true score.
    pub bound: Bound,
    /// Nodes searched by all threads since the search began.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Occupation of the transposition table in permille.
    pub hashfull: u32,
    /// Positions found in endgame tables.
    pub tbhits: u64,
    /// The expected line of play; legal to its last move, empty only where there is no legal move.
    pub pv: Vec<Move>,
}

impl SearchInfo {
    /// Nodes per second; 0 while no time has passed.
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// Nodes per second, 0 while no time has passed.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (u128::from(nodes) * 1_000_000)
        .checked_div(time.as_micros())
        .unwrap_or(0) as u64
}

/// How far a search has come, without a line of thinking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Nodes searched by all threads since the search began.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Occupation of the transposition table in permille.
    pub hashfull: u32,
    /// Positions found in endgame tables.
    pub tbhits: u64,
    /// How much of the processors it was given the program has used since the search began, in
    /// permille; 1,000 if every search thread was running all the time. `None` if the system
    /// does not tell.
    pub cpu_load: Option<u32>,
}

/// What the search is busy with at this moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Depth of the current iteration in plies.
    pub depth: u32,
    /// Nodes searched by all threads since the search began.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// The root move being searched.
    pub current_move: Move,
    /// Its place in the order of search, from 1.
    pub move_number: usize,
    /// How many root moves there are.
    pub move_count: usize,
}
