//! Pieces: their kind, and their kind with a colour.

use super::Color;

indexed_enum! {
    /// A kind of piece.
    pub enum PieceType {
        /// Moves forward, captures diagonally, promotes.
        Pawn,
        /// Leaps.
        Knight,
        /// Slides diagonally.
        Bishop,
        /// Slides along files and ranks.
        Rook,
        /// Slides in all eight directions.
        Queen,
        /// Must never be left attacked.
        King,
    }
}

impl PieceType {
    /// The lower-case letter of FEN.
    pub const fn letter(self) -> char {
        match self {
            Self::Pawn => 'p',
            Self::Knight => 'n',
            Self::Bishop => 'b',
            Self::Rook => 'r',
            Self::Queen => 'q',
            Self::King => 'k',
        }
    }

    /// The kind with this letter, in either case.
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_lowercase() {
            'p' => Self::Pawn,
            'n' => Self::Knight,
            'b' => Self::Bishop,
            'r' => Self::Rook,
            'q' => Self::Queen,
            'k' => Self::King,
            _ => return None,
        })
    }
}

indexed_enum! {
    /// A kind of piece that a pawn may become.
    pub enum Promotion {
        /// Underpromotion to a knight.
        Knight,
        /// Underpromotion to a bishop.
        Bishop,
        /// Underpromotion to a rook.
        Rook,
        /// The usual choice.
        Queen,
        /// Only where the king is a man like others.
        King,
    }
}

impl Promotion {
    /// What a pawn may become in chess.
    pub const OF_CHESS: [Self; 4] = [Self::Knight, Self::Bishop, Self::Rook, Self::Queen];

    /// The kind of piece that stands on the board afterwards.
    #[inline]
    pub const fn piece_type(self) -> PieceType {
        match self {
            Self::Knight => PieceType::Knight,
            Self::Bishop => PieceType::Bishop,
            Self::Rook => PieceType::Rook,
            Self::Queen => PieceType::Queen,
            Self::King => PieceType::King,
        }
    }

    /// The promotion to this kind, if a pawn may become it in some game.
    pub const fn from_piece_type(piece_type: PieceType) -> Option<Self> {
        match piece_type {
            PieceType::Knight => Some(Self::Knight),
            PieceType::Bishop => Some(Self::Bishop),
            PieceType::Rook => Some(Self::Rook),
            PieceType::Queen => Some(Self::Queen),
            PieceType::King => Some(Self::King),
            PieceType::Pawn => None,
        }
    }
}

indexed_enum! {
    /// A piece with its colour. The index is `kind * 2 + colour`.
    pub enum Piece {
        /// White pawn.
        WhitePawn,
        /// Black pawn.
        BlackPawn,
        /// White knight.
        WhiteKnight,
        /// Black knight.
        BlackKnight,
        /// White bishop.
        WhiteBishop,
        /// Black bishop.
        BlackBishop,
        /// White rook.
        WhiteRook,
        /// Black rook.
        BlackRook,
        /// White queen.
        WhiteQueen,
        /// Black queen.
        BlackQueen,
        /// White king.
        WhiteKing,
        /// Black king.
        BlackKing,
    }
}

const _: () = assert!(size_of::<Option<Piece>>() == 1);

impl Piece {
    /// The piece of this colour and kind.
    #[inline]
    pub const fn new(color: Color, piece_type: PieceType) -> Self {
        match Self::from_index(piece_type as u8 * 2 + color as u8) {
            Some(piece) => piece,
            None => unreachable!(), // 5 * 2 + 1 is 11
        }
    }

    /// Its side.
    #[inline]
    pub const fn color(self) -> Color {
        if self as u8 & 1 == 0 {
            Color::White
        } else {
            Color::Black
        }
    }

    /// Its kind.
    #[inline]
    pub const fn piece_type(self) -> PieceType {
        match PieceType::from_index(self as u8 >> 1) {
            Some(piece_type) => piece_type,
            None => unreachable!(), // 11 >> 1 is 5
        }
    }

    /// The letter of FEN: upper case for White.
    pub const fn letter(self) -> char {
        let letter = self.piece_type().letter();
        match self.color() {
            Color::White => letter.to_ascii_uppercase(),
            Color::Black => letter,
        }
    }

    /// The piece with this FEN letter.
    pub const fn from_letter(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        match PieceType::from_letter(letter) {
            Some(piece_type) => Some(Self::new(color, piece_type)),
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_letters_round_trip() {
        for piece in Piece::ALL {
            assert_eq!(Piece::new(piece.color(), piece.piece_type()), piece);
            assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
        }
        assert_eq!(Piece::from_letter('x'), None);
    }
}
