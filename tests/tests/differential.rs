//! The rules against another implementation, the cozy-chess crate, on positions of random play.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use orthrus_core::fen::{self, CastlingLetters};
use orthrus_core::position::{Position, Setup};
use orthrus_core::types::{Move, PieceType, Promotion, Square};
use orthrus_tests::random::Random;

/// How many positions of each kind of chess are compared.
const POSITIONS: usize = 100_000;
/// Random games that do not end are cut off here.
const MAX_PLIES: usize = 200;

/// A move in a form common to both libraries: castling goes to the rook.
type PlainMove = (u8, u8, Option<PieceType>);

fn plain(mv: Move) -> PlainMove {
    let promotion = mv.promotion().map(Promotion::piece_type);
    (mv.from() as u8, mv.to() as u8, promotion)
}

fn plain_cozy(mv: cozy_chess::Move) -> PlainMove {
    let promotion = mv.promotion.map(|piece| match piece {
        cozy_chess::Piece::Pawn => PieceType::Pawn,
        cozy_chess::Piece::Knight => PieceType::Knight,
        cozy_chess::Piece::Bishop => PieceType::Bishop,
        cozy_chess::Piece::Rook => PieceType::Rook,
        cozy_chess::Piece::Queen => PieceType::Queen,
        cozy_chess::Piece::King => PieceType::King,
    });
    (mv.from as u8, mv.to as u8, promotion)
}

fn legal_moves(board: &cozy_chess::Board) -> Vec<cozy_chess::Move> {
    let mut moves = Vec::new();
    board.generate_moves(|of_one_man| {
        moves.extend(of_one_man);
        false
    });
    moves
}

/// The square on which a legal move takes en passant; the other library notes every double push.
fn en_passant(board: &cozy_chess::Board, moves: &[cozy_chess::Move]) -> Option<Square> {
    let taking = moves.iter().find(|mv| {
        board.piece_on(mv.from) == Some(cozy_chess::Piece::Pawn)
            && mv.from.file() != mv.to.file()
            && board.piece_on(mv.to).is_none()
    });
    taking.and_then(|mv| Square::from_index(mv.to as u8))
}

/// The FEN that the other library writes, its en passant square kept only if it can be used.
fn normalised_fen(board: &cozy_chess::Board, moves: &[cozy_chess::Move]) -> String {
    let text = format!("{board:#}");
    let mut fields: Vec<&str> = text.split(' ').collect();
    let square = en_passant(board, moves).map_or("-".to_owned(), |square| square.to_string());
    fields[3] = &square;
    fields.join(" ")
}

/// Compares one position in every respect.
fn compare(position: &Position, board: &cozy_chess::Board, cozy_moves: &[cozy_chess::Move]) {
    let text = fen::write(position, CastlingLetters::RookFiles);
    let own: BTreeSet<PlainMove> = position.legal_moves().into_iter().map(plain).collect();
    let other: BTreeSet<PlainMove> = cozy_moves.iter().copied().map(plain_cozy).collect();
    assert_eq!(own, other, "moves of {text}");
    assert_eq!(
        position.legal_moves().len(),
        cozy_moves.len(),
        "moves twice in {text}"
    );
    assert_eq!(
        position.count_legal_moves(),
        cozy_moves.len(),
        "count of {text}"
    );
    assert_eq!(
        position.checkers().0,
        board.checkers().0,
        "checkers of {text}"
    );
    assert_eq!(text, normalised_fen(board, cozy_moves));
    for letters in [CastlingLetters::RookFiles, CastlingLetters::KingAndQueen] {
        let copy = fen::parse(&fen::write(position, letters)).unwrap();
        assert_eq!(copy.setup(), position.setup(), "{text}");
        assert_eq!(copy.key(), position.key(), "{text}");
    }
}

/// Plays random moves from `position` on both boards; returns how many positions it compared.
fn play(mut position: Position, random: &mut Random) -> usize {
    let text = fen::write(&position, CastlingLetters::RookFiles);
    let mut board = cozy_chess::Board::from_fen(&text, true).unwrap();
    for ply in 0..MAX_PLIES {
        let moves = legal_moves(&board);
        compare(&position, &board, &moves);
        // The other library's fifty-move counter ends at 100.
        let Some(chosen) = random.pick(&moves).filter(|_| board.halfmove_clock() < 100) else {
            return ply + 1;
        };
        let fits = |mv: &Move| plain(*mv) == plain_cozy(chosen);
        let mv = position.legal_moves().into_iter().find(fits).unwrap();
        position.make_move(mv);
        board.play_unchecked(chosen);
    }
    MAX_PLIES
}

#[test]
fn standard_chess() {
    let mut random = Random::new(1);
    let mut compared = 0;
    while compared < POSITIONS {
        compared += play(Position::startpos(), &mut random);
    }
}

/// A start position with one of the 960 back ranks for White and another for Black.
fn double_chess960(white: u16, black: u16) -> Setup {
    let mut setup = Setup::chess960(white).unwrap();
    let other = Setup::chess960(black).unwrap();
    for square in Square::ALL {
        if square.rank() as u8 >= 4 {
            setup.board[square] = other.board[square];
        }
    }
    setup.grant_castling();
    setup
}

#[test]
fn chess960_and_double_chess960() {
    let mut random = Random::new(2);
    let mut compared = 0;
    let mut double = false;
    while compared < POSITIONS {
        let white = random.below(960) as u16;
        let black = if double {
            random.below(960) as u16
        } else {
            white
        };
        let position = Position::from_setup(&double_chess960(white, black)).unwrap();
        compared += play(position, &mut random);
        double = !double;
    }
}
