//! What is understood.

use orthrus_core::fen;
use orthrus_core::position::Variant;
use orthrus_core::types::Color;

use super::{game, main_line, read_all, start_fen};
use crate::{GameResult, Line, PgnGame};

fn check(movetext: &str, expected: &str) {
    assert_eq!(main_line(&game(movetext)), expected, "{movetext}");
}

#[test]
fn numbers_and_dots_are_optional() {
    for text in [
        "1. e4 e5 2. Nf3 *",
        "1.e4 1...e5 2.Nf3 *",
        "e4 e5\n   Nf3\t*",
        "1 . e4 1 ... e5 2 Nf3",
        "1.\u{a0}e4 1…e5 2.\u{a0}Nf3\u{a0}*",
        "1.e4 e5 2.Nf3...\r\n*",
        "\u{200e}1. e4\u{200b} e5\u{feff}2. Nf3*",
    ] {
        check(text, "e4 e5 Nf3");
    }
}

#[test]
fn a_result_is_one_behind_any_blank() {
    for blank in ["\u{a0}", "…", "\u{200b}", "\u{2003}"] {
        let text = format!("1. e4 e5{blank}1-0{blank}{{late}}\n\n1. d4 *");
        let games = read_all(text.as_bytes()).into_iter();
        let [first, second] = games
            .map(|(game, _)| game.unwrap())
            .collect::<Vec<_>>()
            .try_into()
            .unwrap();
        assert_eq!(first.result, GameResult::Win(Color::White), "{text}");
        assert_eq!(main_line(&second), "d4", "{text}");
    }
}

#[test]
fn marks_comments_and_variations_belong_to_their_move() {
    check(
        "{before} 1. e4 $1 {one} ; two ) }\n e5?! $6 $10 2. f4 \
         (2. Nf3 {in} Nc6 (2... Nf6 !? 3. Nxe5 (3. Nc3 Nc6) 3... d6) 3. Bb5) {after} exf4 *",
        "{before} e4$1 {one two ) }} e5$6$10 f4 {after} \
         (Nf3 {in} Nc6 (Nf6$5 Nxe5 (Nc3 Nc6) d6) Bb5) exf4",
    );
}

#[test]
fn judgements_are_kept_as_numbers() {
    check(
        "1. e4 += e5 = 2. Nf3 ± Nf6 -+ 3. Nxe5 ++ *",
        "e4$14 e5$10 Nf3$16 Nf6$19 Nxe5",
    );
    check(
        "1. e4= e5∞ 2. Nf3+/= Nf6 3. Nxe5−+ d6 4. Bb5++- *",
        "e4$10 e5$13 Nf3$14 Nf6 Nxe5$19 d6 Bb5+$18",
    );
}

#[test]
fn signs_are_kept_as_numbers() {
    check("1. e4 □ e5 → 2. Nf3 =∞ Nc6 + *", "e4$7 e5$40 Nf3$44 Nc6");
}

#[test]
fn dashes_of_typesetters_are_hyphens() {
    let text = "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n\n1. O–O O—O—O 2. Ra1−a2 1−0";
    check(text, "O-O O-O-O Ra2");
    assert_eq!(game(text).result, GameResult::Win(Color::White));
}

#[test]
fn a_star_does_not_contradict_the_tag() {
    for (tag, behind, expected) in [
        ("1-0", "*", GameResult::Win(Color::White)),
        ("1-0", "0-1", GameResult::Win(Color::Black)),
        ("*", "1/2-1/2", GameResult::Draw),
        ("?", "*", GameResult::Unknown),
    ] {
        let text = format!("[Result \"{tag}\"]\n\n1. e4 {behind}");
        assert_eq!(game(&text).result, expected, "{text}");
    }
}

#[test]
fn comments_are_kept_as_words() {
    check(
        "1. e4 { [%eval 0.17]\r\n  [%clk 0:00:30] } { } {( not a variation} *",
        "e4 {[%eval 0.17] [%clk 0:00:30] ( not a variation}",
    );
}

