//! Time controls and both clocks, and what they leave for one move (sections 8 and 11).

use std::time::{Duration, Instant};

use orthrus_core::search::{Clock, Limits, TimeMeasure};
use orthrus_core::types::{Color, ColorMap};

/// Time per move where `st 0` stands for a fraction of a second and no clock says which.
const SHORTEST_MOVE_TIME: Duration = Duration::from_millis(10);
/// A clock that reads less than foreseen by more than this makes a ponder search's budget worthless;
/// see [`tolerance`] for short and long clocks.
const CLOCK_TOLERANCE: Duration = Duration::from_millis(100);
/// Of a short clock at most one part in so many.
const SHORT_CLOCK_DIVISOR: u32 = 10;
/// Of a long clock at least one part in so many.
const LONG_CLOCK_DIVISOR: u32 = 50;

/// `level MPS BASE INC`: so much time for so many moves, or for the whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    /// Moves in a session, after which the base is added again; `None` is the whole game.
    pub(crate) moves: Option<u32>,
    /// Time for a session.
    pub(crate) base: Duration,
    /// Time added after every move.
    pub(crate) increment: Duration,
}

/// How binding a level is beside an `st`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LevelSource {
    /// Nobody has sent one.
    Default,
    /// It was sent before the last `new`.
    EarlierGame,
    /// It was sent since.
    ThisGame,
}

/// What counts the time of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    /// The clock on the wall.
    WallClock,
    /// What processors have worked.
    Processor,
    /// Nodes, so many to a second.
    Nodes(u64),
}

/// Whose turn it is, and how far the game has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// The side to move.
    pub(crate) side: Color,
    /// Plies played since the set-up.
    pub(crate) plies: usize,
}

/// The time control and both clocks.
///
/// Clocks belong to colours. `time` and `otim` speak of "own" and "the opponent's" clock; which
/// colours these are is known only when the engine takes a side, because `go` may follow and
/// change it: python-chess and XBoard send `time`, `otim`, `go`. So readings wait in `told` until
/// [`Clocks::associate`].
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    level: Level,
    source: LevelSource,
    /// Time per move, if `st` was sent.
    move_time: Option<Duration>,
    /// Depth limit, if `sd` was sent.
    depth: Option<u32>,
    measure: Measure,
    remaining: ColorMap<Duration>,
    told: Told,
    /// What `time` said last, since the control began.
    reading: Option<Duration>,
    /// Both clocks have been told of since then.
    both_read: bool,
    /// Which clock runs, and since when.
    running: Option<(Color, Instant)>,
    /// Plies played when the session began.
    session_start: usize,
}

/// Readings that wait for their colours.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    own: Option<Duration>,
    opponent: Option<Duration>,
}

impl Default for Clocks {
    /// Forty moves in five minutes, until someone says otherwise: XBoard's own default.
    fn default() -> Self {
        let level = Level {
            moves: Some(40),
            base: Duration::from_secs(300),
            increment: Duration::ZERO,
        };
        Self {
            level,
            source: LevelSource::Default,
            move_time: None,
            depth: None,
            measure: Measure::WallClock,
            remaining: ColorMap::from_fn(|_| level.base),
            told: Told::default(),
            reading: None,
            both_read: false,
            running: None,
            session_start: 0,
        }
    }
}

impl Clocks {
    /// `new`: the control stays, its clocks begin again; `sd` and `nps` are forgotten.
    pub(crate) fn new_game(&mut self) {
        self.depth = None;
        self.measure = Measure::WallClock;
        if self.source == LevelSource::ThisGame {
            self.source = LevelSource::EarlierGame;
        }
        self.restart(0);
    }

    /// `level`: replaces the control before. In mid-game its moves and its time count from now.
    pub(crate) fn set_level(&mut self, level: Level, plies: usize) {
        self.level = level;
        self.source = LevelSource::ThisGame;
        self.move_time = None;
        self.restart(plies);
    }

    /// `st`: adds to a `level` of the same game, and replaces one of an earlier game.
    pub(crate) fn set_move_time(&mut self, time: Duration) {
        self.move_time = Some(time);
    }

    /// The old `level 1 TIME`: replaces every other control.
    pub(crate) fn set_move_time_only(&mut self, time: Duration) {
        self.move_time = Some(time);
        self.source = LevelSource::EarlierGame;
    }

    /// `sd`: holds until `new`.
    pub(crate) fn set_depth(&mut self, depth: u32) {
        self.depth = Some(depth);
    }

    /// `nps`: holds until `new`. Rate 0 asks for CPU time.
    pub(crate) fn set_node_rate(&mut self, rate: u64) {
        self.measure = match rate {
            0 => Measure::Processor,
            rate => Measure::Nodes(rate),
        };
    }

    /// `time`
    pub(crate) fn tell_own(&mut self, reading: Duration) {
        self.told.own = Some(reading);
    }

    /// `otim`
    pub(crate) fn tell_opponent(&mut self, reading: Duration) {
        self.told.opponent = Some(reading);
    }

    /// The position was set up anew: sessions count from here.
    pub(crate) fn set_up(&mut self) {
        self.session_start = 0;
    }

    /// The engine plays `us`: the readings told get their colours. Both clocks stop before that, for
    /// what has run until now is in the readings.
    pub(crate) fn associate(&mut self, us: Color, now: Instant) {
        self.stop(now);
        let told = std::mem::take(&mut self.told);
        self.both_read |= told.own.is_some() && told.opponent.is_some();
        if let Some(reading) = told.own {
            self.reading = told.own;
            self.remaining[us] = reading;
        }
        if let Some(reading) = told.opponent {
            self.remaining[!us] = reading;
        }
    }

