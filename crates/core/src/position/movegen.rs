//! Legal moves. One generator feeds the consumers in `move_sink`.
//!
//! In check, only the king's moves, a capture of the checker or a block on its line are looked at.
//! A pinned piece moves along the line through its king and itself. So no move has to be made and
//! taken back to see whether it was legal; only en passant, which takes two pawns off a rank at
//! once, needs a test of its own.

use arrayvec::ArrayVec;

use super::crazyhouse::drop_squares;
use super::move_sink::{Checks, MoveCount, MoveSink};
use super::{Position, Rules};
use crate::attacks;
use crate::types::{
    Bitboard, CastlingSide, Color, File, Hand, MAX_MOVES, Move, MoveKind, MoveList, PieceType,
    Promotion, Rank, Square,
};

/// Which of the legal moves to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveSet {
    /// All of them.
    All,
    /// Captures, en passant and promotions, but not to a king without a capture.
    Tactical,
    /// Everything else.
    Quiet,
}

impl<R: Rules> Position<R> {
    /// All legal moves, in an arbitrary but fixed order.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = ArrayVec::<Move, MAX_MOVES>::new();
        self.generate(MoveSet::All, &mut moves);
        moves
    }

    /// Appends the legal moves of one set.
    pub fn generate_into(&self, set: MoveSet, moves: &mut MoveList) {
        self.generate(set, moves);
    }

    /// Appends the quiet legal moves that give check.
    pub fn generate_checks_into(&self, moves: &mut MoveList) {
        let mut sink = Checks {
            position: self,
            squares: self.check_squares(),
            moves,
        };
        self.generate(MoveSet::Quiet, &mut sink);
    }

    /// How many legal moves there are.
    pub fn count_legal_moves(&self) -> usize {
        let mut count = MoveCount::default();
        self.generate(MoveSet::All, &mut count);
        count.0
    }

    /// Whether there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    #[inline]
    fn generate<S: MoveSink>(&self, set: MoveSet, sink: &mut S) {
        if self.ending().is_some() {
            return;
        }
        if self.has_compulsory_captures() {
            self.generate_compulsory(set, sink);
            return;
        }
        if self.forbids_some() {
            let mut moves = MoveList::new();
            self.generate_as_in_chess(set, &mut moves);
            for mv in moves.into_iter().filter(|&mv| !self.forbids(mv)) {
                sink.single(mv);
            }
            return;
        }
        self.generate_as_in_chess(set, sink);
    }

    #[inline]
    pub(super) fn generate_as_in_chess<S: MoveSink>(&self, set: MoveSet, sink: &mut S) {
        match self.side_to_move {
            Color::White => Generator::<R, S, true>::new(self, set, sink).run(),
            Color::Black => Generator::<R, S, false>::new(self, set, sink).run(),
        }
    }
}

/// One run of the generator; `WHITE` says whether White is to move.
struct Generator<'a, R: Rules, S, const WHITE: bool> {
    position: &'a Position<R>,
    sink: &'a mut S,
    /// The king that no move may leave in check, if there is one.
    king: Option<Square>,
    occupied: Bitboard,
    enemies: Bitboard,
    set: MoveSet,
    /// Squares of the wanted set that pieces other than pawns may go to.
    targets: Bitboard,
}

impl<'a, R: Rules, S: MoveSink, const WHITE: bool> Generator<'a, R, S, WHITE> {
    const US: Color = if WHITE { Color::White } else { Color::Black };

    #[inline]
    fn new(position: &'a Position<R>, set: MoveSet, sink: &'a mut S) -> Self {
        let occupied = position.occupied();
        let enemies = position.colors[!Self::US];
        let targets = match set {
            MoveSet::All => !position.colors[Self::US],
            MoveSet::Tactical => enemies,
            MoveSet::Quiet => !occupied,
        };
        let king = position.guarded(Self::US);
        Self {
            position,
            sink,
            king,
            occupied,
            enemies,
            set,
            targets,
        }
    }

    #[inline]
    fn run(mut self) {
        self.king_moves();
        let checkers = self.if_guarded(self.position.state.checkers);
        if checkers.several() {
            return;
        }
        if checkers.is_empty() && self.set != MoveSet::Tactical {
            self.castling();
        }
        let evasions = self
            .king
            .map_or(Bitboard::ALL, |king| self.position.evasion_targets(king));
        self.pieces(evasions);
        self.pawns(evasions);
        if self.set != MoveSet::Quiet {
            self.en_passant();
        }
        if self.set != MoveSet::Tactical {
            self.drops(evasions);
        }
    }

    /// Men in hand go to any empty square, pawns not to the first and last rank.
    #[inline]
    fn drops(&mut self, evasions: Bitboard) {
        if !self.position.variant().has_hands() {
            return;
        }
        let hand = self.position.hand(Self::US);
        for kind in Hand::KINDS {
            if hand.count(kind) > 0 {
                let targets = drop_squares(kind) - self.occupied;
                self.sink.drops(kind, targets & evasions);
            }
        }
    }

