//! What the engine does with endgame tables, over UCI.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use orthrus_core::notation::parse_coordinate;
use orthrus_core::tablebase::{Tablebase, Wdl};
use orthrus_core::{fen, notation};
use orthrus_tests::data;
use orthrus_tests::scratch::Scratch;
use orthrus_tests::session::Session;
use orthrus_uci::Uci;

/// The folder of the tables.
fn tables() -> String {
    let folder = data::own("syzygy");
    folder
        .to_str()
        .expect("the folder's name is text")
        .to_owned()
}

/// The answer to `go` in a position, from the first `info` line to the best move.
fn search(folder: &str, options: &[&str], fen: &str, go: &str) -> Vec<String> {
    let mut session = Session::new(Uci::default());
    session.send(&format!("setoption name SyzygyPath value {folder}"));
    for option in options {
        session.send(&format!("setoption name {option}"));
    }
    session.send(&format!("position fen {fen}"));
    session.send(go);
    let mut lines = session.wait_for("bestmove");
    lines.retain(|line| !line.starts_with("info string"));
    session.finish();
    lines
}

/// The number after a word of the last line about the best move.
fn number(lines: &[String], word: &str) -> i32 {
    let line = &lines[lines.len() - 2];
    let behind = line.split_once(&format!(" {word} ")).map(|(_, rest)| rest);
    let text = behind.and_then(|rest| rest.split_whitespace().next());
    text.and_then(|text| text.parse().ok())
        .unwrap_or_else(|| panic!("no {word} in {line}"))
}

const KBN: &str = "8/8/8/4k3/8/8/8/KBN5 w - -";

#[test]
fn the_fifty_move_rule_decides_what_a_win_is_worth() {
    let folder = tables();
    let score = |options: &[&str], counters: &str| {
        let lines = search(&folder, options, &format!("{KBN} {counters}"), "go depth 3");
        assert!(number(&lines, "tbhits") > 0, "{lines:?}");
        number(&lines, "cp")
    };
    assert!((19_800..20_000).contains(&score(&[], "0 1")));
    // It takes 58 plies to mate.
    assert!((19_800..20_000).contains(&score(&[], "42 60")));
    assert_eq!(score(&[], "44 60"), 2);
    let without = ["Syzygy50MoveRule value false"];
    assert!((19_800..20_000).contains(&score(&without, "44 60")));
    // Not probed at all.
    let few = ["SyzygyProbeLimit value 3"];
    let lines = search(&folder, &few, &format!("{KBN} 0 1"), "go depth 3");
    assert_eq!(number(&lines, "tbhits"), 0);
}

#[test]
fn what_the_tables_know_is_told_with_certainty() {
    let folder = tables();
    let chances = |fen: &str, option: &str| {
        let options = ["UCI_ShowWDL value true", option];
        let lines = search(&folder, &options, fen, "go depth 3");
        let line = &lines[lines.len() - 2];
        let (_, rest) = line.split_once(" wdl ").expect("chances");
        let (chances, _) = rest.split_once(" nodes ").expect("nodes");
        chances.to_owned()
    };
    let holds = "Syzygy50MoveRule value true";
    // One more ply, which cannot be a mate, and the game is drawn.
    assert_eq!(
        chances("8/8/8/4k3/8/8/8/KQ6 w - - 99 80", holds),
        "0 1000 0"
    );
    assert_eq!(chances(&format!("{KBN} 44 60"), holds), "0 1000 0");
    assert_eq!(
        chances("8/8/4k3/8/8/4P3/4K3/8 b - - 0 1", holds),
        "0 1000 0"
    );
    assert_eq!(chances(&format!("{KBN} 42 60"), holds), "1000 0 0");
    let fails = "Syzygy50MoveRule value false";
    assert_eq!(chances(&format!("{KBN} 44 60"), fails), "1000 0 0");
}

#[test]
fn a_line_is_carried_on_to_mate() {
    let folder = tables();
    let fen = "8/8/8/4k3/8/8/8/KR6 w - - 0 1";
    let lines = search(&folder, &[], fen, "go depth 1");
    let line = &lines[lines.len() - 2];
    let (_, pv) = line.split_once(" pv ").expect("a line");
    assert!(pv.split_whitespace().count() >= 29, "{line}");
}

