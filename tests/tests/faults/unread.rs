//! A program that stops reading what the engine writes, or writes more than the engine can answer:
//! neither a stop, a quit nor the end of input waits for it, memory stays bounded, and no answer is
//! lost if it goes on.

use std::io::{BufRead as _, Write as _};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use orthrus_tests::process::{GONE_AT_LATEST, command, memory, until};

use crate::piped::Piped;

/// How long the end waits for a reader that takes nothing, and then the time it may take on a busy
/// machine.
const GIVEN_UP_WITHIN: Duration = Duration::from_secs(1).saturating_add(GONE_AT_LATEST);

/// How long it takes to fill the pipe and more, with a line for every move at every depth.
const FILLING: Duration = Duration::from_millis(1_500);

fn start(stdin: Stdio) -> Piped {
    Piped::start(command(), stdin)
}

/// An engine that has written more than anybody has read, and still thinks.
fn blocked(said: &str) -> Piped {
    let mut engine = start(Stdio::piped());
    engine.say(said);
    thread::sleep(FILLING);
    // On a busy machine it may have to wait for the processor.
    let before = engine.ticks();
    until(&format!("it thinks on: {said}"), || {
        engine.ticks() > before + 2
    });
    engine
}

/// Whether it uses the processor.
fn works(engine: &Piped) -> bool {
    let before = engine.ticks();
    thread::sleep(Duration::from_millis(300));
    engine.ticks() > before + 2
}

/// Memory in use, in MiB.
fn mebibytes(engine: &Piped) -> u64 {
    memory(engine.child.id(), "VmRSS")
}

const UCI: &str = "uci\nsetoption name MultiPV value 100\nposition startpos moves e2e4 e7e5\n\
                   go infinite\n";
const CECP: &str = "xboard\nprotover 2\noption MultiPV=100\npost\nnew\nanalyze\n";

#[test]
fn a_quit_does_not_wait_for_a_reader() {
    for said in [UCI, CECP] {
        let mut engine = blocked(said);
        engine.say("quit\n");
        let took = engine.end("quit");
        assert!(took <= GIVEN_UP_WITHIN, "{took:?}");
    }
}

#[test]
fn the_end_of_input_does_not_wait_for_a_reader() {
    for said in [UCI, CECP] {
        let mut engine = blocked(said);
        engine.stdin = None;
        let took = engine.end("end of input");
        assert!(took <= GIVEN_UP_WITHIN, "{took:?}");
    }
}

#[test]
fn a_stop_does_not_wait_for_a_reader_and_its_answer_is_kept() {
    for (said, stop, answer) in [(UCI, "stop", "bestmove "), (CECP, "exit", "pong 7")] {
        let mut engine = blocked(said);
        let ping = if said == UCI { "isready" } else { "ping 7" };
        engine.say(&format!("{stop}\n"));
        let stopped = Instant::now();
        while works(&engine) {
            assert!(stopped.elapsed() < GONE_AT_LATEST, "{stop}: it thinks on");
        }
        engine.say(&format!("{ping}\n"));
        // The reader goes on: what it gets are whole lines, each answer once, the ping last.
        let stdout = engine.stdout.take().unwrap();
        let mut answers = 0;
        for line in stdout.lines() {
            let line = line.unwrap();
            answers += usize::from(line.starts_with(answer));
            if line == "readyok" || line == "pong 7" {
                break;
            }
        }
        assert_eq!(answers, 1, "{answer}");
        engine.say("quit\n");
        engine.end("quit");
    }
}

/// What a program writes without end, with nobody to read the answers.
#[test]
fn a_flood_fills_no_memory_and_ends_with_its_writer() {
    let mut flood = Command::new("sh")
        .args(["-c", "echo uci; exec yes"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut engine = start(flood.stdout.take().unwrap().into());
    thread::sleep(Duration::from_secs(2));
    until("it waits for its reader", || !works(&engine));
    let memory = mebibytes(&engine);
    assert!(memory < 250, "{memory} MiB");
    flood.kill().unwrap();
    flood.wait().unwrap();
    let took = engine.end("flood");
    assert!(took <= GIVEN_UP_WITHIN, "{took:?}");
}

/// Nothing is lost, however slow the reader is.
#[test]
fn every_line_of_a_flood_is_answered() {
    const LINES: usize = 200_000;
    let mut engine = start(Stdio::piped());
    let mut stdin = engine.stdin.take().unwrap();
    let writer = thread::spawn(move || {
        stdin.write_all(b"uci\n").unwrap();
        stdin.write_all("flood\n".repeat(LINES).as_bytes()).unwrap();
        stdin.write_all(b"isready\n").unwrap();
        stdin
    });
    thread::sleep(Duration::from_secs(1));
    let memory = mebibytes(&engine);
    assert!(memory < 250, "{memory} MiB");
    let stdout = engine.stdout.take().unwrap();
    let mut refused = 0;
    for line in stdout.lines() {
        let line = line.unwrap();
        refused += usize::from(line.contains("unknown command: flood"));
        if line == "readyok" {
            break;
        }
    }
    assert_eq!(refused, LINES);
    drop(writer.join().unwrap());
    engine.end("flood");
}

/// As many searches as one likes, each of which ends the one before.
#[test]
fn searches_that_nobody_waits_for_hold_no_quit_up() {
    let mut engine = start(Stdio::piped());
    let mut stdin = engine.stdin.take().unwrap();
    stdin.write_all(b"uci\n").unwrap();
    let stdout = engine.stdout.take().unwrap();
    let reader = thread::spawn(move || {
        let lines = stdout.lines().map_while(Result::ok);
        lines.filter(|line| line.starts_with("bestmove ")).count()
    });
    for _ in 0..3_000 {
        stdin.write_all(b"go infinite\n").unwrap();
    }
    stdin.write_all(b"quit\n").unwrap();
    let took = engine.end("quit");
    assert!(took <= GONE_AT_LATEST, "{took:?}");
    assert_eq!(reader.join().unwrap(), 3_000);
}
