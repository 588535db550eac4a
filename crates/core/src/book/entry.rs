//! Entries of a book and the moves they stand for.

use super::key::BookKey;
use crate::types::{CastlingSide, File, Move, PieceType, Promotion, Square};

/// Bytes of an entry in a file.
pub const ENTRY_SIZE: usize = 16;

/// An entry as it is in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The position.
    pub key: BookKey,
    /// The move in the format's 15 bits: to, from, promotion. Not every value is a move.
    pub code: u16,
    /// How good or frequent the move is, relative to the others of the position; 0: not to be
    /// played.
    pub weight: u16,
    /// What a program has learned about the move, in its own terms.
    pub learn: u32,
}

/// A legal move that a book has for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// How good or frequent it is, relative to the others of the position; 0: not to be played.
    pub weight: u32,
}

impl BookMove {
    /// Its share of the weight of all `moves`, in per cent; 0 if none has weight.
    pub fn percentage(self, moves: &[Self]) -> f64 {
        let total: u64 = moves.iter().map(|found| u64::from(found.weight)).sum();
        100.0 * f64::from(self.weight) / total.max(1) as f64
    }
}

impl Entry {
    /// Reads an entry.
    pub fn from_bytes(bytes: &[u8; ENTRY_SIZE]) -> Self {
        let number = |from: usize, to: usize| {
            let bytes = bytes[from..to].iter();
            bytes.fold(0u64, |number, &byte| number << 8 | u64::from(byte))
        };
        Self {
            key: BookKey(number(0, 8)),
            code: number(8, 10) as u16,
            weight: number(10, 12) as u16,
            learn: number(12, 16) as u32,
        }
    }

    /// Writes the entry.
    pub fn to_bytes(self) -> [u8; ENTRY_SIZE] {
        let mut bytes = [0; ENTRY_SIZE];
        bytes[..8].copy_from_slice(&self.key.0.to_be_bytes());
        bytes[8..10].copy_from_slice(&self.code.to_be_bytes());
        bytes[10..12].copy_from_slice(&self.weight.to_be_bytes());
        bytes[12..].copy_from_slice(&self.learn.to_be_bytes());
        bytes
    }

    /// The move it stands for among these, which are legal in its position.
    pub fn find_among(&self, moves: &[Move]) -> Option<Move> {
        if let Some(mv) = moves.iter().find(|mv| encode(**mv) == self.code) {
            return Some(*mv);
        }
        // Some programs write standard castling as the king's own move, `e1g1`.
        let step = |mv: &&Move| {
            let file = match CastlingSide::of(mv.from(), mv.to()) {
                CastlingSide::King => File::G,
                CastlingSide::Queen => File::C,
            };
            let to = Square::new(file, mv.from().rank());
            mv.is_castling() && mv.from().file() == File::E && squares(mv.from(), to) == self.code
        };
        moves.iter().find(step).copied()
    }
}

/// A move in the format's bits; castling goes from the king to its rook, as it does here.
pub(super) fn encode(mv: Move) -> u16 {
    let promotion = match mv.promotion().map(Promotion::piece_type) {
        Some(PieceType::Knight) => 1,
        Some(PieceType::Bishop) => 2,
        Some(PieceType::Rook) => 3,
        Some(PieceType::Queen) => 4,
        _ => 0,
    };
    promotion << 12 | squares(mv.from(), mv.to())
}

fn squares(from: Square, to: Square) -> u16 {
    (from as u16) << 6 | to as u16
}
