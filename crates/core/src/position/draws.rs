//! When a game is over: mate, stalemate, repetition, the fifty-move rule, insufficient material.

use super::{Ending, Position, Rules, Variant};
use crate::types::{Bitboard, Color, Key, Move, PieceType};

/// The squares of a1's colour.
const DARK_SQUARES: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);

/// How far back, in plies, a search looks for repetitions beyond its root in a game with men in hand.
const RECENT_PLIES: usize = 32;

/// How a game ends by rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The side to move is mated; this side has won.
    Checkmate(Color),
    /// The side to move has no move and is not in check.
    Stalemate,
    /// The position has occurred for the third time.
    Repetition,
    /// Fifty moves by each side without a capture or a pawn move.
    FiftyMoves,
    /// Neither side can mate by any sequence of moves.
    InsufficientMaterial,
    /// As only a variant ends.
    Variant(Ending),
}

impl Outcome {
    /// Who has won; `None` after a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Checkmate(winner) | Self::Variant(Ending::Won(winner, _)) => Some(winner),
            _ => None,
        }
    }
}

impl<R: Rules> Position<R> {
    /// The rule by which the game is over, if it is. Mate takes precedence over every draw.
    pub fn outcome(&self) -> Option<Outcome> {
        if let Some(outcome) = self.end_on_board() {
            return Some(outcome);
        }
        if self.has_insufficient_material() {
            Some(Outcome::InsufficientMaterial)
        } else if self.repetitions() >= 2 {
            Some(Outcome::Repetition)
        } else if self.is_drawn_by_fifty_moves() {
            Some(Outcome::FiftyMoves)
        } else {
            None
        }
    }

    /// How the game has ended, as far as the board alone tells: by mate, stalemate, or as only a variant
    /// ends.
    pub fn end_on_board(&self) -> Option<Outcome> {
        if let Some(ending) = self.ending().or_else(|| self.end_without_moves()) {
            return Some(Outcome::Variant(ending));
        }
        (!self.has_legal_move()).then(|| {
            if self.in_check() {
                Outcome::Checkmate(!self.side_to_move)
            } else {
                Outcome::Stalemate
            }
        })
    }

    /// Who has won, as far as the board alone tells.
    pub fn winner(&self) -> Option<Color> {
        self.end_on_board().and_then(Outcome::winner)
    }

    /// Whether the material allows no mate at all, as CECP section 9 states what may be claimed:
    /// bare kings, one knight, or any bishops all on squares of one colour. In a variant: whether
    /// neither side can win at all.
    pub fn has_insufficient_material(&self) -> bool {
        match self.variant() {
            Variant::Standard => {}
            // Any man can give check.
            Variant::ThreeCheck => return self.occupied() == self.pieces(PieceType::King),
            Variant::Atomic => return self.cannot_explode(),
            Variant::Antichess | Variant::Giveaway | Variant::Suicide => {
                return self.occupied() == self.pieces(PieceType::Bishop)
                    && self.bishops_never_meet();
            }
            // The king alone can win, or has men to take or to lose.
            Variant::KingOfTheHill | Variant::RacingKings | Variant::Horde | Variant::Losers => {
                return false;
            }
            // Nothing leaves the game.
            Variant::Crazyhouse => return false,
        }
        let mating = self.pieces(PieceType::Pawn)
            | self.pieces(PieceType::Rook)
            | self.pieces(PieceType::Queen);
        if mating.any() {
            return false;
        }
        let knights = self.pieces(PieceType::Knight);
        let bishops = self.pieces(PieceType::Bishop);
        if knights.any() {
            return !knights.several() && bishops.is_empty();
        }
        (bishops & DARK_SQUARES).is_empty() || (bishops - DARK_SQUARES).is_empty()
    }

    /// Plies that count towards a draw by the fifty-move rule: none in a game that has no such rule.
    #[inline]
    pub fn fifty_move_clock(&self) -> u16 {
        if self.variant().has_hands() {
            0
        } else {
            self.state.halfmove_clock
        }
    }

