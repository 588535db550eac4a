//! The position: pieces, rights, clocks, keys, and the moves that led here.

mod antichess;
mod atomic;
mod attackers;
mod castling;
mod checks;
mod crazyhouse;
mod cuckoo;
mod draws;
mod legality;
mod make_move;
mod move_sink;
mod movegen;
mod rules;
mod see;
mod setup;
mod validate;
mod variants;
mod zobrist;

pub use checks::CheckSquares;
pub use draws::Outcome;
pub use movegen::MoveSet;
pub use rules::{Aim, AnyRules, CHECKS_TO_WIN, Ending, Rules, Standard, Variant};
pub use see::see_value;
pub(crate) use see::value_with_drops;
pub use setup::Setup;
pub use validate::PositionError;

use self::castling::{CastlingEnds, CastlingPaths};
use crate::attacks;
use crate::types::{
    Bitboard, CastlingRights, CastlingSide, Color, ColorMap, File, HalfKey, Key, Move, Piece,
    PieceType, PieceTypeMap, Square, SquareMap,
};

/// A legal position of standard chess or a related game (see [`Variant`] and
/// [`crate::types::CastlingRule`]), with the moves made since it was set up.
///
/// By default the game is known when the program runs. The search of standard chess is compiled for
/// `Position<Standard>`, in which no question about variants is left.
///
/// Invariants: it was built by [`Position::from_setup`] and changed only by legal moves; the board,
/// the piece sets and the colour sets agree; the keys equal those computed from scratch; an en
/// passant square is set only if a pawn can legally take there.
#[derive(Clone, Debug)]
pub struct Position<R: Rules = AnyRules> {
    board: SquareMap<Option<Piece>>,
    pieces: PieceTypeMap<Bitboard>,
    colors: ColorMap<Bitboard>,
    side_to_move: Color,
    state: State,
    castling_paths: CastlingPaths,
    /// The states before each move made, oldest first.
    history: Vec<State>,
    rules: R,
}

/// What a move changes that cannot be seen from the board when it is taken back.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    key: Key,
    /// Key of the pawns alone.
    pawn_key: HalfKey,
    /// Keys of each side's pieces other than pawns.
    non_pawn_keys: ColorMap<HalfKey>,
    /// The pieces that give check to the side to move.
    checkers: Bitboard,
    /// The pieces of the side to move that may only move along a line with their king.
    pinned: Bitboard,
    /// The squares that the opponent attacks; empty until cached, since most positions of a search
    /// are left before anyone asks. A king always attacks something.
    threats: Bitboard,
    castling: CastlingRights,
    en_passant: Option<Square>,
    fullmove_number: u16,
    /// Plies since the last capture or pawn move.
    halfmove_clock: u16,
    /// Plies since the last null move or the set-up: repetitions cannot reach further back.
    reversible_plies: u16,
    /// The move that led here; `None` at the set-up and after a null move.
    last_move: Option<Move>,
    /// What that move took.
    captured: Option<Piece>,
}

// It is copied with every move: no larger than a cache line.
const _: () = assert!(size_of::<State>() == 64);

/// With more men than this, a side without a king has moves to spare.
const SMALL_HORDE: u32 = 8;

impl Position {
    /// The start position of standard chess.
    ///
    /// # Panics
    ///
    /// Never: the validator accepts it.
    pub fn startpos() -> Self {
        Self::from_setup(&Setup::standard()).expect("the start position is legal")
    }
}

impl<R: Rules> Position<R> {
    /// The same position without the moves that led here: it knows no earlier one, and is cheap to
    /// copy however long the game was.
    #[must_use]
    pub fn without_history(&self) -> Self {
        self.with_rules(self.rules.without_history(), Vec::new())
    }

    /// The same position under these rules, with this history.
    fn with_rules<Q: Rules>(&self, rules: Q, history: Vec<State>) -> Position<Q> {
        Position {
            board: self.board,
            pieces: self.pieces,
            colors: self.colors,
            side_to_move: self.side_to_move,
            state: self.state,
            castling_paths: self.castling_paths,
            history,
            rules,
        }
    }

