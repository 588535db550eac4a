//! Files that options name, and that take long to read or never come. The engine goes on without them.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use orthrus_tests::data;
use orthrus_tests::process::{Exit, GONE_AT_LATEST, Process, cecp, uci};
use orthrus_tests::scratch::Scratch;

use super::{plays, plays_cecp};

/// What holds a file so that nobody else can open it: the system lets whoever tries wait, as a
/// folder on a network does that no longer answers.
const HOLD: &str = "
import fcntl, signal, sys
signal.signal(signal.SIGIO, signal.SIG_IGN)
file = open(sys.argv[1], 'a+b')
fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
print('held', flush=True)
sys.stdin.read()
";

/// A file that nobody can open until this is dropped, or for 45 seconds.
struct Held(Child);

impl Held {
    fn new(path: &str) -> Self {
        let mut holder = Command::new("python3")
            .args(["-c", HOLD, path])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let stdout = holder.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        assert_eq!(line, "held\n");
        Self(holder)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // Its end releases the file.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A book of a gigabyte without content, which takes a while to read.
fn large_book(scratch: &Scratch, name: &str) -> String {
    let book = scratch.write(name, "");
    let file = fs::OpenOptions::new().write(true).open(&book).unwrap();
    file.set_len(1 << 30).unwrap();
    book
}

fn not_there_yet(lines: &[String]) -> usize {
    let told = lines.iter().filter(|line| line.contains("not there yet"));
    told.count()
}

fn answers(lines: &[String]) -> usize {
    let answers = lines.iter().filter(|line| line.starts_with("bestmove "));
    answers.count()
}

#[track_caller]
fn assert_ended_in_time(exit: &Exit) {
    assert!(exit.status.success(), "{exit:?}");
    assert!(exit.took < GONE_AT_LATEST, "{exit:?}");
}

/// Match runners take an engine for dead that does not answer a ping within 15 seconds.
const ANSWERED_WITHIN: Duration = Duration::from_secs(15);

#[test]
#[cfg_attr(not(has_python3), ignore = "python3 is not installed")]
fn a_file_that_never_comes_holds_no_ping_up() {
    let scratch = Scratch::new();
    let [file, next] = ["held.exp", "next.exp"].map(|name| scratch.name(name));
    let _held = [&file, &next].map(|file| Held::new(file));

    let mut first = uci(Process::start(&[]));
    first.send("setoption name Experience value true");
    first.send(&format!("setoption name Experience File value {file}"));
    let mut second = cecp(Process::start(&[]));
    second.send(&format!(
        "option Experience=1\noption Experience File={file}"
    ));

    let asked = Instant::now();
    first.send("isready");
    first.send(&format!("setoption name Experience File value {next}"));
    first.send("isready");
    second.send("ping 1");
    for _ in 0..2 {
        let lines = first.wait_for("readyok");
        assert_eq!(not_there_yet(&lines), 1, "{lines:?}");
    }
    let lines = second.wait_for("pong 1");
    assert_eq!(not_there_yet(&lines), 1, "{lines:?}");
    assert!(asked.elapsed() < ANSWERED_WITHIN, "{:?}", asked.elapsed());

    plays(&mut first);
    plays_cecp(&mut second);
    for engine in [first, second] {
        let exit = engine.close();
        assert_ended_in_time(&exit);
    }
}

#[test]
#[cfg_attr(not(has_python3), ignore = "python3 is not installed")]
fn a_file_that_never_comes_holds_neither_a_stop_nor_the_end_up() {
    let scratch = Scratch::new();
    let file = scratch.name("held.exp");
    let _held = Held::new(&file);
    let pupil = || {
        let mut engine = uci(Process::start(&[]));
        engine.send("setoption name Experience value true");
        engine.send(&format!("setoption name Experience File value {file}"));
        engine
    };

    let mut engine = pupil();
    let asked = Instant::now();
    engine.send("go infinite\nstop");
    let lines = engine.wait_for("bestmove ");
    assert_eq!(not_there_yet(&lines), 1, "{lines:?}");
    assert!(asked.elapsed() < GONE_AT_LATEST, "{:?}", asked.elapsed());

    // Each search that waits for it is answered all the same.
    for end in ["quit", ""] {
        let mut engine = pupil();
        engine.send(&format!("isready\ngo infinite\n{end}"));
        let exit = engine.close();
        assert_eq!(answers(&exit.lines), 1, "{exit:?}");
        assert_ended_in_time(&exit);
    }
}

#[test]
fn a_stop_does_not_overtake_the_task_that_waits_for_a_file() {
    let scratch = Scratch::new();
    let book = large_book(&scratch, "large.bin");
    let mut engine = uci(Process::start(&[]));
    engine.send(&format!("setoption name Book File value {book}"));
    engine.send("perft 13\nstop");
    engine.wait_for("stopped before the end");
    let exit = engine.close();
    assert!(exit.status.success(), "{exit:?}");
}

/// One file after another that takes long: a search that is stopped waits for none of them.
#[test]
#[cfg_attr(not(has_python3), ignore = "python3 is not installed")]
fn a_stop_and_the_end_give_all_files_up() {
    let scratch = Scratch::new();
    let file = scratch.name("held.exp");
    let _held = Held::new(&file);
    let book = large_book(&scratch, "sparse.bin");
    let waiting = format!(
        "uci\nsetoption name Book File value {book}\nsetoption name Experience value true\n\
         setoption name Experience File value {file}\ngo infinite"
    );
    for end in ["stop\nquit", "quit"] {
        let mut engine = Process::start(&[]);
        engine.send(&format!("{waiting}\n{end}"));
        let exit = engine.wait();
        assert_eq!(not_there_yet(&exit.lines), 2, "{exit:?}");
        assert_eq!(answers(&exit.lines), 1, "{exit:?}");
        assert_ended_in_time(&exit);
    }
}

/// A file that takes long to read: neither the end nor the answer of a running search waits for it.
#[test]
fn a_large_file_holds_nobody_up() {
    let scratch = Scratch::new();
    let book = large_book(&scratch, "sparse.bin");
    let load = format!("setoption name Book File value {book}");

    let mut engine = Process::start(&[]);
    engine.send(&format!("uci\ngo infinite\n{load}\nstop"));
    let before = engine.wait_for("bestmove ");
    assert!(
        !before.iter().any(|line| line.contains("entries")),
        "{before:?}"
    );
    engine.send("isready");
    engine.close_input();
    let exit = engine.wait();
    assert_ended_in_time(&exit);

    // A search that waits for the file is answered without it when somebody stops it.
    let mut engine = Process::start(&[]);
    engine.send(&format!("uci\n{load}\ngo infinite\nstop"));
    let lines = engine.wait_for("bestmove ");
    assert_eq!(not_there_yet(&lines), 1, "{lines:?}");
    let exit = engine.close();
    assert_ended_in_time(&exit);
}

/// The lines up to the answer of a search, and those up to `readyok` after it.
fn told(engine: &mut Process, said: &str) -> Vec<String> {
    engine.send(said);
    let mut lines = engine.wait_for("bestmove ");
    engine.send("isready");
    lines.extend(engine.wait_for("readyok"));
    lines
}

/// Whether one of the lines says that this was read.
fn is_read(lines: &[String], what: &str) -> bool {
    let begin = format!("info string {what}");
    let mut told = lines.iter().filter(|line| line.starts_with(&begin));
    told.any(|line| !line.contains("not there yet"))
}

/// Analysis programs send `stop` at every click: what a stopped search could not wait for is read
/// nevertheless.
#[test]
fn a_stop_loses_no_file() {
    let scratch = Scratch::new();
    let experience = scratch.name("own.exp");
    let network = data::repository().join("crates/core/networks/chess.nnue");
    let mut engine = uci(Process::start(&[]));
    let options = format!(
        "setoption name EvalFile value {}\nsetoption name SyzygyPath value {}\n\
         setoption name Experience File value {experience}\nsetoption name Experience value true",
        network.display(),
        data::own("syzygy").display()
    );
    let lines = told(&mut engine, &format!("{options}\ngo infinite\nstop"));
    assert!(is_read(&lines, "network "), "{lines:?}");
    assert!(is_read(&lines, "endgame tables: "), "{lines:?}");
    told(&mut engine, "position startpos moves e2e4\ngo depth 9");
    engine.close();
    assert!(fs::metadata(experience).unwrap().len() > 16);
}

/// Of a file that a stopped search did without, and one that is named later, the later one counts.
#[test]
fn the_last_file_counts_whatever_is_stopped() {
    let network = data::repository().join("crates/core/networks/chess.nnue");
    let file = format!("setoption name EvalFile value {}", network.display());
    let none = "setoption name EvalFile value <empty>";
    for said in [
        format!("{file}\n{none}\ngo infinite\nstop"),
        format!("{file}\ngo infinite\n{none}\nstop"),
        format!("{file}\ngo infinite\nstop\n{none}"),
    ] {
        let mut engine = uci(Process::start(&[]));
        told(&mut engine, &said);
        told(&mut engine, "go depth 1");
        // One that is in use would not be read again.
        let lines = told(&mut engine, &format!("{file}\ngo depth 1"));
        assert!(is_read(&lines, "network "), "{said}: {lines:?}");
    }
}

/// A file that takes long, and searches that are stopped before it is there.
#[test]
fn every_stopped_search_is_answered_before_a_large_file() {
    let scratch = Scratch::new();
    let book = large_book(&scratch, "sparse.bin");
    let mut engine = uci(Process::start(&[]));
    engine.send(&format!("setoption name Book File value {book}"));
    for _ in 0..4 {
        engine.send("go infinite\nstop");
        let lines = engine.wait_for("bestmove ");
        assert!(!is_read(&lines, "book "), "{lines:?}");
    }
    // Also if a search runs when the file is named, or another game begins.
    engine.send("go infinite");
    engine.wait_for("info depth 1 ");
    let other = large_book(&scratch, "other.bin");
    engine.send(&format!(
        "setoption name Book File value {other}\nucinewgame\nstop"
    ));
    let lines = engine.wait_for("bestmove ");
    assert!(!is_read(&lines, "book "), "{lines:?}");
    let exit = engine.close();
    assert_ended_in_time(&exit);
}
