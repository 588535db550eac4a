//! Time controls and both clocks, and what they leave for one move (sections 8 and 11).

use std::time::{Duration, Instant};

use orthrus_core::search::{Clock, Limits, Overhead, TimeMeasure};
use orthrus_core::types::{Color, ColorMap};

/// Time per move if `st 0` stands for a fraction of a second and no clock says which.
const SHORTEST_MOVE_TIME: Duration = Duration::from_millis(10);
/// `time` and `otim` count hundredths of a second, cut off below.
const RESOLUTION: Duration = Duration::from_millis(10);
/// If the clock reads less than foreseen by more than this, a ponder search's budget is void; see
/// [`tolerance`] for short and long clocks.
const CLOCK_TOLERANCE: Duration = Duration::from_millis(100);
/// For short clocks, at most the remaining time divided by this.
const SHORT_CLOCK_DIVISOR: u32 = 10;
/// For long clocks, at least the remaining time divided by this.
const LONG_CLOCK_DIVISOR: u32 = 50;

/// `level MPS BASE INC`: a time for a number of moves, or for the whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    /// Moves in a session, after which the base is added again; `None` is the whole game.
    pub(crate) moves: Option<u32>,
    pub(crate) base: Duration,
    pub(crate) increment: Duration,
}

/// When the level was sent, which decides how it combines with an `st`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LevelSource {
    /// Nobody has sent one.
    Default,
    /// It was sent before the last `new`.
    EarlierGame,
    /// It was sent since.
    ThisGame,
}

/// Whose turn it is, and how far the game has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) side: Color,
    /// Since the set-up, passes included.
    pub(crate) plies: usize,
    /// Before the set-up, by the move number that it had.
    pub(crate) before: usize,
}

/// The time control and both clocks.
///
/// Clocks belong to colours. `time` and `otim` mean the engine's and the opponent's clock; which
/// colours these are is known only when the engine takes a side, because `go` may follow and change
/// it: python-chess and XBoard send `time`, `otim`, `go`. So readings wait in `told` until
/// [`Clocks::associate`].
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    level: Level,
    source: LevelSource,
    /// Time per move, if `st` was sent: adds to a `level` of the same game, and replaces one of an
    /// earlier game.
    pub(crate) move_time: Option<Duration>,
    /// Depth limit, if `sd` was sent; holds until `new`.
    pub(crate) depth: Option<u32>,
    /// If `nps` was sent: time is counted in nodes, this many per second, and 0 means CPU time. Holds
    /// until `new`.
    pub(crate) nps: Option<u64>,
    remaining: ColorMap<Duration>,
    pub(crate) told: Told,
    /// The last `time` since the control began.
    reading: Option<Duration>,
    /// Both `time` and `otim` have been sent since then.
    both_read: bool,
    /// Which clock runs, and since when.
    running: Option<(Color, Instant)>,
    /// Plies played when the session began.
    session_start: usize,
}

/// Readings that wait for their colours.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Told {
    /// `time`
    pub(crate) own: Option<Duration>,
    /// `otim`
    pub(crate) opponent: Option<Duration>,
}

impl Default for Clocks {
    /// Forty moves in five minutes, until the GUI says otherwise: XBoard's own default.
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
            nps: None,
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
    /// `new`: the time control stays, the clocks start again; `sd` and `nps` are forgotten.
    pub(crate) fn new_game(&mut self) {
        self.depth = None;
        self.nps = None;
        if self.source == LevelSource::ThisGame {
            self.source = LevelSource::EarlierGame;
        }
        self.restart(0);
    }

    /// `level`: replaces the earlier control. In mid-game its moves and its time count from now, and a
    /// clock that runs goes on.
    pub(crate) fn set_level(&mut self, level: Level, plies: usize, now: Instant) {
        self.level = level;
        self.source = LevelSource::ThisGame;
        self.move_time = None;
        let running = self.running;
        self.restart(plies);
        self.running = running.map(|(color, _)| (color, now));
    }