    /// The board and the other fields of a FEN.
    pub fn setup(&self) -> Setup {
        Setup {
            board: self.board,
            side_to_move: self.side_to_move,
            castling: self.state.castling,
            castling_rule: self.castling_paths.rule,
            variant: self.variant(),
            checks_left: self.rules.extra().checks_left,
            hands: self.rules.extra().hands,
            promoted: self.rules.extra().promoted,
            en_passant: self.state.en_passant,
            halfmove_clock: self.state.halfmove_clock,
            fullmove_number: self.state.fullmove_number,
        }
    }

    /// What stands on `square`.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square]
    }

    /// The pieces of one kind, of both sides.
    #[inline]
    pub fn pieces(&self, piece_type: PieceType) -> Bitboard {
        self.pieces[piece_type]
    }

    /// The pieces of one side.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color]
    }

    /// The pieces of one kind and side.
    #[inline]
    pub fn pieces_of(&self, color: Color, piece_type: PieceType) -> Bitboard {
        self.colors[color] & self.pieces[piece_type]
    }

    /// The squares of each kind of piece, and those of each side.
    #[inline]
    pub fn boards(&self) -> (&PieceTypeMap<Bitboard>, &ColorMap<Bitboard>) {
        (&self.pieces, &self.colors)
    }

    /// All squares with a piece on them.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[Color::White] | self.colors[Color::Black]
    }

    /// The square of a king.
    ///
    /// # Panics
    ///
    /// If the side has no king: never in chess, but a horde has none, one that has exploded is gone,
    /// and in antichess, giveaway and suicide it may be missing. [`royal`](Self::royal) asks there.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.pieces_of(color, PieceType::King)
            .first()
            .expect("a position has both kings")
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The rights to castle.
    #[inline]
    pub fn castling(&self) -> CastlingRights {
        self.state.castling
    }

    /// Whether any side holds a right to castle.
    pub fn has_castling(&self) -> bool {
        self.state.castling != CastlingRights::NONE
    }

    /// Where king and rook end when `mv`, castling by the side to move, is made.
    ///
    /// # Panics
    ///
    /// If the set-up had no right to it.
    #[inline]
    pub(crate) fn castling_ends(&self, mv: Move) -> CastlingEnds {
        let side = CastlingSide::of(mv.from(), mv.to());
        self.castling_paths.ends(self.side_to_move, side)
    }

    /// Where the king ends when `mv`, a legal castling move, is made.
    pub fn castled_king(&self, mv: Move) -> Square {
        self.castling_ends(mv).king
    }

    /// Whether `mv`, a castling move, is written `O-O` and not `O-O-O`.
    pub fn castles_short(&self, mv: Move) -> bool {
        let short = self.castling_paths.rule.short_side(mv.from().file());
        CastlingSide::of(mv.from(), mv.to()) == short
    }

    /// Whether every right to castle belongs to a king on the e-file and a rook in its corner, as
    /// in standard chess.
    pub fn has_standard_castling(&self) -> bool {
        let fits = |color, side| {
            let rook = self.state.castling.rook_file(color, side);
            let king = self
                .castling_paths
                .get(color, side)
                .map(|path| path.king.file());
            rook.is_none_or(|rook| rook == side.corner() && king == Some(File::E))
        };
        let both = |color| CastlingSide::ALL.into_iter().all(|side| fits(color, side));
        Color::ALL.into_iter().all(both)
    }

    /// The square on which a pawn can legally take en passant.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.state.en_passant
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.state.halfmove_clock
    }

    /// The number of the next full move, from 1.
    #[inline]
    pub fn fullmove_number(&self) -> u16 {
        self.state.fullmove_number
    }

    /// The hash key: pieces, side to move, castling rights, en passant square, what the variant
    /// keeps.
    #[inline]
    pub fn key(&self) -> Key {
        self.state.key
    }

    /// The key by which the transposition table knows the position: another one for every eight plies that
    /// the fifty-move clock has gone on, from 14 on, as a search that is nearer to the draw finds other
    /// scores (after Stockfish).
    #[inline]
    pub fn tt_key(&self) -> Key {
        self.state.key ^ zobrist::fifty_move_clock(self.fifty_move_clock())
    }

    /// The hash key of the pawns alone.
    #[inline]
    pub fn pawn_key(&self) -> HalfKey {
        self.state.pawn_key
    }

    /// The hash key of the pieces of one side other than its pawns.
    #[inline]
    pub fn non_pawn_key(&self, color: Color) -> HalfKey {
        self.state.non_pawn_keys[color]
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.state.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.state.checkers.any()
    }

    /// The pieces of the side to move that may only move along a line with their king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.state.pinned
    }

    /// The squares that the opponent attacks, those of its own pieces included.
    #[inline]
    pub fn threats(&self) -> Bitboard {
        match self.cached_threats() {
            Some(threats) => threats,
            None => self.attacked_by(!self.side_to_move),
        }
    }

    /// The same if it has been computed.
    #[inline]
    pub(super) fn cached_threats(&self) -> Option<Bitboard> {
        Some(self.state.threats).filter(|threats| threats.any())
    }

    /// Computes the threats once and for all: [`Position::threats`] is a look-up from now on, also
    /// after moves that are made and taken back, and moves of the king are generated faster.
    #[inline]
    pub fn cache_threats(&mut self) {
        self.state.threats = self.threats();
    }

    /// The same for who knows them already.
    #[inline]
    pub(crate) fn note_threats(&mut self, threats: Bitboard) {
        debug_assert!(threats == self.attacked_by(!self.side_to_move));
        self.state.threats = threats;
    }

    /// The move that led here; `None` at the set-up and after a null move.
    #[inline]
    pub fn last_move(&self) -> Option<Move> {
        self.state.last_move
    }

    /// The piece that `mv` captures, if it captures one.
    #[inline]
    pub fn captured_by(&self, mv: Move) -> Option<PieceType> {
        // Only a pawn is taken en passant, where the target is empty.
        mv.is_capture()
            .then(|| self.board[mv.to()].map_or(PieceType::Pawn, Piece::piece_type))
    }

    /// The piece that `mv` moves or drops: the king in castling, the pawn in a promotion.
    ///
    /// # Panics
    ///
    /// If the square is empty: `mv` is not a move of this position.
    #[inline]
    pub fn moved_by(&self, mv: Move) -> Piece {
        match self.dropped_by(mv) {
            Some(piece) => piece,
            None => self.board[mv.from()].expect("a legal move starts on a piece"),
        }
    }

    /// The piece that stands on the target square after a move other than castling: what the pawn
    /// becomes in a promotion, else the piece that moves.
    #[inline]
    pub(crate) fn arriving(&self, mv: Move) -> Piece {
        let piece = self.moved_by(mv);
        mv.promotion().map_or(piece, |promotion| {
            Piece::new(piece.color(), promotion.piece_type())
        })
    }

    /// Whether a side has anything besides pawns and king: without it, zugzwang is likely. A side without a
    /// royal king has other moves while it is large.
    pub fn has_non_pawn_material(&self, color: Color) -> bool {
        if self.royal(color).is_none() {
            return self.colors[color].count() > SMALL_HORDE;
        }
        if !self.hand(color).is_empty() {
            return true;
        }
        let light = self.pieces[PieceType::Pawn] | self.pieces[PieceType::King];
        (self.colors[color] - light).any()
    }

    /// Computes who gives check and who is pinned.
    #[inline]
    fn refresh_checks(&mut self) {
        let us = self.side_to_move;
        let Some(king) = self.royal(us).filter(|_| !self.kings_touch()) else {
            self.state.checkers = Bitboard::EMPTY;
            self.state.pinned = Bitboard::EMPTY;
            return;
        };
        let enemies = self.colors[!us];
        let occupied = self.occupied();
        let mut checkers = attacks::pawn(us, king) & self.pieces[PieceType::Pawn]
            | attacks::knight(king) & self.pieces[PieceType::Knight];
        checkers &= enemies;
        let mut pinned = Bitboard::EMPTY;
        for slider in self.sliders_towards(king) & enemies {
            let blockers = attacks::between(king, slider) & occupied;
            if blockers.is_empty() {
                checkers |= slider.into();
            } else if !blockers.several() {
                pinned |= blockers;
            }
        }
        self.state.checkers = checkers;
        self.state.pinned = pinned & self.colors[us];
    }
}

#[cfg(test)]
mod tests;
