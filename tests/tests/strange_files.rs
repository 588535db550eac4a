//! Options that name what only looks like a file: an endless device, a pipe that nobody writes to.
//! The engine says so and goes on.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use orthrus_cecp::Cecp;
use orthrus_tests::session::Session;
use orthrus_uci::Uci;

/// A folder with a pipe that has the name of an endgame table.
fn folder_with_pipe(test: &str) -> (PathBuf, PathBuf) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the test");
    let pipe = folder.join("KQvK.rtbw");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo can be started").success());
    (folder, pipe)
}

/// The option, its value, and whether that is refused.
fn settings(folder: &Path, pipe: &Path) -> Vec<(&'static str, String, bool)> {
    let name = |path: &Path| path.to_str().expect("a name").to_owned();
    let mut settings = vec![
        ("ExperienceFile", name(&folder.join("own.exp")), false),
        ("Experience", "true".to_owned(), false),
        ("SyzygyPath", name(folder), true),
    ];
    for option in ["EvalFile", "BookFile", "ExperienceFile"] {
        settings.push((option, "/dev/zero".to_owned(), true));
        settings.push((option, name(pipe), true));
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
    let (folder, pipe) = folder_with_pipe("uci-strange-files");
    let mut session = Session::new(Uci::default());
    for (name, value, wanted) in settings(&folder, &pipe) {
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
    let (folder, pipe) = folder_with_pipe("cecp-strange-files");
    let mut session = Session::new(Cecp::default());
    for (name, value, wanted) in settings(&folder, &pipe) {
        session.send(&format!("option {name}={value}"));
        for line in ["new", "sd 1", "go"] {
            session.send(line);
        }
        let lines = session.wait_for("move ");
        assert_eq!(is_refused(&lines), wanted, "{name} {value}: {lines:?}");
    }
    session.finish();
}
