//! Progress of self-play: a bar on a terminal, a line now and then in a log.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::selfplay::Totals;

/// Without a terminal for the bar, a line is logged this often.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

/// Shows games, positions, positions per second and the time left, on standard error.
#[derive(Debug)]
pub(super) struct PlayProgress {
    bar: ProgressBar,
    unit: Unit,
    start: Instant,
    last_log: Instant,
}

/// What the bar measures.
#[derive(Clone, Copy, Debug)]
enum Unit {
    /// Games in the file; holds the number that was there before.
    Games(u64),
    /// Seconds since the start.
    Seconds,
}

impl PlayProgress {
    /// For a file that is to get `goal` games and holds `before` already.
    pub(super) fn games(before: u64, goal: u64) -> Self {
        let bar = Self::new(Unit::Games(before), goal);
        bar.bar.set_position(before);
        bar.bar.reset_eta();
        bar
    }

    /// For a run of this length.
    pub(super) fn time(time: Duration) -> Self {
        Self::new(Unit::Seconds, time.as_secs())
    }

    fn new(unit: Unit, length: u64) -> Self {
        let bar = ProgressBar::new(length);
        // The template is a constant; if it were wrong, the plain bar would do.
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {msg}, {eta} left") {
            bar.set_style(style);
        }
        let now = Instant::now();
        Self {
            bar,
            unit,
            start: now,
            last_log: now,
        }
    }

    /// Shows what has been played.
    pub(super) fn show(&mut self, totals: Totals) {
        match self.unit {
            Unit::Games(before) => self.bar.set_position(before + totals.games),
            Unit::Seconds => self.bar.set_position(self.start.elapsed().as_secs()),
        }
        if !self.bar.is_hidden() {
            self.bar.set_message(self.text(totals));
        } else if self.last_log.elapsed() >= LOG_INTERVAL {
            self.last_log = Instant::now();
            log::info!("{}", self.text(totals));
        }
    }

    /// Removes the bar and leaves a last line.
    pub(super) fn finish(&self, totals: Totals) {
        self.bar.finish_and_clear();
        log::info!("{}", self.text(totals));
    }

    fn text(&self, totals: Totals) -> String {
        let Totals { games, positions } = totals;
        let rate = positions as f64 / self.start.elapsed().as_secs_f64().max(0.001);
        format!("{games} games, {positions} positions, {rate:.0} positions/s")
    }
}
