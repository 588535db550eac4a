//! What is not understood is reported with its place, and the next game is read.

use std::io::{self, BufReader, Read};

use orthrus_core::types::Color;

use super::{main_line, read_all};
use crate::{Fault, GameResult, Reader};

/// What becomes of the first game and of the sound one after it.
fn fault(text: &str) -> String {
    let text = format!("{text}\n\n[Event \"next\"]\n\n1. d4 *\n");
    let mut games = read_all(text.as_bytes());
    let (next, _) = games.pop().unwrap();
    assert_eq!(main_line(&next.unwrap()), "d4", "{text}");
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).0.unwrap_err().to_string()
}

/// The line of the first game and the warnings about it.
fn warned(text: &str) -> (String, Vec<String>) {
    let (game, warnings) = read_all(text.as_bytes()).remove(0);
    (main_line(&game.unwrap()), warnings)
}

#[test]
fn a_bad_move_is_named_with_its_place() {
    assert_eq!(
        fault("[Event \"?\"]\n\n1. Ke3 (1. Nf3 1-0) Nc6 1-0"),
        "game 1, line 3: ply 1, \"Ke3\": illegal move"
    );
    assert_eq!(
        fault("1. knight-f3 *"),
        "game 1, line 1: ply 1, \"knight-f3\": not a move"
    );
    assert_eq!(
        fault("1. Sf3 d5 *"),
        "game 1, line 1: ply 1, \"Sf3\": not a move; German piece letters? PGN has N, B, R, Q for S, L, \
         T, D"
    );
    assert_eq!(
        fault("[FEN \"6k1/8/8/Q7/8/8/8/Q3Q2K w - - 0 1\"]\n\n1. Qc3"),
        "game 1, line 3: ply 1, \"Qc3\": ambiguous move"
    );
}

/// What is before the move that cannot be played stays, and all behind it goes.
#[test]
fn a_game_is_kept_up_to_a_bad_move() {
    let text = "[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 (1. d4) e5 {so far}\n2. Ke3 {lost} (2. Nf3 1-0) \
                Nc6 $1 3. Nf3 1-0\n\n1. d4 *\n";
    let games = read_all(text.as_bytes());
    assert_eq!(games.len(), 2);
    let (game, warnings) = &games[0];
    let game = game.as_ref().unwrap();
    assert_eq!(main_line(game), "e4 (d4) e5 {so far}");
    assert_eq!(game.result, GameResult::Win(Color::White));
    let fault = "ply 3, \"Ke3\": illegal move";
    assert_eq!(game.broken_off.as_deref(), Some(fault));
    assert_eq!(warnings, &[format!("game 1, line 5: {fault}")]);
    assert_eq!(main_line(games[1].0.as_ref().unwrap()), "d4");
}

/// Nobody passes in check.
#[test]
fn a_null_move_can_be_illegal() {
    let (line, warnings) = warned("1. e4 d5 2. Bb5+ -- 3. Nf3 *");
    assert_eq!(line, "e4 d5 Bb5+");
    assert_eq!(warnings, ["game 1, line 1: ply 4, \"--\": illegal move"]);
}

#[test]
fn a_bad_start_is_named() {
    assert_eq!(
        fault("[FEN \"8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *"),
        "game 1, line 3: bad FEN \"8/8/8/8/8/8/8 w - - 0 1\": the board has 8 ranks, not 7"
    );
    assert_eq!(
        fault("[Variant \"Bughouse\"]\n*"),
        "game 1, line 2: unknown variant \"Bughouse\""
    );
}

#[test]
fn a_comment_behind_the_result_goes_with_the_game() {
    for bad in [
        "1. Ke7 *",
        "[Variant \"Bughouse\"]\n\n*",
        "[FEN \"?\"]\n\n1. e4 *",
    ] {
        fault(&format!("{bad} {{a comment on it}}"));
    }
}

#[test]
fn a_bad_variation_does_not_cost_the_game() {
    let (line, warnings) = warned("1. e4 (1. d4 Ke7 (1... Nf6) {lost} 2. c4) 1... e5 *");
    assert_eq!(line, "e4 (d4) e5");
    assert_eq!(warnings, ["game 1, line 1: ply 2, \"Ke7\": illegal move"]);
    let (line, warnings) = warned("(1. d4) 1. e4 ((1. c4 *)) e5 ) *");
    assert_eq!(line, "e4 e5");
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    let (line, warnings) = warned(&format!("1. e4 {} e5 *", "(Ke8)".repeat(5000)));
    assert_eq!((line.as_str(), warnings.len()), ("e4 e5", 100));
}

