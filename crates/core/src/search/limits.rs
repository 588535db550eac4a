//! What ends a search.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::threads::stop::StopToken;
use crate::types::{Color, ColorMap, Move};

/// How the time of a search is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeMeasure {
    /// Wall-clock time.
    #[default]
    Wall,
    /// Processor time of this process, all threads together.
    Processor,
}

/// What one side has left on its clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left until the flag falls.
    pub remaining: Duration,
    /// Time added after every move.
    pub increment: Duration,
}

/// Everything that may end a search; whichever comes first does.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When the front end was asked to search: the moment from which time counts.
    pub start: Instant,
    /// How time is measured.
    pub measure: TimeMeasure,
    /// The clocks of both sides. A side without one is not timed.
    pub clocks: ColorMap<Option<Clock>>,
    /// Moves until more time is added, at least 1; `None` if the clock must last for the game.
    pub moves_to_go: Option<u32>,
    /// Use this much time, less the overhead, of which at most half is taken off.
    pub move_time: Option<Duration>,
    /// Search no deeper than this many plies, at least 1.
    pub depth: Option<u32>,
    /// Search no more nodes than this, over all threads; several threads overshoot it a little.
    pub nodes: Option<u64>,
    /// Begin no further iteration after this many nodes.
    pub soft_nodes: Option<u64>,
    /// The same as [`soft_nodes`](Self::soft_nodes), but flexible like a clock: more while the
    /// search is unsettled, and fewer if there is little to think about.
    pub elastic_nodes: Option<u64>,
    /// Look for the shortest mate in at most this many moves, and prove it; in a variant, search to
    /// twice as many plies, at least 12, and prove nothing.
    pub mate: Option<u32>,
    /// Do not answer before a stop, even if there is nothing left to search.
    pub infinite: bool,
    /// Think on the opponent's time: do not answer before a ponder hit or a stop. The hard limit of
    /// the clock and `move_time` count from the ponder hit, the soft limit from the beginning.
    pub ponder: bool,
    /// Search for the opponent's move on the opponent's time: part of the game, as strong as our
    /// own, with our contempt.
    pub for_opponent: bool,
    /// End when this is stopped. It may belong to more than this search.
    pub stop: Option<Arc<StopToken>>,
    /// Consider only these moves; all legal ones if `None`. If it is empty, the answer is no move,
    /// at once unless it has to wait.
    pub search_moves: Option<Vec<Move>>,
}

impl Limits {
    /// No limit: search until stopped, but answer when there is nothing left to search.
    pub fn none(start: Instant) -> Self {
        Self {
            start,
            measure: TimeMeasure::Wall,
            clocks: ColorMap::default(),
            moves_to_go: None,
            move_time: None,
            depth: None,
            nodes: None,
            soft_nodes: None,
            elastic_nodes: None,
            mate: None,
            infinite: false,
            ponder: false,
            for_opponent: false,
            stop: None,
            search_moves: None,
        }
    }

    /// To this depth in plies.
    pub fn depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            ..Self::none(Instant::now())
        }
    }

    /// For this many nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::none(Instant::now())
        }
    }

    /// Whether time ends the search of `side`.
    pub fn is_timed(&self, side: Color) -> bool {
        self.move_time.is_some() || self.clocks[side].is_some()
    }

    /// Whether the user has said where the search ends, other than by a clock: at a depth, after some
    /// nodes or a time, with a mate.
    pub fn has_end(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.move_time.is_some()
            || self.mate.is_some()
    }
}

impl fmt::Display for Limits {
    /// What is limited, for a log: `white 60s+1s black 59s+1s depth 5`; empty without limits. Root
    /// moves are only counted, because their text depends on the position.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clock = |color: Color| {
            let clock = self.clocks[color]?;
            Some(format!("{:?}+{:?}", clock.remaining, clock.increment))
        };
        let search_moves = self.search_moves.as_ref().map(Vec::len);
        let values = [
            ("white", clock(Color::White)),
            ("black", clock(Color::Black)),
            (
                "moves_to_go",
                self.moves_to_go.map(|moves| moves.to_string()),
            ),
            ("move_time", self.move_time.map(|time| format!("{time:?}"))),
            ("depth", self.depth.map(|depth| depth.to_string())),
            ("nodes", self.nodes.map(|nodes| nodes.to_string())),
            ("mate", self.mate.map(|moves| moves.to_string())),
            ("search_moves", search_moves.map(|count| count.to_string())),
        ];
        let values = values
            .into_iter()
            .filter_map(|(name, value)| Some(format!("{name} {}", value?)));
        let by_processor = self.measure == TimeMeasure::Processor;
        let flags = [
            ("infinite", self.infinite),
            ("ponder", self.ponder),
            ("for_opponent", self.for_opponent),
            ("processor_time", by_processor),
        ];
        let flags = flags
            .into_iter()
            .filter(|&(_, set)| set)
            .map(|(name, _)| name.to_owned());
        f.write_str(&flags.chain(values).collect::<Vec<_>>().join(" "))
    }
}
