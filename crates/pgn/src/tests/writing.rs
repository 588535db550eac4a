//! What is written.

use orthrus_core::fen;
use orthrus_core::position::Position;
use orthrus_core::types::{Color, Move, MoveKind, Square};

use super::{game, game_from, main_line};
use crate::{GameResult, Line, MoveNode, Nag};

#[test]
fn a_game_is_written_by_the_standard() {
    let mut written = game(
        "[White \"A \\\"B\\\"\"]\n[ECO \"C20\"]\n\n{first} 1. e4! (1. d4 d5 {QP} (1... Nf6)) e5 2. Nf3 {a } Nc6 3. Bb5",
    );
    written.result = GameResult::Win(Color::White);
    assert_eq!(
        written.to_string(),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
         [White \"A \\\"B\\\"\"]\n[Black \"?\"]\n[Result \"1-0\"]\n[ECO \"C20\"]\n\n\
         {first} 1. e4 $1 (1. d4 d5 {QP} (1... Nf6)) 1... e5 2. Nf3 {a} 2... Nc6 3. Bb5\n1-0\n"
    );
}

#[test]
fn further_tags_are_in_the_order_of_their_names() {
    let text = "[White \"a\"]\n[WhiteElo \"1\"]\n[ECO \"C20\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n*";
    let written = game(text).to_string();
    let tags = written.lines().filter(|line| line.starts_with('['));
    let names: Vec<&str> = tags.filter_map(|tag| tag[1..].split(' ').next()).collect();
    assert_eq!(names[7..], ["ECO", "FEN", "SetUp", "WhiteElo"], "{written}");
}

#[test]
fn a_set_up_is_written() {
    let start = fen::parse("4k3/8/8/8/8/8/8/4K2R b K - 3 40").unwrap();
    let mut written = game_from(start);
    let king_step = Move::new(Square::E8, Square::D7, MoveKind::Quiet);
    written.main = Line::from(vec![king_step]);
    let text = written.to_string();
    assert!(
        text.contains("[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 3 40\"]\n[SetUp \"1\"]\n\n40... Kd7 *\n"),
        "{text}"
    );
}

#[test]
fn lines_are_narrow() {
    let mut written = game_from(Position::startpos());
    let mut node = MoveNode::new(Some(Move::new(
        Square::E2,
        Square::E4,
        MoveKind::DoublePush,
    )));
    node.comment = "% four words a line %".repeat(40);
    node.nags = vec![Nag::BLUNDER, Nag(255)];
    written.main.moves.push(node);
    let text = written.to_string();
    assert!(text.lines().count() > 15);
    for line in text.lines() {
        assert!(
            line.len() < 80 && !line.starts_with('%') && line.trim() == line,
            "{line}"
        );
    }
    assert_eq!(main_line(&game(&text)), main_line(&written));
}

#[test]
fn a_command_in_a_comment_stays_on_one_line() {
    let moves = "1. Nf3 {[%eval 0.35] [%clk 1:00:00]} Nf6 {[%eval 0.21]} 2. Ng1 Ng8 ".repeat(9);
    let written = game(&moves);
    let text = written.to_string();
    assert_eq!(text.matches("[%clk 1:00:00]").count(), 9, "{text}");
    assert_eq!(text.matches("[%eval 0.21]").count(), 9, "{text}");
    let open = game(&format!("1. e4 {{[%eval {}}}", "word ".repeat(100)));
    assert!(open.to_string().lines().all(|line| line.len() < 80));
}

#[test]
fn a_comment_with_a_brace_is_kept() {
    let mut written = game("1. e4 (1. d4) e5 *");
    "a } b".clone_into(&mut written.main.moves[0].comment);
    "c }".clone_into(&mut written.main.moves[0].variations[0].moves[0].comment);
    "{ }".clone_into(&mut written.main.comment);
    let text = written.to_string();
    assert_eq!(main_line(&game(&text)), main_line(&written), "{text}");
}

#[test]
fn moves_that_are_not_legal_are_left_out() {
    let mut written = game("1. e4 e5 *");
    written.main.moves.swap(0, 1);
    assert!(written.to_string().ends_with("\n\n*\n"));
}
