//! Full disks and folders that nobody may write to. `/dev/full` accepts nothing; a limit on the
//! size of files simulates a disk that fills up.

use std::fs;
use std::io::Write as _;
use std::process::{Output, Stdio};

use orthrus_tests::process::{Process, cecp, command, limited, uci};
use orthrus_tests::scratch::Scratch;

use super::{plays, plays_cecp, told};

/// Every file must stay empty. Standard streams are pipes, which are not limited.
const FULL: &str = "-f 0";

const GAME: &str = "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n";

fn failed(output: &Output, words: &[&str]) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{text}");
    for word in words {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn a_debug_log_on_a_full_disk_is_told_of_once_and_the_game_goes_on() {
    let scratch = Scratch::new();
    let file = scratch.name("orthrus.log");
    let mut engine = uci(Process::spawn(limited(FULL)));
    engine.send(&format!("setoption name Debug Log File value {file}"));
    assert_eq!(
        told(&mut engine),
        [format!(
            "info string cannot log to {file}: file too large; nothing is kept from now on"
        )]
    );
    plays(&mut engine);
    assert_eq!(told(&mut engine), [""; 0]);

    let mut engine = cecp(Process::spawn(limited(FULL)));
    engine.send(&format!("option Debug Log File={file}\nping 1"));
    let lines = engine.wait_for("pong 1");
    let told = lines.iter().filter(|line| line.contains("file too large"));
    assert_eq!(told.count(), 1, "{lines:?}");
    plays_cecp(&mut engine);
}

#[test]
fn a_log_on_a_full_disk_is_told_of_once_and_the_game_goes_on() {
    let mut engine = uci(Process::start(&["--log-file", "/dev/full"]));
    plays(&mut engine);
    let exit = engine.close();
    assert!(exit.status.success(), "{exit:?}");
    let told = exit.stderr.matches("the log failed").count();
    assert_eq!((told, exit.stderr.lines().count()), (1, 1), "{exit:?}");
}

#[test]
fn experience_on_a_full_disk_is_told_of_once_and_the_game_goes_on() {
    let scratch = Scratch::new();
    let mut engine = uci(Process::spawn(limited(FULL)));
    engine.send("setoption name Experience value true");
    let file = scratch.name("full.exp");
    engine.send(&format!("setoption name Experience File value {file}"));
    engine.send("position startpos\ngo depth 7");
    let lines = engine.wait_for("bestmove");
    let expected = format!("info string cannot use experience {file}: file too large");
    assert!(lines.contains(&expected), "{lines:?}");
    plays(&mut engine);
    assert_eq!(told(&mut engine), [""; 0]);
}

#[test]
fn a_book_or_a_review_that_does_not_fit_leaves_the_old_one() {
    let scratch = Scratch::new();
    let games = scratch.name("games.pgn");
    fs::write(&games, GAME.repeat(3)).unwrap();
    for (tool, target) in [
        (vec!["book", "make", &games], "book.bin"),
        (
            vec!["annotate", &games, "--depth", "2", "-o"],
            "review.html",
        ),
        (vec!["annotate", &games, "--depth", "2", "-o"], "review.pgn"),
    ] {
        let target = scratch.name(target);
        // As long as a book entry, since only a book may be replaced by one.
        fs::write(&target, "was there before").unwrap();
        let output = limited(FULL).args(tool).arg(&target).output().unwrap();
        failed(&output, &[&target, "too large"]);
        let kept = fs::read_to_string(&target).unwrap();
        assert_eq!(kept, "was there before");
        assert!(!fs::exists(format!("{target}.part")).unwrap());
    }
}

#[test]
fn results_that_do_not_fit_are_a_failure() {
    let scratch = Scratch::new();
    let games = scratch.name("games.pgn");
    fs::write(&games, GAME).unwrap();
    for tool in [
        &["options"][..],
        &["perft", "1"],
        &["annotate", &games, "--depth", "2"],
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full");
        let full = Stdio::from(full.unwrap());
        let child = command().args(tool).stdout(full).output();
        failed(&child.unwrap(), &["cannot write to standard output"]);
    }
}

#[test]
fn an_engine_whose_output_does_not_fit_ends_and_says_so() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full");
    let mut child = command()
        .stdin(Stdio::piped())
        .stdout(full.unwrap())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"uci\ngo infinite\n").unwrap();
    let output = child.wait_with_output().unwrap();
    failed(&output, &["cannot write to standard output"]);
    drop(stdin);
}

#[test]
fn a_folder_that_takes_no_files_stops_no_game() {
    // Not even a superuser can make a file there.
    let mut command = command();
    command.current_dir("/proc");
    let mut engine = uci(Process::spawn(command));
    engine.send("setoption name Debug Log File value orthrus.log");
    let [line] = &told(&mut engine)[..] else {
        panic!("not told of");
    };
    assert!(line.contains("cannot log to orthrus.log"), "{line}");
    engine.send("setoption name Experience value true");
    engine.send("setoption name Experience File value nowhere.exp");
    engine.send("position startpos\ngo depth 7");
    let lines = engine.wait_for("bestmove");
    let told = lines.iter().filter(|line| line.contains("nowhere.exp"));
    assert_eq!(told.count(), 1, "{lines:?}");
    plays(&mut engine);
}
