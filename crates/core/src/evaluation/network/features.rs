//! The inputs of the network: the pieces of both sides on their squares, as each side sees them,
//! and in some variants what the board does not show.

use crate::position::{CHECKS_TO_WIN, Position, Rules, Variant};
use crate::types::{Color, File, Hand, Piece, Square};

/// Inputs of each side for the board: two owners, six piece types, 64 squares. Chess has no others.
pub const INPUTS: usize = 2 * 6 * 64;

/// The most inputs that any position of any game activates for a side.
pub const MAX_ACTIVE: usize = {
    let mut most = 0;
    let mut index = 0;
    while index < Variant::ALL.len() {
        let variant = Variant::ALL[index];
        let active = if variant.has_hands() {
            // What is in hand is not on the board.
            max_pieces(variant)
        } else {
            max_pieces(variant) + 2 * holdings(variant)
        };
        if active > most {
            most = active;
        }
        index += 1;
    }
    most
};

/// A legal position has at most this many pieces.
pub(super) const fn max_pieces(variant: Variant) -> usize {
    match variant {
        Variant::Horde => 36 + 16,
        _ => 32,
    }
}

/// How many things a side can hold that the board does not show. Each is an input of its own, and
/// one that is held is held with all below it of its kind: so a change is a change of one input.
///
/// Three checks: the first check and the second; there is no evaluation after the third. Crazyhouse:
/// the first man of each kind in hand, the second and so on.
const fn holdings(variant: Variant) -> usize {
    match variant {
        Variant::ThreeCheck => CHECKS_TO_WIN as usize - 1,
        Variant::Crazyhouse => {
            let mut sum = 0;
            let mut kind = 0;
            while kind < MEN_IN_HAND.len() {
                sum += MEN_IN_HAND[kind];
                kind += 1;
            }
            sum
        }
        _ => 0,
    }
}

/// How many men in hand of each kind of [`Hand::KINDS`] are inputs: all that a game can bring into one
/// hand. Where a set-up has more of a kind, the others are not seen.
const MEN_IN_HAND: [usize; Hand::KINDS.len()] = [16, 4, 4, 4, 2];

/// What a side holds by number if it has these men in hand: pawns, knights, bishops, rooks, queens.
pub fn held_in_hand(hand: Hand) -> impl Iterator<Item = usize> {
    let mut first = 0;
    let kinds = Hand::KINDS.into_iter().zip(MEN_IN_HAND);
    kinds.flat_map(move |(kind, most)| {
        let begin = first;
        first += most;
        begin..begin + usize::from(hand.count(kind)).min(most)
    })
}

/// How many inputs each side has in this game: those of the board, then what the own side holds,
/// then what the other does.
pub const fn inputs(variant: Variant) -> usize {
    INPUTS + 2 * holdings(variant)
}

/// What a side holds that the board does not show, by number.
pub fn held<R: Rules>(position: &Position<R>, color: Color) -> impl Iterator<Item = usize> {
    let checks = match position.variant() {
        Variant::ThreeCheck => CHECKS_TO_WIN - position.checks_left(color),
        _ => 0,
    };
    let checks = 0..usize::from(checks).min(CHECKS_TO_WIN as usize - 1);
    checks.chain(held_in_hand(position.hand(color)))
}

/// From whose side of the board `perspective` looks at it: from its own, but for racing kings, which
/// all run to the same end.
pub const fn viewpoint(variant: Variant, perspective: Color) -> Color {
    match variant {
        Variant::RacingKings => Color::White,
        _ => perspective,
    }
}

/// How one side looks at the board: from its [`viewpoint`], and in a mirrored network with its king
/// on files a to d.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    perspective: Color,
    /// The number of the square that is seen as a1: combined with it by exclusive or, any square's
    /// number becomes that of the square it is seen as.
    flip: u8,
}

impl View {
    /// The view of `perspective` with its king on `king`, if it has one; `mirrored` is that of the
    /// network.
    pub const fn new(
        variant: Variant,
        perspective: Color,
        king: Option<Square>,
        mirrored: bool,
    ) -> Self {
        let is_right = match king {
            Some(king) => king.file() as u8 >= File::E as u8,
            None => false,
        };
        let mut seen = viewpoint(variant, perspective).relative_square(Square::A1);
        if mirrored && is_right {
            seen = seen.mirrored();
        }
        Self {
            perspective,
            flip: seen as u8,
        }
    }

    /// The input for `piece` on `square`, below [`INPUTS`]: own pieces first, then by type from
    /// pawn to king, then by square.
    pub const fn input(self, piece: Piece, square: Square) -> usize {
        let owner = self.owner(piece.color());
        (owner * 6 + piece.piece_type() as usize) * 64 + (square as u8 ^ self.flip) as usize
    }

