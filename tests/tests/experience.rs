//! What the engine learns from games, over both protocols, and what remains of it after a kill.
#![allow(clippy::unwrap_used, reason = "a failed set-up is a failed test")]

use std::fs;

use orthrus_core::engine::experience::{ExperienceFile, Record, read};
use orthrus_core::notation::{CastlingText, parse_coordinate, write_coordinate};
use orthrus_core::position::Position;
use orthrus_core::types::Score;
use orthrus_tests::process::{Process, command};
use orthrus_tests::scratch::Scratch;

/// An engine that learns into this file, over UCI.
fn pupil(file: &str) -> Process {
    let mut engine = Process::start(&[]);
    engine.send("uci\nsetoption name Experience value true");
    engine.send(&format!("setoption name Experience File value {file}"));
    engine
}

/// The move that the engine plays at depth 8 from the initial position.
fn opening_move(engine: &mut Process) -> String {
    played(engine, "startpos", "depth 8")
}

/// The move that the engine plays in a position.
fn played(engine: &mut Process, position: &str, limit: &str) -> String {
    engine.send(&format!("position {position}\ngo {limit}"));
    let lines = engine.wait_for("bestmove");
    let answer = lines.last().unwrap();
    answer.split(' ').nth(1).unwrap().to_owned()
}

/// The position after these moves.
fn after(moves: &[&str]) -> Position {
    let mut position = Position::startpos();
    for text in moves {
        position.make_move(parse_coordinate(&position, text).unwrap());
    }
    position
}

fn record(mv: &str, score: i32, depth: u8) -> Record {
    let position = Position::startpos();
    Record {
        key: position.key(),
        mv: parse_coordinate(&position, mv).unwrap(),
        score: Score::centipawns(score),
        depth,
    }
}

/// Writes what a game is said to have taught.
fn teach(file: &str, record: Record) {
    let (mut lesson, _) = ExperienceFile::open(file.as_ref()).unwrap();
    lesson.append(record).unwrap();
}

/// What the engine has learned when it has ended.
fn learned(mut engine: Process, file: &str) -> Vec<Record> {
    engine.send("quit");
    engine.wait();
    read(file.as_ref()).unwrap().records
}

#[test]
fn what_was_answered_before_a_kill_is_kept() {
    let scratch = Scratch::new();
    let file = scratch.name("kill.exp");
    let mut answered = Vec::new();
    for (round, first) in ["a2a3", "b2b3", "c2c3", "d2d3", "e2e3", "f2f3"]
        .iter()
        .enumerate()
    {
        let mut engine = pupil(&file);
        for reply in ["a7a6", "b7b6", "c7c6", "d7d6"] {
            engine.send(&format!(
                "position startpos moves {first} {reply}\ngo depth 6"
            ));
            engine.wait_for("bestmove");
            answered.push(after(&[first, reply]));
        }
        // All that was learned so far is written when this is answered.
        engine.send("isready");
        engine.wait_for("readyok");
        // The next answers come and are written while the kill is under way.
        for reply in ["e7e6", "f7f6", "g7g6"].iter().take(round % 4) {
            engine.send(&format!(
                "position startpos moves {first} {reply}\ngo depth 6"
            ));
        }
        drop(engine);
        let contents = read(file.as_ref()).unwrap();
        assert_eq!(contents.damaged, 0);
        let kept = |position: &Position| {
            let of_it = |record: &Record| record.key == position.key();
            contents.records.iter().any(of_it)
        };
        assert!(answered.iter().all(kept), "{:?}", contents.records);
    }
}

