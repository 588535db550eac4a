//! `orthrus analyse`.

use orthrus_tests::data;
#[cfg(unix)]
use orthrus_tests::process::Process;
use orthrus_tests::process::{output_of, run};
use orthrus_tests::scratch::Scratch;
use serde_json::{Value, json};

use super::objects;

/// The queen mates at once.
const MATE: &str = "7k/8/5K2/8/8/8/6Q1/8 w - - 0 1";

#[test]
fn people_see_a_board_and_lines() {
    let text = output_of(&[
        "analyse",
        "--moves",
        "e4",
        "e5",
        "--depth",
        "4",
        "--multipv",
        "2",
    ]);
    for part in [
        "1 | R | N | B | Q | K | B | N | R |\n",
        "White to move, rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n",
        "  2. ",
        "\nBest move: ",
    ] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
    assert!(
        !text.contains('\u{1b}'),
        "control characters outside a terminal: {text}"
    );
}

#[test]
fn json_is_an_object_a_line() {
    let text = output_of(&["analyze", "--fen", MATE, "--depth", "6", "--json"]);
    let objects = objects(text.lines());
    let (result, infos) = objects.split_last().unwrap();
    let last = infos.last().unwrap();
    assert_eq!(last["score"], json!({ "mate": 1 }), "{text}");
    assert_eq!(last["pv"][0], result["result"]["uci"]);
    assert_eq!(last["san"][0], result["result"]["move"]);
    assert_eq!(result["result"]["fen"], MATE);
}

#[test]
fn scores_are_from_whites_side() {
    let fen = "3qk3/8/8/8/8/8/8/4K3 b - - 0 1";
    let text = output_of(&["analyse", "--fen", fen, "--depth", "5", "--json"]);
    let objects = objects(text.lines());
    let score = &objects.last().unwrap()["result"]["score"];
    let value = score["cp"].as_i64().or(score["mate"].as_i64());
    assert!(value < Some(0), "{score}");
}

#[test]
fn a_game_that_is_over_needs_no_search() {
    let mated = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    let text = output_of(&["analyse", "--fen", mated]);
    assert!(text.ends_with("Checkmate: White has won.\n"), "{text}");
    let result = objects(output_of(&["analyse", "--json", "--fen", mated]).lines());
    assert_eq!(result[0]["result"]["move"], Value::Null);
}

#[test]
fn a_wrong_move_is_named() {
    let output = run(&["analyse", "--moves", "e4", "Ke3"]);
    assert!(
        !output.status.success() && output.stdout.is_empty(),
        "{output:?}"
    );
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("Ke3: illegal move"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_the_result_so_far() {
    let mut tool = Process::start(&["analyse", "--json"]);
    tool.wait_for("{");
    tool.signal("INT");
    let exit = tool.wait();
    assert!(exit.status.success(), "{exit:?}");
    let objects = objects(exit.lines.iter().map(String::as_str));
    let result = &objects.last().expect("there is a result")["result"];
    assert_eq!(result["interrupted"], true);
    assert!(result["move"].is_string(), "{result}");
}

#[test]
fn an_option_that_cannot_be_followed_ends_it_before_the_search() {
    let file = "EvalFile=/no/such.nnue";
    let output = run(&["analyse", "--depth", "1", "--json", "--option", file]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("/no/such.nnue"), "{stderr}");
}

#[test]
fn the_tables_found_are_told_of() {
    let scratch = Scratch::new();
    let empty = scratch.folder().to_str().unwrap();
    let nothing = "endgame tables: 0 with results, 0 with distances, up to 0 men";
    for (folder, expected) in [
        (
            "/no/such/folder",
            &["no tables in /no/such/folder: not found", nothing][..],
        ),
        (empty, &[nothing]),
    ] {
        let option = format!("SyzygyPath={folder}");
        let output = run(&["analyse", "--depth", "1", "--option", &option]);
        assert!(output.status.success(), "{output:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        let expected: Vec<_> = expected.iter().map(|it| format!("orthrus: {it}")).collect();
        assert_eq!(stderr.lines().collect::<Vec<_>>(), expected);
    }
}

/// A search that is interrupted when a move has turned out to be better than expected knows only a
/// lower bound; its result is the last score that is certain, as every mate is.
#[test]
fn an_interrupted_bound_is_no_result() {
    let fen = "r2rb1k1/pp1q1p1p/2n1p1p1/2bp4/5P2/PP1BPR1Q/1BPN2PP/R5K1 w - - 0 1";
    let mut bounds = 0;
    for nodes in (500..6000).step_by(100) {
        let text = output_of(&[
            "analyse",
            "--fen",
            fen,
            "--nodes",
            &nodes.to_string(),
            "--json",
        ]);
        let objects = objects(text.lines());
        let (result, infos) = objects.split_last().unwrap();
        let last = infos.last().unwrap();
        assert_ne!(last["bound"], "upper", "{text}");
        let is_certain =
            |info: &&Value| info["bound"] == "exact" || !info["score"]["mate"].is_null();
        let complete = infos.iter().rfind(is_certain).unwrap();
        assert_eq!(result["result"]["score"], complete["score"], "{text}");
        if last["bound"] == "lower" {
            bounds += 1;
            assert_eq!(last["pv"][0], result["result"]["uci"], "{text}");
        }
    }
    assert!(bounds > 0, "the search never ended with a bound");
}

/// The queen wins, but the next move is the hundredth without a capture or pawn move.
const WON_TOO_LATE: &str = "8/8/8/3k4/8/8/8/KQ6 w - - 99 80";

/// The score tells who would win without the fifty-move rule, the chances what the game is.
#[test]
fn a_draw_by_the_tables_is_certain() {
    let tables = data::own("syzygy");
    let option = format!("SyzygyPath={}", tables.to_str().unwrap());
    let nodes = ["--nodes", "1000", "--option", &option];
    let mut arguments = vec!["analyse", "--fen", WON_TOO_LATE, "--json"];
    arguments.extend(nodes);
    let text = output_of(&arguments);
    let objects = objects(text.lines());
    let (result, infos) = objects.split_last().unwrap();
    assert!(!infos.is_empty());
    for told in infos.iter().chain([&result["result"]]) {
        assert_eq!(told["wdl"], json!([0, 1000, 0]), "{text}");
        assert_ne!(told["score"]["cp"], 0, "{text}");
    }

    let scratch = Scratch::new();
    let game = format!("[SetUp \"1\"]\n[FEN \"{WON_TOO_LATE}\"]\n\n80. Qb4 *\n");
    let file = scratch.write("late.pgn", &game);
    let mut arguments = vec!["annotate", &file, "--format", "json"];
    arguments.extend(nodes);
    let text = output_of(&arguments);
    let review: Value = serde_json::from_str(text.trim()).unwrap();
    assert_eq!(review["positions"][0]["wdl"], json!([0, 1000, 0]), "{text}");
}
