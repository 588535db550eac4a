//! Sliding pieces, by magic bitboards (Lasse Hansen and Pradyumna Kannan's method): the blockers
//! of a square are multiplied into a dense index of a table of attacks.

use super::magic::{self, Magic};
use super::tables;
use crate::types::{Bitboard, Square, SquareMap};

static ROOK_MAGICS: SquareMap<Magic> =
    SquareMap::new(magic::magics(magic::ROOK, &magic::ROOK_FACTORS));
static BISHOP_MAGICS: SquareMap<Magic> =
    SquareMap::new(magic::magics(magic::BISHOP, &magic::BISHOP_FACTORS));

/// The squares a rook on `square` attacks when `occupied` squares block it.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    tables::ROOK_ATTACKS[ROOK_MAGICS[square].index(occupied.0)]
}

/// The squares a bishop on `square` attacks when `occupied` squares block it.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    tables::BISHOP_ATTACKS[BISHOP_MAGICS[square].index(occupied.0)]
}

const fn empty_board(lines: [usize; 2]) -> SquareMap<Bitboard> {
    let mut attacks = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        attacks[square] = Bitboard(magic::rays(lines, square as u8, 0));
        square += 1;
    }
    SquareMap::new(attacks)
}

static ROOK_RAYS: SquareMap<Bitboard> = empty_board(magic::ROOK);
static BISHOP_RAYS: SquareMap<Bitboard> = empty_board(magic::BISHOP);

/// The squares a rook on `square` attacks on an empty board.
#[inline]
pub fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square]
}

/// The squares a bishop on `square` attacks on an empty board.
#[inline]
pub fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square]
}

#[cfg(test)]
mod tests {
    use super::*;

    type Attacks = fn(Square, Bitboard) -> Bitboard;

    #[test]
    fn tables_equal_the_rays_for_every_set_of_blockers() {
        let pieces: [(_, _, Attacks); 2] = [
            (&ROOK_MAGICS, magic::ROOK, rook),
            (&BISHOP_MAGICS, magic::BISHOP, bishop),
        ];
        for (magics, lines, attacks) in pieces {
            for square in Square::ALL {
                let mask = magics[square].mask;
                let mut blockers = 0u64;
                loop {
                    let expected = magic::rays(lines, square as u8, blockers);
                    assert_eq!(attacks(square, Bitboard(blockers)).0, expected);
                    blockers = blockers.wrapping_sub(mask) & mask;
                    if blockers == 0 {
                        break;
                    }
                }
            }
        }
    }
}