#[test]
fn both_protocols_learn_and_the_tool_shows_it() {
    let scratch = Scratch::new();
    let file = scratch.name("both.exp");
    let mut engine = Process::start(&[]);
    engine.send("xboard\nprotover 2");
    engine.wait_for("feature done=1");
    engine.send(&format!(
        "option Experience=1\noption Experience File={file}\nnew\nhint"
    ));
    // Hints, for either side, are no moves of the game, and nothing is learned from them.
    engine.wait_for("Hint:");
    engine.send("force\nusermove d2d4\nhint");
    engine.wait_for("Hint:");
    engine.send("new\nsd 7\nusermove e2e4");
    let lines = engine.wait_for("move");
    let reply = lines.last().unwrap().split(' ').nth(1).unwrap().to_owned();
    engine.send("result 1/2-1/2 {agreed}\nping 1");
    engine.wait_for("pong 1");
    engine.send("quit");
    engine.wait();

    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let show = |arguments: &[&str]| {
        let output = command()
            .args(["experience", "show", "--file", &file])
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let text = show(&["--fen", fen, "--json"]);
    for part in [
        "\"damaged\":0".to_owned(),
        "\"records\":1".to_owned(),
        "\"depth\":7".to_owned(),
        format!("\"uci\":\"{reply}\""),
    ] {
        assert!(text.contains(&part), "{part}: {text}");
    }
    assert!(show(&[]).ends_with("nothing is known of this position\n"));

    let merged = scratch.name("merged.exp");
    let output = command()
        .args(["experience", "merge", &merged, &file, &file])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.ends_with(": 1 added, 1 known as well before\n"),
        "{said}"
    );
    assert_eq!(read(merged.as_ref()).unwrap().records.len(), 1);
}

/// A search that is interrupted when a move has turned out to be better than expected knows no upper
/// bound of it, and experience is made of upper bounds.
#[test]
fn an_interrupted_bound_is_not_learned() {
    // Several, because where a search is interrupted changes with every change of it.
    let fens = [
        "r2rb1k1/pp1q1p1p/2n1p1p1/2bp4/5P2/PP1BPR1Q/1BPN2PP/R5K1 w - - 0 1",
        "rnbqkb1r/pppp1ppp/8/4P3/6n1/7P/PPPNPPP1/R1BQKBNR b KQkq - 0 1",
        "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1",
    ];
    let scratch = Scratch::new();
    let file = scratch.name("bound.exp");
    let mut engine = pupil(&file);
    let (mut bounds, mut learned) = (0, 0);
    let searches = fens
        .iter()
        .flat_map(|fen| (2_000..12_000).step_by(200).map(move |nodes| (fen, nodes)));
    for (fen, nodes) in searches {
        engine.send("ucinewgame\nisready");
        engine.wait_for("readyok");
        let before = fs::metadata(&file).unwrap().len();
        engine.send(&format!("position fen {fen}\ngo nodes {nodes}"));
        let lines = engine.wait_for("bestmove");
        engine.send("isready");
        engine.wait_for("readyok");
        let is_new = fs::metadata(&file).unwrap().len() > before;
        let told = lines
            .iter()
            .rfind(|line| line.starts_with("info depth"))
            .unwrap();
        if told.contains(" lowerbound ") {
            bounds += 1;
            assert!(!is_new, "{lines:?}");
        }
        learned += u32::from(is_new);
    }
    assert!(
        bounds > 0 && learned > 0,
        "{bounds} bounds, {learned} lessons"
    );
}

/// An engine that has said it is ready has read its file, so that this costs no time on the clock.
#[test]
fn the_file_is_open_when_the_engine_is_ready() {
    let scratch = Scratch::new();
    let file = scratch.name("ready.exp");
    let mut engine = pupil(&file);
    engine.send("isready");
    engine.wait_for("readyok");
    assert!(fs::exists(&file).unwrap());
    engine.send("quit");
    engine.wait();
}

#[test]
fn a_move_that_has_lost_is_not_repeated() {
    let scratch = Scratch::new();
    let file = scratch.name("lost.exp");
    let mut engine = Process::start(&[]);
    engine.send("uci");
    let best = opening_move(&mut engine);
    teach(&file, record(&best, -400, 30));
    let other = opening_move(&mut pupil(&file));
    assert_ne!(other, best);
}

