//! Counting material: what the first self-play starts from, when there is no network yet.

use crate::position::{Position, Rules, Variant, see_value, value_with_drops};
use crate::types::{Color, GOLDEN, PieceType, PieceTypeMap};

/// Material values, with a little noise if asked for.
///
/// The noise is a function of the position: a position has one value wherever it occurs, but
/// positions of equal material differ, so that games from one opening do not repeat each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Material {
    /// The largest deviation, in centipawns.
    amplitude: u16,
    seed: u64,
}

impl Material {
    /// Material values that deviate by up to `amplitude` centipawns, differently for every `seed`.
    pub fn noisy(seed: u64, amplitude: u16) -> Self {
        Self { amplitude, seed }
    }

    /// Centipawns from the side to move's point of view.
    pub(super) fn evaluate<R: Rules>(self, position: &Position<R>) -> i32 {
        let us = position.side_to_move();
        material_of(position, us) - material_of(position, !us) + self.noise(position)
    }

    fn noise<R: Rules>(self, position: &Position<R>) -> i32 {
        // Keys are random already: an odd factor only brings every bit of the seed into the top
        // half, from which a number of the range is taken.
        let mixed = (position.key().0 ^ self.seed).wrapping_mul(GOLDEN) >> 32;
        let range = u64::from(self.amplitude) * 2 + 1;
        ((mixed * range) >> 32) as i32 - i32::from(self.amplitude)
    }
}

/// What a man is where men are to be given away, in centipawns. Guesses: the further it reaches, the
/// sooner it is made to capture.
static BURDENS: PieceTypeMap<i32> = PieceTypeMap::new([-100, -120, -180, -190, -150, -60]);
/// The same in a game of losers, where the king stays.
static BURDENS_OF_LOSERS: PieceTypeMap<i32> = PieceTypeMap::new([-100, -110, -130, -150, -160, 0]);

/// What a man is worth in this game, in centipawns.
fn value(variant: Variant, kind: PieceType) -> i32 {
    match variant {
        Variant::Antichess | Variant::Giveaway | Variant::Suicide => BURDENS[kind],
        Variant::Losers => BURDENS_OF_LOSERS[kind],
        Variant::Crazyhouse => value_with_drops(kind),
        _ => see_value(kind),
    }
}

/// The material of one side, in centipawns: a man in hand counts as one on the board.
fn material_of<R: Rules>(position: &Position<R>, color: Color) -> i32 {
    PieceType::ALL
        .into_iter()
        .map(|kind| {
            let in_hand = i32::from(position.hand(color).count(kind));
            let men = position.pieces_of(color, kind).count() as i32 + in_hand;
            value(position.variant(), kind) * men
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;

    fn position(fen: &str) -> Position {
        fen::parse(fen).unwrap()
    }

    #[test]
    fn counts_from_the_side_to_move() {
        let white_is_a_rook_up = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
        assert_eq!(
            Material::default().evaluate(&position(white_is_a_rook_up)),
            500
        );
        let black_moves = white_is_a_rook_up.replace(" w ", " b ");
        assert_eq!(Material::default().evaluate(&position(&black_moves)), -500);
    }

    #[test]
    fn noise_stays_in_its_range_and_depends_on_seed_and_position() {
        let mut position = Position::startpos();
        let mut seen = [false; 7];
        for mv in position.legal_moves() {
            position.make_move(mv);
            for seed in 0..20 {
                let noise = Material::noisy(seed, 3).evaluate(&position);
                assert_eq!(noise, Material::noisy(seed, 3).evaluate(&position));
                seen[usize::try_from(noise + 3).unwrap()] = true;
            }
            position.unmake_move();
        }
        assert_eq!(seen, [true; 7]);
    }
}
