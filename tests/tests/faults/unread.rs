//! A program that stops reading what the engine writes, or writes more than the engine can answer:
//! neither a stop, a quit nor the end of input waits for it, memory stays bounded, and no answer is
//! lost if it goes on.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use orthrus_tests::process::{GONE_AT_LATEST, PATIENCE, command};

/// How long the end waits for a reader that takes nothing, and then the time it may take on a busy
/// machine.
const GIVEN_UP_WITHIN: Duration = Duration::from_secs(1).saturating_add(GONE_AT_LATEST);

/// How long it takes to fill the pipe and more, with a line for every move at every depth.
const FILLING: Duration = Duration::from_millis(1_500);

/// A process whose output is read only on request.
struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
}

impl Engine {
    fn start(stdin: Stdio) -> Self {
        let mut command = command();
        command.stdin(stdin).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        Self {
            child,
            stdin,
            stdout,
        }
    }

    /// One that has written more than anybody has read, and still thinks.
    fn blocked(said: &str) -> Self {
        let mut engine = Self::start(Stdio::piped());
        engine.say(said);
        thread::sleep(FILLING);
        // On a busy machine it may have to wait for the processor.
        let (start, before) = (Instant::now(), engine.ticks());
        while engine.ticks() <= before + 2 {
            assert!(start.elapsed() < PATIENCE, "it thinks on: {said}");
            thread::sleep(Duration::from_millis(10));
        }
        engine
    }

    fn say(&mut self, text: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(text.as_bytes()).unwrap();
    }

    /// How long it takes to end.
    fn end(&mut self, what: &str) -> Duration {
        let start = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < PATIENCE, "{what}: still there");
            thread::sleep(Duration::from_millis(1));
        }
        start.elapsed()
    }

    /// The fields of its statistics after the name.
    fn fields(&self) -> Vec<u64> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let (_, fields) = stat.rsplit_once(") ").unwrap();
        let numbers = fields.split(' ').map(|field| field.parse().unwrap_or(0));
        numbers.collect()
    }

    /// Processor time used so far, usually in hundredths of a second.
    fn ticks(&self) -> u64 {
        let fields = self.fields();
        fields[11] + fields[12]
    }

    /// Whether it uses the processor.
    fn works(&self) -> bool {
        let before = self.ticks();
        thread::sleep(Duration::from_millis(300));
        self.ticks() > before + 2
    }

    /// Memory in use, in MiB.
    fn mebibytes(&self) -> u64 {
        self.fields()[21] * 4096 / (1 << 20)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const UCI: &str = "uci\nsetoption name MultiPV value 100\nposition startpos moves e2e4 e7e5\n\
                   go infinite\n";
const CECP: &str = "xboard\nprotover 2\noption MultiPV=100\npost\nnew\nanalyze\n";

#[test]
fn a_quit_does_not_wait_for_a_reader() {
    for said in [UCI, CECP] {
        let mut engine = Engine::blocked(said);
        engine.say("quit\n");
        let took = engine.end("quit");
        assert!(took <= GIVEN_UP_WITHIN, "{took:?}");
    }
}

#[test]
fn the_end_of_input_does_not_wait_for_a_reader() {
    for said in [UCI, CECP] {
        let mut engine = Engine::blocked(said);
        engine.stdin = None;
        let took = engine.end("end of input");
        assert!(took <= GIVEN_UP_WITHIN, "{took:?}");
    }
}

#[test]
fn a_stop_does_not_wait_for_a_reader_and_its_answer_is_kept() {
    for (said, stop, answer) in [(UCI, "stop", "bestmove "), (CECP, "exit", "pong 7")] {
        let mut engine = Engine::blocked(said);
        let ping = if said == UCI { "isready" } else { "ping 7" };
        engine.say(&format!("{stop}\n"));
        let stopped = Instant::now();
        while engine.works() {
            assert!(stopped.elapsed() < GONE_AT_LATEST, "{stop}: it thinks on");
        }
        engine.say(&format!("{ping}\n"));
        // The reader goes on: what it gets are whole lines, each answer once, the ping last.
        let stdout = BufReader::new(engine.stdout.take().unwrap());
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
    let mut engine = Engine::start(flood.stdout.take().unwrap().into());
    thread::sleep(Duration::from_secs(3));
    let memory = engine.mebibytes();
    assert!(memory < 250, "{memory} MiB");
    assert!(!engine.works(), "it waits for its reader");
    flood.kill().unwrap();
    flood.wait().unwrap();
    let took = engine.end("flood");
    assert!(took <= GIVEN_UP_WITHIN, "{took:?}");
}

/// Nothing is lost, however slow the reader is.
#[test]
fn every_line_of_a_flood_is_answered() {
    const LINES: usize = 200_000;
    let mut engine = Engine::start(Stdio::piped());
    let mut stdin = engine.stdin.take().unwrap();
    let writer = thread::spawn(move || {
        stdin.write_all(b"uci\n").unwrap();
        stdin.write_all("flood\n".repeat(LINES).as_bytes()).unwrap();
        stdin.write_all(b"isready\n").unwrap();
        stdin
    });
    thread::sleep(Duration::from_secs(1));
    let memory = engine.mebibytes();
    assert!(memory < 250, "{memory} MiB");
    let stdout = BufReader::new(engine.stdout.take().unwrap());
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
    let mut engine = Engine::start(Stdio::piped());
    let mut stdin = engine.stdin.take().unwrap();
    stdin.write_all(b"uci\n").unwrap();
    let stdout = BufReader::new(engine.stdout.take().unwrap());
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
