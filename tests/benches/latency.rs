//! How long a user waits: for the engine to start, for an answer while it thinks with all its
//! threads, for the move once it must stop, and for its end once its input has ended. Medians and worst cases of the real process, next
//! to those of another engine if its command line is given:
//!
//! `cargo bench -p orthrus-tests --bench latency -- [PEER]`

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints, and ends where an engine does not answer"
)]

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often each is measured.
const SAMPLES: usize = 100;
/// How long a search runs before it is disturbed.
const THINKING: Duration = Duration::from_millis(50);

/// A running UCI engine.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self {
            child,
            input,
            output,
        }
    }

    fn say(&mut self, lines: &str) {
        self.input.write_all(lines.as_bytes()).unwrap();
        self.input.write_all(b"\n").unwrap();
    }

    /// Sends a line and waits for one that begins with `answer`.
    fn ask(&mut self, line: &str, answer: &str) -> Duration {
        let start = Instant::now();
        self.say(line);
        let mut read = String::new();
        while !read.starts_with(answer) {
            read.clear();
            assert!(self.output.read_line(&mut read).unwrap() > 0);
        }
        start.elapsed()
    }

    fn end(mut self) {
        self.say("quit");
        self.child.wait().unwrap();
    }

    /// Closes its input; returns how long it takes to be gone.
    fn leave(self) -> Duration {
        let Self {
            mut child,
            input,
            output,
        } = self;
        let start = Instant::now();
        drop(input);
        // Somebody must read what it still says.
        output.lines().map_while(Result::ok).for_each(drop);
        child.wait().unwrap();
        start.elapsed()
    }
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let millis = |time: Duration| time.as_secs_f64() * 1000.0;
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    println!(
        "  {what:<40} median {:7.2} ms, worst {:7.2} ms",
        millis(median),
        millis(worst)
    );
}

fn measure(name: &str, command: impl Fn() -> Command) {
    println!("{name}");
    let begin = || {
        let start = Instant::now();
        let mut engine = Engine::start(command());
        engine.ask("uci", "uciok");
        (start.elapsed(), engine)
    };
    let starts = (0..SAMPLES / 5).map(|_| {
        let (time, engine) = begin();
        engine.end();
        time
    });
    report("start to uciok", starts.collect());

    let (_, mut engine) = begin();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    for threads in [1, threads] {
        engine.say(&format!("setoption name Threads value {threads}"));
        engine.ask("isready", "readyok");
        let (mut ready, mut stop) = (Vec::new(), Vec::new());
        for _ in 0..SAMPLES {
            engine.say("position startpos moves e2e4\ngo infinite");
            thread::sleep(THINKING);
            ready.push(engine.ask("isready", "readyok"));
            stop.push(engine.ask("stop", "bestmove"));
        }
        report(&format!("isready to readyok, {threads} threads"), ready);
        report(&format!("stop to bestmove, {threads} threads"), stop);
    }
    engine.end();

    let ends = (0..SAMPLES).map(|_| {
        let (_, mut engine) = begin();
        engine.say("position startpos moves e2e4\ngo infinite");
        thread::sleep(THINKING);
        engine.leave()
    });
    report("end of input to end of process", ends.collect());
}

fn main() {
    measure("orthrus", orthrus_tests::process::command);
    // Cargo adds `--bench`.
    if let Some(peer) = env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'))
    {
        measure(&peer, || Command::new(&peer));
    }
}
