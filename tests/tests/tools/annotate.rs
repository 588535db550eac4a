//! `orthrus annotate`.

use std::fs;
#[cfg(unix)]
use std::{thread, time::Duration};

use orthrus_core::types::Color;
use orthrus_pgn::{GameResult, Nag, PgnGame, Reader};
#[cfg(unix)]
use orthrus_tests::process::until;
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
fn openings_are_named_in_every_format() {
    const NAMES: [&str; 2] = ["Wayward Queen Attack", "Barnes Opening"];
    let pgn = games(&annotated("pgn"));
    let json = objects(annotated("json").lines());
    let page = annotated("html");
    for (index, (name, code)) in NAMES.into_iter().zip(["C20", "A00"]).enumerate() {
        let tag = |tag| pgn[index].tags.get(tag).unwrap();
        assert_eq!(tag("ECO"), code);
        assert!(tag("Opening").ends_with(name), "{}", tag("Opening"));
        assert_eq!(json[index]["tags"]["ECO"], code);
        assert_eq!(json[index]["tags"]["Opening"], tag("Opening"));
        assert!(page.contains(&format!("<p class=\"facts\">{code} · ")));
        assert!(page.contains(&format!("{name}\">{code}</td>")), "the index");
    }
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
fn a_long_variation_makes_no_page_that_grows_with_its_square() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(2000);
    let scratch = Scratch::new();
    let file = scratch.write("long.pgn", format!("1. e4 (1. {shuffle}) *\n"));
    let page = output_of(&["annotate", &file, "--format", "html", "--nodes", "100"]);
    assert!(page.matches("Ng8").count() >= 2000);
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
}

#[test]
fn who_must_capture_is_not_blamed_for_what_he_loses() {
    let scratch = Scratch::new();
    // White is rid of nothing, and mates, which loses.
    let mate = "[Variant \"Losers\"]\n[SetUp \"1\"]\n[FEN \"7k/1p6/5K2/8/8/8/8/6Q1 w - - 0 1\"]\n\n1. Qg7# 0-1\n";
    let file = scratch.write("losers.pgn", mate);
    let text = output_of(&["annotate", &file, "--format", "pgn", "--nodes", "20000"]);
    assert!(text.contains("$4") || text.contains("??"), "{text}");
    assert!(
        !text.contains("mate in 0") && !text.contains("loses"),
        "{text}"
    );
}

#[test]
fn a_page_is_written_to_its_file() {
    let scratch = Scratch::new();
    let file = scratch.write("page.pgn", GAMES);
    let page = scratch.write("page.html", "an older one");
    let arguments = ["annotate", &file, "-o", &page, "--nodes", "2000"];
    let output = run(&arguments);
    assert!(
        output.status.success() && output.stdout.is_empty(),
        "{output:?}"
    );
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("2 games, 16 positions in "), "{said}");
    assert!(said.contains(&format!(" -> {page}\n")), "{said}");
    assert!(said.contains("Winner & Co"), "{said}");
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

/// A mark of somebody else stays, whatever later runs think of the move.
#[test]
fn marks_of_others_outlive_all_runs() {
    let scratch = Scratch::new();
    let text = "1. f3 e5 2. g4?! {owner} Qh4# 0-1\n";
    let file = scratch.write("marked.pgn", text);
    for nodes in ["500", "1"] {
        let text = annotated_in_place(&file, nodes);
        let marked = &games(&text)[0].main.moves[2];
        assert_eq!(marked.nags, [Nag(6)], "{text}");
        assert!(marked.comment.ends_with("owner"), "{text}");
        let remark = "Blunder, as evaluated: ";
        assert!(nodes != "500" || marked.comment.contains(remark), "{text}");
    }
}

