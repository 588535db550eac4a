//! The real process: handshakes, searches, every way to end, and every kind of input.

use std::fs;
use std::io::{Read, Write};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use orthrus_tests::data;
use orthrus_tests::process::{Exit, PATIENCE, Process, assert_gone, cecp, command, shortest, uci};

/// The promised time from the start of the process to its first answer. Windows takes longer to start a
/// process, and Wine longer still.
const READY_WITHIN: Duration = Duration::from_millis(if cfg!(windows) { 200 } else { 20 });
fn check_clean(exit: &Exit) {
    assert!(exit.status.success(), "{exit:?}");
    assert_eq!(exit.stderr, "", "{exit:?}");
}

/// Brings an engine into a state, closes its input and checks that it is gone in time.
fn check_end_of_input(start: impl Fn() -> Process) {
    assert_gone("end of input", || {
        let exit = start().close();
        check_clean(&exit);
        exit.took
    });
}

#[test]
fn uci_handshake() {
    let mut engine = Process::start(&[]);
    engine.send("uci");
    let lines = engine.wait_for("uciok");
    assert!(
        lines.iter().any(|line| line.starts_with("id name Orthrus")),
        "{lines:#?}"
    );
    assert!(
        lines.iter().any(|line| line.starts_with("id author ")),
        "{lines:#?}"
    );
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("option name Hash type spin")),
        "{lines:#?}"
    );
    engine.send("isready");
    assert_eq!(engine.wait_for("readyok"), ["readyok"]);
    engine.send("quit");
    let exit = engine.wait();
    check_clean(&exit);
    assert!(exit.lines.is_empty(), "{exit:?}");
}

#[test]
fn cecp_handshake() {
    let mut engine = Process::start(&[]);
    engine.send("xboard\nprotover 2");
    let features = engine.wait_for("feature done=1").join("\n");
    for feature in [
        "myname=\"Orthrus",
        "ping=1",
        "setboard=1",
        "sigint=0",
        "sigterm=0",
    ] {
        assert!(features.contains(feature), "{feature}: {features}");
    }
    engine.send("new\nrandom\nlevel 40 5 0\npost\nhard\neasy\nping 5");
    assert_eq!(engine.wait_for("pong"), ["pong 5"]);
    engine.send("quit");
    let exit = engine.wait();
    check_clean(&exit);
    assert!(exit.lines.is_empty(), "{exit:?}");
}

#[test]
fn a_protocol_can_be_forced() {
    let mut engine = Process::start(&["--protocol", "cecp"]);
    engine.send("ping 1");
    assert_eq!(engine.wait_for("pong"), ["pong 1"]);
    let mut engine = Process::start(&["--protocol", "uci"]);
    engine.send("isready");
    assert_eq!(engine.wait_for("readyok"), ["readyok"]);
}

/// A GUI that knows no `xboard` may begin with a question that only CECP has.
#[test]
fn a_ping_may_come_first() {
    let mut engine = Process::start(&[]);
    engine.send("ping 1");
    assert_eq!(engine.wait_for("pong"), ["pong 1"]);
}

#[test]
fn nothing_is_said_unasked() {
    let mut engine = Process::start(&[]);
    assert_eq!(engine.lines_within(Duration::from_millis(200)), [""; 0]);
    engine.send("\n  \ninit\nUCI\nhello");
    assert_eq!(engine.lines_within(Duration::from_millis(200)), [""; 0]);
    engine.send("uci");
    engine.wait_for("uciok");
}

#[test]
fn uci_searches_to_a_depth() {
    let mut engine = uci(Process::start(&[]));
    engine.send("position startpos moves e2e4\ngo depth 5");
    let lines = engine.wait_for("bestmove");
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("info") && line.contains(" score cp ")),
        "{lines:#?}"
    );
}

#[test]
fn cecp_answers_a_move() {
    let mut engine = cecp(Process::start(&[]));
    engine.send("new\nsd 4\nusermove e2e4");
    engine.wait_for("move ");
}

