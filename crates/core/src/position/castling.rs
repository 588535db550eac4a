//! Castling: what it needs besides the right to it.

use super::{Position, Setup};
use crate::types::{
    Bitboard, CastlingRights, CastlingRule, CastlingSide, Color, ColorMap, File, Move, MoveKind,
    Piece, PieceType, Square,
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
struct Path {
    ends: CastlingEnds,
    /// These must be empty: the paths of king and rook, except where they stand.
    empty: Bitboard,
    /// These must not be attacked: the king's path and where it ends.
    safe: Bitboard,
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

    #[inline]
    fn get(&self, color: Color, side: CastlingSide) -> Option<&Path> {
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

impl Position {
    /// Where king and rook end when `mv`, castling by the side to move, is made.
    ///
    /// # Panics
    ///
    /// If the set-up had no right to it.
    #[inline]
    pub(crate) fn castling_ends(&self, mv: Move) -> CastlingEnds {
        let side = CastlingSide::of(mv.from(), mv.to());
        self.castling_paths.ends(self.side_to_move, side)
    }

    /// Where the king ends when `mv`, a legal castling move, is made.
    pub fn castled_king(&self, mv: Move) -> Square {
        self.castling_ends(mv).king
    }

    /// Whether `mv`, a castling move, is written `O-O` and not `O-O-O`.
    pub fn castles_short(&self, mv: Move) -> bool {
        let short = self.castling_paths.rule.short_side(mv.from().file());
        CastlingSide::of(mv.from(), mv.to()) == short
    }

    /// Whether every right to castle belongs to a king on the e-file and a rook in its corner, as
    /// in standard chess.
    pub fn has_standard_castling(&self) -> bool {
        let fits = |color, side| {
            let corner = match side {
                CastlingSide::King => File::H,
                CastlingSide::Queen => File::A,
            };
            let rook = self.state.castling.rook_file(color, side);
            rook.is_none_or(|rook| rook == corner && self.king(color).file() == File::E)
        };
        let both = |color| CastlingSide::ALL.into_iter().all(|side| fits(color, side));
        Color::ALL.into_iter().all(both)
    }

    /// Castling to this side, if it is legal now.
    #[inline]
    pub(super) fn castling_move(&self, side: CastlingSide) -> Option<Move> {
        let us = self.side_to_move;
        let rook = self.state.castling.rook(us, side)?;
        let path = self.castling_paths.get(us, side)?;
        // A pinned rook (Chess960) would uncover an attack along the home rank.
        if path.empty.intersects(self.occupied())
            || self.in_check()
            || self.state.pinned.contains(rook)
        {
            return None;
        }
        let is_safe = self.safe_for_king(path.safe) == path.safe;
        is_safe.then(|| Move::new(self.king(us), rook, MoveKind::Castling))
    }
}

/// The rights whose king and rook are in place.
pub(super) fn valid_rights(setup: &Setup) -> CastlingRights {
    let mut rights = CastlingRights::NONE;
    for color in Color::ALL {
        let Some(king) = setup.king_file(color) else {
            continue;
        };
        for side in CastlingSide::ALL {
            let Some(rook) = setup.castling.rook(color, side) else {
                continue;
            };
            let outside = match side {
                CastlingSide::King => rook.file() > king,
                CastlingSide::Queen => rook.file() < king,
            };
            let destination = setup.castling_rule.destination(king, rook.file());
            if outside
                && destination.is_some()
                && setup.board[rook] == Some(Piece::new(color, PieceType::Rook))
            {
                rights.set(color, side, Some(rook.file()));
            }
        }
    }
    rights
}
