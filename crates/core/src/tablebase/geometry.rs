//! Squares and sets of squares as numbers: the tables that the encoding of positions looks up.

use super::material::MAX_PIECES;

/// Files of the leading pawn, mirrored to the left half of the board.
pub(super) const PAWN_FILES: usize = 4;

/// Ways to place two kings that are not adjacent, up to symmetry.
pub(super) const KING_PAIRS: u64 = 462;

/// The index of a pawn's square, mirrored to the left half, by file and then by rank: 0 to 23.
pub(super) const fn flap(square: u8) -> usize {
    let file = if square & 4 == 0 {
        square & 7
    } else {
        7 - (square & 7)
    };
    (file * 6 + (square >> 3) - 1) as usize
}

/// The order in which further leading pawns are placed: 47 for a2 down to 0 for e7.
pub(super) const fn ptwist(square: u8) -> u64 {
    47 - 2 * flap(square) as u64 - if square & 4 == 0 { 0 } else { 1 }
}

/// The index of a square of the triangle a1, d1, d4: those below the diagonal come first.
pub(super) const fn triangle(square: u8) -> usize {
    let (file, rank) = ((square & 7) as usize, (square >> 3) as usize);
    if file == rank {
        6 + file
    } else {
        // Rank 1 has three squares below the diagonal, rank 2 two, rank 3 one.
        rank * (7 - rank) / 2 + file - rank - 1
    }
}

/// The index of a square among those below the long diagonal: 0 for b1 to 27 for h7.
pub(super) const fn lower(square: u8) -> u64 {
    let (file, rank) = ((square & 7) as u64, (square >> 3) as u64);
    rank * (15 - rank) / 2 + file - rank - 1
}

/// `BINOMIAL[k][n]` is `n` choose `k`.
pub(super) const BINOMIAL: [[u64; 64]; MAX_PIECES as usize] = {
    let mut table = [[0; 64]; MAX_PIECES as usize];
    let mut n = 0;
    while n < 64 {
        table[0][n] = 1;
        let mut k = 1;
        while k < MAX_PIECES as usize && n > 0 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// By the number of pawns after the first, and the index of the first pawn's square: the number of
/// the first such set, counted from the start of its file.
pub(super) const PAWN_IDX: [[u64; 24]; 6] = pawn_numbers().0;
/// By the number of pawns after the first, and the file of the first pawn: how many sets there are.
pub(super) const PAWN_FACTOR: [[u64; PAWN_FILES]; 6] = pawn_numbers().1;

const fn pawn_numbers() -> ([[u64; 24]; 6], [[u64; PAWN_FILES]; 6]) {
    let mut starts = [[0; 24]; 6];
    let mut ways = [[0; PAWN_FILES]; 6];
    let mut others = 0;
    while others < 6 {
        let mut order = 0;
        while order < 24 {
            let (file, rank) = (order / 6, order % 6 + 1);
            starts[others][order] = ways[others][file];
            let twist = ptwist((rank * 8 + file) as u8);
            ways[others][file] += BINOMIAL[others][twist as usize];
            order += 1;
        }
        others += 1;
    }
    (starts, ways)
}

/// By the index of the first king in the triangle, and the square of the second: the number of the
/// pair. Pairs with both on the diagonal come last; impossible pairs have arbitrary numbers.
pub(super) const KK_IDX: [[u16; 64]; 10] = {
    let mut table = [[0; 64]; 10];
    let mut next = 0;
    let mut both_on_diagonal = 0;
    while both_on_diagonal < 2 {
        let mut place = 0;
        while place < 10 {
            let mut first = 0;
            while first < 28 {
                let (file, rank) = (first & 7, first >> 3);
                if file < 4 && rank <= file && triangle(first) == place {
                    let mut second = 0;
                    while second < 64 {
                        let (other_file, other_rank) = (second & 7, second >> 3);
                        let apart = file.abs_diff(other_file) > 1 || rank.abs_diff(other_rank) > 1;
                        let above = file == rank && other_rank > other_file;
                        let diagonal = file == rank && other_file == other_rank;
                        if apart && !above && diagonal == (both_on_diagonal == 1) {
                            table[place][second as usize] = next;
                            next += 1;
                        }
                        second += 1;
                    }
                }
                first += 1;
            }
            place += 1;
        }
        both_on_diagonal += 1;
    }
    assert!(next as u64 == KING_PAIRS);
    table
};