#[test]
fn an_infinite_search_answers_only_when_stopped() {
    let mut engine = uci(Process::start(&[]));
    engine.send("position startpos\ngo infinite");
    let lines = engine.lines_within(Duration::from_millis(300));
    assert!(
        !lines.iter().any(|line| line.starts_with("bestmove")),
        "{lines:#?}"
    );
    engine.send("isready");
    engine.wait_for("readyok");
    engine.send("stop");
    engine.wait_for("bestmove");
    engine.send("stop\nisready");
    let lines = engine.wait_for("readyok");
    assert!(
        !lines.iter().any(|line| line.starts_with("bestmove")),
        "{lines:#?}"
    );
}

#[test]
fn end_of_input_ends_a_process_that_has_heard_nothing() {
    check_end_of_input(|| Process::start(&[]));
}

#[test]
fn end_of_input_ends_an_idle_process() {
    check_end_of_input(|| uci(Process::start(&[])));
    check_end_of_input(|| cecp(Process::start(&[])));
}

#[test]
fn end_of_input_ends_a_search() {
    check_end_of_input(|| {
        let mut engine = uci(Process::start(&[]));
        engine.send("position startpos\ngo infinite");
        engine.wait_for("info");
        engine
    });
    check_end_of_input(|| {
        let mut engine = cecp(Process::start(&[]));
        engine.send("new\nlevel 0 60 0\npost\ngo\nping 1");
        engine.lines_within(Duration::from_millis(50));
        engine
    });
}

#[test]
fn end_of_input_ends_pondering() {
    check_end_of_input(|| {
        let mut engine = uci(Process::start(&[]));
        engine.send("position startpos moves e2e4 e7e5\ngo ponder wtime 60000 btime 60000");
        engine.wait_for("info");
        engine
    });
    check_end_of_input(|| {
        let mut engine = cecp(Process::start(&[]));
        engine.send("new\nhard\npost\nsd 4\nusermove e2e4");
        engine.wait_for("move ");
        engine
    });
}

#[test]
fn end_of_input_ends_an_analysis() {
    check_end_of_input(|| {
        let mut engine = cecp(Process::start(&[]));
        engine.send("new\nforce\npost\nanalyze");
        engine.lines_within(Duration::from_millis(50));
        engine
    });
}

#[test]
fn ready_in_an_instant() {
    for (question, answer) in [("uci", "uciok"), ("xboard\nprotover 2", "feature done=1")] {
        let took = shortest(READY_WITHIN, || {
            let mut engine = Process::start(&[]);
            engine.send(question);
            engine.wait_for(answer);
            engine.started.elapsed()
        });
        assert!(took <= READY_WITHIN, "{answer} after {took:?}");
    }
}

#[test]
fn any_bytes_are_survived() {
    let noise: Vec<u8> = (0..=255).cycle().take(4096).collect();
    for line in [
        &noise[..],
        b"\0\0\0\n",
        b"is\0ready\n",
        b"\xff\xfe\xc3(\n",
        b"position fen \xc3( w\n",
    ] {
        let mut engine = uci(Process::start(&[]));
        engine.send_bytes(line);
        engine.send("\nisready");
        engine.wait_for("readyok");
        check_clean(&engine.close());

        let mut engine = cecp(Process::start(&[]));
        engine.send_bytes(line);
        engine.send("\nping 9");
        engine.wait_for("pong 9");
        check_clean(&engine.close());
    }
}

#[test]
fn a_line_of_a_megabyte_is_survived() {
    let garbage = "x".repeat(1 << 20);
    let moves = format!(
        "position startpos moves{}",
        " g1f3 g8f6 f3g1 f6g8".repeat(1 << 16)
    );
    for line in [&garbage, &moves] {
        let mut engine = uci(Process::start(&[]));
        engine.send(line);
        engine.send("isready");
        engine.wait_for("readyok");
        engine.send("go depth 2");
        engine.wait_for("bestmove");
        check_clean(&engine.close());

        let mut engine = cecp(Process::start(&[]));
        engine.send(line);
        engine.send("ping 9");
        engine.wait_for("pong 9");
        check_clean(&engine.close());
    }
}

