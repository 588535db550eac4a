//! `orthrus annotate`.

use std::fs;
#[cfg(unix)]
use std::{thread, time::Duration};

use orthrus_core::types::Color;
use orthrus_pgn::{GameResult, Nag, PgnGame, Reader};
use orthrus_tests::process::{Process, command, output_of, run};
use orthrus_tests::scratch::Scratch;
use serde_json::{Value, json};

use super::objects;

/// White loses the queen and is mated.
const GAMES: &str = "\
[White \"Loser <b>\"]
[Black \"Winner & Co\"]
[Result \"0-1\"]

1. e4 e5 2. Qh5 {[%eval 9.99] too early} Nc6 3. Qxf7+ (3. Qd1 Nf6) Kxf7 4. g4 Nf6 5. f3 Bc5 0-1

[White \"A\"]
[Black \"B\"]
[Result \"0-1\"]

1. f3 e5 2. g4 Qh4# 0-1
";

fn games(text: &str) -> Vec<PgnGame> {
    let games = Reader::new(text.as_bytes());
    games.map(|game| game.expect("it can be read")).collect()
}

fn annotated(format: &str) -> String {
    let scratch = Scratch::new();
    let file = scratch.write(&format!("{format}-in.pgn"), GAMES);
    output_of(&["annotate", &file, "--format", format, "--nodes", "2000"])
}

#[test]
fn a_blunder_gets_its_mark_and_the_better_line() {
    let games = games(&annotated("pgn"));
    assert_eq!(games.len(), 2);
    let game = &games[0];
    assert_eq!(game.result, GameResult::Win(Color::Black));
    assert!(
        game.tags
            .get("Annotator")
            .is_some_and(|name| name.starts_with("Orthrus "))
    );
    let accuracy = |tag| game.tags.get(tag).unwrap().parse::<f64>().unwrap();
    assert!(accuracy("WhiteAccuracy") < accuracy("BlackAccuracy"));
    let blunder = &game.main.moves[4];
    assert_eq!(blunder.nags, [Nag::BLUNDER]);
    assert!(
        blunder.comment.starts_with("[%eval -"),
        "{}",
        blunder.comment
    );
    assert!(blunder.comment.contains("[%wdl "), "{}", blunder.comment);
    assert!(blunder.comment.contains("Blunder: "), "{}", blunder.comment);
    assert_eq!(blunder.variations.len(), 2, "the one that was there stays");
    assert_ne!(blunder.variations[1].moves[0].mv, blunder.mv);
}

#[test]
fn what_was_said_stays_but_for_evaluations() {
    let early = &games(&annotated("pgn"))[0].main.moves[2];
    assert!(early.comment.ends_with("too early"), "{}", early.comment);
    assert!(!early.comment.contains("9.99"), "{}", early.comment);
    assert_eq!(early.comment.matches("[%eval").count(), 1);
}

#[test]
fn a_mate_needs_no_evaluation() {
    let game = &games(&annotated("pgn"))[1];
    assert_eq!(game.main.moves[3].comment, "");
    assert!(game.main.moves[2].comment.contains("[%eval #-1]"));
    assert_eq!(game.main.moves[2].nags, [Nag::BLUNDER]);
}

#[test]
fn a_draw_by_repetition_has_an_evaluation() {
    let moves = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2";
    let scratch = Scratch::new();
    let file = scratch.write("repeated.pgn", moves);
    let game = &games(&output_of(&["annotate", &file, "--nodes", "100"]))[0];
    let last = &game.main.moves[7].comment;
    assert!(last.starts_with("[%eval 0.00] [%wdl 0,1000,0]"), "{last}");
}

#[test]
fn json_has_an_object_a_game() {
    let objects = objects(annotated("json").lines());
    let [game, mate] = &objects[..] else {
        panic!("{objects:?}");
    };
    assert_eq!(game["tags"]["White"], "Loser <b>");
    assert_eq!(game["complete"], true);
    assert_eq!(game["positions"].as_array().unwrap().len(), 11);
    let blunder = &game["positions"][5];
    assert_eq!(
        (&blunder["move"], &blunder["uci"]),
        (&json!("Qxf7+"), &json!("h5f7"))
    );
    assert_eq!(blunder["mark"], "blunder");
    assert!(game["white"]["blunders"].as_u64() >= Some(1));
    let chances = blunder["wdl"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_u64);
    assert_eq!(chances.sum::<u64>(), 1000);
    assert_eq!(mate["positions"][4]["score"], json!({ "mate": 0 }));
    assert_eq!(mate["positions"][4]["wdl"], json!([0, 0, 1000]));
    let accuracy = |side: &str| mate[side]["accuracy"].as_f64().expect("a number");
    assert!(accuracy("white") < accuracy("black"), "{mate}");
    // What both formats say of the same search.
    let games = games(&annotated("pgn"));
    let tag = games[1].tags.get("BlackAccuracy").unwrap();
    assert_eq!(mate["black"]["accuracy"], tag.parse::<f64>().unwrap());
    assert!(
        tag.split_once('.')
            .is_some_and(|(_, tenths)| tenths.len() == 1)
    );
}

#[test]
fn a_page_is_written_to_its_file() {
    let scratch = Scratch::new();
    let file = scratch.write("page.pgn", GAMES);
    let page = scratch.write("page.html", "an older one");
    let arguments = ["annotate", &file, "-o", &page, "--nodes", "2000"];
    assert_eq!(output_of(&arguments), "");
    let text = fs::read_to_string(&page).unwrap();
    assert_eq!(text.matches("<article").count(), 2);
    let mut games = text.split("<article").skip(1);
    assert!(
        games.all(|game| game.contains("<circle class=\"blunder\"")),
        "{text}"
    );
    let blunders = annotated("json").matches("\"mark\":\"blunder\"").count();
    assert_eq!(text.matches("<circle class=\"blunder\"").count(), blunders);
    assert!(text.contains("Loser &lt;b&gt; – Winner &amp; Co"), "{text}");
    assert!(!text.contains("<b>\""), "{text}");
    assert!(!fs::exists(format!("{page}.part")).unwrap());
}

/// A file may be annotated in place: it is read to its end before it is replaced.
#[test]
fn the_input_may_be_the_output() {
    let scratch = Scratch::new();
    let file = scratch.write("in-place.pgn", GAMES);
    let text = annotated_in_place(&file, "200");
    assert_eq!(games(&text).len(), 2);
    assert!(text.contains("[%eval"), "{text}");
}

/// The remarks of the second run replace those of the first.
#[test]
fn twice_is_as_good_as_once() {
    let scratch = Scratch::new();
    let file = scratch.write("twice.pgn", GAMES);
    let once = annotated_in_place(&file, "2000");
    annotated_in_place(&file, "1000");
    assert_eq!(annotated_in_place(&file, "2000"), once);
}

/// The content of a file after its games are annotated in place.
fn annotated_in_place(file: &str, nodes: &str) -> String {
    output_of(&["annotate", file, "-o", file, "--nodes", nodes]);
    fs::read_to_string(file).expect("the games in their place")
}

/// Existing comments are not mistaken for the tool's own.
#[test]
fn a_variation_of_the_users_stays() {
    let scratch = Scratch::new();
    let file = scratch.write("own.pgn", "1. f3 e5 2. g4 (2. d4) Qh4# *");
    for _ in 0..3 {
        let text = annotated_in_place(&file, "2000");
        assert!(text.contains("(2. d4)"), "{text}");
    }
}

/// Annotating in place loses neither a game nor a variation.
#[test]
fn what_would_lose_something_is_not_replaced() {
    for lost in ["1. e5 e5 *", "1. e4 (1. --) e5 *"] {
        let text = format!("{lost}\n\n{GAMES}");
        let scratch = Scratch::new();
        let file = scratch.write("lossy.pgn", &text);
        let result = format!("{file}.part");
        // Windows does not say which file the standard input is, nor lets it be replaced meanwhile.
        let inputs = if cfg!(unix) {
            &[file.as_str(), "-"][..]
        } else {
            &[file.as_str()]
        };
        for input in inputs {
            let output = command()
                .args(["annotate", input, "-o", &file, "--nodes", "50"])
                .stdin(fs::File::open(&file).unwrap())
                .output()
                .unwrap();
            assert_eq!(output.status.code(), Some(1), "{output:?}");
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert!(stderr.contains("stays as it is"), "{stderr}");
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
            let annotated = fs::read_to_string(&result).unwrap();
            assert!(annotated.contains("[%eval"), "{annotated}");
            fs::remove_file(&result).unwrap();
        }
    }
}

/// No other format holds everything that games consist of.
#[test]
fn games_are_not_replaced_by_json_or_a_page() {
    let scratch = Scratch::new();
    let file = scratch.write("kept.pgn", GAMES);
    for format in ["json", "html"] {
        let games = file.as_str();
        let output = run(&["annotate", games, "-o", games, "--format", format]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains("a file of their own"), "{stderr}");
        assert_eq!(fs::read_to_string(games).unwrap(), GAMES);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn games_that_break_off_are_a_failure() {
    let scratch = Scratch::new();
    let result = scratch.write("broken-off.pgn", "an older one");
    // It can be opened, but not be read from the start.
    let output = run(&["annotate", "/proc/self/mem", "-o", &result]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr.matches("orthrus: ").count(), 1, "{stderr}");
    assert!(stderr.contains("cannot read on"), "{stderr}");
    assert_eq!(fs::read_to_string(&result).unwrap(), "an older one");
}

#[test]
fn games_that_cannot_be_read_are_told_and_left_out() {
    let scratch = Scratch::new();
    let file = scratch.write("bad.pgn", format!("1. e5 e5 *\n\n{GAMES}"));
    let output = run(&["annotate", &file, "--nodes", "100"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(games(&String::from_utf8(output.stdout).unwrap()).len(), 2);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("game 1, line 1: "), "{stderr}");

    let nothing = scratch.write("nothing.pgn", "");
    let output = run(&["annotate", &nothing]);
    assert!(
        !output.status.success() && output.stdout.is_empty(),
        "{output:?}"
    );
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_what_was_to_be_replaced() {
    let text = GAMES.repeat(20);
    let scratch = Scratch::new();
    let file = scratch.write("kept.pgn", &text);
    let earlier = scratch.write("earlier.pgn", "an earlier result");
    for (target, content) in [(&file, text.as_str()), (&earlier, "an earlier result")] {
        let result = format!("{target}.part");
        let arguments = ["annotate", &file, "-o", target];
        let tool = Process::start(&[&arguments[..], &["--movetime", "30"]].concat());
        while fs::metadata(&result).map_or(0, |result| result.len()) == 0 {
            thread::sleep(Duration::from_millis(10));
        }
        tool.signal("INT");
        let exit = tool.wait();
        assert_eq!(exit.status.code(), Some(1), "{exit:?}");
        assert!(exit.stderr.contains("stays as it is"), "{exit:?}");
        assert_eq!(fs::read_to_string(target).unwrap(), content);
        let annotated = games(&fs::read_to_string(&result).unwrap());
        assert!((1..40).contains(&annotated.len()), "{}", annotated.len());
    }
}

#[test]
fn standard_streams_have_a_name() {
    let annotate = |games: &str| {
        let mut tool = Process::start(&["annotate", "-", "-o", "-", "--nodes", "50"]);
        tool.send(games);
        tool.close()
    };
    let exit = annotate("");
    assert_eq!(exit.status.code(), Some(1), "{exit:?}");
    assert_eq!(
        exit.stderr,
        "orthrus: standard input has no game that can be read\n"
    );
    let exit = annotate("1. e4 e5 *");
    assert!(exit.status.success(), "{exit:?}");
    assert_eq!(games(&exit.lines.join("\n")).len(), 1);
}

#[cfg(unix)]
#[test]
fn ctrl_c_writes_what_was_analysed() {
    let scratch = Scratch::new();
    let file = scratch.write("interrupted.pgn", GAMES.repeat(20));
    let mut tool = Process::start(&["annotate", &file, "--json", "--movetime", "30"]);
    let first = tool.wait_for("{");
    tool.signal("INT");
    let exit = tool.wait();
    assert!(exit.status.success(), "{exit:?}");
    assert!(exit.stderr.contains("interrupted in game "), "{exit:?}");
    let lines = first.iter().chain(&exit.lines).map(String::as_str);
    let objects = objects(lines);
    assert!(objects.len() < 40, "{} games", objects.len());
    let last = objects.last().unwrap();
    assert_eq!(last["complete"], false);
    assert!(
        last["positions"]
            .as_array()
            .is_some_and(|it| !it.is_empty())
    );
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_wait_for_a_game() {
    let mut tool = Process::start(&["annotate", "-", "--json", "--nodes", "50"]);
    tool.send("1. e4 e5 *");
    tool.wait_for("{");
    tool.signal("INT");
    let exit = tool.wait();
    assert!(exit.status.success(), "{exit:?}");
    assert!(exit.stderr.contains("interrupted after game 1"), "{exit:?}");

    let mut tool = Process::start(&["annotate", "-", "--json"]);
    tool.send("1. e4");
    thread::sleep(Duration::from_millis(1_500));
    tool.signal("INT");
    let exit = tool.wait();
    assert_eq!(exit.status.code(), Some(1), "{exit:?}");
    assert_eq!(exit.stderr, "orthrus: interrupted before the first game\n");
}
