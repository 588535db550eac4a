//! Which squares pieces attack, given the occupied squares. All look-up tables here are computed
//! during the build, so none can be used before it is filled.

mod leapers;
mod lines;
mod magic;
mod sliders;
mod tables;

pub use leapers::{king, knight, pawn, pawns, pawns_each_way};
pub use lines::{between, line};
pub use sliders::{bishop, bishop_rays, rook, rook_rays};

use crate::types::{Bitboard, PieceType, Square};

/// The squares a queen on `square` attacks when `occupied` squares block it.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// The squares attacked by a piece of this kind; empty for pawns, whose attack depends on colour.
#[inline]
pub fn piece(piece_type: PieceType, square: Square, occupied: Bitboard) -> Bitboard {
    match piece_type {
        PieceType::Pawn => Bitboard::EMPTY,
        PieceType::Knight => knight(square),
        PieceType::Bishop => bishop(square, occupied),
        PieceType::Rook => rook(square, occupied),
        PieceType::Queen => queen(square, occupied),
        PieceType::King => king(square),
    }
}
