//! Where the variants differ: what the rest of the rules and the search ask.
//!
//! Every question is a `match` on the variant. For `Position<Standard>` that is a constant, so the
//! compiler leaves nothing of the question; for any other it is data. Explosions are in `atomic`,
//! compulsory captures in `antichess`, men in hand in `crazyhouse`.

use super::castling::Path;
use super::rules::{Aim, Ending, Rules, Standard, Variant};
use super::{Position, zobrist};
use crate::attacks;
use crate::types::{Bitboard, Color, Key, Move, MoveKind, PieceType, Rank, Square};

/// The squares that a king of the hill has to reach: d4, e4, d5 and e5.
const HILL: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// The goal of the racing kings.
const GOAL: Bitboard = Bitboard::rank(Rank::Eighth);

impl<R: Rules> Position<R> {
    /// The game that is played.
    #[inline]
    pub fn variant(&self) -> Variant {
        self.rules.variant()
    }

    /// The checks that a side still has to give to win a game of three checks.
    #[inline]
    pub fn checks_left(&self, color: Color) -> u8 {
        self.rules.extra().checks_left[color]
    }

    /// The king that must not be left in check, if the side has one.
    #[inline]
    pub fn royal(&self, color: Color) -> Option<Square> {
        match self.variant() {
            Variant::Horde | Variant::Atomic => self.pieces_of(color, PieceType::King).first(),
            Variant::Antichess | Variant::Giveaway | Variant::Suicide => None,
            _ => Some(self.king(color)),
        }
    }

    /// The royal king, if its safety alone says which moves are legal: not if each move is judged by
    /// what it leads to.
    #[inline]
    pub(super) fn guarded(&self, color: Color) -> Option<Square> {
        match self.variant() {
            Variant::Atomic => None,
            _ => self.royal(color),
        }
    }

    /// Whether a king that is not [guarded](Self::guarded) may castle along this path, which is
    /// free.
    pub(super) fn may_castle_along(&self, path: &Path) -> bool {
        self.variant() != Variant::Atomic || self.may_leave_along(path)
    }

    /// How the game has ended, if it has in a way that chess does not know.
    #[inline]
    pub fn ending(&self) -> Option<Ending> {
        let mover = !self.side_to_move;
        match self.variant() {
            Variant::Standard | Variant::Crazyhouse => None,
            Variant::KingOfTheHill => {
                let kings = self.pieces[PieceType::King] & HILL;
                let on_hill = |&color: &Color| kings.intersects(self.colors[color]);
                let winner = [mover, !mover].into_iter().find(on_hill);
                winner.map(|winner| Ending::Won(winner, Aim::Hill))
            }
            Variant::ThreeCheck => {
                let has_given_all = |&color: &Color| self.checks_left(color) == 0;
                let winner = [mover, !mover].into_iter().find(has_given_all);
                winner.map(|winner| Ending::Won(winner, Aim::Checks))
            }
            Variant::RacingKings => self.end_of_race(),
            Variant::Horde => self.colors[Color::White]
                .is_empty()
                .then_some(Ending::Won(Color::Black, Aim::HordeTaken)),
            Variant::Atomic => {
                let explodes = |&color: &Color| self.royal(!color).is_none();
                let winner = [mover, !mover].into_iter().find(explodes);
                winner.map(|winner| Ending::Won(winner, Aim::Explosion))
            }
            Variant::Antichess | Variant::Giveaway | Variant::Suicide | Variant::Losers => {
                self.end_by_giving()
            }
        }
    }

    fn end_of_race(&self) -> Option<Ending> {
        let home = self.pieces[PieceType::King] & GOAL;
        let is_home = |color| home.intersects(self.colors[color]);
        match (is_home(Color::White), is_home(Color::Black)) {
            (false, false) => None,
            (true, true) => Some(Ending::Tie),
            (false, true) => Some(Ending::Won(Color::Black, Aim::Race)),
            (true, false) => {
                let may_follow = self.side_to_move == Color::Black
                    && self
                        .safe_for_king(attacks::king(self.king(Color::Black)) & GOAL)
                        .intersects(!self.colors[Color::Black]);
                (!may_follow).then_some(Ending::Won(Color::White, Aim::Race))
            }
        }
    }

    /// Whether a rule of the variant forbids some moves that chess allows: then each has to be
    /// looked at. Compulsory captures need less.
    #[inline]
    pub(super) fn forbids_some(&self) -> bool {
        matches!(self.variant(), Variant::RacingKings | Variant::Atomic)
    }

    /// Whether a rule of the variant forbids `mv`, which is legal in chess, or moves as there if
    /// kings are not [guarded](Self::guarded).
    #[inline]
    pub(super) fn forbids(&self, mv: Move) -> bool {
        match self.variant() {
            Variant::RacingKings => self.gives_check(mv),
            Variant::Atomic => self.endangers_own_king(mv),
            _ => !mv.is_capture() && self.must_capture(),
        }
    }