#[test]
fn a_comment_without_an_end_does_not_swallow_games_silently() {
    let fault = "a comment without an end";
    for moves in ["1. e4", ""] {
        let text = format!("1. c4 *\n\n{moves} {{good e5 1-0\n\n[Event \"\"]\n\n1. d4 *\n");
        let mut games = read_all(text.as_bytes());
        assert_eq!(games.len(), 2);
        let (game, warnings) = games.remove(1);
        let expected = format!("game 2, line 8: {fault}");
        if moves.is_empty() {
            assert_eq!(game.unwrap_err().to_string(), expected);
        } else {
            let game = game.unwrap();
            assert_eq!(main_line(&game), "e4");
            assert_eq!(game.broken_off.as_deref(), Some(fault));
            assert_eq!(warnings, [expected]);
        }
    }
}

#[test]
fn a_variation_without_an_end_is_told_of() {
    for text in [
        "1. e4 e5 (1... c5 2. Nf3 1-0",
        "1. e4 e5 (1... c5 1-0\n\n1. d4 d5 0-1",
        "1. e4 e5 (1... Ke6",
    ] {
        let (_, warnings) = warned(text);
        let last = warnings.last().map(String::as_str).unwrap_or_default();
        assert!(
            last.ends_with(": a variation without an end"),
            "{text}: {warnings:?}"
        );
    }
}

#[test]
fn a_tag_that_is_too_long_is_no_movetext() {
    let tag = format!("[Event \"{}\"]", "A * 1. e4 ".repeat(1 << 17));
    let text = format!("{tag}\n\n1. d4 *\n\n[Event \"B\"]\n\n1. c4 *\n");
    let games = read_all(text.as_bytes());
    assert_eq!(games.len(), 2);
    assert!(games[0].0.is_err() && games[1].0.is_ok());
}

#[test]
fn a_comment_without_an_end_costs_no_finished_game() {
    let (line, warnings) = warned("1. e4 e5 1-0 {good game");
    assert_eq!(line, "e4 e5");
    assert_eq!(warnings, ["game 1, line 1: a comment without an end"]);
}

#[test]
fn a_sign_that_means_nothing_costs_no_move_behind_it() {
    let (line, warnings) = warned("1. e4 ✓\u{a0}e5 2. Nf3 *");
    assert_eq!((line.as_str(), warnings.len()), ("e4 e5 Nf3", 1));
}

#[test]
fn a_game_is_kept_up_to_what_cannot_be_a_word() {
    let word = "x".repeat(300);
    let games = read_all(format!("1. e4 (1. d4 {word}) e5 1-0\n\n1. c4 *\n").as_bytes());
    assert_eq!(games.len(), 2);
    let (game, warnings) = &games[0];
    let game = game.as_ref().unwrap();
    assert_eq!(main_line(game), "e4 (d4)");
    let fault = "a word of more than 255 characters";
    assert_eq!(game.broken_off.as_deref(), Some(fault));
    assert_eq!(warnings, &[format!("game 1, line 1: {fault}")]);
    assert_eq!(main_line(games[1].0.as_ref().unwrap()), "c4");
}

#[test]
fn a_result_of_another_kind_is_told() {
    let (game, warnings) = read_all(b"[Result \"1/2-0\"]\n\n1. e4").remove(0);
    assert_eq!(game.unwrap().result, GameResult::Unknown);
    assert_eq!(
        warnings,
        ["game 1, line 1: left out: \"[Result \\\"1/2-0\\\"]\""]
    );
    let (game, warnings) = read_all(b"[Result \"1-0 ff\"]\n\n1. e4").remove(0);
    assert_eq!(game.unwrap().result, GameResult::Win(Color::White));
    assert_eq!(warnings, [""; 0]);
}

#[test]
fn deep_nesting_is_cut() {
    let text =
        "1. e4 ".to_owned() + &"(1. d4 ".repeat(100_000) + " e5 " + &")".repeat(100_000) + " e5 *";
    let (line, warnings) = warned(&text);
    assert!(line.starts_with("e4 (d4 (d4 ") && line.ends_with(") e5"));
    assert_eq!(line.matches('(').count(), 64);
    assert_eq!(warnings.len(), 1);
}