    /// Starts the clock of `color`, and stops the other.
    pub(crate) fn start(&mut self, color: Color, now: Instant) {
        self.stop(now);
        self.running = Some((color, now));
    }

    /// Stops both clocks.
    pub(crate) fn stop(&mut self, now: Instant) {
        if let Some((color, since)) = self.running.take() {
            let used = now.saturating_duration_since(since);
            self.remaining[color] = self.remaining[color].saturating_sub(used);
        }
    }

    /// A pause of this length did not count.
    pub(crate) fn skip(&mut self, pause: Duration) {
        if let Some((_, since)) = &mut self.running {
            *since += pause;
        }
    }

    /// A move was made, which led to `after`: the clock of the mover gets what it has earned, and
    /// that of the side to move runs.
    pub(crate) fn press(&mut self, after: Turn, now: Instant) {
        self.start(after.side, now);
        self.earn(after);
    }

    /// As [`Clocks::press`], while no clock runs: a move that is forced earns as much as any other
    /// (section 8, `time`).
    pub(crate) fn earn(&mut self, after: Turn) {
        let earned = self.earned(after);
        self.remaining[!after.side] += earned;
    }

    /// The move that led to `after` is taken back, and what it earned with it.
    pub(crate) fn take_back(&mut self, after: Turn) {
        let earned = self.earned(after);
        let remaining = &mut self.remaining[!after.side];
        *remaining = remaining.saturating_sub(earned);
    }

    /// What the move that led to `after` has earned: nothing, if it was made before this control.
    fn earned(&self, after: Turn) -> Duration {
        match (self.moves_made(!after.side, after), self.level.moves) {
            (0, _) => Duration::ZERO,
            (made, Some(session)) if made.is_multiple_of(session) => {
                self.level.increment + self.level.base
            }
            _ => self.level.increment,
        }
    }

    /// What the engine, playing `us`, may use for its next move, from `start` on.
    pub(crate) fn limits(&self, us: Color, turn: Turn, start: Instant) -> Limits {
        let mut limits = Limits::none(start);
        limits.depth = self.depth;
        if self.uses_level() {
            let moves_to_go = self
                .level
                .moves
                .map(|session| session - self.moves_made(us, turn) % session);
            limits.moves_to_go = moves_to_go;
            limits.clocks = ColorMap::from_fn(|color| {
                Some(Clock {
                    remaining: self.remaining[color],
                    increment: self.level.increment,
                })
            });
        }
        limits.move_time = self.move_time.map(|time| self.exact_move_time(time));
        if self.measure != Measure::WallClock {
            limits.measure = TimeMeasure::Processor;
        }
        if let Measure::Nodes(rate) = self.measure {
            limits.count_time_in_nodes(us, rate, Duration::ZERO);
        }
        limits
    }

    /// Clients that know only whole seconds say 0 for a fraction; then the clock shows which.
    fn exact_move_time(&self, time: Duration) -> Duration {
        if time.is_zero() {
            let reading = self.reading.unwrap_or_default();
            reading.clamp(SHORTEST_MOVE_TIME, Duration::from_secs(1))
        } else {
            time
        }
    }

    /// A depth limit alone, or a time per move, is a complete control: no level is guessed. But
    /// where both clocks are told of, they are to be kept to, whatever their level is. cutechess
    /// tells of one, with a day on it, where it has none.
    fn uses_level(&self) -> bool {
        match self.source {
            LevelSource::ThisGame => true,
            LevelSource::EarlierGame => self.move_time.is_none(),
            LevelSource::Default => {
                self.move_time.is_none() && (self.depth.is_none() || self.both_read)
            }
        }
    }

    fn restart(&mut self, plies: usize) {
        let start = if self.level.base.is_zero() {
            self.level.increment
        } else {
            self.level.base
        };
        self.remaining = ColorMap::from_fn(|_| start);
        self.told = Told::default();
        self.reading = None;
        self.both_read = false;
        self.running = None;
        self.session_start = plies;
    }

    /// How many moves `color` has made in this control, with `turn` on the board.
    fn moves_made(&self, color: Color, turn: Turn) -> u32 {
        let plies = turn.plies.saturating_sub(self.session_start);
        let moves = if turn.side == color {
            plies / 2
        } else {
            plies.div_ceil(2)
        };
        u32::try_from(moves).unwrap_or(u32::MAX)
    }
}

/// Whether a search begun under `foreseen` may go on when `actual` holds: nothing but the clocks
/// differs, and these read not much less than foreseen.
pub(crate) fn still_valid(foreseen: &Limits, actual: &Limits, us: Color) -> bool {
    let clock_holds = match (foreseen.clocks[us], actual.clocks[us]) {
        (Some(foreseen), Some(actual)) => {
            foreseen.increment == actual.increment
                && foreseen.remaining.saturating_sub(actual.remaining)
                    <= tolerance(foreseen.remaining)
        }
        (None, None) => true,
        _ => false,
    };
    clock_holds
        && foreseen.measure == actual.measure
        && foreseen.moves_to_go == actual.moves_to_go
        && foreseen.move_time == actual.move_time
        && foreseen.depth == actual.depth
        && foreseen.nodes == actual.nodes
        && foreseen.search_moves == actual.search_moves
}

/// By how much less than foreseen a clock may read for a budget to hold.
fn tolerance(remaining: Duration) -> Duration {
    CLOCK_TOLERANCE
        .min(remaining / SHORT_CLOCK_DIVISOR)
        .max(remaining / LONG_CLOCK_DIVISOR)
}

#[cfg(test)]
mod tests;
