//! Castling: what it needs besides the right to it.

use super::{Position, Setup};
use crate::types::{
    Bitboard, CastlingRights, CastlingSide, Color, ColorMap, Move, MoveKind, Piece, PieceType,
    Square,
};

/// The squares that matter to one castling. As long as the right is held, neither king nor rook
/// has moved, so they stay the same for the whole game.
#[derive(Clone, Copy, Debug, Default)]
struct Path {
    /// These must be empty: the ways of king and rook, less where they stand.
    empty: Bitboard,
    /// These must not be attacked: the king's way and where it ends.
    safe: Bitboard,
}

/// The squares that matter to each castling for which there was a right at the set-up.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CastlingPaths(ColorMap<[Path; CastlingSide::ALL.len()]>);

impl CastlingPaths {
    /// The squares for these rights, which must fit the board.
    pub(super) fn new(setup: &Setup, rights: CastlingRights) -> Self {
        let mut paths = Self::default();
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let king = setup.king_file(color);
                let king = king.map(|file| Square::new(file, color.home_rank()));
                if let (Some(king), Some(rook)) = (king, rights.rook(color, side)) {
                    let king_path = Bitboard::span(king, side.king_to(color));
                    let rook_path = Bitboard::span(rook, side.rook_to(color));
                    paths.0[color][side as usize] = Path {
                        empty: (king_path | rook_path) - Bitboard::of(king).with(rook),
                        safe: king_path - king.into(),
                    };
                }
            }
        }
        paths
    }
}

impl Position {
    /// Castling to this side, if it is legal now.
    #[inline]
    pub(super) fn castling_move(&self, side: CastlingSide) -> Option<Move> {
        let us = self.side_to_move;
        let rook = self.state.castling.rook(us, side)?;
        let path = self.castling_paths.0[us][side as usize];
        // A pinned rook (Chess960) would uncover an attack along the home rank.
        if path.empty.intersects(self.occupied())
            || self.in_check()
            || self.state.pinned.contains(rook)
        {
            return None;
        }
        let king = self.king(us);
        let occupied = self.occupied() - Bitboard::of(king).with(rook);
        let safe = path
            .safe
            .into_iter()
            .all(|square| !self.is_attacked(square, !us, occupied));
        safe.then(|| Move::new(king, rook, MoveKind::Castling))
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
            if outside && setup.board[rook] == Some(Piece::new(color, PieceType::Rook)) {
                rights.set(color, side, Some(rook.file()));
            }
        }
    }
    rights
}
