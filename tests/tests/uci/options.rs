//! Options that change what a search finds or reports, in the real process.

use std::fs;
use std::time::{Duration, Instant};

use orthrus_tests::process::{Process, command, uci};
use orthrus_tests::scratch::Scratch;

fn with_options(options: &[&str]) -> Process {
    let mut engine = uci(Process::start(&[]));
    for option in options {
        engine.send(&format!("setoption name {option}"));
    }
    engine
}

/// The number after `name` in a line.
fn value(line: &str, name: &str) -> i64 {
    let words: Vec<&str> = line.split(' ').collect();
    let at = words.iter().position(|word| *word == name);
    let text = at.and_then(|at| words.get(at + 1));
    text.unwrap_or_else(|| panic!("{name}: {line}"))
        .parse()
        .unwrap_or_else(|_| panic!("{name}: {line}"))
}

/// The last line of thinking of a search by `go`.
fn last_line(engine: &mut Process, go: &str) -> String {
    engine.send(go);
    let lines = engine.wait_for("bestmove");
    let line = lines.iter().rev().find(|line| line.contains(" pv "));
    line.expect("a line of thinking").clone()
}

#[test]
fn contempt_is_seen_from_the_root_and_off_in_analysis() {
    // Whatever White plays, neither side can mate.
    const DRAWN: &str = "position fen 7k/8/8/8/8/8/8/K6B w - - 0 1";
    let mut engine = with_options(&["Contempt value 30"]);
    engine.send(DRAWN);
    assert_eq!(value(&last_line(&mut engine, "go depth 3"), "cp"), -30);
    // Hash entries made with contempt are of no use without it.
    engine.send("setoption name UCI_AnalyseMode value true");
    assert_eq!(value(&last_line(&mut engine, "go depth 3"), "cp"), 0);
    engine.send("setoption name UCI_AnalyseMode value false");
    assert_eq!(value(&last_line(&mut engine, "go depth 3"), "cp"), -30);
    let infinite = last_line(&mut engine, "go infinite depth 3\nstop");
    assert_eq!(value(&infinite, "cp"), 0);
    for (whose, score) in [("White", -30), ("Black", 30), ("Both", -30)] {
        engine.send(&format!("setoption name Analysis Contempt value {whose}"));
        engine.send("setoption name UCI_AnalyseMode value true");
        let line = last_line(&mut engine, "go depth 3");
        assert_eq!(value(&line, "cp"), score, "{whose}");
    }

    // Nor those of the other side's contempt.
    engine.send("position fen 7k/8/8/8/8/8/8/K6B b - - 0 1");
    assert_eq!(value(&last_line(&mut engine, "go depth 3"), "cp"), -30);

    let mut engine = Process::start(&[]);
    engine.send("xboard\nprotover 2\noption Contempt=30\nforce");
    engine.send("setboard 7k/8/8/8/8/8/8/K6B w - - 0 1\npost\nanalyze");
    let lines = engine.wait_for("5 ");
    assert!(lines[lines.len() - 1].starts_with("5 0 "), "{lines:?}");
}

#[test]
fn a_clock_in_nodes_is_the_same_on_every_machine() {
    let search = || {
        let mut engine = with_options(&["nodestime value 10"]);
        // A hundred milliseconds, which are a thousand nodes.
        last_line(&mut engine, "go wtime 100 btime 100")
    };
    let line = search();
    let nodes = value(&line, "nodes");
    assert!(nodes <= 1_000, "{line}");
    assert_eq!(value(&search(), "nodes"), nodes);
}

#[test]
fn a_clock_in_nodes_is_saved_where_there_is_nothing_to_think_about() {
    let mut engine = with_options(&["nodestime value 100"]);
    let go = "go wtime 40000 btime 40000";
    assert!(value(&last_line(&mut engine, go), "nodes") > 10_000);
    engine.send("position fen k7/7R/2Q5/8/8/8/8/7K b - - 0 1");
    assert!(value(&last_line(&mut engine, go), "nodes") < 1_000);
}

