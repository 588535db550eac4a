//! How a table numbers its positions: from the squares of the pieces to an index, using the
//! symmetry of the board and that identical pieces are interchangeable.

use arrayvec::ArrayVec;

use super::geometry::{
    BINOMIAL, KING_PAIRS, KK_IDX, PAWN_FACTOR, PAWN_IDX, flap, lower, ptwist, triangle,
};
use super::material::{MAX_PIECES, Material};
use crate::types::{Color, Piece, PieceType};

/// Squares of the pieces of a position, 0 to 63, in the order of a table's pieces.
pub(super) type Squares = ArrayVec<u8, { MAX_PIECES as usize }>;

/// Ways to place three different pieces, up to symmetry.
const TRIPLES: u64 = 31_332;

/// The encoding of one side of one table.
#[derive(Debug)]
pub(super) struct Encoding {
    pieces: ArrayVec<Piece, { MAX_PIECES as usize }>,
    leading: Leading,
    /// Pieces that are numbered together, in the order of `pieces`, which they cover: the leading
    /// ones, then sets of identical ones.
    groups: ArrayVec<Group, { MAX_PIECES as usize }>,
    size: u64,
}

/// The pieces that come first and use up the symmetry of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leading {
    Kings,
    Triple,
    /// The pawns of the side that has fewer of them, the first on a known file.
    Pawns,
}

#[derive(Clone, Copy, Debug)]
struct Group {
    len: usize,
    /// Positions that one step of the group's own index spans.
    factor: u64,
}

impl Encoding {
    /// From a table's header: its pieces in order, and the ranks of the leading group and of the
    /// other side's pawns in the order of significance. `file` is that of the leading pawn. `None`
    /// if that does not fit the material.
    pub(super) fn new(
        material: Material,
        pieces: &[Piece],
        leading_rank: usize,
        pawns_rank: usize,
        file: usize,
    ) -> Option<Self> {
        let same_pieces = Piece::ALL.into_iter().all(|piece| {
            let listed = pieces.iter().filter(|&&other| other == piece).count();
            listed == material.count(piece.color(), piece.piece_type())
        });
        if !same_pieces {
            return None;
        }
        let (leading, lens) = groups(material, pieces)?;
        let second_pawns = leading == Leading::Pawns && leading_colors(material).1 > 0;
        let mut factors = [0; MAX_PIECES as usize];
        let mut size = 1_u64;
        let placed: usize = lens[..=usize::from(second_pawns)].iter().sum();
        let mut free = 64 - placed;
        let mut rest = 1 + usize::from(second_pawns);
        for rank in 0..lens.len() {
            let (group, ways) = if rank == leading_rank {
                (0, leading.ways(lens[0], file))
            } else if second_pawns && rank == pawns_rank {
                (1, BINOMIAL[lens[1]][48 - lens[0]])
            } else {
                let group = rest;
                let len = *lens.get(group)?;
                rest += 1;
                let ways = BINOMIAL[len][free];
                free -= len;
                (group, ways)
            };
            factors[group] = size;
            size = size.checked_mul(ways)?;
        }
        if factors[..lens.len()].contains(&0) {
            return None;
        }
        let groups = lens.iter().zip(factors);
        Some(Self {
            pieces: pieces.iter().copied().collect(),
            leading,
            groups: groups.map(|(&len, factor)| Group { len, factor }).collect(),
            size,
        })
    }

    /// How many numbers there are.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// The pieces, in the order in which their squares are expected.
    pub(super) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The number of a position with its pieces on `squares`.
    pub(super) fn index(&self, mut squares: Squares) -> u64 {
        if self.leading == Leading::Pawns {
            let lead = self.groups[0].len;
            let first = first_pawn(&squares[..lead]);
            squares.swap(0, first);
        }
        if squares[0] & 4 != 0 {
            squares.iter_mut().for_each(|square| *square ^= 0b000_111);
        }
        let own = match self.leading {
            Leading::Kings => {
                fold(&mut squares, 2);
                u64::from(KK_IDX[triangle(squares[0])][usize::from(squares[1])])
            }
            Leading::Triple => {
                fold(&mut squares, 3);
                triple_index(squares[0], squares[1], squares[2])
            }
            Leading::Pawns => pawn_index(&mut squares[..self.groups[0].len]),
        };
        let mut index = own * self.groups[0].factor;
        let mut start = self.groups[0].len;
        for (number, group) in self.groups.iter().enumerate().skip(1) {
            let (before, rest) = squares.split_at_mut(start);
            let pieces = &mut rest[..group.len];
            pieces.sort_unstable();
            // The second group of a pawn table may be the other pawns, which cannot stand on
            // the first rank.
            let first_rank = if number == 1 && self.is_pawn(start) {
                8
            } else {
                0
            };
            index += group.factor * combination(pieces, before, first_rank);
            start += group.len;
        }
        index
    }

