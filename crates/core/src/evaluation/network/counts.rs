//! Counts of what attacks and defends what, and of the men on the board.
//!
//! The hidden layer sees pieces on squares, and has to learn square by square what attacks what.
//! These few counts say it at once, so that as few weights learn it from few games. They are those
//! of hand-written evaluations: threats, control of squares, the king's surroundings, safe checks,
//! passed pawns and material. All are the same if the board is mirrored, or the sides are exchanged; of
//! several kings of a side the first on the board counts, and that is another one then.
//!
//! All but the men go straight to the outputs, as direct inputs; the residual layer sees all.

use crate::attacks;
use crate::types::{Bitboard, Color, ColorMap, File, PieceType, PieceTypeMap, Rank};

/// Direct inputs of each side: the first of its [`counts`].
pub const DIRECT_INPUTS: usize = 13;

/// The kinds of men that are counted behind them. The king is always there.
const COUNTED: [PieceType; 5] = [
    PieceType::Pawn,
    PieceType::Knight,
    PieceType::Bishop,
    PieceType::Rook,
    PieceType::Queen,
];

/// Counts of each side.
pub const COUNTS: usize = DIRECT_INPUTS + COUNTED.len();

/// The counts of a position: first those of the side to move, `us`, then those of the other.
///
/// | number | what a side has |
/// |---|---|
/// | 0 | the value of its threatened men, 1, 3, 3, 5 and 9: attacked by a lesser one, or attacked and not defended |
/// | 1 | the same without the most valuable |
/// | 2, 3, 4 | pawns attacked and not defended; neither; both |
/// | 5 | squares that it attacks |
/// | 6 | squares on and around the other king that it attacks twice, and the other side does not |
/// | 7 | enemy men that it attacks twice, and that are defended once |
/// | 8, 9, 10 | squares from which a knight, a rook, a queen would give check at once, and which nothing attacks |
/// | 11 | passed pawns beyond the middle, by rank 1, 2 and 3 |
/// | 12 | the same, of which the square in front is defended |
/// | 13 to 17 | pawns, knights, bishops, rooks and queens |
#[inline]
pub fn counts(
    pieces: &PieceTypeMap<Bitboard>,
    colors: &ColorMap<Bitboard>,
    us: Color,
) -> [[i32; COUNTS]; 2] {
    counts_and_threats(pieces, colors, us).0
}

/// The same, and the squares that the other side attacks.
#[inline]
pub(super) fn counts_and_threats(
    pieces: &PieceTypeMap<Bitboard>,
    colors: &ColorMap<Bitboard>,
    us: Color,
) -> ([[i32; COUNTS]; 2], Bitboard) {
    let own = Attacks::of(pieces, colors, us);
    let other = Attacks::of(pieces, colors, !us);
    let counts = [
        counts_of(pieces, colors, us, [&own, &other]),
        counts_of(pieces, colors, !us, [&other, &own]),
    ];
    (counts, other.all)
}

/// The sum of the direct inputs, each times its weight; those of the side to move come first.
#[inline]
pub(super) fn direct_sum(counts: &[[i32; COUNTS]; 2], weights: &[[i16; DIRECT_INPUTS]; 2]) -> i32 {
    let halves = counts.iter().zip(weights);
    let sum = |(counts, weights): (&[i32; COUNTS], &[i16; DIRECT_INPUTS])| -> i32 {
        let products = counts.iter().zip(weights);
        products
            .map(|(count, &weight)| i32::from(weight) * count)
            .sum()
    };
    halves.map(sum).sum()
}

/// The squares that a side attacks.
struct Attacks {
    pawn: Bitboard,
    knight: Bitboard,
    bishop: Bitboard,
    rook: Bitboard,
    queen: Bitboard,
    all: Bitboard,
    /// Those that it attacks at least twice.
    twice: Bitboard,
}

impl Attacks {
    #[inline]
    fn of(pieces: &PieceTypeMap<Bitboard>, colors: &ColorMap<Bitboard>, side: Color) -> Self {
        let occupied = colors[Color::White] | colors[Color::Black];
        let of_kind = |kind| pieces[kind] & colors[side];
        let [west, east] = attacks::pawns_each_way(side, of_kind(PieceType::Pawn));
        let (mut all, mut twice) = (west | east, west & east);
        let mut add = |attacked: Bitboard| {
            twice |= all & attacked;
            all |= attacked;
            attacked
        };
        let none = Bitboard::EMPTY;
        let (mut knight, mut bishop, mut rook, mut queen) = (none, none, none, none);
        for square in of_kind(PieceType::Knight) {
            knight |= add(attacks::knight(square));
        }
        for square in of_kind(PieceType::Bishop) {
            bishop |= add(attacks::bishop(square, occupied));
        }
        for square in of_kind(PieceType::Rook) {
            rook |= add(attacks::rook(square, occupied));
        }
        for square in of_kind(PieceType::Queen) {
            queen |= add(attacks::queen(square, occupied));
        }
        for square in of_kind(PieceType::King) {
            add(attacks::king(square));
        }
        Self {
            pawn: west | east,
            knight,
            bishop,
            rook,
            queen,
            all,
            twice,
        }
    }
}

