//! What a search reports while it runs and when it ends: plain data, without a protocol.

use std::fmt;
use std::time::Duration;

use super::bound::Bound;
use super::time::{Budget, Lag};
use crate::book::BookMove;
use crate::evaluation::WinDrawLoss;
use crate::position::{Position, Rules};
use crate::types::{Move, Score};

/// The name of a search, chosen by whoever asks for it; all that is reported of the search carries
/// it. No two searches of a sender have the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SearchId(pub u64);

/// News of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// What was decided for it when it began, for verbose output.
    Plan(Plan),
    /// No search is made: the answer comes from the opening book.
    BookMove {
        /// The move that the answer will have.
        chosen: Move,
        /// The moves to choose from, highest weight first.
        moves: Vec<BookMove>,
    },
    /// A line of thinking.
    Info(SearchInfo),
    /// It has begun the next root move; sent only once it has lasted a second.
    CurrentMove(Progress),
    /// A root move has been searched: the move, and the best line found against it, which may be
    /// empty. Sent only if an option asks for it, once the search has lasted a second.
    Refutation(Vec<Move>),
    /// Its state; sent every second.
    Status(Status),
    /// The line that each thread is searching, in the order of the threads; sent after every
    /// [`Report::Status`] if an option asks for it.
    CurrentLines(Vec<Vec<Move>>),
    /// The answer, and the end of all news. The last [`Report::Info`] before it is sent as soon as
    /// the search has ended; its line begins with `best`, and its score is exact, or a lower bound
    /// if the search was interrupted before it knew how much better than expected the move is.
    BestMove {
        /// The move to play; `None` if there is no legal move (or none among the search moves).
        best: Option<Move>,
        /// The reply expected from the opponent.
        ponder: Option<Move>,
    },
}

/// One line of thinking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchInfo {
    /// Depth of the iteration in plies. 0 only if there was nothing to search.
    pub depth: u32,
    /// The deepest ply reached in this iteration.
    pub seldepth: u32,
    /// Rank of this line among several, from 1.
    pub multipv: usize,
    /// Score from the side to move's point of view.
    pub score: Score,
    /// What `score` says about the true score.
    pub bound: Bound,
    /// Whether the endgame tables call the game a draw after the first move of the line, be it by the
    /// fifty-move rule. `score` then only says who would win without that rule.
    pub is_table_draw: bool,
    /// Nodes searched by all threads since the search began.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Occupation of the transposition table in permille.
    pub hashfull: u32,
    /// Positions found in endgame tables.
    pub tbhits: u64,
    /// The expected line of play; legal to its last move, empty only if there is no legal move.
    pub pv: Vec<Move>,
}

impl SearchInfo {
    /// Nodes per second; 0 while no time has passed.
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }

    /// The chances of the side to move of `root`, where the line begins.
    pub fn chances<R: Rules>(&self, root: &Position<R>) -> WinDrawLoss {
        if self.is_table_draw {
            WinDrawLoss::DRAW
        } else {
            WinDrawLoss::new(self.score, root)
        }
    }

    /// Whether it differs from `earlier` only in the time, and in what the table holds by then.
    pub fn repeats(&self, earlier: &Self) -> bool {
        let later = Self {
            time: self.time,
            hashfull: self.hashfull,
            ..earlier.clone()
        };
        *self == later
    }
}

/// Nodes per second, 0 while no time has passed.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (u128::from(nodes) * 1_000_000)
        .checked_div(time.as_micros())
        .unwrap_or(0) as u64
}

/// How far a search has come, without a line of thinking. The default is that of one that begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Nodes searched by all threads since the search began.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Occupation of the transposition table in permille.
    pub hashfull: u32,
    /// Positions found in endgame tables.
    pub tbhits: u64,
    /// Processor use since the search began, in permille; 1,000 if every search thread was running
    /// all the time. `None` if the system does not report it.
    pub cpu_load: Option<u32>,
}

/// What was decided for a search when it began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The time to think, from the ponder hit if there is one; `None` if no clock ends the search.
    pub budget: Option<Budget>,
    /// The nodes in place of the time to think, if clocks count nodes.
    pub nodes: Option<u64>,
    /// What the last moves have lost besides the thinking.
    pub lag: Lag,
    /// How many threads search.
    pub threads: usize,
    /// Whether the strength is limited.
    pub limited: bool,
    /// Whether endgame tables are used.
    pub endgame_tables: bool,
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.budget, self.nodes) {
            (None, None) => f.write_str("no limit of time")?,
            (None, Some(nodes)) => write!(f, "about {nodes} nodes")?,
            (Some(budget), _) if budget.is_fixed => write!(f, "{:?}", budget.hard)?,
            (Some(budget), _) => {
                write!(f, "about {:.1?}, at most {:.1?}", budget.soft, budget.hard)?;
                let Lag { mean, worst } = self.lag;
                write!(f, ", lag {mean:.1?}, at worst {worst:.1?}")?;
            }
        }
        write!(f, ", threads: {}", self.threads)?;
        if self.limited {
            f.write_str(", below full strength")?;
        }
        if self.endgame_tables {
            f.write_str(", with endgame tables")?;
        }
        Ok(())
    }
}

/// What the search is doing at this moment.
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