#[test]
fn other_spellings_of_moves_are_read() {
    check("1. e2e4 e7-e5 2. g1f3 Nb8-c6 *", "e4 e5 Nf3 Nc6");
    check("1. e2-e4 b8-c6 2. Ng1-f3 *", "e4 Nc6 Nf3");
    check("1. f3 e5 2. g4 Qh4mate 0-1", "f3 e5 g4 Qh4#");
    let text = "[FEN \"r3k3/7P/8/3pP3/8/8/8/4K2R w Kq d6 0 1\"]\n\n1. exd6 e.p. 0-0-0 2. 0-0 + Kb8 3. h8Q N *";
    check(text, "exd6 O-O-O O-O Kb8 h8=Q$146");
    for ep in ["exd6e.p.", "exd6 e. p.", "exd6ep", "exd6 ep"] {
        let text = format!("[FEN \"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1\"]\n\n1. {ep} Kd7 *");
        check(&text, "exd6 Kd7");
    }
    // A bishop from the first rank, not a knight from b1.
    let text = "[FEN \"4k3/8/8/8/8/8/8/1N2KB2 w - - 0 1\"]\n\n1. B1c4 *";
    check(text, "Bc4");
}

#[test]
fn escaped_lines_are_passed_over() {
    check("1. e4 e5\n% 2. Ke2 }\n2. Nf3 *", "e4 e5 Nf3");
    check("1. e4 e5\r%x\r2. Nf3 100% *", "e4 e5 Nf3");
}

#[test]
fn what_is_reserved_is_passed_over_and_loses_no_move() {
    check("1. e4 <> e5 < 2. Nf3 <Nc6\n3. Bb5 *", "e4 e5 Nf3 Nc6 Bb5");
    check(&format!("1. e4 {} e5 *", "<".repeat(1 << 19)), "e4 e5");
    let (game, warnings) = read_all(b"1. e4 <diagram 3> e5 *").remove(0);
    assert_eq!(main_line(&game.unwrap()), "e4 e5");
    assert_eq!(warnings, ["game 1, line 1: left out: \"<diagram 3>\""]);
}

#[test]
fn an_empty_position_is_the_usual_one() {
    check("[FEN \"\"]\n[SetUp \"0\"]\n\n1. e4 *", "e4");
}

#[test]
fn the_backslash_at_the_end_of_a_path_is_no_escape() {
    let text = "[Site \"C:\\games\\\"]\n[Round \"1\"]\n\n1. e4 *";
    let game = game(text);
    assert_eq!(game.tags.get("Site"), Some("C:\\games\\"));
    assert_eq!(game.tags.get("Round"), Some("1"));
}

#[test]
fn tags_are_read_with_forgiveness() {
    let text = "\u{feff}[Event \"a \\\"b\\\" \\\\ c\"]  [Site \"d\"]\n[White \"Joe \"Kid\" Doe\" ]\n\
                [Black \"no end\n[ECO \"\"]\n[%x]\n[Result \"1-0\"]\n\n1. e4";
    let (game, warnings) = read_all(text.as_bytes()).remove(0);
    assert!(
        warnings.len() == 1 && warnings[0].contains("[%x]"),
        "{warnings:?}"
    );
    let game = game.unwrap();
    let tags: Vec<(&str, &str)> = game.tags.iter().collect();
    assert_eq!(
        tags,
        [
            ("Event", "a \"b\" \\ c"),
            ("Site", "d"),
            ("White", "Joe \"Kid\" Doe"),
            ("Black", "no end"),
            ("ECO", ""),
        ]
    );
    assert_eq!(game.result, GameResult::Win(Color::White));
}

#[test]
fn text_is_utf8_or_windows_1252() {
    let (game, _) = read_all(b"[White \"Ko\x9eul\"]\n\n{White\x92s plan\x85 good} e4").remove(0);
    let game = game.unwrap();
    assert_eq!(game.tags.get("White"), Some("Kožul"));
    assert_eq!(main_line(&game), "{White’s plan… good} e4");
    for bytes in [
        &b"[White \"M\xfcller\"]\n\n{\xe9t\xe9} e4"[..],
        "[White \"Müller\"]\n\n{été} e4".as_bytes(),
    ] {
        let (game, _) = read_all(bytes).remove(0);
        let game = game.unwrap();
        assert_eq!(game.tags.get("White"), Some("Müller"));
        assert_eq!(main_line(&game), "{été} e4");
    }
}

