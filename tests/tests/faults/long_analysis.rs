//! A forgotten analysis: it goes on, and takes no more memory over time.

use std::env;
use std::time::{Duration, Instant};

use orthrus_tests::process::{Process, cecp, memory, uci};

const HASH_MEBIBYTES: u64 = 1_024;
/// Everything besides the table, in MiB.
const REST: u64 = 64;
/// How much the process may grow after its beginning, in MiB.
const GROWTH: u64 = 8;
/// How long the beginning is.
const BEGINNING: Duration = Duration::from_secs(10);

#[test]
#[cfg_attr(not(has_long), ignore = "set ORTHRUS_LONG to its minutes, such as 10")]
#[expect(clippy::print_stdout, reason = "the figures are worth seeing")]
fn an_analysis_left_on_takes_no_more_memory() {
    let minutes = env::var("ORTHRUS_LONG").unwrap();
    let time = Duration::from_secs(60 * minutes.parse::<u64>().unwrap());
    let mut engines = [uci(Process::start(&[])), cecp(Process::start(&[]))];
    engines[0].send("setoption name Hash value 1024\nposition startpos\ngo infinite");
    engines[1].send("memory 1024\nnew\npost\nanalyze");
    let start = Instant::now();
    let mut claimed = [0; 2];
    while start.elapsed() < time {
        for (engine, claimed) in engines.iter_mut().zip(&mut claimed) {
            let lines = engine.lines_within(Duration::from_millis(500));
            assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
            let size = memory(engine.id(), "VmSize");
            if start.elapsed() < BEGINNING {
                *claimed = size;
            }
            assert!(size <= *claimed + GROWTH, "{size} MiB, {claimed} at first");
            assert!(memory(engine.id(), "VmRSS") <= HASH_MEBIBYTES + REST);
        }
    }
    let used = engines
        .each_ref()
        .map(|engine| memory(engine.id(), "VmRSS"));
    println!("after {time:?}: {used:?} MiB in use, {claimed:?} claimed");
    engines[0].send("stop\nisready");
    engines[0].wait_for("bestmove");
    engines[1].send("exit\nping 1");
    engines[1].wait_for("pong 1");
}