    /// Whether a move gives check as in chess.
    #[inline]
    pub(super) fn has_checks_of_chess(&self) -> bool {
        self.variant() != Variant::Atomic
    }

    /// Whether `mv` gives check, where that is not what it is in chess.
    #[inline]
    pub(super) fn gives_own_check(&self, mv: Move) -> Option<bool> {
        (self.variant() == Variant::Atomic).then(|| self.attacks_other_king(mv))
    }

    /// What the exchange that `mv` begins wins, in centipawns, where it is not what it is in chess.
    #[inline]
    pub(super) fn own_exchange(&self, mv: Move) -> Option<i32> {
        match self.variant() {
            Variant::Atomic => Some(self.explosion_gain(mv)),
            // Who has to capture wins nothing by it.
            _ => self.has_compulsory_captures().then_some(0),
        }
    }

    /// The squares from which a pawn that has stepped there by its first step may go on.
    #[inline]
    pub(super) fn ranks_of_first_steps(&self, color: Color) -> Bitboard {
        let third = Bitboard::rank(color.relative_rank(Rank::Third));
        match (self.variant(), color) {
            (Variant::Horde, Color::White) => third | Bitboard::rank(Rank::Second),
            _ => third,
        }
    }

    /// Whether a pawn that steps twice from `from` can be taken in passing.
    #[inline]
    pub(super) fn is_passable(&self, from: Square, color: Color) -> bool {
        self.variant() != Variant::Horde || color.relative_rank(from.rank()) == Rank::Second
    }

    /// What tells this position from one of another game, or with another count of checks, in its
    /// key.
    pub(super) fn key_of_rules(&self) -> Key {
        let mut key = zobrist::variant(self.variant() as usize);
        if self.variant() == Variant::ThreeCheck {
            for color in Color::ALL {
                key ^= zobrist::checks_left(color, self.checks_left(color));
            }
        }
        key ^ self.key_of_hands()
    }

    /// What a move changes in what the variant keeps, once it has been made on the board.
    #[inline]
    pub(super) fn follow_up(&mut self) {
        if self.variant() == Variant::ThreeCheck && self.in_check() {
            let mover = !self.side_to_move;
            let mut extra = self.rules.extra();
            let left = &mut extra.checks_left[mover];
            self.state.key ^= zobrist::checks_left(mover, *left);
            *left = left.saturating_sub(1);
            self.state.key ^= zobrist::checks_left(mover, *left);
            self.rules.set_extra(extra);
        }
    }

    /// Whether the side to move can reach the aim of its variant in one move. What leaves the other side
    /// without a move, or without a man, is not looked for.
    #[inline]
    pub(crate) fn wins_at_once(&self) -> bool {
        let us = self.side_to_move;
        match self.variant() {
            // Where men are to be lost, a move takes none of the own.
            Variant::Standard
            | Variant::Horde
            | Variant::Antichess
            | Variant::Giveaway
            | Variant::Suicide
            | Variant::Losers
            | Variant::Crazyhouse => false,
            Variant::KingOfTheHill => self.king_moves_to(HILL).next().is_some(),
            Variant::Atomic => self.can_explode_king(),
            // The other king may be there already, or follow.
            Variant::RacingKings => self.king_moves_to(GOAL).any(|mv| {
                let mut after = self.without_history();
                after.make_move(mv);
                after.ending() == Some(Ending::Won(us, Aim::Race))
            }),
            Variant::ThreeCheck => {
                self.checks_left(us) == 1 && {
                    let checks = self.check_squares();
                    let mut moves = self.legal_moves().into_iter();
                    moves.any(|mv| checks.given_by(self, mv))
                }
            }
        }
    }

    /// The legal moves of the king to these squares.
    fn king_moves_to(&self, squares: Bitboard) -> impl Iterator<Item = Move> {
        let us = self.side_to_move;
        let from = self.king(us);
        let targets = (attacks::king(from) & squares) - self.colors[us];
        self.safe_for_king(targets)
            .into_iter()
            .map(move |to| {
                let kind = match self.board[to] {
                    Some(_) => MoveKind::Capture,
                    None => MoveKind::Quiet,
                };
                Move::new(from, to, kind)
            })
            .filter(|&mv| !self.forbids(mv))
    }
}

impl Position {
    /// The same position for code that is compiled for standard chess; `None` if it is a variant's.
    pub(crate) fn as_standard(&self) -> Option<Position<Standard>> {
        (self.variant() == Variant::Standard)
            .then(|| self.with_rules(Standard, self.history.clone()))
    }
}