    /// Whether fifty moves by each side have passed without a capture or a pawn move, and that counts.
    #[inline]
    pub(crate) fn is_drawn_by_fifty_moves(&self) -> bool {
        self.fifty_move_clock() >= 100
    }

    /// Whether the bishops of one side are all on squares of one colour, and those of the other side on
    /// the others.
    pub(super) fn bishops_never_meet(&self) -> bool {
        let all_on = |color, squares: Bitboard| {
            (self.pieces_of(color, PieceType::Bishop) - squares).is_empty()
        };
        let apart = |dark| all_on(dark, DARK_SQUARES) && all_on(!dark, !DARK_SQUARES);
        apart(Color::White) || apart(Color::Black)
    }

    /// How often this position has occurred before, with the same side to move and the same rights,
    /// since the last irreversible move.
    pub fn repetitions(&self) -> usize {
        self.earlier_keys(self.repetition_reach())
            .filter(|&(_, same)| same)
            .count()
    }

    /// Whether any position since the last irreversible move has occurred twice.
    pub fn has_repeated(&self) -> bool {
        !self.repeated().is_empty()
    }

    /// The positions since the last irreversible move that have occurred twice or more: if one of
    /// them occurs again, the game is drawn.
    pub fn repeated(&self) -> Vec<Key> {
        let earlier = self.history.iter().rev().take(self.repetition_reach());
        let mut keys = vec![self.state.key];
        keys.extend(earlier.map(|state| state.key));
        let comes_later = |&(at, key): &(usize, &Key)| keys[at + 1..].contains(key);
        let repeated = keys.iter().enumerate().filter(comes_later);
        repeated.map(|(_, &key)| key).collect()
    }

    /// How many moves, null moves included, have led here from the set-up.
    pub fn plies(&self) -> usize {
        self.history.len()
    }

    /// The moves that led here after the first `plies`, up to the first null move.
    pub fn moves_after(&self, plies: usize) -> impl Iterator<Item = Move> {
        let states = self.history.iter().chain([&self.state]);
        states.skip(plies + 1).map_while(|state| state.last_move)
    }

    /// Whether the search may score this position as a draw: by the fifty-move rule, by lack of
    /// material, or because it repeats. One repetition within the search (of a position after its
    /// root, less than `ply` plies back) is enough, since the side that wants the draw can repeat
    /// again; otherwise it takes two.
    ///
    /// Checkmate on the hundredth ply is not looked for: the caller knows whether it is one.
    pub fn is_draw(&self, ply: usize) -> bool {
        if self.is_drawn_by_fifty_moves() || self.has_insufficient_material() {
            return true;
        }
        let mut seen = 0;
        for (distance, same) in self.earlier_keys(self.searched_reach(ply)) {
            if same {
                seen += 1;
                if distance < ply || seen == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// How many plies back a position that can recur may be: no irreversible move or null move has
    /// been made since.
    pub(super) fn repetition_reach(&self) -> usize {
        let plies = if self.variant().has_hands() {
            // What has been taken can be dropped again.
            self.state.reversible_plies
        } else {
            self.state.halfmove_clock.min(self.state.reversible_plies)
        };
        usize::from(plies).min(self.history.len())
    }

    /// The same in a search, `ply` plies from its root. With men in hand nothing is irreversible, and to look
    /// through a long game at every node would take more time than all else: what comes back comes back soon.
    pub(super) fn searched_reach(&self, ply: usize) -> usize {
        let reach = self.repetition_reach();
        if self.variant().has_hands() {
            reach.min(ply.max(RECENT_PLIES))
        } else {
            reach
        }
    }

    /// The earlier positions with the same side to move, so many plies back at most, that could be this one: how
    /// many plies back, and whether it was the same position.
    fn earlier_keys(&self, reach: usize) -> impl Iterator<Item = (usize, bool)> {
        let key = self.state.key;
        (4..=reach).step_by(2).map(move |distance| {
            (
                distance,
                self.history[self.history.len() - distance].key == key,
            )
        })
    }
}