    fn is_pawn(&self, at: usize) -> bool {
        self.pieces[at].piece_type() == PieceType::Pawn
    }
}

impl Leading {
    /// Ways to place `len` leading pieces; `file` is that of the leading pawn.
    fn ways(self, len: usize, file: usize) -> u64 {
        match self {
            Self::Kings => KING_PAIRS,
            Self::Triple => TRIPLES,
            Self::Pawns => PAWN_FACTOR[len - 1][file],
        }
    }
}

/// The side whose pawns lead, and how many pawns the other side has. The side with fewer pawns
/// leads, but at least one; White if equal.
fn leading_colors(material: Material) -> (Color, usize) {
    let pawns = |color| material.count(color, PieceType::Pawn);
    let (white, black) = (pawns(Color::White), pawns(Color::Black));
    if black > 0 && (white == 0 || white > black) {
        (Color::Black, white)
    } else {
        (Color::White, black)
    }
}

/// Which pieces lead, and the sizes of the groups.
fn groups(
    material: Material,
    pieces: &[Piece],
) -> Option<(Leading, ArrayVec<usize, { MAX_PIECES as usize }>)> {
    let count = |piece: Piece| material.count(piece.color(), piece.piece_type());
    let mut lens = ArrayVec::new();
    let leading = if material.has_pawns() {
        let (color, others) = leading_colors(material);
        let own = Piece::new(color, PieceType::Pawn);
        let theirs = Piece::new(!color, PieceType::Pawn);
        let lead = count(own);
        let listed = pieces[..lead].iter().all(|&piece| piece == own);
        let follow = pieces[lead..lead + others]
            .iter()
            .all(|&piece| piece == theirs);
        if !listed || !follow {
            return None;
        }
        lens.push(lead);
        if others > 0 {
            lens.push(others);
        }
        Leading::Pawns
    } else {
        let unique = pieces.iter().filter(|&&piece| count(piece) == 1).count();
        let (leading, len) = if unique == 2 {
            (Leading::Kings, 2)
        } else {
            (Leading::Triple, 3)
        };
        if pieces.len() < len || pieces[..len].iter().any(|&piece| count(piece) != 1) {
            return None;
        }
        lens.push(len);
        leading
    };
    let mut at = lens.iter().sum();
    while let Some(&piece) = pieces.get(at) {
        let len = count(piece);
        // Identical pieces must be adjacent.
        if pieces[at..].iter().take(len).any(|&other| other != piece) {
            return None;
        }
        lens.push(len);
        at += len;
    }
    Some((leading, lens))
}

/// Which of the leading pawns selects the part of the table: the one on the file nearest to the
/// edge, and on the lowest rank there.
fn first_pawn(pawns: &[u8]) -> usize {
    let order = |&at: &usize| flap(pawns[at]);
    (0..pawns.len()).min_by_key(order).unwrap_or_default()
}

/// The file, mirrored to the left half, of the leading one among these pawns.
pub(super) fn leading_file(pawns: &[u8]) -> usize {
    flap(pawns[first_pawn(pawns)]) / 6
}

/// Mirrors the board so that the first piece off the long diagonal is below it, if it is one of the
/// first `leading`; the first piece is in the left half already.
fn fold(squares: &mut Squares, leading: usize) {
    if squares[0] & 0b100_000 != 0 {
        squares.iter_mut().for_each(|square| *square ^= 0b111_000);
    }
    let off_diagonal = squares.iter().position(|&square| square >> 3 != square & 7);
    if let Some(at) = off_diagonal
        && at < leading
        && squares[at] >> 3 > squares[at] & 7
    {
        for square in squares.iter_mut() {
            *square = *square >> 3 | (*square & 7) << 3;
        }
    }
}

/// The number of three different pieces; the first one off the long diagonal is below it.
fn triple_index(first: u8, second: u8, third: u8) -> u64 {
    let diagonal = |square: u8| u64::from(square >> 3);
    let on_diagonal = |square: u8| square >> 3 == square & 7;
    let second_skips = u64::from(second > first);
    let third_skips = u64::from(third > first) + u64::from(third > second);
    let second_free = u64::from(second) - second_skips;
    let third_free = u64::from(third) - third_skips;
    // In this order: the first piece off the diagonal; the first on it, the second off it; the
    // first two on it; all three on it.
    let one_off = 6 * 63 * 62;
    let two_off = one_off + 4 * 28 * 62;
    let three_off = two_off + 4 * 7 * 28;
    if !on_diagonal(first) {
        triangle(first) as u64 * 63 * 62 + second_free * 62 + third_free
    } else if !on_diagonal(second) {
        one_off + diagonal(first) * 28 * 62 + lower(second) * 62 + third_free
    } else if !on_diagonal(third) {
        let second = diagonal(second) - second_skips;
        two_off + diagonal(first) * 7 * 28 + second * 28 + lower(third)
    } else {
        let second = diagonal(second) - second_skips;
        let third = diagonal(third) - third_skips;
        three_off + diagonal(first) * 7 * 6 + second * 6 + third
    }
}

