//! Which pieces are on the board, whatever their squares: what a table is named after.

use std::fmt;

use crate::position::{Position, Rules};
use crate::types::{Color, Piece, PieceType};

/// The largest number of pieces that tables exist for, kings included.
pub const MAX_PIECES: u32 = 7;

/// The kinds of pieces in the order of table names.
const BY_VALUE: [PieceType; 6] = [
    PieceType::King,
    PieceType::Queen,
    PieceType::Rook,
    PieceType::Bishop,
    PieceType::Knight,
    PieceType::Pawn,
];

/// How many pieces of each kind each side has: four bits for each kind, White's above Black's.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Material(u64);

/// Bits that one side takes.
const SIDE_BITS: u32 = 32;

impl Material {
    /// The material of a position.
    pub(super) fn of<R: Rules>(position: &Position<R>) -> Self {
        let mut counts = 0;
        for piece in Piece::ALL {
            let pieces = position.pieces_of(piece.color(), piece.piece_type());
            counts += u64::from(pieces.count()) << shift(piece.color(), piece.piece_type());
        }
        Self(counts)
    }

    /// The material that a table's name such as `KQvKR` stands for; `None` if it is no such name,
    /// or names more pieces than tables can have.
    pub(super) fn parse(name: &str) -> Option<Self> {
        let (white, black) = name.split_once('v')?;
        let mut counts = 0;
        for (color, pieces) in [(Color::White, white), (Color::Black, black)] {
            for letter in pieces.chars() {
                let kind = PieceType::from_letter(letter).filter(|_| letter.is_uppercase())?;
                counts += 1 << shift(color, kind);
            }
        }
        let material = Self(counts);
        let one_king = |color| material.count(color, PieceType::King) == 1;
        let fits = (white.len() + black.len()) <= MAX_PIECES as usize;
        (fits && one_king(Color::White) && one_king(Color::Black)).then_some(material)
    }

    /// How many pieces of one kind a side has.
    pub(super) fn count(self, color: Color, kind: PieceType) -> usize {
        (self.0 >> shift(color, kind) & 15) as usize
    }

    /// How many pieces both sides have together.
    pub(super) fn pieces(self) -> u32 {
        let count = |piece: Piece| self.count(piece.color(), piece.piece_type()) as u32;
        Piece::ALL.into_iter().map(count).sum()
    }

    /// The same with the colours exchanged.
    pub(super) fn swapped(self) -> Self {
        Self(self.0.rotate_left(SIDE_BITS))
    }

    /// Whether both sides have the same pieces.
    pub(super) fn is_symmetric(self) -> bool {
        self == self.swapped()
    }

    /// Whether any side has pawns.
    pub(super) fn has_pawns(self) -> bool {
        self.count(Color::White, PieceType::Pawn) + self.count(Color::Black, PieceType::Pawn) > 0
    }
}

fn shift(color: Color, kind: PieceType) -> u32 {
    let side = match color {
        Color::White => SIDE_BITS,
        Color::Black => 0,
    };
    side + 4 * kind as u32
}

impl fmt::Display for Material {
    /// As in the names of tables: `KQvKR`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for color in [Color::White, Color::Black] {
            if color == Color::Black {
                f.write_str("v")?;
            }
            for kind in BY_VALUE {
                for _ in 0..self.count(color, kind) {
                    write!(f, "{}", kind.letter().to_ascii_uppercase())?;
                }
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;

    #[test]
    fn names_are_read_and_written() {
        for name in ["KQvK", "KPPvKP", "KQRBNPvK", "KvK"] {
            let material = Material::parse(name).expect("a name");
            assert_eq!(material.to_string(), name);
            assert_eq!(material.pieces() as usize, name.len() - 1);
        }
        for name in [
            "",
            "KQ",
            "QvK",
            "KKvK",
            "kqvk",
            "KQRBNPvKQ",
            "KXvK",
            "KvKv",
            "KéK",
        ] {
            assert!(Material::parse(name).is_none(), "{name}");
        }
    }

    #[test]
    fn a_position_has_the_material_of_its_table() {
        let position = fen::parse("8/8/4k3/8/2r5/8/1QK5/8 w - - 0 1").expect("a position");
        let material = Material::of(&position);
        assert_eq!(material.to_string(), "KQvKR");
        assert_eq!(material.swapped().to_string(), "KRvKQ");
        assert!(!material.is_symmetric() && !material.has_pawns());
    }
}
