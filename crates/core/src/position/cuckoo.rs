//! Repetitions one move ahead: whether the side to move can bring an earlier position back (after
//! Marcel van Kervinck's "The cuckoo cycle").

use std::sync::LazyLock;

use super::{Position, Rules, Variant, zobrist};
use crate::attacks;
use crate::types::{Bitboard, Color, Key, Piece, Square};

/// Slots of the table: a power of two, more than twice the 3,668 reversible moves.
const SLOTS: usize = 1 << 13;

/// What every reversible move does to the key of a position, in a cuckoo hash table: each key is in
/// one of two slots. The squares are the ends of the move, in either order.
struct Moves {
    keys: Vec<Key>,
    squares: Vec<(Square, Square)>,
}

static MOVES: LazyLock<Moves> = LazyLock::new(Moves::new);

impl Moves {
    fn new() -> Self {
        let mut moves = Self {
            keys: vec![Key(0); SLOTS],
            squares: vec![(Square::A1, Square::A1); SLOTS],
        };
        for piece in Piece::ALL {
            // Pawns have none: the attacks of their kind are empty here.
            for from in Square::ALL {
                for to in attacks::piece(piece.piece_type(), from, Bitboard::EMPTY) {
                    if from < to {
                        let key = zobrist::piece(piece, from)
                            ^ zobrist::piece(piece, to)
                            ^ zobrist::side_to_move(Color::Black);
                        moves.insert(key, (from, to));
                    }
                }
            }
        }
        moves
    }

    /// Puts a move into its first slot; what was there goes to its other one.
    fn insert(&mut self, mut key: Key, mut squares: (Square, Square)) {
        let mut slot = first_slot(key);
        loop {
            std::mem::swap(&mut self.keys[slot], &mut key);
            std::mem::swap(&mut self.squares[slot], &mut squares);
            if key == Key(0) {
                return;
            }
            slot ^= first_slot(key) ^ second_slot(key);
        }
    }

    /// The ends of the reversible move that makes this difference.
    fn find(&self, difference: Key) -> Option<(Square, Square)> {
        [first_slot(difference), second_slot(difference)]
            .into_iter()
            .find(|&slot| self.keys[slot] == difference)
            .map(|slot| self.squares[slot])
    }
}

fn first_slot(key: Key) -> usize {
    key.0 as usize % SLOTS
}

fn second_slot(key: Key) -> usize {
    (key.0 >> 16) as usize % SLOTS
}

impl<R: Rules> Position<R> {
    /// Whether the side to move can have a draw in one move, by bringing back a position of the search
    /// (one after the root, which is `ply` plies back), or for the third time one of the game. A move
    /// that leaves the king in check counts too.
    pub fn has_upcoming_repetition(&self, ply: usize) -> bool {
        let reach = self.searched_reach(ply);
        if reach < 3 {
            return false;
        }
        let before = |distance: usize| &self.history[self.history.len() - distance];
        let side = zobrist::side_to_move(Color::Black);
        // What the opponent's moves have changed: only if that is nothing, a single move of ours
        // can bring the position back. This leaves few to look up.
        let mut theirs = self.state.key ^ before(1).key ^ side;
        (3..=reach).step_by(2).any(|distance| {
            let earlier = before(distance);
            theirs = theirs ^ before(distance - 1).key ^ earlier.key ^ side;
            theirs == Key(0)
                // A check that has been counted cannot come back.
                && !(self.variant() == Variant::ThreeCheck && earlier.checkers.any())
                && MOVES
                    .find(self.state.key ^ earlier.key)
                    .is_some_and(|(one, other)| self.can_move_between(one, other))
                && (distance < ply
                    || (distance + 4..=reach)
                        .step_by(2)
                        .any(|further| before(further).key == earlier.key))
        })
    }

    /// Whether a piece of the side to move is on one of the squares, with a clear path to the
    /// other.
    fn can_move_between(&self, one: Square, other: Square) -> bool {
        let piece = self.board[one].or(self.board[other]);
        let path = attacks::between(one, other);
        piece.is_some_and(|piece| piece.color() == self.side_to_move)
            && (path & self.occupied()).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;
    use crate::types::Move;

    #[test]
    fn the_table_holds_every_reversible_move_once() {
        let filled = MOVES.keys.iter().filter(|&&key| key != Key(0)).count();
        assert_eq!(filled, 3668);
        for (slot, &key) in MOVES.keys.iter().enumerate() {
            if key != Key(0) {
                assert_eq!(MOVES.find(key), Some(MOVES.squares[slot]));
            }
        }
        assert_eq!(MOVES.find(Key(0x1234)), None);
    }

    /// Whether a legal move brings a position of the last `ply` plies back, or any for the third time,
    /// found by trying.
    fn by_trying(position: &Position, ply: usize) -> bool {
        position.legal_moves().into_iter().any(|mv| {
            let mut next = position.clone();
            next.make_move(mv);
            let is_same = |&distance: &usize| {
                next.history[next.history.len() - distance].key == next.state.key
            };
            let mut repeated = (4..=next.repetition_reach()).step_by(2).filter(is_same);
            let last = repeated.next();
            last.is_some_and(|distance| distance <= ply) || repeated.next().is_some()
        })
    }

    #[test]
    fn no_check_of_three_comes_back() {
        let start = "7k/8/8/8/8/8/1K6/R7 w - - 3+3 0 1";
        for (variant, is_seen) in [(Variant::ThreeCheck, false), (Variant::Standard, true)] {
            let start = match variant {
                Variant::Standard => start.replace(" 3+3", ""),
                _ => start.to_owned(),
            };
            let mut position = fen::parse_as(variant, &start).unwrap();
            for text in ["a1h1", "h8g8", "h1a1", "g8h8"] {
                position.make_move(crate::notation::parse_move(&position, text).unwrap());
            }
            assert_eq!(position.has_upcoming_repetition(5), is_seen);
        }
    }

    #[test]
    fn repetitions_are_seen_a_move_ahead() {
        let mut state = 0x1357_9bdf_u64;
        let mut random = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % below
        };
        let (mut found, mut not_found, mut illegal) = (0, 0, 0);
        for start in [
            "r3k2r/8/2n5/8/8/5N2/8/R3K2R w KQkq - 0 1",
            "4k3/1b2n3/8/3q4/3Q4/8/1B2N3/4K3 w - - 0 1",
            "8/2k5/3r4/8/8/4R3/5K2/8 b - - 0 1",
            "8/p2k4/8/8/8/8/P3K3/8 w - - 0 1",
        ] {
            let mut position = fen::parse(start).unwrap();
            for _ in 0..1500 {
                let moves = position.legal_moves();
                if moves.is_empty() || position.has_insufficient_material() {
                    break;
                }
                // Mostly back and forth, so that positions repeat.
                let reversible = |mv: &Move| position.captured_by(*mv).is_none();
                let quiet: Vec<Move> = moves.iter().copied().filter(reversible).collect();
                let Some(&mv) = quiet.get(random(quiet.len().clamp(1, 4))) else {
                    break;
                };
                position.make_move(mv);
                let ply = 1 + random(20);
                let seen = position.has_upcoming_repetition(ply);
                let truth = by_trying(&position, ply);
                assert!(seen || !truth, "missed: {position:?} {ply}");
                found += usize::from(truth);
                not_found += usize::from(!seen);
                illegal += usize::from(seen && !truth);
            }
        }
        assert!(found > 100 && not_found > 100, "{found} {not_found}");
        // Pins and checks are ignored.
        assert!(illegal < found / 10, "{illegal} of {found}");
    }
}
