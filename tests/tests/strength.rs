//! The scripts that measure strength, with a match runner that only pretends to play.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Output, Stdio};

use orthrus_tests::data::repository;
use orthrus_tests::scratch::Scratch;

/// Records its arguments, and reports that the first engine won three games and lost one.
const RUNNER: &str = r#"#!/bin/sh
printf '%s\n' "$@" >"$(dirname "$0")/arguments"
: >games.pgn
echo 'Wins: 3, Losses: 1'
"#;

/// A folder with a `fastchess` that plays nothing.
fn scratch() -> Scratch {
    let scratch = Scratch::new();
    let runner = scratch.write("fastchess", RUNNER);
    fs::set_permissions(runner, Permissions::from_mode(0o755)).expect("it can be run");
    for file in ["new", "base", "openings.epd"] {
        scratch.write(file, "");
    }
    scratch
}

/// The output of a script that was started in this folder.
fn run(scratch: &Scratch, script: &str, arguments: &[&str]) -> Output {
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new(repository().join("tests/strength").join(script))
        .args(arguments)
        .current_dir(scratch.folder())
        .env("PATH", format!("{}:{path}", scratch.folder().display()))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("the script can be started")
}

fn read(scratch: &Scratch, file: &str) -> String {
    fs::read_to_string(scratch.path(file)).expect("a file that was written")
}

#[track_caller]
fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
#[cfg_attr(not(has_python3), ignore = "python3 is not installed")]
fn a_screening_takes_the_changes_after_its_results() {
    let scratch = scratch();
    // As CONTRIBUTING.md writes it.
    let settings = "--engine new --openings openings.epd --games 8 --results run.jsonl \
        futility_margin=60:100 probcut_min_depth=5:99+probcut_margin=150:193";
    let settings: Vec<&str> = settings.split_whitespace().collect();
    let said = stdout(&run(&scratch, "screen.py", &settings));
    assert!(said.starts_with("8 games,"), "{said}");
    let results = read(&scratch, "run.jsonl");
    assert_eq!(results.lines().count(), 2, "{results}");
    for result in results.lines() {
        for part in [
            "\"ahead\": 0.5",
            "\"futility_margin\"",
            "\"probcut_min_depth+probcut_margin\"",
        ] {
            assert!(result.contains(part), "{result}");
        }
    }
    let arguments = read(&scratch, "arguments");
    let on = "option.probcut_min_depth=5\noption.probcut_margin=150\n";
    let off = "option.probcut_min_depth=99\noption.probcut_margin=193\n";
    assert!(
        arguments.contains(on) && arguments.contains(off),
        "{arguments}"
    );
    let report = "--report --results run.jsonl --results run.jsonl";
    let report: Vec<&str> = report.split_whitespace().collect();
    let said = stdout(&run(&scratch, "screen.py", &report));
    assert!(said.starts_with("16 games,"), "{said}");
    let output = run(&scratch, "screen.py", &settings[..8]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn a_sequential_test_names_its_model() {
    let scratch = scratch();
    stdout(&run(&scratch, "sprt.sh", &["openings.epd", "new", "base"]));
    let arguments = read(&scratch, "arguments");
    let arguments: Vec<&str> = arguments.lines().collect();
    let test = arguments.iter().position(|&argument| argument == "-sprt");
    let test = test.expect("a sequential test is asked for");
    assert_eq!(
        arguments[test + 1..test + 6],
        [
            "elo0=0",
            "elo1=10",
            "alpha=0.05",
            "beta=0.05",
            "model=normalized"
        ]
    );
}

/// The numbers after `name` up to the closing bracket, without their commas.
fn list(row: &str, name: &str) -> Option<String> {
    let (_, rest) = row.split_once(name)?;
    let (numbers, _) = rest.split_once(']')?;
    Some(numbers.replace(',', ""))
}

/// The number after `name` in a row of a table.
fn number(row: &str, name: &str) -> Option<f64> {
    let (_, rest) = row.split_once(name)?;
    rest.split([',', ':', ' ']).next()?.parse().ok()
}

/// Bounds, `LLR` and `penta` of the matches in docs/lab/matches.md that fastchess played. Bounds also
/// hold for the rows below that say "the same".
fn measured() -> Vec<(f64, String)> {
    let page =
        fs::read_to_string(repository().join("docs/lab/matches.md")).expect("the page is there");
    let rows = page
        .lines()
        .filter(|row| !row.contains("clocks that count nodes"));
    let mut bounds = String::new();
    rows.filter_map(|row| {
        bounds = list(row, "SPRT [").unwrap_or_else(|| bounds.clone());
        let pairs = list(row, "penta [")?;
        Some((number(row, "LLR ")?, format!("{bounds} {pairs}")))
    })
    .collect()
}

/// The numbers in the log of matches were computed by fastchess, an independent program.
#[test]
#[cfg_attr(not(has_python3), ignore = "python3 is not installed")]
fn the_likelihood_ratio_is_that_of_fastchess() {
    const PROGRAM: &str = "
import sys
from sequential_test import log_likelihood_ratio
for line in sys.stdin:
    numbers = [int(number) for number in line.split()]
    print(log_likelihood_ratio(numbers[2:], numbers[:2]))
";
    let matches = measured();
    assert!(matches.len() >= 10, "{matches:?}");
    let mut python = Command::new("python3")
        .args(["-c", PROGRAM])
        .env("PYTHONPATH", repository().join("tests/strength"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python can be started");
    let mut stdin = python.stdin.take().expect("its input is a pipe");
    for (_, numbers) in &matches {
        writeln!(stdin, "{numbers}").expect("it reads its input");
    }
    drop(stdin);
    let said = stdout(&python.wait_with_output().expect("it ends"));
    assert_eq!(said.lines().count(), matches.len());
    for (line, (ratio, numbers)) in said.lines().zip(&matches) {
        let computed: f64 = line.parse().expect("a number");
        assert!(
            (computed - ratio).abs() < 0.006,
            "{numbers}: {computed}, not {ratio}"
        );
    }
}
