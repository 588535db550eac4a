//! Opening, middlegame and endgame, told apart by the pieces on the board.

use orthrus_core::position::Position;
use orthrus_core::types::{Bitboard, Color, PieceType, Rank};

/// A part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    Opening,
    Middlegame,
    Endgame,
}

impl Phase {
    pub(crate) const ALL: [Self; 3] = [Self::Opening, Self::Middlegame, Self::Endgame];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middlegame => "middlegame",
            Self::Endgame => "endgame",
        }
    }

    /// As Lichess divides games, but for the mixture of both sides' pieces, which it looks at too:
    /// the opening ends with ten pieces left, those in hand too, kings and pawns not counted, or when a back rank has
    /// fewer than four men; six pieces are an endgame.
    fn of(position: &Position) -> Self {
        let pawns = position.pieces(PieceType::Pawn);
        let kings = position.pieces(PieceType::King);
        let in_hand = |color| {
            let men = position.hand(color).men();
            men.filter(|&kind| kind != PieceType::Pawn).count() as u32
        };
        let men = |color| (position.color(color) - pawns - kings).count() + in_hand(color);
        let is_sparse = |color: Color| {
            let back = Bitboard::rank(color.relative_rank(Rank::First));
            (position.color(color) & back).count() < 4
        };
        match men(Color::White) + men(Color::Black) {
            0..=6 => Self::Endgame,
            7..=10 => Self::Middlegame,
            _ if is_sparse(Color::White) || is_sparse(Color::Black) => Self::Middlegame,
            _ => Self::Opening,
        }
    }

    /// The phase of each position of a game; none comes back.
    pub(crate) fn of_game(positions: &[Position]) -> Vec<Self> {
        let mut reached = Self::Opening;
        let phases = positions.iter().map(|position| {
            reached = reached.max(Self::of(position));
            reached
        });
        phases.collect()
    }
}

#[cfg(test)]
mod tests {
    use orthrus_core::fen;
    use orthrus_core::position::Variant;

    use super::*;

    #[test]
    fn phases_follow_one_another() {
        let positions = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 8",
            "3r1rk1/ppp1qppp/2np1n2/4p3/4P3/2NP1N2/PPPQ1PPP/2KR3R w - - 0 12",
            "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 30",
            // A promotion.
            "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w - - 0 60",
        ];
        let positions = positions.map(|text| fen::parse(text).unwrap());
        let [opening, middlegame, endgame] = Phase::ALL;
        let expected = [opening, opening, middlegame, endgame, endgame];
        assert_eq!(Phase::of_game(&positions), expected);
    }

    #[test]
    fn a_side_may_be_without_a_king() {
        let horde = fen::start(Variant::Horde);
        assert_eq!(Phase::of(&horde), Phase::Middlegame);
        let pawns = fen::parse_as(Variant::Antichess, "8/p7/8/8/8/8/P7/8 w - - 0 1");
        assert_eq!(Phase::of(&pawns.unwrap()), Phase::Endgame);
    }
}
