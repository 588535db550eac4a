use super::*;

#[test]
fn passes_are_undone_like_moves() {
    let mut board = Board::default();
    board.play_text("e2e4").unwrap();
    assert_eq!(board.play_text("@@@@"), Ok(None));
    board.play_text("d2d4").unwrap();
    assert_eq!(board.turn().plies, 3);
    assert!(board.undo() && board.undo() && board.undo());
    assert_eq!(board.turn().plies, 0);
    assert!(!board.undo());
    assert_eq!(board.position().key(), Position::startpos().key());
}

#[test]
fn nobody_passes_in_check() {
    let mut board = Board::default();
    board.set_up_fen("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").unwrap();
    assert_eq!(
        board.play_text("@@@@"),
        Err(Refusal::Move(IllegalMove::InCheck))
    );
}

#[test]
fn illegal_moves_have_reasons() {
    let mut board = Board::default();
    let reason = |board: &mut Board, text| board.play_text(text).unwrap_err();
    assert_eq!(reason(&mut board, "e2e5"), IllegalMove::Impossible.into());
    assert_eq!(reason(&mut board, "zzzz"), CommandError::Unknown.into());
    board.set_up_fen("3rk3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
    assert_eq!(reason(&mut board, "e1d1"), IllegalMove::IntoCheck.into());
    assert_eq!(reason(&mut board, "Kd2"), IllegalMove::IntoCheck.into());
    board
        .set_up_fen("4k3/8/8/8/8/8/4r3/4K2R w - - 0 1")
        .unwrap();
    assert_eq!(reason(&mut board, "h1h2"), IllegalMove::InCheck.into());
    board
        .set_up_fen("6k1/8/8/8/8/8/8/N1N3K1 w - - 0 1")
        .unwrap();
    assert_eq!(
        reason(&mut board, "Nb3"),
        CommandError::AmbiguousMove.into()
    );
}

#[test]
fn a_refused_set_up_forbids_every_move() {
    let mut board = Board::default();
    assert!(board.set_up_fen("8/8/8/8/8/8/8/8 w - - 0 1").is_err());
    assert_eq!(
        board.play_text("e2e4"),
        Err(Refusal::Move(IllegalMove::NoPosition))
    );
    board.new_game();
    assert!(board.play_text("e2e4").is_ok());
}

#[test]
fn nocastle_has_no_rights() {
    let mut board = Board::default();
    board.set_variant(Variant::Nocastle);
    assert_eq!(board.position().castling(), CastlingRights::NONE);
    board
        .set_up_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
        .unwrap();
    assert!(board.play_text("e1g1").is_err());
}

#[test]
fn exclusion_ends_with_the_position() {
    let mut board = Board::default();
    board.exclude("e4").unwrap();
    assert_eq!(board.search_moves().map(|moves| moves.len()), Some(19));
    assert_eq!(board.exclude("e5"), Err(CommandError::NoSuchMove));
    board.exclude("all").unwrap();
    assert!(board.excludes_all());
    board.include("d2d4").unwrap();
    assert_eq!(board.search_moves().map(|moves| moves.len()), Some(1));
    board.play_text("d2d4").unwrap();
    assert_eq!(board.search_moves(), None);
}
