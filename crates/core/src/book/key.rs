//! Keys of positions, as the Polyglot format defines them.

use super::random::RANDOM;
use crate::attacks;
use crate::position::{Position, Setup};
use crate::types::{Color, File, MoveKind, Piece, PieceType, Square};

/// Where the numbers of the castling rights begin, then those of en passant, then that of White to
/// move.
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

/// The key under which a book keeps a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BookKey(pub u64);

/// The key of a position.
///
/// In the format, a double push that ends next to an enemy pawn counts, whether or not that pawn
/// may capture. Such a push is known from the last move; without one, only if en passant is legal.
pub fn position_key(position: &Position) -> BookKey {
    let mut setup = position.setup();
    if let Some(mv) = position.last_move()
        && mv.kind() == MoveKind::DoublePush
    {
        let passed = (mv.from() as u8).midpoint(mv.to() as u8);
        setup.en_passant = Some(Square::wrapping(passed));
    }
    setup_key(&setup)
}

/// The key of a board as someone set it up.
pub fn setup_key(setup: &Setup) -> BookKey {
    let mut key = 0;
    for square in Square::ALL {
        if let Some(piece) = setup.board[square] {
            key ^= RANDOM[64 * kind(piece) + square as usize];
        }
    }
    // The bits are in the format's order.
    let rights = setup.castling.mask();
    for right in (0..4).filter(|right| rights >> right & 1 != 0) {
        key ^= RANDOM[CASTLING + right];
    }
    if let Some(file) = en_passant_file(setup) {
        key ^= RANDOM[EN_PASSANT + file as usize];
    }
    if setup.side_to_move == Color::White {
        key ^= RANDOM[WHITE_TO_MOVE];
    }
    BookKey(key)
}

/// The format's number of a piece: by kind, Black's before White's.
fn kind(piece: Piece) -> usize {
    2 * piece.piece_type() as usize + usize::from(piece.color() == Color::White)
}

/// The file of a pawn whose double push has just ended next to a pawn of the side to move.
fn en_passant_file(setup: &Setup) -> Option<File> {
    let passed = setup.en_passant?;
    let pawn = Some(Piece::new(setup.side_to_move, PieceType::Pawn));
    let mut beside = attacks::pawn(!setup.side_to_move, passed).into_iter();
    let is_beside = beside.any(|square| setup.board[square] == pawn);
    is_beside.then(|| passed.file())
}
