//! Pieces on a board and the other fields of a FEN: not yet a position, because nothing is checked.

use super::rules::{CHECKS_TO_WIN, Variant};
use crate::types::{
    Bitboard, CastlingRights, CastlingRule, CastlingSide, Color, ColorMap, File, Hand, Piece,
    PieceType, Rank, Square, SquareMap,
};

/// A board as someone set it up, legal or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// What stands on each square.
    pub board: SquareMap<Option<Piece>>,
    /// Whose turn it is.
    pub side_to_move: Color,
    /// Rights as claimed; those without king and rook in place are dropped by the validator.
    pub castling: CastlingRights,
    /// What castling does.
    pub castling_rule: CastlingRule,
    /// The game that is played.
    pub variant: Variant,
    /// The checks that each side still has to give, in a game of three checks.
    pub checks_left: ColorMap<u8>,
    /// The men that each side has in hand, in crazyhouse.
    pub hands: ColorMap<Hand>,
    /// Where men stand that were pawns, in crazyhouse.
    pub promoted: Bitboard,
    /// The square a pawn has just passed, as claimed; dropped by the validator if no pawn can
    /// take it there.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the next move, from 1.
    pub fullmove_number: u16,
}

impl Setup {
    /// An empty board, White to move.
    pub fn empty() -> Self {
        Self {
            board: SquareMap::default(),
            side_to_move: Color::White,
            castling: CastlingRights::NONE,
            castling_rule: CastlingRule::default(),
            variant: Variant::default(),
            checks_left: ColorMap::new([CHECKS_TO_WIN; 2]),
            hands: ColorMap::default(),
            promoted: Bitboard::EMPTY,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// The start position of standard chess.
    ///
    /// # Panics
    ///
    /// Never: it is one of the 960.
    pub fn standard() -> Self {
        Self::chess960(518).expect("518 is below 960")
    }

    /// One of the 960 start positions, by Reinhard Scharnagl's number (standard chess is 518);
    /// `None` from 960 on.
    pub fn chess960(number: u16) -> Option<Self> {
        let back_rank = scharnagl(number)?;
        let mut setup = Self::empty();
        for (file, piece_type) in File::ALL.into_iter().zip(back_rank) {
            for color in Color::ALL {
                let home = color.home_rank();
                let pawns = color.relative_rank(Rank::Second);
                setup.board[Square::new(file, home)] = Some(Piece::new(color, piece_type));
                setup.board[Square::new(file, pawns)] = Some(Piece::new(color, PieceType::Pawn));
            }
        }
        setup.grant_castling();
        Some(setup)
    }

    /// The same with the colours exchanged: the board turned top to bottom, the other side to move.
    #[must_use]
    pub fn color_flipped(&self) -> Self {
        let mut castling = CastlingRights::NONE;
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                castling.set(!color, side, self.castling.rook_file(color, side));
            }
        }
        let piece = |square: Square| {
            let piece = self.board[square.flipped()]?;
            Some(Piece::new(!piece.color(), piece.piece_type()))
        };
        Self {
            board: SquareMap::from_fn(piece),
            side_to_move: !self.side_to_move,
            castling,
            checks_left: ColorMap::from_fn(|color: Color| self.checks_left[!color]),
            hands: ColorMap::from_fn(|color: Color| self.hands[!color]),
            promoted: self.promoted.flipped(),
            en_passant: self.en_passant.map(Square::flipped),
            ..*self
        }
    }

    /// Gives every right for which king and rook stand on the home rank: to the outermost rook on
    /// either side of the king.
    pub fn grant_castling(&mut self) {
        self.castling = CastlingRights::NONE;
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let rook = self.outermost_rook(color, side);
                self.castling.set(color, side, rook);
            }
        }
    }

    /// The file of the rook that stands farthest out on one side of the king, both on the home
    /// rank: the rook that `K` or `Q` means in a FEN.
    pub fn outermost_rook(&self, color: Color, side: CastlingSide) -> Option<File> {
        let king = self.king_file(color)?;
        let rook = Some(Piece::new(color, PieceType::Rook));
        let is_rook = |file: &File| self.board[Square::new(*file, color.home_rank())] == rook;
        match side {
            CastlingSide::King => File::ALL
                .into_iter()
                .rev()
                .take_while(|&f| f > king)
                .find(is_rook),
            CastlingSide::Queen => File::ALL
                .into_iter()
                .take_while(|&f| f < king)
                .find(is_rook),
        }
    }

    /// The file of the king, if it stands on its home rank; of several kings there, that of the one on
    /// the e-file.
    pub fn king_file(&self, color: Color) -> Option<File> {
        let king = Some(Piece::new(color, PieceType::King));
        [File::E]
            .into_iter()
            .chain(File::ALL)
            .find(|&file| self.board[Square::new(file, color.home_rank())] == king)
    }
}

/// Which of the free squares the two knights take; the second counts those left by the first.
#[rustfmt::skip]
const KNIGHTS: [(usize, usize); 10] = [
    (0, 0), (0, 1), (0, 2), (0, 3),
    (1, 1), (1, 2), (1, 3),
    (2, 2), (2, 3),
    (3, 3),
];

/// The back rank with this number, from the a-file on.
fn scharnagl(number: u16) -> Option<[PieceType; 8]> {
    if number >= 960 {
        return None;
    }
    let number = usize::from(number);
    let mut rank = [None; 8];
    rank[number % 4 * 2 + 1] = Some(PieceType::Bishop);
    rank[number / 4 % 4 * 2] = Some(PieceType::Bishop);
    let mut place = |nth_free: usize, piece_type: PieceType| {
        if let Some(slot) = rank.iter_mut().filter(|slot| slot.is_none()).nth(nth_free) {
            *slot = Some(piece_type);
        }
    };
    place(number / 16 % 6, PieceType::Queen);
    let (first, second) = KNIGHTS[number / 96];
    place(first, PieceType::Knight);
    place(second, PieceType::Knight);
    for piece_type in [PieceType::Rook, PieceType::King, PieceType::Rook] {
        place(0, piece_type);
    }
    // Eight places for eight pieces: none is left empty.
    Some(rank.map(|slot| slot.unwrap_or(PieceType::Rook)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_960_start_positions_differ_and_obey_the_rule() {
        let mut seen = HashSet::new();
        for number in 0..960 {
            let rank = scharnagl(number).unwrap();
            let find = |piece| rank.iter().position(|&p| p == piece).unwrap();
            let rfind = |piece| rank.iter().rposition(|&p| p == piece).unwrap();
            assert!(find(PieceType::Rook) < find(PieceType::King));
            assert!(find(PieceType::King) < rfind(PieceType::Rook));
            assert_ne!(find(PieceType::Bishop) % 2, rfind(PieceType::Bishop) % 2);
            seen.insert(rank);
        }
        assert_eq!(seen.len(), 960);
        assert_eq!(scharnagl(960), None);
    }

    #[test]
    fn number_518_is_standard_chess() {
        use PieceType::{Bishop, King, Knight, Queen, Rook};
        let expected = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
        assert_eq!(scharnagl(518), Some(expected));
        assert_eq!(
            scharnagl(0),
            Some([Bishop, Bishop, Queen, Knight, Knight, Rook, King, Rook])
        );
    }
}