/// The remark on what is lost stays, once.
#[test]
fn a_game_is_kept_up_to_an_illegal_move() {
    let scratch = Scratch::new();
    let file = scratch.write("broken-off.pgn", "1. e4 e5 {so far} 2. Ke3 Nf6 1-0\n");
    let fault = "ply 3, \"Ke3\": illegal move";
    let warning =
        format!("game 1, line 1: {fault}\northrus: game 1 is kept up to there, with 2 moves\n");
    for expected in [warning.as_str(), ""] {
        let output = run(&["annotate", &file, "--nodes", "100"]);
        assert!(output.status.success(), "{output:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(expected), "{said}");
        assert_eq!(said.is_empty(), expected.is_empty(), "{said}");
        let text = String::from_utf8(output.stdout).unwrap();
        let game = &games(&text)[0];
        assert_eq!(game.main.moves.len(), 2);
        assert_eq!(game.result, GameResult::Win(Color::White));
        let last = &game.main.moves[1].comment;
        let remark = format!("so far What follows could not be read: {fault}");
        assert!(last.ends_with(&remark), "{last}");
        fs::write(&file, text).unwrap();
    }
}

/// A null move is searched like any other, and never marked.
#[test]
fn null_moves_stay() {
    let scratch = Scratch::new();
    let file = scratch.write("null.pgn", "1. e4 -- 2. Qh5 Z0 3. Bc4 @@@@ 4. Qxf7# 1-0\n");
    let text = output_of(&["annotate", &file, "--nodes", "1000"]);
    let game = &games(&text)[0];
    assert_eq!(game.main.moves.len(), 7);
    assert!(game.main.moves[5].nags.is_empty() && game.main.moves[5].mv.is_none());
    assert!(game.main.moves[5].comment.contains("[%eval #1]"), "{text}");
    // Who only passes has played nothing that could be accurate.
    assert!(!text.contains("[BlackAccuracy"), "{text}");
    let objects = objects(output_of(&["annotate", &file, "--json", "--nodes", "50"]).lines());
    let passed = &objects[0]["positions"][2];
    assert_eq!(
        (&passed["move"], &passed["uci"]),
        (&json!("--"), &json!("0000"))
    );
}

/// A better line goes on until the game is over, or for six plies.
#[test]
fn better_lines_are_complete() {
    let scratch = Scratch::new();
    let file = scratch.write("lines.pgn", GAMES);
    for nodes in ["50", "300", "2000"] {
        let games = games(&output_of(&["annotate", &file, "--nodes", nodes]));
        let moves = games.iter().flat_map(|game| {
            let positions = game
                .main
                .moves
                .iter()
                .scan(game.start.clone(), |position, node| {
                    let before = position.clone();
                    node.play(position);
                    Some((before, node))
                });
            positions.collect::<Vec<_>>()
        });
        let marked = moves.filter(|(_, node)| node.comment.contains(" was best"));
        let mut count = 0;
        for (mut position, node) in marked {
            let line = node.variations.last().expect("a better line");
            for node in &line.moves {
                node.play(&mut position);
            }
            let is_complete = line.moves.len() >= 6 || position.outcome().is_some();
            assert!(is_complete, "{nodes} nodes: {:?}", line.moves.len());
            count += 1;
        }
        assert!(count > 0, "{nodes} nodes: no better line");
    }
}

#[test]
fn reasons_are_read_off_the_lines() {
    let text = annotated("pgn").replace('\n', " ");
    assert!(
        text.contains(" was best; this loses the queen.")
            || text.contains(" was best; this loses the queen for a pawn."),
        "{text}"
    );
    assert!(text.contains(" was best; this allows mate in 1."), "{text}");
    let objects = objects(annotated("json").lines());
    assert_eq!(objects[1]["positions"][3]["reason"], "allows mate in 1");
    assert_eq!(objects[1]["schema"], 1);
}

/// What others have said is shown, and what commands say in their place.
#[test]
fn the_page_shows_what_was_there() {
    let scratch = Scratch::new();
    let text = "[White \"A\"]\n[Black \"B\"]\n[WhiteElo \"1850\"]\n[Opening \"King's Pawn\"]\n\
                [TimeControl \"60+1\"]\n\n{to begin with} 1. e4 $14 {[%clk 0:00:58] the <best>} \
                (1. d4 d5 (1... Nf6!) 2. c4) e5 {[%clk 0:00:41]} 2. Nf3 Nc6 1-0\n";
    let file = scratch.write("shown.pgn", text);
    // Enough nodes for no mark on 1. e4.
    let page = output_of(&["annotate", &file, "--format", "html", "--nodes", "2000"]);
    for expected in [
        "(1850)",
        "King&#39;s Pawn",
        "<li class=\"note\">to begin with</li>",
        ">e4⩲</button>",
        "<i>the &lt;best&gt;</i>",
        "data-ply=\"0\" data-path=\"d2d4 g8f6\">Nf6!</button>) 2.&nbsp;<button \
         data-ply=\"0\" data-path=\"d2d4 d7d5 c2c4\">c4</button>)",
        "time for each move, at most 20.00 s",
        "\"clock\":58.0,\"time\":3.0",
    ] {
        assert!(page.contains(expected), "{expected} in {page}");
    }
    assert!(!page.contains("<i>[%clk"), "{page}");
}

/// Several files are one job: one page with an index, and one table of players.
#[test]
fn several_files_are_annotated_together() {
    let scratch = Scratch::new();
    let first = scratch.write("first.pgn", GAMES);
    let second = scratch.write(
        "second.pgn",
        "[White \"A\"]\n[Black \"C\"]\n\n1. e4 e5 2. Ke4 *\n",
    );
    let page = scratch.name("all.html");
    let output = run(&["annotate", &first, &second, "-o", &page, "--nodes", "50"]);
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    let warning = format!("orthrus: {second}: game 1, line 4: ply 3, \"Ke4\": illegal move\n");
    assert!(said.contains(&warning), "{said}");
    assert!(said.contains("3 games of 2 files, "), "{said}");
    let a = said
        .lines()
        .find(|line| line.starts_with("A "))
        .expect("a player");
    assert_eq!(a.split_whitespace().nth(1), Some("2"), "{said}");
    let text = fs::read_to_string(&page).unwrap();
    assert_eq!(text.matches("<article").count(), 3);
    assert_eq!(text.matches("<a href=\"#game-").count(), 3);
    assert_eq!(text.matches("<details open>").count(), 1);

    // Only the games of one file could be replaced by themselves.
    let output = run(&["annotate", &first, &second, "-o", &second]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(fs::read_to_string(&second).unwrap().contains("Ke4"));

    // What cannot be read costs nothing of the others.
    let other = scratch.write("other.pgn", "PK\u{3}\u{4}");
    let output = run(&["annotate", &first, &other, "-o", &page, "--nodes", "50"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    let last = said.lines().last().expect("a reason");
    assert!(last.starts_with(&format!("orthrus: {other} is ")), "{said}");
    let text = fs::read_to_string(&page).unwrap();
    assert_eq!(text.matches("<article").count(), 2);

    let nothing = scratch.write("nothing.pgn", "");
    let output = run(&["annotate", &nothing, &first, "--nodes", "20"]);
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("nothing.pgn has no game that can be read"),
        "{said}"
    );
}

/// What a player did wrong is a suite to be solved.
#[test]
fn mistakes_are_a_test_suite() {
    let scratch = Scratch::new();
    let file = scratch.write("suite.pgn", GAMES);
    let suite = scratch.name("mistakes.epd");
    output_of(&["annotate", &file, "-o", &suite, "--nodes", "2000"]);
    let all = fs::read_to_string(&suite).unwrap();
    let queen = all
        .lines()
        .find(|line| line.contains("sm Qxf7+;"))
        .expect("the blunder");
    assert!(
        queen.starts_with("r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - bm "),
        "{queen}"
    );
    assert!(
        queen.contains("; hmvc 2; fmvn 3; id \"game 1, 3. Qxf7+\"; c0 \"blunder, loses the queen"),
        "{queen}"
    );
    let summary = objects(output_of(&["epd", &suite, "--json", "--nodes", "2000"]).lines());
    let summary = &summary.last().unwrap()["summary"];
    assert_eq!(summary["positions"], all.lines().count());
    assert_eq!(summary["unusable"], 0);
    assert!(summary["solved"].as_u64() >= Some(1), "{summary}");

    output_of(&[
        "annotate", &file, "-o", &suite, "--nodes", "2000", "--player", "winner",
    ]);
    let own = fs::read_to_string(&suite).unwrap();
    assert!(
        own.lines()
            .all(|line| line.contains(" b ") && all.contains(line)),
        "{own}"
    );
    assert!(own.len() < all.len());
}

#[test]
fn mistakes_in_a_variant_are_a_suite_of_it() {
    let scratch = Scratch::new();
    let game = "[Variant \"Three-check\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Bxf7+ Ke7 *\n";
    let file = scratch.write("checks.pgn", game);
    let suite = scratch.name("checks.epd");
    output_of(&["annotate", &file, "-o", &suite, "--nodes", "2000"]);
    let lines = fs::read_to_string(&suite).unwrap();
    assert!(lines.contains(" w KQkq - 3+3 bm ") || lines.contains(" b KQkq - 3+3 bm "));
    let summary = objects(output_of(&["epd", &suite, "--json", "--depth", "4"]).lines());
    let summary = &summary.last().unwrap()["summary"];
    assert_eq!(summary["positions"], lines.lines().count());
    assert_eq!(summary["unusable"], 0);
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
        // Movetext breaks its lines anywhere between two words.
        let words: Vec<_> = text.split_whitespace().collect();
        assert!(words.join(" ").contains("(2. d4)"), "{text}");
    }
}

/// Annotating in place loses neither a game nor a variation.
#[test]
fn what_would_lose_something_is_not_replaced() {
    for lost in [
        "1. e5 e5 *",
        "1. e4 e5 2. e5 *",
        "1. e4 (1. e5) e5 *",
        "1. e4 (1. d4 e5 *",
    ] {
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
        until("a part of the result", || {
            fs::metadata(&result).is_ok_and(|result| result.len() > 0)
        });
        tool.signal("INT");
        let exit = tool.wait();
        assert_eq!(exit.status.code(), Some(1), "{exit:?}");
        assert!(exit.stderr.contains("stays as it is"), "{exit:?}");
        assert!(!exit.stderr.contains(" -> "), "{exit:?}");
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

/// What is no PGN is called by its name, and so is what is no EPD.
#[test]
fn other_formats_are_named() {
    let utf_16: Vec<u8> = GAMES.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let utf_16 = [&[0xff, 0xfe][..], &utf_16].concat();
    let epd = "r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - bm Qd1;\n";
    let cases: [(&[&str], &[u8], &str); 7] = [
        (
            &["book", "show"],
            b"\x1f\x8b\x08",
            "compressed; unpack it first",
        ),
        (
            &["book", "show"],
            b"[Event \"?\"]\n\n1. e4 *\n",
            "PGN: games; name it *.pgn, or give it on standard input, as -",
        ),
        (&["annotate"], epd.as_bytes(), "EPD: positions, not games"),
        (&["annotate"], &utf_16, "text in UTF-16; save it as UTF-8"),
        (
            &["annotate"],
            b"\x28\xb5\x2f\xfdx",
            "compressed with zstd; unpack it first",
        ),
        (&["epd"], &utf_16, "text in UTF-16; save it as UTF-8"),
        (
            &["epd"],
            b"[Event \"?\"]\n\n1. e4 *\n",
            "PGN: games, not positions",
        ),
    ];
    let scratch = Scratch::new();
    for (tool, content, expected) in cases {
        let file = scratch.write("other", content);
        let output = run(&[tool, &[&file]].concat());
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said, format!("orthrus: {file} is {expected}\n"), "{tool:?}");
    }
}