#[test]
fn an_absurd_line_is_refused_in_the_words_of_the_protocol() {
    let garbage = "x".repeat((1 << 24) + 1);
    for (mut engine, answer) in [
        (uci(Process::start(&[])), "info string a line of more than"),
        (cecp(Process::start(&[])), "telluser a line of more than"),
    ] {
        engine.send(&garbage);
        engine.wait_for(answer);
        check_clean(&engine.close());
    }
}

#[test]
fn carriage_returns_and_odd_blanks_are_understood() {
    let mut engine = Process::start(&[]);
    engine.send_bytes(b"\xef\xbb\xbfuci\r\nposition\tstartpos   moves e2e4\r\n  go  depth\t1\r\n");
    engine.wait_for("bestmove");
    engine.send_bytes(b"quit\r\n");
    check_clean(&engine.wait());
}

#[test]
fn the_last_line_may_lack_its_end() {
    let mut engine = Process::start(&[]);
    engine.send_bytes(b"uci\nisready");
    let exit = engine.close();
    check_clean(&exit);
    assert_eq!(exit.lines.last().map(String::as_str), Some("readyok"));
}

#[test]
fn a_closed_output_ends_the_process_quietly() {
    for question in [
        "uci\n",
        "uci\ngo infinite\n",
        "xboard\nprotover 2\nnew\nping 1\n",
    ] {
        assert_gone(question, || end_by_closing_the_output(question));
    }
}

/// How long the process lasts after this input if nobody reads its output. It must end quietly.
fn end_by_closing_the_output(question: &str) -> Duration {
    let mut child = command()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it can be started");
    drop(child.stdout.take());
    // Stays open, so that only the closed output can end the process.
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    let written = stdin.write_all(question.as_bytes());
    written.expect("it reads its input");
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("it is ours") {
            break status;
        }
        assert!(start.elapsed() < PATIENCE, "still there after {question:?}");
        thread::sleep(Duration::from_millis(1));
        // A process that another test is just starting has copies of all pipes for a moment, and
        // could receive what is written then.
        let _ = stdin.write_all(b"isready\nping 2\n");
    };
    let took = start.elapsed();
    let mut stderr = String::new();
    let mut pipe = child.stderr.take().expect("its errors are a pipe");
    let read = pipe.read_to_string(&mut stderr);
    read.expect("it writes UTF-8");
    assert!(status.success(), "{question:?}: {status}");
    assert_eq!(stderr, "", "{question:?}");
    took
}

#[cfg(unix)]
#[test]
fn cecp_ignores_the_signals_of_xboard() {
    let mut engine = cecp(Process::start(&[]));
    for signal in ["INT", "TERM"] {
        engine.signal(signal);
        engine.send("ping 1");
        engine.wait_for("pong 1");
    }
    engine.send("quit");
    check_clean(&engine.wait());
}

#[cfg(unix)]
#[test]
fn a_person_can_interrupt() {
    let mut engine = uci(Process::start(&[]));
    engine.send("go infinite");
    engine.wait_for("info");
    engine.signal("INT");
    assert!(!engine.wait().status.success());
}

#[test]
fn raw_inputs_are_survived() {
    for path in data::files(&data::own("malformed/raw")) {
        let bytes = fs::read(&path).unwrap();
        for greeting in ["", "uci\n", "xboard\nprotover 2\n"] {
            let mut engine = Process::start(&[]);
            engine.send(greeting);
            // An input that quits may have closed the pipe before its end was written.
            engine.try_send_bytes(&bytes);
            let exit = engine.close();
            assert!(exit.status.success(), "{}: {exit:?}", path.display());
            assert_eq!(exit.stderr, "", "{}", path.display());
        }
    }
}
