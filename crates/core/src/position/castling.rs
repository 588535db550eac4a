//! Castling: what it needs besides the right to it.

use super::Setup;
use crate::types::{
    Bitboard, CastlingRights, CastlingRule, CastlingSide, Color, ColorMap, File, Piece, PieceType,
    Square,
};

/// The squares on which king and rook end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CastlingEnds {
    pub(crate) king: Square,
    pub(crate) rook: Square,
}

/// The squares that matter to one castling. As long as the right is held, neither king nor rook
/// has moved, so they stay the same for the whole game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    /// Where the king stands.
    pub(super) king: Square,
    pub(super) ends: CastlingEnds,
    /// These must be empty: the paths of king and rook, except where they stand.
    pub(super) empty: Bitboard,
    /// These must not be attacked: the king's path and where it ends.
    pub(super) safe: Bitboard,
}

impl Path {
    fn new(color: Color, king: Square, rook: Square, rule: CastlingRule) -> Option<Self> {
        let (king_file, rook_file) = rule.destination(king.file(), rook.file())?;
        let ends = CastlingEnds {
            king: Square::new(king_file, color.home_rank()),
            rook: Square::new(rook_file, color.home_rank()),
        };
        let king_path = Bitboard::span(king, ends.king);
        let rook_path = Bitboard::span(rook, ends.rook);
        Some(Self {
            king,
            ends,
            empty: (king_path | rook_path) - Bitboard::of(king).with(rook),
            safe: king_path - king.into(),
        })
    }
}

/// The rule, and the squares that matter to each castling that the set-up had a right to.
#[derive(Clone, Copy, Debug)]
pub(super) struct CastlingPaths {
    pub(super) rule: CastlingRule,
    paths: ColorMap<[Option<Path>; CastlingSide::ALL.len()]>,
}

impl CastlingPaths {
    /// The squares for these rights, which must fit the board.
    pub(super) fn new(setup: &Setup, rights: CastlingRights) -> Self {
        let rule = setup.castling_rule;
        let path = |color: Color, side| {
            let king = Square::new(setup.king_file(color)?, color.home_rank());
            Path::new(color, king, rights.rook(color, side)?, rule)
        };
        Self {
            rule,
            paths: ColorMap::from_fn(|color| CastlingSide::ALL.map(|side| path(color, side))),
        }
    }

    /// The squares of one castling; `None` if the set-up had no right to it.
    #[inline]
    pub(super) fn get(&self, color: Color, side: CastlingSide) -> Option<&Path> {
        self.paths[color][side as usize].as_ref()
    }

    /// Where king and rook end.
    ///
    /// # Panics
    ///
    /// If the set-up had no right to it.
    #[inline]
    pub(super) fn ends(&self, color: Color, side: CastlingSide) -> CastlingEnds {
        let path = self.get(color, side);
        path.expect("who castles had the right to").ends
    }
}

/// The rights whose king and rook are in place.
pub(super) fn valid_rights(setup: &Setup) -> CastlingRights {
    let mut rights = CastlingRights::NONE;
    if !setup.variant.has_castling() {
        return rights;
    }
    for color in Color::ALL {
        let Some(king) = setup.king_file(color) else {
            continue;
        };
        // Of several kings only the one on the e-file is sure to be the one that castles.
        if setup.variant.has_common_kings() && king != File::E {
            continue;
        }
        for side in CastlingSide::ALL {
            let Some(rook) = setup.castling.rook(color, side) else {
                continue;
            };
            let is_outside = CastlingSide::of(Square::new(king, rook.rank()), rook) == side;
            let destination = setup.castling_rule.destination(king, rook.file());
            if is_outside
                && destination.is_some()
                && setup.board[rook] == Some(Piece::new(color, PieceType::Rook))
                && !setup.promoted.contains(rook)
            {
                rights.set(color, side, Some(rook.file()));
            }
        }
    }
    rights
}
