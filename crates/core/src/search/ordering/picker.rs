//! Hands out the moves of a node one by one, the most promising first, generating and scoring
//! each kind only when it is its turn.

use super::history::{Conthist, Histories};
use crate::position::{CheckSquares, MoveSet, Position, Rules, see_value};
use crate::search::params;
use crate::types::{MAX_MOVES, Move, MoveList, PieceType, Promotion};
use arrayvec::ArrayVec;

/// The kind of moves that comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TtMove,
    GenerateCaptures,
    GoodCaptures,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    Done,
}

/// Which quiet moves come after the captures.
enum Quiets {
    /// All, ordered by their history in this situation and at this ply.
    All(Conthist, usize),
    /// Those that give check and lose no material.
    Checks,
    /// None of them, but what was put off.
    LeftOut,
    /// Neither quiet moves nor what was put off.
    None,
}

pub(crate) struct MovePicker {
    stage: Stage,
    tt_move: Option<Move>,
    quiets: Quiets,
    moves: MoveList,
    /// One for each of `moves`: see [`rank`].
    ranks: ArrayVec<i32, MAX_MOVES>,
    /// The index of the next move to hand out.
    next: usize,
    /// Whether that is the best of those left already.
    next_is_best: bool,
    /// The SEE threshold that the good capture handed out last has passed; the least number for other
    /// moves.
    passed: i32,
    /// Captures that lose material, and promotions to less than a queen, put off and moved to the
    /// front of the list.
    bad_captures: usize,
    /// The squares from which pieces give check, once quiet moves have been generated.
    checks: Option<CheckSquares>,
}

impl MovePicker {
    /// A picker of all legal moves `ply` plies from the root. `tt_move` must be legal if there is one.
    pub(crate) fn new(tt_move: Option<Move>, conthist: Conthist, ply: usize) -> Self {
        Self::with(tt_move, Quiets::All(conthist, ply))
    }

    /// A picker of captures and promotions to a queen that do not lose material, and of `tt_move`, which must
    /// be one of them or lose some.
    pub(crate) fn captures(tt_move: Option<Move>) -> Self {
        Self::with(tt_move, Quiets::None)
    }

    /// The same, and of checks that do not lose material.
    pub(crate) fn captures_and_checks(tt_move: Option<Move>) -> Self {
        Self::with(tt_move, Quiets::Checks)
    }

    fn with(tt_move: Option<Move>, quiets: Quiets) -> Self {
        Self {
            stage: if tt_move.is_some() {
                Stage::TtMove
            } else {
                Stage::GenerateCaptures
            },
            tt_move,
            quiets,
            moves: MoveList::new(),
            ranks: ArrayVec::new(),
            next: 0,
            next_is_best: false,
            passed: i32::MIN,
            bad_captures: 0,
            checks: None,
        }
    }

    /// SEE of `mv`, the capture or promotion handed out last, without a second look at what it has passed.
    pub(crate) fn see_at_least<R: Rules>(
        &self,
        position: &Position<R>,
        mv: Move,
        threshold: i32,
    ) -> bool {
        threshold <= self.passed || position.see_at_least(mv, threshold)
    }

    pub(crate) fn gives_check<R: Rules>(&self, position: &Position<R>, mv: Move) -> bool {
        match &self.checks {
            Some(checks) => checks.given_by(position, mv),
            None => position.gives_check(mv),
        }
    }

    /// Whether only captures that lose material and underpromotions are left.
    pub(crate) fn is_at_bad_captures(&self) -> bool {
        self.stage == Stage::BadCaptures
    }

    pub(crate) fn skip_quiets(&mut self) {
        if matches!(self.stage, Stage::Quiets | Stage::GenerateQuiets) {
            self.begin_bad_captures();
        } else {
            self.quiets = Quiets::LeftOut;
        }
    }

