//! Castling rights, stored as the squares of the rooks: one form for standard chess, Chess960 and
//! games in which the king may begin on the d-file.

use super::{Color, ColorMap, File, Rank, Square};

indexed_enum! {
    /// A side of the board to castle to.
    pub enum CastlingSide {
        /// Towards the h-file.
        King,
        /// Towards the a-file.
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

    /// The file of the corner on this side.
    pub const fn corner(self) -> File {
        match self {
            Self::King => File::H,
            Self::Queen => File::A,
        }
    }
}

/// Which kings and rooks may castle, and where they end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CastlingRule {
    /// From wherever they stand, the king to the g- or c-file and the rook to the f- or d-file:
    /// standard chess and Chess960.
    #[default]
    FixedFiles,
    /// A king on the d- or e-file moves two squares towards a rook in the corner, which ends on the
    /// king's other side. From the e-file that is as in standard chess.
    TwoSteps,
}

impl CastlingRule {
    /// The files on which king and rook end; `None` if they may not castle from these files.
    pub const fn destination(self, king: File, rook: File) -> Option<(File, File)> {
        let side = CastlingSide::of(
            Square::new(king, Rank::First),
            Square::new(rook, Rank::First),
        );
        Some(match (self, king, side, rook) {
            (Self::FixedFiles, _, CastlingSide::King, _)
            | (Self::TwoSteps, File::E, CastlingSide::King, File::H) => (File::G, File::F),
            (Self::FixedFiles, _, CastlingSide::Queen, _)
            | (Self::TwoSteps, File::E, CastlingSide::Queen, File::A) => (File::C, File::D),
            (Self::TwoSteps, File::D, CastlingSide::King, File::H) => (File::F, File::E),
            (Self::TwoSteps, File::D, CastlingSide::Queen, File::A) => (File::B, File::C),
            (Self::TwoSteps, ..) => return None,
        })
    }

    /// The side to which a king from this file castles when that is written `O-O`: that of the
    /// nearer corner if the rule goes by that, otherwise that of the h-file.
    pub const fn short_side(self, king: File) -> CastlingSide {
        match (self, king) {
            (Self::TwoSteps, File::D) => CastlingSide::Queen,
            _ => CastlingSide::King,
        }
    }
}

/// For each side, the files of the rooks it may still castle with.
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

    /// Gives (`Some`) or removes (`None`) one right.
    pub fn set(&mut self, color: Color, side: CastlingSide, rook: Option<File>) {
        self.rooks[color][side as usize] = rook;
    }

    /// Removes both rights of `color`: its king has moved.
    #[inline]
    pub fn remove_color(&mut self, color: Color) {
        self.rooks[color] = [None; 2];
    }

    /// Removes the right that needs a rook on `square`, if there is one: it moved or was captured.
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

    /// Which of the four rights are held, one bit each: White's king side is bit 0, Black's queen
    /// side bit 3.
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
