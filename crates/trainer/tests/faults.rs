//! What is left of self-play data when the program is killed or the disk is full: everything that
//! was written, and a file that the same command continues as if nothing had happened.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a failed set-up is a failed test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

const TRAINER: &str = env!("CARGO_BIN_EXE_orthrus-trainer");

/// Enough for three blocks, which are what is written at once.
const GAMES: &str = "2500";
/// Bytes of about a block.
const BLOCK: u64 = 60_000;

fn fresh(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

/// Makes `command` play into a file.
fn selfplay<'a>(command: &'a mut Command, path: &Path) -> &'a mut Command {
    let rules = "--material --nodes 1 --seed 3 --threads 2 --games";
    command.arg("selfplay").args(rules.split(' ')).arg(GAMES);
    command.arg("--output").arg(path).stderr(Stdio::piped())
}

fn dump(path: &Path) -> String {
    let output = Command::new(TRAINER).arg("dump").arg(path).output();
    String::from_utf8(output.unwrap().stdout).unwrap()
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Continues a file, and checks that it becomes what it would have become in one go.
fn goes_on(path: &Path) {
    let whole = fresh(&format!(
        "{}-whole",
        path.file_name().unwrap().to_str().unwrap()
    ));
    for path in [path, &whole] {
        let output = selfplay(&mut Command::new(TRAINER), path).output().unwrap();
        assert!(output.status.success(), "{}", error(&output));
    }
    assert!(
        dump(path) == dump(&whole),
        "other games than without faults"
    );
}

#[test]
fn a_kill_loses_nothing_that_was_written() {
    let path = fresh("killed.data");
    let size = || fs::metadata(&path).map_or(0, |it| it.len());
    for block in 1..=2 {
        let mut child = selfplay(&mut Command::new(TRAINER), &path).spawn().unwrap();
        while size() < block * BLOCK && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        let before = dump(&path);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!before.is_empty() && dump(&path).starts_with(&before));
    }
    goes_on(&path);
}

#[test]
fn a_full_disk_is_named_and_loses_nothing_that_was_written() {
    let path = fresh("full.data");
    // 100 kB, or 200 if the shell counts in kB. Ignored, its signal becomes a failure to write.
    let mut limited = Command::new("sh");
    let script = "trap '' XFSZ; ulimit -f 200; exec \"$0\" \"$@\"";
    limited.args(["-c", script, TRAINER]);
    let output = selfplay(&mut limited, &path).output().unwrap();
    assert!(!output.status.success());
    let told = error(&output);
    assert!(
        told.contains("full.data") && told.contains("too large"),
        "{told}"
    );
    assert!(!dump(&path).is_empty());
    goes_on(&path);
}