/// The number of the leading pawns, the first of which determines the file.
fn pawn_index(pawns: &mut [u8]) -> u64 {
    let (first, others) = pawns.split_at_mut(1);
    others.sort_unstable_by_key(|&pawn| std::cmp::Reverse(ptwist(pawn)));
    let count = others.len();
    let rest = others.iter().enumerate();
    let below: u64 = rest
        .map(|(at, &pawn)| BINOMIAL[count - at][ptwist(pawn) as usize])
        .sum();
    PAWN_IDX[count][flap(first[0])] + below
}

/// The number of a set of identical pieces, their squares in ascending order, among the squares
/// that the pieces before them leave free.
fn combination(pieces: &[u8], before: &[u8], first_square: u8) -> u64 {
    let place = |&square: &u8| {
        let skipped = before.iter().filter(|&&other| square > other).count();
        // Below zero for a set-up that no table has: any number will do.
        usize::from(square).saturating_sub(skipped + usize::from(first_square))
    };
    let places = pieces.iter().enumerate();
    places
        .map(|(at, square)| BINOMIAL[at + 1][place(square)])
        .sum()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::tablebase::geometry::PAWN_FILES;

    fn encoding(name: &str, pieces: &str, file: usize) -> Encoding {
        let material = Material::parse(name).expect("a name");
        let pieces: Vec<Piece> = pieces.chars().filter_map(Piece::from_letter).collect();
        Encoding::new(material, &pieces, 0, 15, file).expect("pieces of that name")
    }

    /// The numbers of all placements of three pieces on squares that `fits` accepts.
    fn numbers(encoding: &Encoding, fits: impl Fn(&[u8]) -> bool) -> HashSet<u64> {
        let all = (0..64_u8)
            .flat_map(|a| (0..64_u8).flat_map(move |b| (0..64_u8).map(move |c| [a, b, c])));
        let apart = all.filter(|[a, b, c]| a != b && a != c && b != c);
        apart
            .filter(|squares| fits(squares))
            .map(|squares| encoding.index(squares.into_iter().collect()))
            .collect()
    }

    #[test]
    fn three_men_have_every_number_up_to_symmetry() {
        let encoding = encoding("KQvK", "KQk", 0);
        assert_eq!(encoding.size(), TRIPLES);
        let found = numbers(&encoding, |_| true);
        assert_eq!(found.len() as u64, TRIPLES);
        assert!(found.iter().all(|&number| number < TRIPLES));
    }

    #[test]
    fn a_pawn_has_numbers_of_its_own_on_every_file() {
        for file in 0..PAWN_FILES {
            let encoding = encoding("KPvK", "PKk", file);
            assert_eq!(encoding.size(), 6 * 63 * 62);
            let found = numbers(&encoding, |squares| {
                (8..56).contains(&squares[0]) && leading_file(&squares[..1]) == file
            });
            assert_eq!(found.len() as u64, encoding.size());
            assert!(found.iter().all(|&number| number < encoding.size()));
        }
    }

    #[test]
    fn two_kings_and_a_pair_have_every_number_up_to_symmetry() {
        let encoding = encoding("KNNvK", "KkNN", 0);
        assert_eq!(encoding.size(), KING_PAIRS * (62 * 61 / 2));
        let kings = KK_IDX.iter().flatten().copied().collect::<HashSet<_>>();
        assert_eq!(kings.len() as u64, KING_PAIRS);
    }

    #[test]
    fn other_men_than_the_name_says_are_refused() {
        let material = Material::parse("KQvK").expect("a name");
        for pieces in ["KQ", "KQkk", "KRk", "kQk", ""] {
            let pieces: Vec<Piece> = pieces.chars().filter_map(Piece::from_letter).collect();
            assert!(Encoding::new(material, &pieces, 0, 15, 0).is_none());
        }
        let pieces = [
            Piece::from_letter('K'),
            Piece::from_letter('Q'),
            Piece::from_letter('k'),
        ];
        let pieces = pieces.map(|piece| piece.expect("a piece"));
        assert!(Encoding::new(material, &pieces, 3, 15, 0).is_none());
    }
}