#[test]
fn excess_is_refused() {
    let word = "x".repeat(300);
    assert!(fault(&format!("1. {word} *")).ends_with("a word of more than 255 characters"));
    let comment = format!("{{ {} 1. e4 * }} 1. e4 e5 *", "(x ".repeat(1 << 19));
    assert!(fault(&comment).ends_with("more than 1048576 characters of comments and tags"));
    let comments = "{0123456789abcdef}".repeat(1 << 20 | 1);
    let too_much = "more than 16777216 characters of comments and tags";
    assert!(fault(&format!("{comments} 1. e4 *")).ends_with(too_much));
    // Behind a move only the comment is lost that is too much.
    let (game, warnings) = read_all(format!("1. e4 {comments} e5 *").as_bytes()).remove(0);
    assert_eq!(game.unwrap().main.moves.len(), 2);
    assert!(warnings.len() == 1 && warnings[0].ends_with(too_much));
    let moves = format!("1. {} *", "Nf3 Nf6 Ng1 Ng8 ".repeat(1 << 16 | 1));
    assert!(fault(&moves).ends_with("more than 262144 moves and variations"));
    let variations = format!("1. e4 {} *", "({x})".repeat(1 << 18));
    assert!(fault(&variations).ends_with("more than 262144 moves and variations"));
}

/// A stream that breaks off.
struct Broken(usize);

impl Read for Broken {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let text = b"1. e4 * 1. d4";
        self.0 += 1;
        match self.0 {
            1 => Err(io::ErrorKind::Interrupted.into()),
            2 => {
                buffer[..text.len()].copy_from_slice(text);
                Ok(text.len())
            }
            _ => Err(io::Error::other("unplugged")),
        }
    }
}

#[test]
fn a_broken_stream_ends_it() {
    let mut reader = Reader::new(BufReader::new(Broken(0)));
    assert!(reader.next().unwrap().is_ok());
    let error = reader.next().unwrap().unwrap_err();
    assert!(matches!(error.fault, Fault::Io(_)));
    assert_eq!(
        error.to_string(),
        "game 2, line 1: cannot read on: unplugged"
    );
    assert!(reader.next().is_none());
}

#[test]
fn what_cannot_be_kept_is_told() {
    for (text, left_out) in [
        (
            "[Time-Control \"40/60\"]\n\n1. e4 *",
            "[Time-Control \\\"40/60\\\"]",
        ),
        ("[Date 2020.01.01]\n\n1. e4 *", "[Date 2020.01.01]"),
        (
            "[White \"a\"]\n[White \"b\"]\n\n1. e4 *",
            "[White \\\"b\\\"]",
        ),
        ("1. e4 [note \"a\"] *", "[note \\\"a\\\"]"),
        ("1. e4 $256 *", "$256"),
        ("1. e4 ♔ *", "♔"),
        ("1. e4 =-= *", "=-="),
        ("$3 1. e4 *", "$3 before the first move"),
    ] {
        let (line, warnings) = warned(text);
        assert_eq!(line, "e4", "{text}");
        assert_eq!(warnings.len(), 1, "{text}: {warnings:?}");
        let expected = format!("left out: \"{left_out}\"");
        assert!(warnings[0].ends_with(&expected), "{text}: {warnings:?}");
    }
    let harmless = "[White \"a\"]\n[White \"a\"]\n[]\n\n1. e4 $ *";
    assert_eq!(warned(harmless), ("e4".to_owned(), Vec::new()));
}

#[test]
fn a_comment_that_belongs_to_no_game_is_told() {
    for notes in ["{notes}", "[Annotator: me]"] {
        let games = read_all(format!("1. e4 *\n\n{notes}\n").as_bytes());
        assert_eq!(games.len(), 2, "{notes}");
        let error = games[1].0.as_ref().unwrap_err().to_string();
        let expected = "game 2, line 4: left out: \"text behind the last game\"";
        assert_eq!(error, expected, "{notes}");
    }
    let long = format!("[{}]\n\n1. e4 *", "?".repeat(1 << 16));
    let (_, warnings) = warned(&long);
    assert!(warnings[0].len() < 200, "{}", warnings[0].len());
}