/// The first move generated here has lost by mate: its position is searched with an open window,
/// where a bound from the table does not count.
#[test]
fn a_first_move_that_was_mated_is_not_repeated() {
    let fen = "7r/8/4p3/8/3R1K2/2P2p2/2P5/2k5 w - - 0 1";
    let position = orthrus_core::fen::parse(fen).unwrap();
    let scratch = Scratch::new();
    let file = scratch.name("mated.exp");
    let mv = position.legal_moves()[0];
    let mated = Record {
        key: position.key(),
        mv,
        score: Score::mated_in(20),
        depth: 60,
    };
    teach(&file, mated);
    let mut engine = pupil(&file);
    engine.send(&format!("position fen {fen}\ngo depth 10"));
    let lines = engine.wait_for("bestmove");
    let lost = write_coordinate(&position, mv, CastlingText::KingMove);
    assert!(!lines.last().unwrap().contains(&lost), "{lines:?}");
}

/// What comes of a move that was hardly searched, only the next search tells.
#[test]
fn a_shallow_search_is_no_lesson_but_the_next_one_is_for_its_move() {
    let scratch = Scratch::new();
    let file = scratch.name("shallow.exp");
    let mut engine = pupil(&file);
    let first = played(&mut engine, "startpos moves e2e4", "depth 3");
    assert!(read(file.as_ref()).unwrap().records.is_empty());
    // Another move than a good one: the first search has promised nothing.
    let next = format!("startpos moves e2e4 {first} a2a3");
    played(&mut engine, &next, "depth 8");
    let records = learned(engine, &file);
    let depths: Vec<u8> = records.iter().map(|it| it.depth).collect();
    assert_eq!(depths, [10, 8]);
    let mv = parse_coordinate(&after(&["e2e4"]), &first).unwrap();
    assert_eq!(records[0].mv, mv);
    assert_eq!(records[0].score, records[1].score);
}

/// Black mates in two plies, which every iteration finds as fast as the first.
#[test]
fn a_solved_position_is_recorded_with_no_great_depth() {
    let scratch = Scratch::new();
    let file = scratch.name("solved.exp");
    let mut engine = pupil(&file);
    let mated = "fen 6k1/8/8/8/8/6q1/P4r2/7K w - - 0 1";
    played(&mut engine, mated, "wtime 10000 btime 10000");
    let records = learned(engine, &file);
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].score, Score::mated_in(2));
    assert!(records[0].depth < 20, "{records:?}");
}

/// What it had written into the hash table would still be there.
#[test]
fn switched_off_it_is_forgotten() {
    let fen = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1";
    let position = orthrus_core::fen::parse(fen).unwrap();
    let scratch = Scratch::new();
    let file = scratch.name("forgotten.exp");
    let slander = Record {
        key: position.key(),
        mv: parse_coordinate(&position, "e4d5").unwrap(),
        ..record("e2e4", -5000, 60)
    };
    teach(&file, slander);
    let mut engine = pupil(&file);
    for (setting, is_taken) in [("true", false), ("false", true)] {
        engine.send(&format!("setoption name Experience value {setting}"));
        let mv = played(&mut engine, &format!("fen {fen}"), "depth 6");
        assert_eq!(mv == "e4d5", is_taken, "{mv}");
    }
}

#[test]
fn off_means_off() {
    let scratch = Scratch::new();
    let file = scratch.name("off.exp");
    let mut engine = Process::start(&[]);
    engine.send("uci");
    engine.send(&format!("setoption name Experience File value {file}"));
    opening_move(&mut engine);
    engine.send("quit");
    engine.wait();
    assert!(!fs::exists(&file).unwrap());
}

#[test]
fn a_file_that_cannot_be_used_is_named_once_and_the_game_goes_on() {
    let scratch = Scratch::new();
    let file = scratch.name("foreign.exp");
    fs::write(&file, "somebody's diary, which is longer than a heading").unwrap();
    let mut engine = pupil(&file);
    engine.send("position startpos\ngo depth 6");
    let lines = engine.wait_for("bestmove");
    let told = |lines: &[String]| {
        let told = lines
            .iter()
            .filter(|line| line.contains("holds no experience"));
        told.count()
    };
    assert_eq!(told(&lines), 1, "{lines:?}");
    engine.send("go depth 6");
    assert_eq!(told(&engine.wait_for("bestmove")), 0);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("somebody's diary"), "{text}");
}
