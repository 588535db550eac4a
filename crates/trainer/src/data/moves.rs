//! The canonical order of moves: what a move's index means, whatever order a generator has.
//!
//! Legal moves are sorted by the square they leave, then by the square they go to (squares count
//! a1, b1, ... h8; castling goes to the square of the rook), then by the promotion: knight, bishop,
//! rook, queen. Behind them come drops, by what is dropped (pawn, knight, bishop, rook, queen), then
//! by square.

use orthrus_core::position::Position;
use orthrus_core::types::{Move, MoveList};

/// The legal moves in canonical order.
pub fn canonical_moves(position: &Position) -> MoveList {
    let mut moves = position.legal_moves();
    moves.sort_unstable_by_key(|&mv| rank(mv));
    moves
}

/// The index of a move among `moves`, the legal moves in any order; `None` if it is not one of
/// them.
pub(super) fn index_of(moves: &MoveList, mv: Move) -> Option<u32> {
    let mine = rank(mv);
    moves
        .contains(&mv)
        .then(|| moves.iter().filter(|&&other| rank(other) < mine).count() as u32)
}

/// The move with this index among `moves`, the legal moves in any order, which get reordered.
pub(super) fn nth(moves: &mut MoveList, index: u32) -> Option<Move> {
    let index = index as usize;
    if index >= moves.len() {
        return None;
    }
    let (_, &mut mv, _) = moves.select_nth_unstable_by_key(index, |&mv| rank(mv));
    Some(mv)
}

/// Orders moves; no two legal moves of a position have the same rank.
fn rank(mv: Move) -> u16 {
    if let Some(kind) = mv.dropped() {
        return 1 << 15 | (kind as u16) << 6 | mv.to() as u16;
    }
    let promotion = mv.promotion().map_or(0, |promotion| promotion as u16 + 1);
    ((mv.from() as u16) << 6 | mv.to() as u16) << 3 | promotion
}

#[cfg(test)]
mod tests {
    use orthrus_core::fen;
    use orthrus_core::notation::{CastlingText, write_coordinate};
    use orthrus_core::position::Variant;

    use super::*;

    fn canonical_text(fen: &str) -> String {
        canonical_text_of(Variant::Standard, fen)
    }

    fn canonical_text_of(variant: Variant, fen: &str) -> String {
        let position = fen::parse_as(variant, fen).unwrap();
        let texts: Vec<String> = canonical_moves(&position)
            .into_iter()
            .map(|mv| write_coordinate(&position, mv, CastlingText::KingTakesRook))
            .collect();
        texts.join(" ")
    }

    #[test]
    fn the_order_is_frozen() {
        assert_eq!(
            canonical_text("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            "b1a3 b1c3 g1f3 g1h3 a2a3 a2a4 b2b3 b2b4 c2c3 c2c4 d2d3 d2d4 e2e3 e2e4 f2f3 f2f4 \
             g2g3 g2g4 h2h3 h2h4"
        );
        assert_eq!(
            canonical_text("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1"),
            "a1b1 a1c1 a1d1 a1a2 a1a3 a1a4 a1a5 a1a6 a1a7 a1a8 e1a1 e1d1 e1f1 e1h1 e1d2 e1e2 \
             e1f2 h1f1 h1g1 h1h2 h1h3 h1h4 h1h5 h1h6 h1h7 h1h8 e5d6 e5e6"
        );
        assert_eq!(
            canonical_text("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1"),
            "e1d1 e1f1 e1d2 e1e2 e1f2 a7a8n a7a8b a7a8r a7a8q a7b8n a7b8b a7b8r a7b8q"
        );
        let drops = canonical_text_of(
            Variant::Crazyhouse,
            "6k1/8/8/8/4r3/8/3P1P2/3QKB2[QNPp] w - - 0 1",
        );
        assert_eq!(drops, "d1e2 f1e2 P@e2 P@e3 N@e2 N@e3 Q@e2 Q@e3");
    }

    #[test]
    fn an_index_finds_its_move_again() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut position = Position::startpos();
        while position.outcome().is_none() {
            let sorted = canonical_moves(&position);
            for (index, &mv) in sorted.iter().enumerate() {
                let index = index as u32;
                assert_eq!(index_of(&position.legal_moves(), mv), Some(index));
                assert_eq!(nth(&mut position.legal_moves(), index), Some(mv));
            }
            assert_eq!(nth(&mut position.legal_moves(), sorted.len() as u32), None);
            position.make_move(sorted[random.usize(0..sorted.len())]);
        }
    }
}