    #[inline]
    fn own(&self, piece_type: PieceType) -> Bitboard {
        self.position.pieces_of(Self::US, piece_type)
    }

    /// Checkers and pins, which matter to a king that is guarded alone.
    #[inline]
    fn if_guarded(&self, men: Bitboard) -> Bitboard {
        self.king.map_or(Bitboard::EMPTY, |_| men)
    }

    /// The line through the king and a pinned man.
    #[inline]
    fn line_to_king(&self, pinned: Square) -> Bitboard {
        self.king
            .map_or(Bitboard::ALL, |king| attacks::line(king, pinned))
    }

    #[inline]
    fn king_moves(&mut self) {
        let Some(king) = self.king else {
            for from in self.own(PieceType::King) {
                let targets = attacks::king(from) & self.targets;
                self.sink.piece(from, targets, self.enemies);
            }
            return;
        };
        let targets = attacks::king(king) & self.targets;
        if targets.any() {
            let targets = self.position.safe_for_king(targets);
            self.sink.piece(king, targets, self.enemies);
        }
    }

    #[inline]
    fn castling(&mut self) {
        if !self.position.state.castling.any(Self::US) {
            return;
        }
        for side in CastlingSide::ALL {
            if let Some(mv) = self.position.castling_move(side) {
                self.sink.single(mv);
            }
        }
    }

    /// Knights, bishops, rooks and queens.
    #[inline]
    fn pieces(&mut self, evasions: Bitboard) {
        let targets = self.targets & evasions;
        let pinned = self.if_guarded(self.position.state.pinned);
        // A pinned knight never stays on its line.
        for from in self.own(PieceType::Knight) - pinned {
            self.sink
                .piece(from, attacks::knight(from) & targets, self.enemies);
        }
        let own = self.position.colors[Self::US];
        let diagonal = own & self.position.diagonal_sliders();
        let orthogonal = own & self.position.orthogonal_sliders();
        for from in diagonal - pinned {
            self.sink.piece(
                from,
                attacks::bishop(from, self.occupied) & targets,
                self.enemies,
            );
        }
        for from in orthogonal - pinned {
            self.sink.piece(
                from,
                attacks::rook(from, self.occupied) & targets,
                self.enemies,
            );
        }
        for from in diagonal & pinned {
            let targets = targets & self.line_to_king(from);
            self.sink.piece(
                from,
                attacks::bishop(from, self.occupied) & targets,
                self.enemies,
            );
        }
        for from in orthogonal & pinned {
            let targets = targets & self.line_to_king(from);
            self.sink.piece(
                from,
                attacks::rook(from, self.occupied) & targets,
                self.enemies,
            );
        }
    }

    #[inline]
    fn pawns(&mut self, evasions: Bitboard) {
        let pawns = self.own(PieceType::Pawn);
        let pinned = self.if_guarded(self.position.state.pinned);
        self.pawn_moves(pawns - pinned, evasions);
        for from in pawns & pinned {
            self.pawn_moves(from.into(), evasions & self.line_to_king(from));
        }
    }

    /// Moves of all these pawns at once.
    #[inline]
    fn pawn_moves(&mut self, pawns: Bitboard, targets: Bitboard) {
        let empty = !self.occupied;
        let last_rank = Bitboard::rank(Self::US.relative_rank(Rank::Eighth));
        let first_steps = self.position.ranks_of_first_steps(Self::US);
        let forward = Self::US.forward();

        let single = pawns.forward(Self::US) & empty;
        let double = (single & first_steps).forward(Self::US) & empty & targets;
        let single = single & targets;
        if self.set != MoveSet::Tactical {
            self.sink
                .pawns(single - last_rank, forward, MoveKind::Quiet);
            self.sink.pawns(double, 2 * forward, MoveKind::DoublePush);
            if self.position.has_common_kings() {
                let kind = MoveKind::Promotion(Promotion::King);
                self.sink.pawns(single & last_rank, forward, kind);
            }
        }
        if self.set == MoveSet::Quiet {
            return;
        }
        self.sink.promotions(single & last_rank, forward, false);
        for (edge, sideways) in [(File::A, -1), (File::H, 1)] {
            let step = forward + sideways;
            let takes = (pawns - Bitboard::file(edge)).shifted(step) & self.enemies & targets;
            self.sink.pawns(takes - last_rank, step, MoveKind::Capture);
            self.sink.promotions(takes & last_rank, step, true);
            if self.position.has_common_kings() {
                let kind = MoveKind::CapturePromotion(Promotion::King);
                self.sink.pawns(takes & last_rank, step, kind);
            }
        }
    }

    #[inline]
    fn en_passant(&mut self) {
        let Some(to) = self.position.state.en_passant else {
            return;
        };
        for from in attacks::pawn(!Self::US, to) & self.own(PieceType::Pawn) {
            if self.position.may_take_en_passant(from, to) {
                self.sink.single(Move::new(from, to, MoveKind::EnPassant));
            }
        }
    }
}
