//! Clocks that jump and processes that are put to sleep.

use std::thread;
use std::time::{Duration, Instant};

use orthrus_tests::data;
use orthrus_tests::process::{Process, cecp, uci};
use orthrus_tests::sources;

/// The time given to a search, for which the process sleeps.
const GIVEN: Duration = Duration::from_secs(3);

/// Stops the process for the full time of its search; returns how long the answer takes then.
fn answer_after_a_stop(mut engine: Process, go: &str, answer: &str) -> Duration {
    engine.send(go);
    thread::sleep(Duration::from_millis(100));
    engine.signal("STOP");
    thread::sleep(GIVEN);
    let awake = Instant::now();
    engine.signal("CONT");
    engine.wait_for(answer);
    awake.elapsed()
}

#[test]
fn time_runs_while_the_process_is_stopped() {
    let took = thread::scope(|scope| {
        let uci = scope.spawn(|| {
            let go = "position startpos\ngo movetime 3000";
            answer_after_a_stop(uci(Process::start(&[])), go, "bestmove ")
        });
        let cecp = scope.spawn(|| {
            let go = "new\nst 3\nusermove e2e4";
            answer_after_a_stop(cecp(Process::start(&[])), go, "move ")
        });
        [uci.join().unwrap(), cecp.join().unwrap()]
    });
    // If the time asleep did not count, the answer would take as long again.
    for took in took {
        assert!(took < GIVEN / 2, "{took:?}");
    }
}

#[test]
fn nobody_asks_what_time_of_day_it_is() {
    // `Instant` cannot be set back or forth; `SystemTime` follows the clock that users set.
    for source in sources::files(&data::repository(), "crates", ".rs") {
        let lines = sources::lines_with_word(&source.code(), "SystemTime");
        assert!(lines.is_empty(), "{}: {lines:?}", source.path);
    }
}
