//! The scripts that measure strength, with a match runner that only pretends to play.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Output};

use orthrus_tests::data::{note_skipped, repository};

/// Notes its arguments, and says that the first engine won three games and lost one.
const RUNNER: &str = r#"#!/bin/sh
printf '%s\n' "$@" >"$(dirname "$0")/arguments"
: >games.pgn
echo 'Wins: 3, Losses: 1'
"#;

/// A folder with a `fastchess` that plays nothing; removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("orthrus-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        let runner = folder.join("fastchess");
        fs::write(&runner, RUNNER).expect("a file can be written");
        fs::set_permissions(&runner, Permissions::from_mode(0o755)).expect("it can be run");
        for file in ["new", "base", "openings.epd"] {
            fs::write(folder.join(file), "").expect("a file can be written");
        }
        Self(folder)
    }

    /// What a script says that was started in this folder.
    fn run(&self, script: &str, arguments: &[&str]) -> Output {
        let path = std::env::var("PATH").unwrap_or_default();
        Command::new(repository().join("scripts").join(script))
            .args(arguments)
            .current_dir(&self.0)
            .env("PATH", format!("{}:{path}", self.0.display()))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .output()
            .expect("the script can be started")
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.join(file)).expect("a file that was written")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Whether there is a program; if not, notes that `test` was skipped.
fn has(program: &str, test: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        note_skipped(test, &format!("{program} is not installed"));
    }
    found
}

#[track_caller]
fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_screening_takes_the_changes_after_its_results() {
    if !has("python3", "a_screening_takes_the_changes_after_its_results") {
        return;
    }
    let scratch = Scratch::new("screening");
    // As CONTRIBUTING.md writes it.
    let settings = "--engine new --openings openings.epd --games 8 --results run.jsonl \
        futility_margin=60:100 probcut_min_depth=5:99";
    let settings: Vec<&str> = settings.split_whitespace().collect();
    let said = stdout(&scratch.run("screen.py", &settings));
    assert!(said.starts_with("8 games,"), "{said}");
    let results = scratch.read("run.jsonl");
    assert_eq!(results.lines().count(), 2, "{results}");
    for result in results.lines() {
        for part in ["\"ahead\": 0.5", "futility_margin", "probcut_min_depth"] {
            assert!(result.contains(part), "{result}");
        }
    }
    let report = "--report --results run.jsonl --results run.jsonl";
    let report: Vec<&str> = report.split_whitespace().collect();
    let said = stdout(&scratch.run("screen.py", &report));
    assert!(said.starts_with("16 games,"), "{said}");
    let output = scratch.run("screen.py", &settings[..8]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}