/// The counts of one side, which attacks these squares, as the other does those.
#[inline]
fn counts_of(
    pieces: &PieceTypeMap<Bitboard>,
    colors: &ColorMap<Bitboard>,
    side: Color,
    [own, other]: [&Attacks; 2],
) -> [i32; COUNTS] {
    let (men, enemies) = (colors[side], colors[!side]);
    let occupied = men | enemies;
    let count = |squares: Bitboard| squares.count() as i32;

    let pawns = men & pieces[PieceType::Pawn];
    let loose = other.all - own.all;
    let by_minor = other.pawn | other.knight | other.bishop;
    let loose_pawns = count(pawns & loose);
    let minors = pieces[PieceType::Knight] | pieces[PieceType::Bishop];
    let minors = count(men & minors & (other.pawn | loose));
    let rooks = count(men & pieces[PieceType::Rook] & (by_minor | loose));
    let queens = count(men & pieces[PieceType::Queen] & (by_minor | other.rook | loose));
    let threatened = loose_pawns + 3 * minors + 5 * rooks + 9 * queens;
    let most = match (queens, rooks, minors) {
        (1.., _, _) => 9,
        (0, 1.., _) => 5,
        (0, 0, 1..) => 3,
        _ => loose_pawns.min(1),
    };

    let safe = !(men | other.all);
    let (mut around, mut knight_check, mut rook_check, mut queen_check) = (0, 0, 0, 0);
    if let Some(king) = (enemies & pieces[PieceType::King]).first() {
        around = count((attacks::king(king) | king.into()) & (own.twice - other.twice));
        let orthogonal = attacks::rook(king, occupied) & safe;
        let diagonal = attacks::bishop(king, occupied) & safe;
        knight_check = count(attacks::knight(king) & own.knight & safe);
        rook_check = count(orthogonal & own.rook);
        queen_check = count((orthogonal | diagonal) & own.queen);
    }

    let (passed, supported) = passed_pawns(pawns, enemies & pieces[PieceType::Pawn], side, own);
    let left = COUNTED.map(|kind| count(men & pieces[kind]));
    [
        threatened,
        threatened - most,
        loose_pawns,
        count(pawns - other.all - own.all),
        count(pawns & other.all & own.all),
        count(own.all),
        around,
        count(enemies & own.twice & (other.all - other.twice)),
        knight_check,
        rook_check,
        queen_check,
        passed,
        supported,
        left[0],
        left[1],
        left[2],
        left[3],
        left[4],
    ]
}