    /// The input for what `owner` holds under this number in a game of `variant`, from [`INPUTS`]
    /// on.
    pub const fn holding(self, variant: Variant, owner: Color, number: usize) -> usize {
        INPUTS + self.owner(owner) * holdings(variant) + number
    }

    /// 0 for the own side, 1 for the other.
    const fn owner(self, color: Color) -> usize {
        (color as usize) ^ (self.perspective as usize)
    }
}

/// The output bucket for a position with this many pieces: four more make the next one.
pub const fn output_bucket(pieces: u32, buckets: usize) -> usize {
    let bucket = (pieces.saturating_sub(2) / 4) as usize;
    if bucket < buckets {
        bucket
    } else {
        buckets - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::PieceType;

    #[test]
    fn inputs_are_numbered_as_documented() {
        let white = View::new(Variant::Standard, Color::White, Some(Square::E1), false);
        assert_eq!(white.input(Piece::WhitePawn, Square::A2), 8);
        assert_eq!(white.input(Piece::BlackKing, Square::H8), INPUTS - 1);
        let black = View::new(Variant::Standard, Color::Black, Some(Square::E8), false);
        assert_eq!(black.input(Piece::BlackPawn, Square::A7), 8);
        assert_eq!(black.input(Piece::WhiteRook, Square::A1), 384 + 3 * 64 + 56);
        let mirrored = View::new(Variant::Standard, Color::White, Some(Square::E1), true);
        assert_eq!(mirrored.input(Piece::WhiteKing, Square::E1), 5 * 64 + 3);
    }

    #[test]
    fn racing_kings_see_the_board_alike() {
        let inputs = Color::ALL.map(|side| {
            let view = View::new(Variant::RacingKings, side, None, false);
            let own = Piece::new(side, PieceType::King);
            view.input(own, Square::H8)
        });
        assert_eq!(inputs, [5 * 64 + 63; 2]);
    }

    #[test]
    fn a_king_on_files_a_to_d_is_not_mirrored() {
        for king in Square::ALL {
            let view = View::new(Variant::Standard, Color::White, Some(king), true);
            let input = view.input(Piece::WhiteKing, king);
            assert!(input % 8 < 4, "{king}");
        }
        let no_king = View::new(Variant::Standard, Color::White, None, true);
        assert_eq!(no_king.input(Piece::WhitePawn, Square::H2) % 8, 7);
    }

    #[test]
    fn checks_given_are_inputs_behind_those_of_the_board() {
        for variant in Variant::ALL {
            let extra = match variant {
                Variant::ThreeCheck => 4,
                Variant::Crazyhouse => 60,
                _ => 0,
            };
            assert_eq!(inputs(variant), INPUTS + extra);
        }
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 3+1 0 1";
        let position = crate::fen::parse_as(Variant::ThreeCheck, fen).unwrap();
        let seen_by = |perspective| {
            let view = View::new(Variant::ThreeCheck, perspective, None, false);
            let of = |owner| {
                held(&position, owner)
                    .map(move |number| view.holding(Variant::ThreeCheck, owner, number) - INPUTS)
            };
            of(Color::White).chain(of(Color::Black)).collect::<Vec<_>>()
        };
        assert_eq!(seen_by(Color::White), [2, 3]);
        assert_eq!(seen_by(Color::Black), [0, 1]);
        assert_eq!(held(&Position::startpos(), Color::White).count(), 0);
    }

    #[test]
    fn men_in_hand_are_inputs_by_kind_and_count() {
        let held_by = |men: &str, color| {
            let fen = format!("4k3/8/8/8/8/8/8/4K3[{men}] w - - 0 1");
            let position = crate::fen::parse_as(Variant::Crazyhouse, &fen).unwrap();
            held(&position, color).collect::<Vec<_>>()
        };
        assert_eq!(held_by("PPqQNn", Color::White), [0, 1, 16, 28]);
        assert_eq!(held_by("PPqQNn", Color::Black), [16, 28]);
        let all = "PPPPPPPPPPPPPPPPNNNNBBBBRRRRQQ";
        assert!(held_by(all, Color::White).into_iter().eq(0..30));
        // One knight too many.
        assert_eq!(held_by("NNNNNB", Color::White), [16, 17, 18, 19, 20]);
        let view = View::new(Variant::Crazyhouse, Color::Black, None, false);
        let input = view.holding(Variant::Crazyhouse, Color::White, 29);
        assert_eq!(input, inputs(Variant::Crazyhouse) - 1);
    }

    #[test]
    fn every_bucket_has_four_counts_of_men() {
        let buckets: Vec<_> = (2..=32).map(|pieces| output_bucket(pieces, 8)).collect();
        for bucket in 0..7 {
            assert_eq!(buckets.iter().filter(|&&b| b == bucket).count(), 4);
        }
        assert_eq!(output_bucket(2, 8), 0);
        assert_eq!(output_bucket(32, 8), 7);
        assert_eq!(output_bucket(32, 1), 0);
    }
}
