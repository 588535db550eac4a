//! Castling rights, stored as the squares of the rooks: one form for standard chess and Chess960.

use super::{Color, ColorMap, File, Rank, Square};

indexed_enum! {
    /// A side of the board to castle to.
    pub enum CastlingSide {
        /// Towards the h-file: the king ends on the g-file (`O-O`).
        King,
        /// Towards the a-file: the king ends on the c-file (`O-O-O`).
        Queen,
    }
}

impl CastlingSide {
    /// The side to which a king castles with a rook, given their squares.
    #[inline]
    pub const fn of(king: Square, rook: Square) -> Self {
        if rook as u8 > king as u8 {
            Self::King
        } else {
            Self::Queen
        }
    }

    /// The file on which the king ends.
    #[inline]
    pub const fn king_file(self) -> File {
        match self {
            Self::King => File::G,
            Self::Queen => File::C,
        }
    }

    /// The file on which the rook ends.
    #[inline]
    pub const fn rook_file(self) -> File {
        match self {
            Self::King => File::F,
            Self::Queen => File::D,
        }
    }

    /// The square on which the king ends.
    #[inline]
    pub const fn king_to(self, color: Color) -> Square {
        Square::new(self.king_file(), color.home_rank())
    }

    /// The square on which the rook ends.
    #[inline]
    pub const fn rook_to(self, color: Color) -> Square {
        Square::new(self.rook_file(), color.home_rank())
    }
}

/// For either side, the files of the rooks it may still castle with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastlingRights {
    rooks: ColorMap<[Option<File>; 2]>,
}

impl CastlingRights {
    /// No right at all.
    pub const NONE: Self = Self {
        rooks: ColorMap::new([[None; 2]; 2]),
    };

    /// The rook square of a right, if it is held.
    #[inline]
    pub fn rook(self, color: Color, side: CastlingSide) -> Option<Square> {
        self.rook_file(color, side)
            .map(|file| Square::new(file, color.home_rank()))
    }

    /// The rook file of a right, if it is held.
    #[inline]
    pub fn rook_file(self, color: Color, side: CastlingSide) -> Option<File> {
        self.rooks[color][side as usize]
    }

    /// Gives (`Some`) or takes (`None`) one right.
    pub fn set(&mut self, color: Color, side: CastlingSide, rook: Option<File>) {
        self.rooks[color][side as usize] = rook;
    }

    /// Takes both rights of `color`: its king has moved.
    #[inline]
    pub fn remove_color(&mut self, color: Color) {
        self.rooks[color] = [None; 2];
    }

    /// Takes the right that needs a rook on `square`, if there is one: it moved or was captured.
    #[inline]
    pub fn remove_rook(&mut self, color: Color, square: Square) {
        for side in CastlingSide::ALL {
            if self.rook(color, side) == Some(square) {
                self.set(color, side, None);
            }
        }
    }

    /// Whether `color` holds a right.
    #[inline]
    pub fn any(self, color: Color) -> bool {
        self.rooks[color] != [None; 2]
    }

    /// Which of the four rights are held, one bit each: white king side is bit 0, black queen side bit 3.
    #[inline]
    pub fn mask(self) -> u8 {
        let mut mask = 0;
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if self.rook_file(color, side).is_some() {
                    mask |= 1 << (color as u8 * 2 + side as u8);
                }
            }
        }
        mask
    }
}

const _: () = assert!(Color::Black.home_rank() as u8 == Rank::Eighth as u8);
