//! `orthrus play`.

use std::fs;
use std::thread;
use std::time::Duration;
#[cfg(unix)]
use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::Stdio,
};

use orthrus_pgn::{GameResult, PgnGame, Reader};
#[cfg(unix)]
use orthrus_tests::process::command;
use orthrus_tests::process::{Exit, Process, run};
use orthrus_tests::scratch::Scratch;

/// What is said to a person who types these lines and ends the input.
fn play(arguments: &[&str], lines: &[&str]) -> Exit {
    let limits = ["play", "--nodes", "500"];
    let mut tool = Process::start(&[&limits[..], arguments].concat());
    for line in lines {
        tool.send(line);
    }
    let exit = tool.close();
    assert!(exit.status.success(), "{exit:?}");
    exit
}

/// The game that is shown at the end.
fn game(exit: &Exit) -> PgnGame {
    let text = exit.lines.join("\n");
    let (_, pgn) = text.split_once("[Event ").expect("the game");
    let pgn = format!("[Event {pgn}");
    Reader::new(pgn.as_bytes())
        .next()
        .expect("a game")
        .expect("a sound game")
}

#[test]
fn a_person_can_win() {
    let scratch = Scratch::new();
    // The last line of an earlier game has no end.
    let file = scratch.write("games.pgn", "[Event \"earlier\"]\n\n1. d4 *");
    let fen = "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1";
    let exit = play(
        &["--fen", fen, "--pgn", &file, "--name", "Me"],
        &["Rd8", "Re8"],
    );
    let said = exit.lines.join("\n");
    assert!(said.contains("Rd8: illegal move"), "{said}");
    assert!(said.contains("Checkmate: White has won. 1-0"), "{said}");
    let played = game(&exit);
    assert_eq!(
        played.result,
        GameResult::Win(orthrus_core::types::Color::White)
    );
    assert_eq!(played.tags.get("White"), Some("Me"));
    assert!(
        played
            .tags
            .get("Black")
            .is_some_and(|name| name.starts_with("Orthrus "))
    );
    let kept = fs::read_to_string(&file).unwrap();
    let kept: Vec<PgnGame> = Reader::new(kept.as_bytes()).flatten().collect();
    let events = kept.iter().map(|game| game.tags.get("Event"));
    assert_eq!(events.collect::<Vec<_>>(), [Some("earlier"), Some("?")]);
}

/// A terminal that is closed ends the game, and the file has it.
#[cfg(unix)]
#[test]
fn a_game_that_nobody_sees_is_kept() {
    let scratch = Scratch::new();
    let file = scratch.name("games.pgn");
    let mut tool = command();
    tool.args(["play", "--nodes", "500", "--pgn", &file]);
    let mut tool = tool
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = tool.stdin.take().unwrap();
    stdin.write_all(b"e4\n").unwrap();
    let mut said = BufReader::new(tool.stdout.take().unwrap()).lines();
    said.find(|line| line.as_ref().unwrap().contains("1... "));
    drop(said);
    stdin.write_all(b"board\n").unwrap();
    tool.wait().unwrap();
    let kept = fs::read_to_string(&file).unwrap();
    let games: Vec<PgnGame> = Reader::new(kept.as_bytes()).flatten().collect();
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].main.moves.len(), 2);
}

#[test]
fn a_game_that_was_not_begun_is_not_kept() {
    let scratch = Scratch::new();
    let file = scratch.name("games.pgn");
    play(&["--pgn", &file], &["quit"]);
    assert!(fs::metadata(&file).is_err());
    play(&["--pgn", &file], &["resign"]);
    assert!(fs::read_to_string(&file).unwrap().contains("0-1"));
}

#[test]
fn moves_are_answered_and_taken_back() {
    let exit = play(
        &[],
        &["takeback", "e4", "takeback", "d4", "hint", "moves", "flip"],
    );
    let said = exit.lines.join("\n");
    assert!(
        said.contains("There is no move of yours to take back."),
        "{said}"
    );
    assert!(said.contains("Hint: "), "{said}");
    assert!(said.contains("The game was broken off. *"), "{said}");
    assert!(
        said.contains("1 | R | N | B | K | Q | B | N | R |"),
        "turned: {said}"
    );
    let played = game(&exit);
    assert_eq!(played.main.moves.len(), 2, "{said}");
    assert_eq!(played.main.moves[0].san(&played.start), "d4");
}

#[test]
fn the_engine_plays_either_side_at_any_level() {
    let exit = play(
        &["--side", "black", "--elo", "1400"],
        &["level 1", "level 2000", "go", "level off", "resign"],
    );
    let said = exit.lines.join("\n");
    assert!(said.contains("level off is full strength"), "{said}");
    assert!(said.contains("The engine plays at Elo 2000."), "{said}");
    assert!(
        said.contains("The engine plays at full strength."),
        "{said}"
    );
    // White moved first, then Black for the person, who had changed sides.
    let played = game(&exit);
    assert_eq!(played.main.moves.len(), 2, "{said}");
    assert_eq!(
        played.result,
        GameResult::Win(orthrus_core::types::Color::Black),
        "{said}"
    );
}

#[test]
fn a_clock_runs_down() {
    let mut tool = Process::start(&["play", "--nodes", "500", "--clock", "0.01+0"]);
    let said = tool.wait_for("[Result").join("\n");
    assert!(said.contains("You have lost on time. 0-1"), "{said}");
    let exit = tool.close();
    let rest = exit.lines.join("\n");
    assert!(rest.contains("[Termination \"time forfeit\"]"), "{rest}");
    assert!(rest.contains("[TimeControl \"0.6+0\"]"), "{rest}");

    let bare = ["--clock", "0.01+0", "--fen", "7k/8/8/8/8/8/8/KQ6 w - - 0 1"];
    let mut tool = Process::start(&[&["play"], &bare[..]].concat());
    let said = tool.wait_for("[Result").join("\n");
    assert!(said.contains("cannot win on time. 1/2-1/2"), "{said}");

    // The time before `go` is that of the side that was to move.
    let mut tool = Process::start(&["play", "--nodes", "500", "--clock", "0.1+0"]);
    thread::sleep(Duration::from_millis(300));
    tool.send("go\nquit");
    let said = tool.close().lines.join("\n");
    let time = |side: &str| {
        let (_, time) = said.split_once(side).expect("a prompt");
        time.split_once(')').expect("a time").0
    };
    assert_eq!(time("White ("), time("Black ("), "{said}");

    for clock in ["0+1", "x", "-1+0", "1+x"] {
        assert!(
            !run(&["play", "--clock", clock]).status.success(),
            "{clock}"
        );
    }
}
