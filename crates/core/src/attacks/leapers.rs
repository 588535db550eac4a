//! Pieces whose attack nothing can block: pawns, knights, kings.

use crate::types::{Bitboard, Color, ColorMap, File, Square, SquareMap};

const fn leaps<const N: usize>(steps: [(i8, i8); N]) -> SquareMap<Bitboard> {
    let mut attacks = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut step = 0;
        while step < N {
            let (files, ranks) = steps[step];
            if let Some(to) = Square::wrapping(square).offset(files, ranks) {
                attacks[square as usize] = attacks[square as usize].with(to);
            }
            step += 1;
        }
        square += 1;
    }
    SquareMap::new(attacks)
}

static PAWN: ColorMap<SquareMap<Bitboard>> =
    ColorMap::new([leaps([(-1, 1), (1, 1)]), leaps([(-1, -1), (1, -1)])]);
static KNIGHT: SquareMap<Bitboard> = leaps([
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
]);
static KING: SquareMap<Bitboard> = leaps([
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
]);

/// The squares a pawn of `color` on `square` attacks.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color][square]
}

/// The squares that any of these pawns of `color` attacks.
#[inline]
pub fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let [west, east] = pawns_each_way(color, pawns);
    west | east
}

/// The squares that these pawns of `color` attack towards the a-file, and towards the h-file.
#[inline]
pub fn pawns_each_way(color: Color, pawns: Bitboard) -> [Bitboard; 2] {
    let forward = color.forward();
    [
        (pawns - Bitboard::file(File::A)).shifted(forward - 1),
        (pawns - Bitboard::file(File::H)).shifted(forward + 1),
    ]
}

/// The squares a knight on `square` attacks.
#[inline]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square]
}

/// The squares a king on `square` attacks.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING[square]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attacks_stay_on_the_board() {
        assert_eq!(knight(Square::A1).count(), 2);
        assert_eq!(knight(Square::E4).count(), 8);
        assert_eq!(king(Square::H8).count(), 3);
        assert_eq!(pawn(Color::White, Square::A2), Bitboard::of(Square::B3));
        assert_eq!(pawn(Color::Black, Square::E4).count(), 2);
        assert_eq!(pawn(Color::White, Square::E8), Bitboard::EMPTY);
    }
}
