//! The vocabulary of chess: colours, pieces, squares, moves, scores. Knows no rules.

#[macro_use]
mod indexed;
mod bitboard;
mod castling;
mod color;
mod hand;
mod key;
mod maps;
mod mix;
mod moves;
mod piece;
mod score;
mod square;

pub use bitboard::Bitboard;
pub use castling::{CastlingRights, CastlingRule, CastlingSide};
pub use color::Color;
pub use hand::Hand;
pub use key::{HalfKey, Key};
pub use maps::{ColorMap, PieceMap, PieceTypeMap, SquareMap};
pub use mix::{GOLDEN, mix};
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use piece::{Piece, PieceType, Promotion};
pub use score::{MAX_PLY, Score};
pub use square::{File, Rank, Square};