#[test]
fn the_result_behind_the_moves_counts() {
    let result = |text: &str| game(text).result;
    assert_eq!(
        result("[Result \"1-0\"]\n\n1. f3 0-1"),
        GameResult::Win(Color::Black)
    );
    assert_eq!(result("[Result \"1/2-1/2\"]\n\n1. f3"), GameResult::Draw);
    assert_eq!(result("1. f3 1/2"), GameResult::Draw);
    assert_eq!(result("1. f3"), GameResult::Unknown);
    for draw in ["½-½", "½", "½–½"] {
        assert_eq!(result(&format!("1. f3 {draw}")), GameResult::Draw);
    }
    assert_eq!(result("1. f3 1–0"), GameResult::Win(Color::White));
    let (latin_1, _) = read_all(b"1. f3 \xbd-\xbd").remove(0);
    assert_eq!(latin_1.unwrap().result, GameResult::Draw);
    assert_eq!(result("1. f3 (1. f4 1-0) e5 *"), GameResult::Unknown);
}

#[test]
fn a_game_that_both_have_lost_ends_there_and_is_won_by_nobody() {
    let games = |moves: &str| {
        let text = format!("[White \"a\"]\n[Result \"0-0\"]\n\n{moves}\n\n[Event \"\"]\n\n1. c4 *");
        read_all(text.as_bytes())
    };
    let castling = "1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. O-O d6 5. d3";
    for moves in ["", castling] {
        let games = games(&format!("{moves} 0-0"));
        assert_eq!(games.len(), 2, "{moves}");
        let (game, warnings) = &games[0];
        let game = game.as_ref().unwrap();
        assert_eq!(game.main.moves.len(), if moves.is_empty() { 0 } else { 9 });
        assert_eq!(game.result, GameResult::Unknown);
        // The tag is none that the standard knows.
        assert_eq!(warnings.len(), 1, "{warnings:?}");
    }
    let varied = games(&format!("{castling} (5. d4 0-0) 0-0")).remove(0).0;
    assert!(main_line(&varied.unwrap()).ends_with("d3 (d4 O-O)"));
    // Without the tag it is castling.
    assert!(main_line(&game(&format!("{castling} 0-0 *"))).ends_with("O-O"));
}

#[test]
fn games_end_where_they_end() {
    let lines = |text: &str| -> Vec<String> {
        let games = read_all(text.as_bytes()).into_iter();
        games.map(|(game, _)| main_line(&game.unwrap())).collect()
    };
    // A comment after the result belongs to the game before it, one on a later line does not.
    let text = "1. e4 1-0 {late} {later} 1-0\n\n{early} 1. d4 *\n[Event \"\"]\n1. c4\n[Event \"\"]\n\n1. b4 (1. b3\n[Event \"\"]\n*";
    assert_eq!(
        lines(text),
        ["e4 {late later}", "{early} d4", "c4", "b4 (b3)", ""]
    );
    // What stands before the first tag belongs to no game.
    for before in ["(Round 1)", "(c) 2020", "(not closed"] {
        let text = format!(
            "{before}\n\n[Event \"a\"]\n\n1. e4 e5 *\n\n{before}\n[Event \"b\"]\n\n1. d4 *"
        );
        assert_eq!(lines(&text), ["e4 e5", "d4"], "{text}");
    }
    // Tags without moves make a game, even if another follows at once.
    assert_eq!(lines("[Event \"a\"]\n\n[Event \"b\"]\n\n"), ["", ""]);
    for nothing in [
        "",
        "\n\n",
        "{only a comment}",
        "% only an escape",
        "1-0 *",
        "1.",
    ] {
        assert!(lines(nothing).is_empty(), "{nothing}");
    }
}