    /// The old `level 1 TIME`: replaces every other control.
    pub(crate) fn set_move_time_only(&mut self, time: Duration) {
        self.move_time = Some(time);
        self.source = LevelSource::EarlierGame;
    }

    /// The position was set up anew: sessions count from here.
    pub(crate) fn set_up(&mut self) {
        self.session_start = 0;
    }

    /// The engine plays `us`: assigns the readings to colours. Both clocks stop first, because the
    /// readings include the time until now.
    pub(crate) fn associate(&mut self, us: Color, now: Instant) {
        self.stop(now);
        let told = std::mem::take(&mut self.told);
        self.both_read |= told.own.is_some() && told.opponent.is_some();
        if let Some(reading) = told.own {
            self.reading = told.own;
            self.correct(us, reading);
        }
        if let Some(reading) = told.opponent {
            self.correct(!us, reading);
        }
    }

    /// Sets a clock to its reading, unless our own is exact enough to be what was read: then it knows
    /// what was cut off, which is much where little is left.
    fn correct(&mut self, color: Color, reading: Duration) {
        let kept = self.remaining[color];
        if !(reading..reading + RESOLUTION).contains(&kept) {
            self.remaining[color] = reading;
        }
    }

    /// Starts the clock of `color`, and stops the other.
    pub(crate) fn start(&mut self, color: Color, now: Instant) {
        self.stop(now);
        self.running = Some((color, now));
    }

    pub(crate) fn stop(&mut self, now: Instant) {
        if let Some((color, since)) = self.running.take() {
            let used = now.saturating_duration_since(since);
            self.remaining[color] = self.remaining[color].saturating_sub(used);
        }
    }

    /// Leaves a pause of this length out of the running time.
    pub(crate) fn skip(&mut self, pause: Duration) {
        if let Some((_, since)) = &mut self.running {
            *since += pause;
        }
    }

    /// The move that led to `after` was made: the mover's clock gets what the move earned, and that
    /// of the side to move runs.
    pub(crate) fn press(&mut self, after: Turn, now: Instant) {
        self.start(after.side, now);
        self.earn(after);
    }

    /// As [`Clocks::press`], but starts no clock: a move in force mode earns as much as any other
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

    /// No limit, with the time that `nps` asks to be told of.
    pub(crate) fn unlimited(&self, start: Instant) -> Limits {
        Limits {
            measure: match self.nps {
                None => TimeMeasure::Wall,
                Some(_) => TimeMeasure::Processor,
            },
            ..Limits::none(start)
        }
    }

    /// What the engine, playing `us`, may use for its next move, from `start` on.
    pub(crate) fn limits(&self, us: Color, turn: Turn, start: Instant) -> Limits {
        let mut limits = self.unlimited(start);
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
        if let Some(rate) = self.nps.filter(|&rate| rate > 0) {
            let plies = turn.before + turn.plies;
            let fullmove = u16::try_from(plies / 2 + 1).unwrap_or(u16::MAX);
            limits.count_time_in_nodes(us, fullmove, rate, Overhead::default());
        }
        limits
    }

    /// Clients that know only whole seconds send 0 for a fraction; the time is then taken from the
    /// clock.
    fn exact_move_time(&self, time: Duration) -> Duration {
        if time.is_zero() {
            let reading = self.reading.unwrap_or_default();
            reading.clamp(SHORTEST_MOVE_TIME, Duration::from_secs(1))
        } else {
            time
        }
    }

    /// A depth limit alone, or a time per move, is a complete control: no level is guessed. But if
    /// both clocks are sent along with a depth limit, they are kept to, whatever their level.
    /// Without a time control cutechess sends only one, with a day on it.
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

/// Whether a search begun under `foreseen` may go on under `actual`: only the clocks differ, and
/// that of `us` reads not much less than foreseen.
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

/// By how much less than foreseen a clock may read for a budget to stay valid.
fn tolerance(remaining: Duration) -> Duration {
    CLOCK_TOLERANCE
        .min(remaining / SHORT_CLOCK_DIVISOR)
        .max(remaining / LONG_CLOCK_DIVISOR)
}

#[cfg(test)]
mod tests;