#[test]
fn what_is_asked_for_is_told_every_second() {
    let begun = Instant::now();
    let mut engine = with_options(&[
        "Threads value 2",
        "UCI_ShowCurrLine value true",
        "UCI_ShowRefutations value true",
    ]);
    engine.send("position startpos\ngo infinite");
    let mut lines = engine.wait_for("info currline 2 ");
    assert!(begun.elapsed() >= Duration::from_secs(1));
    lines.extend(engine.wait_for("info refutation "));
    engine.send("stop");
    lines.extend(engine.wait_for("bestmove"));
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("info currline 1 ")),
        "{lines:#?}"
    );
    let status = lines.iter().find(|line| line.contains(" cpuload "));
    let load = value(status.expect("a load"), "cpuload");
    assert!((1..=1_000).contains(&load), "{load}");
    for line in lines.iter().filter(|line| line.starts_with("info nodes ")) {
        assert!(value(line, "time") >= 1_000, "{line}");
    }
}

#[test]
fn nothing_of_that_is_told_unasked() {
    let mut engine = with_options(&[]);
    engine.send("position startpos\ngo movetime 2500");
    let lines = engine.wait_for("bestmove");
    assert!(lines.iter().any(|line| line.contains(" cpuload ")));
    for word in ["currline", "refutation", "wdl"] {
        assert!(!lines.iter().any(|line| line.contains(word)), "{lines:#?}");
    }
}

#[test]
fn moves_are_announced_after_a_second() {
    let mut engine = with_options(&[]);
    engine.send("position startpos\ngo movetime 700");
    let lines = engine.wait_for("bestmove");
    let announces = |line: &String| line.contains(" currmove ");
    assert!(!lines.iter().any(announces), "{lines:#?}");

    let begun = Instant::now();
    engine.send("go infinite");
    while !announces(engine.wait_for("info depth ").last().unwrap()) {}
    assert!(begun.elapsed() >= Duration::from_secs(1));
    engine.send("stop");
    engine.wait_for("bestmove");
}

#[test]
fn the_debug_log_is_a_transcript_until_it_is_closed() {
    let scratch = Scratch::new();
    let name = scratch.name("debug.log");
    let mut engine = with_options(&[&format!("Debug Log File value {name}")]);
    engine.send("isready");
    engine.wait_for("readyok");
    engine.send("setoption name Debug Log File value <empty>\nquit");
    assert!(engine.wait().status.success());
    let mut engine = Process::start(&[]);
    engine.send(&format!(
        "xboard\nprotover 2\noption Debug Log File={name}\nping 7"
    ));
    engine.wait_for("pong 7");
    engine.send("quit");
    assert!(engine.wait().status.success());

    let log = fs::read_to_string(name).unwrap();
    let kept: Vec<&str> = log
        .lines()
        .filter_map(|line| line.split("] ").nth(1))
        .collect();
    assert_eq!(
        kept,
        [
            ">> isready",
            "<< readyok",
            ">> setoption name Debug Log File value <empty>",
            ">> ping 7",
            "<< pong 7",
            ">> quit",
        ]
    );
}

#[test]
fn a_debug_log_that_cannot_be_opened_is_named() {
    let mut engine = with_options(&["Debug Log File value /no/such/folder/x.log"]);
    let lines = engine.wait_for("info string ");
    assert!(lines[0].contains("/no/such/folder/x.log"), "{lines:?}");
    engine.send("go depth 1");
    engine.wait_for("bestmove");

    let mut engine = Process::start(&[]);
    engine.send("xboard\nprotover 2\noption Debug Log File=/no/such/folder/x.log");
    let lines = engine.wait_for("telluser ");
    let notice = &lines[lines.len() - 1];
    assert!(notice.contains("/no/such/folder/x.log"), "{notice}");
}

#[test]
fn a_person_can_ask_how_it_was_made() {
    let output = command().args(["uci", "compiler"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("Orthrus "), "{text}");
    assert!(
        text.contains("rustc 1.") && text.contains("hash "),
        "{text}"
    );
}