#[test]
fn lines_and_chosen_moves_keep_their_ranks() {
    let folder = tables();
    // Only the capture wins; of the other moves some draw and some lose.
    let fen = "8/8/8/8/8/2k5/1q6/KQ6 w - - 0 1";
    let position = fen::parse(fen).expect("a legal position");
    let (tablebase, _) = Tablebase::open(&folder);
    let ranking = tablebase
        .rank(&position, true)
        .expect("it is in the tables");
    assert!(ranking.by_distance);
    let lines = search(&folder, &["MultiPV value 5"], fen, "go depth 4");
    // How much of a line there is time to tell is the machine's affair: the first may be told again.
    let shown: BTreeSet<_> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("info depth 4 ")?.split_once(" multipv "))
        .filter_map(|(_, rest)| rest.split_whitespace().next())
        .collect();
    assert_eq!(shown.len(), ranking.moves.len().min(5), "{lines:?}");
    let worst = ranking.moves.last().expect("a move");
    let text =
        notation::write_coordinate(&position, worst.mv, notation::CastlingText::KingTakesRook);
    let lines = search(&folder, &[], fen, &format!("go depth 3 searchmoves {text}"));
    assert!(
        lines.last().is_some_and(|line| line.contains(&text)),
        "{lines:?}"
    );
    let score = number(&lines, "cp");
    match worst.wdl {
        Wdl::Loss => assert!(score < -19_000),
        Wdl::Win => assert!(score > 19_000),
        _ => assert!(score.abs() <= 2),
    }
}

#[test]
fn the_tree_finds_what_captures_lead_to() {
    let folder = tables();
    // Five pieces: the root is in no table, the position after a capture is.
    let fen = "8/8/4k3/8/2r5/1P6/1K1Q4/8 w - - 0 1";
    for threads in [1, 3] {
        let options = [format!("Threads value {threads}")];
        let lines = search(&folder, &[&options[0]], fen, "go depth 8");
        assert!(number(&lines, "tbhits") > 0, "{lines:?}");
    }
}

#[test]
fn tables_named_during_a_search_are_used_by_the_next() {
    let folder = tables();
    let mut session = Session::new(Uci::default());
    session.send(&format!("position fen {KBN} 0 1"));
    session.send("go infinite");
    session.send(&format!("setoption name SyzygyPath value {folder}"));
    session.send("isready");
    session.wait_for("readyok");
    session.send("stop");
    let lines = session.wait_for("bestmove");
    assert_eq!(number(&lines, "tbhits"), 0);
    session.send("go depth 3");
    let lines = session.wait_for("bestmove");
    assert!(number(&lines, "tbhits") > 0, "{lines:?}");
    session.finish();
}

/// A folder on a drive that was not there yet is looked at again when it is named again.
#[test]
fn tables_that_come_later_are_found_under_the_same_name() {
    let scratch = Scratch::new();
    let folder = scratch.name("tables");
    let mut session = Session::new(Uci::default());
    let mut hits = || {
        session.send(&format!("setoption name SyzygyPath value {folder}"));
        session.send(&format!("position fen {KBN} 0 1"));
        session.send("go depth 3");
        number(&session.wait_for("bestmove"), "tbhits")
    };
    assert_eq!(hits(), 0);
    fs::create_dir(&folder).expect("a new folder");
    for entry in fs::read_dir(tables()).expect("the tables") {
        let file = entry.expect("a table").path();
        let name = file.file_name().expect("a name");
        fs::copy(&file, Path::new(&folder).join(name)).expect("a copy");
    }
    assert!(hits() > 0);
    session.finish();
}

/// With limited strength and tables at the root, another engine answered with no move or an illegal
/// one.
#[test]
fn limited_strength_plays_a_legal_move_beside_tables() {
    let folder = tables();
    let weak = ["UCI_LimitStrength value true", "UCI_Elo value 1320"];
    let weaker = ["Skill Level value 0"];
    for options in [&weak[..], &weaker[..]] {
        for fen in [
            "8/8/8/4k3/8/8/8/KQ6 w - - 0 1",
            "8/8/8/4k3/8/8/8/KQ6 b - - 0 1",
        ] {
            let position = fen::parse(fen).expect("a good position");
            for _ in 0..8 {
                let lines = search(&folder, options, fen, "go wtime 2000 btime 2000");
                let answer = lines.last().and_then(|line| line.split_whitespace().nth(1));
                let legal = answer.is_some_and(|text| parse_coordinate(&position, text).is_ok());
                assert!(legal, "{fen}: {lines:?}");
            }
        }
    }
}

#[test]
fn a_win_is_not_sought_by_going_back() {
    let folder = tables();
    let (tablebase, _) = Tablebase::open(&folder);
    let mut position = fen::parse("8/8/8/4k3/8/8/8/KQ6 b - - 0 1").expect("a legal position");
    for text in ["e5d5", "b1b3", "d5e5"] {
        let mv = notation::parse_move(&position, text).expect("a legal move");
        position.make_move(mv);
    }
    let back = notation::parse_move(&position, "b3b1").expect("a legal move");
    let ranking = tablebase
        .rank(&position, true)
        .expect("it is in the tables");
    let ranked = ranking.moves.iter().find(|ranked| ranked.mv == back);
    let ranked = ranked.expect("every legal move is ranked");
    assert_eq!(ranked.wdl, Wdl::Win);
    assert!(ranked.rank < ranking.moves[0].rank, "{ranked:?}");
}