/// Inputs 11 and 12.
#[inline]
fn passed_pawns(pawns: Bitboard, enemy_pawns: Bitboard, side: Color, own: &Attacks) -> (i32, i32) {
    let rank = |rank| Bitboard::rank(side.relative_rank(rank));
    let weighted = [(Rank::Fifth, 1), (Rank::Sixth, 2), (Rank::Seventh, 3)];
    let beyond = rank(Rank::Fifth) | rank(Rank::Sixth) | rank(Rank::Seventh);
    let advanced = pawns & beyond;
    if advanced.is_empty() {
        return (0, 0);
    }
    // In front of the enemy's pawns, on their files and those beside.
    let beside = enemy_pawns
        | (enemy_pawns - Bitboard::file(File::A)).shifted(-1)
        | (enemy_pawns - Bitboard::file(File::H)).shifted(1);
    let met = beside.forward(!side);
    let passed = advanced - met - met.forward(!side);
    let supported = passed & own.all.forward(!side);
    let sum = |pawns: Bitboard| {
        let parts = weighted.map(|(at, weight)| weight * (pawns & rank(at)).count() as i32);
        parts.iter().sum()
    };
    (sum(passed), sum(supported))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;

    fn inputs(text: &str) -> [[i32; COUNTS]; 2] {
        let position = fen::parse(text).unwrap();
        let (pieces, colors) = position.boards();
        counts(pieces, colors, position.side_to_move())
    }

    #[test]
    fn the_start_position_is_the_same_for_both() {
        let [own, other] = inputs("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        // The second and third rank, and what stands on the first but for the rooks.
        assert_eq!(own[..13], [0, 0, 0, 0, 0, 22, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(own[13..], [8, 2, 2, 2, 1]);
        assert_eq!(own, other);
    }

    #[test]
    fn threats_count_what_a_lesser_man_attacks_or_nothing_defends() {
        // The pawn attacks a knight; the king, the other, which nothing defends.
        let [black, white] = inputs("6k1/8/2n5/3P4/8/3r4/6K1/7n b - - 0 1");
        assert_eq!(black[..3], [6, 3, 0]);
        assert_eq!(white[..5], [1, 0, 1, 0, 0], "the rook attacks the pawn");
        let [_, white] = inputs("6k1/8/2n5/3P4/2P5/3r4/6K1/7n b - - 0 1");
        assert_eq!(white[..5], [0, 0, 0, 1, 1]);
    }

    #[test]
    fn what_is_attacked_twice_and_defended_once_counts() {
        let [white, black] = inputs("3r2k1/8/8/3p4/8/2N5/3R4/6K1 w - - 0 1");
        assert_eq!([white[7], black[7]], [1, 0]);
        // The rook defends a second time.
        let [white, _] = inputs("3r2k1/8/4p3/3p4/8/2N5/3R4/6K1 w - - 0 1");
        assert_eq!(white[7], 0);
    }

    #[test]
    fn the_king_s_surroundings_and_safe_checks_count() {
        // The knight checks from f7 and g6, the rook from h2, the queen from b8.
        let [white, black] = inputs("7k/8/8/4N3/8/8/1Q4R1/1R4K1 w - - 0 1");
        assert_eq!(white[8..11], [2, 1, 1]);
        assert_eq!(black[8..11], [0, 0, 0]);
        assert_eq!([white[6], black[6]], [0, 0]);
        // Knight and rook attack g7; the queen checks from b2, c3 and h6.
        let [white, black] = inputs("4N2k/8/8/8/8/8/6R1/1RQ3K1 w - - 0 1");
        assert_eq!(white[8..11], [0, 1, 3]);
        assert_eq!([white[6], black[6]], [1, 0]);
    }

    #[test]
    fn passed_pawns_beyond_the_middle_count_by_rank() {
        let [white, black] = inputs("6k1/8/P1p5/1R2Pp2/8/p7/8/6K1 w - - 0 1");
        // a6 twice, e5 once; none of the squares before them is defended, but e6 if a pawn were there.
        assert_eq!(white[11..13], [3, 0]);
        assert_eq!(black[11..13], [2, 0]);
        let [white, _] = inputs("6k1/8/8/R2Pp3/8/8/8/3R2K1 w - - 0 1");
        assert_eq!(white[11..13], [1, 0]);
        let [white, _] = inputs("6k1/8/8/2BPp3/8/8/8/3R2K1 w - - 0 1");
        assert_eq!(white[11..13], [1, 1]);
        // A pawn beside stops it, if it has not been passed by.
        for (text, count) in [
            ("6k1/4p3/8/3P4/8/8/8/6K1 w - - 0 1", 0),
            ("6k1/8/4p3/3P4/8/8/8/6K1 w - - 0 1", 0),
            ("6k1/8/8/3Pp3/8/8/8/6K1 w - - 0 1", 1),
            ("6k1/3p4/8/3P4/8/8/8/6K1 w - - 0 1", 0),
            ("6k1/p7/8/7P/8/8/8/6K1 w - - 0 1", 1),
        ] {
            assert_eq!(inputs(text)[0][11], count, "{text}");
        }
    }

    #[test]
    fn mirrored_boards_and_exchanged_sides_have_the_same_inputs() {
        let text = "r1bq1rk1/1p3ppp/p1n1pn2/2b5/P1BPP3/2N2N2/1P2QPPP/R1B2RK1 w - - 0 1";
        let position = fen::parse(text).unwrap();
        let (pieces, colors) = position.boards();
        let inputs = counts(pieces, colors, Color::White);
        let flipped =
            |colors: &ColorMap<Bitboard>| ColorMap::from_fn(|color| colors[!color].flipped());
        let turned = PieceTypeMap::from_fn(|kind| pieces[kind].flipped());
        assert_eq!(inputs, counts(&turned, &flipped(colors), Color::Black));
        let mirrored = |squares: Bitboard| {
            squares.into_iter().fold(Bitboard::EMPTY, |all, square| {
                all | square.mirrored().into()
            })
        };
        let turned = PieceTypeMap::from_fn(|kind| mirrored(pieces[kind]));
        let sides = ColorMap::from_fn(|color| mirrored(colors[color]));
        assert_eq!(inputs, counts(&turned, &sides, Color::White));
        let [own, other] = inputs;
        assert_eq!(counts(pieces, colors, Color::Black), [other, own]);
    }
}
