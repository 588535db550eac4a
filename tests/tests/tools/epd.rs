//! `orthrus epd`.

use std::fs;
use std::path::Path;

use orthrus_tests::data;
use orthrus_tests::process::{Process, output_of, run};
#[cfg(target_os = "linux")]
use orthrus_tests::process::{command, limited};
use orthrus_tests::scratch::Scratch;
use serde_json::json;

use super::objects;

/// A mate that is found, a move that is not, and points for another move.
const SUITE: &str = "\
# three positions
6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; dm 1; id \"back rank\";
6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Kd2; id \"no good\";

6k1/5ppp/8/8/8/8/8/R3K3 w - - am Kd2; c0 \"Kd2=10, Ra8=7\"; id \"points\";
";

#[test]
fn solved_and_missed_positions_are_told() {
    let scratch = Scratch::new();
    let suite = scratch.write("told.epd", SUITE);
    let text = output_of(&["epd", &suite, "--depth", "5"]);
    for part in [
        "+ back rank ",
        "Ra8#",
        "- no good ",
        "7 of 10 points",
        "  no good: bm Kd2, found Ra8#\n",
        "solved  2 of 3 (66.7 %)\n",
        "points  7 of 10 (70.0 %)\n",
    ] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
}

#[test]
fn a_suite_may_be_of_another_game() {
    let scratch = Scratch::new();
    for (variant, line) in [
        (
            "crazyhouse",
            "6k1/5ppp/8/8/8/8/8/4K3[R] w - - bm R@a8#; id \"drop\";",
        ),
        ("3check", "7k/8/8/8/8/8/8/R3K3 w - - 1+3 bm Ra8+; dm 1;"),
    ] {
        let suite = scratch.write(variant, line);
        let text = output_of(&["epd", &suite, "--variant", variant, "--depth", "5"]);
        assert!(text.contains("solved  1 of 1"), "{text}");
        let output = run(&["epd", &suite]);
        assert_eq!(output.status.code(), Some(1), "chess: {variant}");
    }
}

#[test]
fn a_suite_may_come_from_standard_input() {
    let mut tool = Process::start(&["epd", "-", "--depth", "2"]);
    tool.send(SUITE.lines().nth(1).unwrap());
    tool.send("8/8/8 w - - bm Ra8;");
    let exit = tool.close();
    assert!(exit.status.success(), "{exit:?}");
    assert!(
        exit.stderr.starts_with("orthrus: standard input:2: "),
        "{exit:?}"
    );
    let unused = "unused  1 line of the suite".to_owned();
    assert!(exit.lines.contains(&unused), "{exit:?}");
}

#[test]
fn json_is_an_object_a_line() {
    let broken = format!("{SUITE}8/8/8 w - - bm Ra8;\n");
    let scratch = Scratch::new();
    let suite = scratch.write("json.epd", &broken);
    let text = output_of(&["epd", "--json", &suite, "--depth", "5"]);
    let objects = objects(text.lines());
    let [unusable, mate, miss, _, summary] = &objects[..] else {
        panic!("{text}");
    };
    assert_eq!(unusable["line"], 6);
    assert_eq!(mate["id"], "back rank");
    assert_eq!(
        (&mate["move"], &mate["uci"]),
        (&json!("Ra8#"), &json!("a1a8"))
    );
    assert_eq!(mate["score"], json!({ "mate": 1 }));
    assert!(mate["solution"]["nodes"].as_u64() <= mate["search"]["nodes"].as_u64());
    assert_eq!(
        (&miss["solved"], &miss["solution"]),
        (&json!(false), &json!(null))
    );
    let summary = &summary["summary"];
    assert_eq!(summary["solved"], 2);
    assert_eq!(summary["unusable"], 1);
    assert_eq!(summary["missed"], json!([{ "number": 2, "id": "no good" }]));
    assert_eq!(summary["interrupted"], false);
}

#[test]
fn nodes_give_the_same_result_every_time() {
    let scratch = Scratch::new();
    let suite = scratch.write("same.epd", SUITE);
    let moves = || {
        let text = output_of(&["epd", &suite, "--json", "--nodes", "3000"]);
        let objects = objects(text.lines());
        let told = objects
            .iter()
            .map(|it| [&it["move"], &it["score"], &it["search"]["nodes"]]);
        told.map(|values| format!("{values:?}")).collect::<Vec<_>>()
    };
    assert_eq!(moves(), moves());
}

