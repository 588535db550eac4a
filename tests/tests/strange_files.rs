//! Options that name what only looks like a file: an endless device, a pipe that nobody writes to.
//! The engine says so and goes on.
#![cfg(unix)]

use std::process::Command;

use orthrus_cecp::Cecp;
use orthrus_tests::scratch::Scratch;
use orthrus_tests::session::Session;
use orthrus_uci::Uci;

/// A pipe in the folder that has the name of an endgame table.
fn pipe_in(scratch: &Scratch) -> String {
    let pipe = scratch.name("KQvK.rtbw");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo can be started").success());
    pipe
}

/// The option, its value, and whether that is refused.
fn settings(scratch: &Scratch) -> Vec<(&'static str, String, bool)> {
    let pipe = pipe_in(scratch);
    let mut settings = vec![
        ("ExperienceFile", scratch.name("own.exp"), false),
        ("Experience", "true".to_owned(), false),
        ("SyzygyPath", scratch.name(""), true),
    ];
    for option in ["EvalFile", "BookFile", "ExperienceFile"] {
        settings.push((option, "/dev/zero".to_owned(), true));
        settings.push((option, pipe.clone(), true));
    }
    settings
}

/// Whether these lines say that something is not a file.
fn is_refused(lines: &[String]) -> bool {
    lines
        .iter()
        .any(|line| line.contains("neither a file nor a folder"))
}

#[test]
fn uci_refuses_what_is_no_file() {
    let scratch = Scratch::new();
    let mut session = Session::new(Uci::default());
    for (name, value, wanted) in settings(&scratch) {
        session.send(&format!("setoption name {name} value {value}"));
        // Experience is read when it is needed.
        session.send("go depth 1");
        let lines = session.wait_for("bestmove ");
        assert_eq!(is_refused(&lines), wanted, "{name} {value}: {lines:?}");
    }
    session.finish();
}

#[test]
fn cecp_refuses_what_is_no_file() {
    let scratch = Scratch::new();
    let mut session = Session::new(Cecp::default());
    for (name, value, wanted) in settings(&scratch) {
        session.send(&format!("option {name}={value}"));
        for line in ["new", "sd 1", "go"] {
            session.send(line);
        }
        let lines = session.wait_for("move ");
        assert_eq!(is_refused(&lines), wanted, "{name} {value}: {lines:?}");
    }
    session.finish();
}