#[test]
fn positions_and_variants_are_set_up() {
    let text = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
                [FEN \"1rk1r3/pppppppp/8/8/8/8/PPPPPPPP/1RK1R3 w EBeb - 0 1\"]\n\n1. O-O O-O-O *";
    let game = game(text);
    assert_eq!(main_line(&game), "O-O O-O-O");
    assert_eq!(
        start_fen(&game),
        "1rk1r3/pppppppp/8/8/8/8/PPPPPPPP/1RK1R3 w KQkq - 0 1"
    );
    assert_eq!(game.tags.get("FEN"), None);
}

#[test]
fn games_of_variants_are_read_and_written() {
    for name in ["Three-check", "3check", "3Check"] {
        let text = format!("[Variant \"{name}\"]\n\n1. e4 f6 2. Qh5+ g6 3. Qxg6+ hxg6 *");
        let game = game(&text);
        assert_eq!(game.start.variant(), Variant::ThreeCheck);
        assert_eq!(main_line(&game), "e4 f6 Qh5+ g6 Qxg6+ hxg6");
        // As it was spelt, and without the position that everybody knows.
        let written = game.to_string();
        assert!(
            written.contains(&format!("[Variant \"{name}\"]")),
            "{written}"
        );
        assert!(!written.contains("[FEN"), "{written}");
    }
    let shuffled =
        "[FEN \"bnrkrnqb/pppppppp/8/8/8/8/PPPPPPPP/BNRKRNQB[] w ECec - 0 1\"]\n\n1. e4 *";
    let shuffled = game(&format!("[Variant \"Crazyhouse960\"]\n{shuffled}"));
    assert_eq!(shuffled.start.variant(), Variant::Crazyhouse);
    // Where programs differ in the usual beginning, it is said.
    let written = game("[Variant \"Suicide\"]\n\n1. e3 *").to_string();
    assert!(written.contains(" w - - 0 1\"]"), "{written}");
    let unnamed = PgnGame {
        start: fen::start(Variant::Horde),
        main: Line::default(),
        ..game("1. e4 *")
    };
    let written = unnamed.to_string();
    assert!(written.contains("[Variant \"horde\"]"), "{written}");
    let again = read_all(written.as_bytes()).remove(0).0.unwrap();
    assert_eq!(again.start.variant(), Variant::Horde);
}

#[test]
fn castling_of_xboards_variants_is_theirs() {
    // XBoard leaves the field of castling out.
    let text = "[Variant \"nocastle\"]\n[FEN \"nqrbbkrn/pppppppp/8/8/8/8/PPPPPPPP/NQRBBKRN w - 0 1\"]\n\n1. e4 *";
    assert_eq!(main_line(&game(text)), "e4");
    for rights in ["", "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n"] {
        let game = game(&format!("[Variant \"nocastle\"]\n{rights}\n*"));
        assert!(start_fen(&game).contains(" w - - 0 1"), "{rights}");
    }
    let text = "[Variant \"wildcastle\"]\n[FEN \"r2k3r/8/8/8/8/8/8/R2K3R w KQkq - 0 1\"]\n\n1. O-O O-O-O *";
    let game = game(text);
    assert_eq!(main_line(&game), "O-O O-O-O");
    let mut after = game.start.clone();
    game.main.moves[0].play(&mut after);
    assert_eq!(after.king(Color::White).to_string(), "b1");
}

#[test]
fn pawns_become_kings_where_kings_are_men_like_others() {
    for name in ["Antichess", "Giveaway", "Suicide"] {
        let fen = "4k3/P7/8/8/8/8/1p1p4/4K3 w - - 0 1";
        let game = game(&format!(
            "[Variant \"{name}\"]\n[FEN \"{fen}\"]\n\n1. Kxd2 b1=K 2. a8=K *"
        ));
        assert_eq!(main_line(&game), "Kxd2 b1=K a8=K", "{name}");
    }
}

#[test]
fn drops_are_read_and_written() {
    let text = "[Variant \"Crazyhouse\"]\n\n\
                1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. @d6 (4. P@b6? axb6) 4... P@d4!? 5. dxe7 *";
    let played = game(text);
    assert_eq!(played.start.variant(), Variant::Crazyhouse);
    let line = "e4 d5 exd5 Qxd5 Nc3 Qa5 P@d6 (P@b6$2 axb6) P@d4$5 dxe7";
    assert_eq!(main_line(&played), line);
    let written = played.to_string();
    assert!(
        written.contains("4. P@d6 (4. P@b6 $2 axb6) 4... P@d4 $5"),
        "{written}"
    );
    let start = "4k3/8/8/8/8/8/8/4K3[Nq] b - - 0 1";
    let text = format!("[Variant \"Crazyhouse\"]\n[FEN \"{start}\"]\n\n1... Q@e2+ 2. Kxe2 *");
    let written = game(&text).to_string();
    assert!(written.contains(&format!("[FEN \"{start}\"]")), "{written}");
    assert!(written.contains("1... Q@e2+ 2. Kxe2 *"), "{written}");
}

#[test]
fn null_moves_are_read_and_written() {
    for null in ["--", "Z0", "@@@@", "0000", "——"] {
        let text = format!("1. e4 {null} $5 {{passes}} 2. d4 ({null} e5) d5 *");
        let game = game(&text);
        assert_eq!(main_line(&game), "e4 --$5 {passes} d4 (-- e5) d5", "{null}");
        let written = game.to_string();
        assert!(
            written.contains("1. e4 -- $5 {passes} 2. d4 (2. -- e5) 2... d5 *"),
            "{written}"
        );
        assert_eq!(game.moves().count(), 1, "up to the null move");
    }
}