#[test]
fn a_suite_that_cannot_be_used_is_an_error() {
    let scratch = Scratch::new();
    let text = scratch.write("letter.epd", "Dear reader,\n");
    for file in ["/no/such/suite.epd", &text] {
        let output = run(&["epd", file]);
        assert!(
            !output.status.success() && output.stdout.is_empty(),
            "{output:?}"
        );
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains(file), "{stderr}");
        let says_why = stderr.contains("line 1: ") || stderr.contains("cannot read");
        assert!(says_why, "{stderr}");
    }
}

/// File names are bytes, at least on Linux, and JSON is text.
#[cfg(target_os = "linux")]
#[test]
fn a_suite_whose_name_is_no_text_is_read() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let scratch = Scratch::new();
    let path = scratch.folder().join(OsStr::from_bytes(b"\xff.epd"));
    fs::write(&path, format!("Dear reader,\n{SUITE}")).unwrap();
    let mut tool = command();
    let output = tool
        .args(["epd", "--json", "--depth", "2"])
        .arg(&path)
        .output();
    let output = output.unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = objects(text.lines());
    assert_eq!(lines[0]["line"], 1, "{text}");
    assert!(lines[0]["file"].is_string(), "{text}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_the_totals() {
    let scratch = Scratch::new();
    let suite = scratch.write("interrupted.epd", SUITE.repeat(50));
    let mut tool = Process::start(&["epd", &suite, "--json", "--movetime", "200"]);
    tool.wait_for("{");
    tool.signal("INT");
    let exit = tool.wait();
    assert!(exit.status.success(), "{exit:?}");
    let objects = objects(exit.lines.iter().map(String::as_str));
    let summary = &objects.last().expect("there is a summary")["summary"];
    assert_eq!(summary["interrupted"], true);
    assert!(summary["searched"].as_u64() < Some(150), "{summary}");
    assert!(summary["searched"].as_u64() >= Some(1), "{summary}");
}

/// The summary of the first positions of a suite, all of which can be used.
fn summary(suite: &Path, positions: usize, nodes: &str) -> serde_json::Value {
    let text = fs::read_to_string(suite).expect("a suite");
    let lines: Vec<&str> = text.lines().take(positions).collect();
    let scratch = Scratch::new();
    let part = scratch.write("known.epd", lines.join("\n"));
    let told = output_of(&["epd", &part, "--json", "--nodes", nodes]);
    let summary = objects(told.lines().last()).remove(0)["summary"].take();
    assert_eq!(summary["unusable"], 0, "{}", suite.display());
    assert_eq!(summary["searched"], lines.len(), "{}", suite.display());
    summary
}

#[test]
fn a_suite_is_understood() {
    summary(&data::own("epd/mates.epd"), 50, "1");
}

/// The engine solves a fair part of the tactical one.
#[test]
#[cfg_attr(not(has_others), ignore = "other people's suites are not here")]
fn suites_of_others_are_understood() {
    for suite in data::files(&data::others("epd")) {
        summary(&suite, 50, "1");
    }
    let tactical = summary(&data::others("epd/wac.epd"), 300, "3000");
    assert!(tactical["solved"].as_u64() >= Some(90), "{tactical}");
}

/// Names of positions and of files come from others; a terminal must not obey them.
#[cfg(unix)]
#[test]
fn control_characters_are_shown() {
    let scratch = Scratch::new();
    let position = "6k1/5ppp/8/8/8/8/8/R3K3 w - -";
    let suite = format!(
        "{position} bm Ra8; id \"\u{1b}[31mred\u{9b}2J\";\n{position} bm Kd2; id \"\u{7}\";\n\u{1b}c\n"
    );
    let suite = scratch.write("\u{1b}]0;title.epd", &suite);
    for arguments in [
        &["epd", &suite, "--depth", "2"][..],
        &["epd", &suite, "--depth", "2", "--json"],
    ] {
        let output = run(arguments);
        assert!(output.status.success(), "{output:?}");
        for bytes in [output.stdout, output.stderr] {
            let text = String::from_utf8(bytes).unwrap();
            let raw = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\t');
            assert!(!text.contains(raw), "{text:?}");
            assert!(text.contains("\\u001b"), "{text:?}");
        }
    }
    let missing = run(&["epd", "no\u{1b}[31msuch.epd"]);
    let text = String::from_utf8(missing.stderr).unwrap();
    assert!(text.contains("no\\u001b[31msuch.epd"), "{text:?}");
}

/// Lines without a position take no memory.
#[cfg(target_os = "linux")]
#[test]
fn a_long_file_is_read_line_by_line() {
    let scratch = Scratch::new();
    let suite = scratch.write("long.epd", "\n".repeat(50 << 20));
    let mut command = limited(&format!("-v {}", 700 << 10));
    command.args(["epd", &suite, "--depth", "2"]);
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.ends_with("has no position that can be used\n"),
        "{text:?}"
    );
}