    /// The next move; `None` when all are handed out.
    pub(crate) fn next<R: Rules>(
        &mut self,
        position: &Position<R>,
        histories: &Histories,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateCaptures;
                    return self.tt_move;
                }
                Stage::GenerateCaptures => {
                    position.generate_into(MoveSet::Tactical, &mut self.moves);
                    self.score_captures(position, histories);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.select_best() {
                    Some(mv) if !is_underpromotion(mv) && self.holds(position, mv) => {
                        return Some(mv);
                    }
                    Some(mv) => self.put_off(mv),
                    None => self.stage = Stage::GenerateQuiets,
                },
                Stage::GenerateQuiets => {
                    self.stage = Stage::Quiets;
                    match self.quiets {
                        Quiets::All(conthist, ply) => {
                            self.generate_quiet(position, histories, conthist, ply);
                        }
                        Quiets::Checks => self.generate_checks(position),
                        Quiets::LeftOut => self.begin_bad_captures(),
                        Quiets::None => self.stage = Stage::Done,
                    }
                }
                Stage::Quiets => match self.select_best() {
                    Some(mv) => return Some(mv),
                    None => self.begin_bad_captures(),
                },
                Stage::BadCaptures => {
                    let mv = self.moves[..self.bad_captures].get(self.next).copied();
                    self.next += 1;
                    if mv.is_none() {
                        self.stage = Stage::Done;
                    }
                    return mv;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Whether the capture just selected loses no material; among all moves, whether it loses no
    /// more than its place in the order allows.
    fn holds<R: Rules>(&mut self, position: &Position<R>, mv: Move) -> bool {
        self.passed = match self.quiets {
            Quiets::All(..) | Quiets::LeftOut => {
                -score_of(self.ranks[self.next - 1]) / params::good_capture_divisor()
            }
            Quiets::Checks | Quiets::None => 0,
        };
        position.see_at_least(mv, self.passed)
    }

    fn begin_bad_captures(&mut self) {
        self.stage = Stage::BadCaptures;
        self.next = 0;
        self.passed = i32::MIN;
    }

    /// Keeps a losing capture or an underpromotion for the end.
    fn put_off(&mut self, mv: Move) {
        self.moves[self.bad_captures] = mv;
        self.bad_captures += 1;
    }

    /// The move that is likely to be handed out next: its entry in the transposition table can be
    /// fetched while the one before it is searched.
    pub(crate) fn following(&mut self) -> Option<Move> {
        let is_sorting = matches!(self.stage, Stage::GoodCaptures | Stage::Quiets);
        if !is_sorting || self.next >= self.ranks.len() {
            return None;
        }
        self.bring_best();
        Some(self.moves[self.next])
    }

    /// Takes the best-scored of the moves left, of equal ones the first, skipping the table move.
    fn select_best(&mut self) -> Option<Move> {
        while self.next < self.ranks.len() {
            self.bring_best();
            let mv = self.moves[self.next];
            self.next += 1;
            self.next_is_best = false;
            if Some(mv) != self.tt_move {
                return Some(mv);
            }
        }
        None
    }

    /// Makes the best-scored of the moves left the next.
    fn bring_best(&mut self) {
        if self.next_is_best {
            return;
        }
        // The compiler turns this into vectors.
        let best = self.ranks[self.next..]
            .iter()
            .copied()
            .fold(i32::MIN, i32::max);
        let place = place_of(best);
        self.moves.swap(self.next, place);
        self.ranks[place] = rank(score_of(self.ranks[self.next]), place);
        self.ranks[self.next] = best;
        self.next_is_best = true;
    }

    /// By the victim's value plus capture history; promotions to a queen gain, others lose. In check first by the
    /// capturing man, so that all come before the quiet moves (after Reckless).
    // Kept apart, as all that is done once for a node: it would slow the handing out of moves.
    #[inline(never)]
    fn score_captures<R: Rules>(&mut self, position: &Position<R>, histories: &Histories) {
        if self.moves.is_empty() {
            return;
        }
        let history = histories.captures(position);
        let score = |mv: &Move| {
            let capture = position.captured_by(*mv).map_or(0, |captured| {
                params::mvv_weight() * see_value(captured) + history(*mv, captured)
            });
            let promotion = match mv.promotion().map(Promotion::piece_type) {
                Some(PieceType::Queen) => 16 * see_value(PieceType::Queen),
                Some(_) => -16 * see_value(PieceType::Queen),
                None => 0,
            };
            let evasion = if position.in_check() {
                let cheapness = PieceType::King as i32 - position.moved_by(*mv).piece_type() as i32;
                params::evasion_capture_step() * (1 + cheapness)
            } else {
                0
            };
            capture + promotion + evasion
        };
        let scored = self.moves.iter().zip(0..);
        self.ranks
            .extend(scored.map(|(mv, place)| rank(score(mv), place)));
    }

    /// Adds the quiet moves to the list, after the captures put off.
    #[inline(never)]
    fn generate_quiet<R: Rules>(
        &mut self,
        position: &Position<R>,
        histories: &Histories,
        conthist: Conthist,
        ply: usize,
    ) {
        self.moves.truncate(self.bad_captures);
        self.ranks.truncate(self.bad_captures);
        self.next = self.bad_captures;
        histories.prefetch_quiets(position, conthist);
        position.generate_into(MoveSet::Quiet, &mut self.moves);
        let checks = position.check_squares();
        let quiets = &self.moves[self.bad_captures..];
        let history = histories.quiets(position, conthist);
        let low_ply = histories.low_ply(position, ply);
        let score = |mv| history(mv) + low_ply(mv) + check_bonus(position, &checks, mv);
        let scored = quiets.iter().zip(self.bad_captures..);
        self.ranks
            .extend(scored.map(|(&mv, place)| rank(score(mv), place)));
        self.checks = Some(checks);
    }

    /// Generates the quiet checks that do not lose material; the captures that do are dropped.
    #[inline(never)]
    fn generate_checks<R: Rules>(&mut self, position: &Position<R>) {
        self.moves.clear();
        self.ranks.clear();
        (self.next, self.bad_captures) = (0, 0);
        position.generate_checks_into(&mut self.moves);
        self.moves.retain(|mv| position.see_at_least(*mv, 0));
        self.ranks
            .extend((0..self.moves.len()).map(|place| rank(0, place)));
    }
}

/// Score and place in one number, so that the best move is a plain maximum: the higher score, and of
/// equal ones the earlier place.
const fn rank(score: i32, place: usize) -> i32 {
    score * MAX_MOVES as i32 + (MAX_MOVES - 1 - place) as i32
}

const fn score_of(rank: i32) -> i32 {
    rank.div_euclid(MAX_MOVES as i32)
}

const fn place_of(rank: i32) -> usize {
    MAX_MOVES - 1 - rank.rem_euclid(MAX_MOVES as i32) as usize
}

fn is_underpromotion(mv: Move) -> bool {
    mv.promotion()
        .is_some_and(|promotion| promotion != Promotion::Queen)
}

/// The bonus of a quiet move for giving check, unless that loses too much material.
fn check_bonus<R: Rules>(position: &Position<R>, checks: &CheckSquares, mv: Move) -> i32 {
    let holds =
        || !position.may_be_captured(mv) || position.see_at_least(mv, -params::check_bonus_see());
    if checks.given_by(position, mv) && holds() {
        params::check_bonus()
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::PathMove;
    use super::*;
    use crate::fen;

    fn picked(mut picker: MovePicker, position: &Position) -> Vec<Move> {
        let histories = Histories::new();
        std::iter::from_fn(|| picker.next(position, &histories)).collect()
    }

    fn sorted(moves: &[Move]) -> Vec<u16> {
        let mut bits: Vec<_> = moves.iter().map(|mv| mv.bits()).collect();
        bits.sort_unstable();
        bits
    }

    const POSITIONS: &[&str] = &[
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1",
    ];

    #[test]
    fn every_legal_move_comes_once_whatever_the_table_move() {
        for text in POSITIONS {
            let position = fen::parse(text).unwrap();
            let legal = position.legal_moves();
            for tt_move in legal.iter().copied().map(Some).chain([None]) {
                let moves = picked(MovePicker::new(tt_move, [PathMove::NONE; 2], 0), &position);
                assert_eq!(sorted(&moves), sorted(&legal), "{text}");
                assert!(tt_move.is_none() || tt_move == moves.first().copied());
            }
        }
    }

    #[test]
    fn quiescence_gets_captures_and_checks_that_do_not_lose() {
        for text in POSITIONS {
            let position = fen::parse(text).unwrap();
            let mut expected = position.legal_moves();
            expected.retain(|mv| position.see_at_least(*mv, 0) && !is_underpromotion(*mv));
            expected.retain(|mv| mv.is_tactical() || position.gives_check(*mv));
            let forcing = picked(MovePicker::captures_and_checks(None), &position);
            assert_eq!(sorted(&forcing), sorted(&expected), "{text}");
            expected.retain(|mv| mv.is_tactical());
            let tactical = picked(MovePicker::captures(None), &position);
            assert_eq!(sorted(&tactical), sorted(&expected), "{text}");
        }
    }
}
