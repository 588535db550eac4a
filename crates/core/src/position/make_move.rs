//! Making moves and taking them back.

use super::{Position, Rules, zobrist};
use crate::attacks;
use crate::types::{Bitboard, Color, Key, Move, MoveKind, Piece, PieceType, Rank, Square};

impl<R: Rules> Position<R> {
    /// Plays a legal move.
    ///
    /// `mv` must be legal here, which debug builds check; for moves of unknown origin, ask
    /// [`Position::is_legal`].
    pub fn make_move(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "illegal move {mv:?}");
        let us = self.side_to_move;
        let from = mv.from();
        let to = mv.to();
        let piece = self.moved_by(mv);
        self.begin_ply(Some(mv));

        match mv.kind() {
            MoveKind::Quiet | MoveKind::DoublePush => self.shift(piece, from, to),
            MoveKind::Capture => {
                self.capture(to);
                self.shift(piece, from, to);
            }
            MoveKind::EnPassant => {
                self.capture(mv.capture_square());
                self.shift(piece, from, to);
            }
            MoveKind::Promotion(promotion) => {
                self.remove(piece, from);
                self.put(Piece::new(us, promotion.piece_type()), to);
            }
            MoveKind::CapturePromotion(promotion) => {
                self.capture(to);
                self.remove(piece, from);
                self.put(Piece::new(us, promotion.piece_type()), to);
            }
            MoveKind::Castling => self.castle(us, mv),
            MoveKind::Drop => self.put(piece, to),
        }
        self.explode(mv);
        self.follow_men_in_hand(mv);

        match piece.piece_type() {
            PieceType::Pawn => self.state.halfmove_clock = 0,
            PieceType::King | PieceType::Rook if self.dropped_by(mv).is_none() => {
                self.lose_rights(piece, from);
            }
            _ => {}
        }
        self.end_ply();
        if mv.kind() == MoveKind::DoublePush && self.is_passable(from, us) {
            self.set_en_passant(Square::new(from.file(), us.relative_rank(Rank::Third)));
        }
    }

    /// Passes the turn. Not a move of chess: it is for null-move pruning.
    ///
    /// The side to move must not be in check, which debug builds check.
    pub fn make_null_move(&mut self) {
        debug_assert!(
            !self.in_check(),
            "a null move would leave the king in check"
        );
        self.begin_ply(None);
        self.state.reversible_plies = 0;
        self.end_ply();
    }

    /// The likely [`tt_key`](Self::tt_key) after a legal move, for prefetching its entry.
    ///
    /// A guess: castling, en passant, promotions and changes of castling rights are not followed, nor
    /// what is taken in hand.
    #[inline]
    pub fn likely_tt_key_after(&self, mv: Move) -> Key {
        let piece = self.moved_by(mv);
        if let Some(piece) = self.dropped_by(mv) {
            return self.key_after_null_move()
                ^ zobrist::piece(piece, mv.to())
                ^ self.change_by_drop(piece);
        }
        let moved = zobrist::piece(piece, mv.from()) ^ zobrist::piece(piece, mv.to());
        match self.board[mv.to()] {
            Some(captured) => {
                self.key_after_null_move() ^ moved ^ zobrist::piece(captured, mv.to())
            }
            None if piece.piece_type() == PieceType::Pawn => self.key_after_null_move() ^ moved,
            None => self.tt_key_after_null_move() ^ moved,
        }
    }

    /// The [`tt_key`](Self::tt_key) after a null move, for prefetching its entry.
    pub fn tt_key_after_null_move(&self) -> Key {
        self.key_after_null_move()
            ^ zobrist::fifty_move_clock(self.fifty_move_clock().saturating_add(1))
    }

    #[inline]
    fn key_after_null_move(&self) -> Key {
        self.state.key
            ^ zobrist::side_to_move(Color::Black)
            ^ zobrist::en_passant(self.state.en_passant)
    }

    /// Takes the last move, or null move, back.
    ///
    /// # Panics
    ///
    /// If no move has been made since the set-up.
    pub fn unmake_move(&mut self) {
        let mv = self.state.last_move;
        let captured = self.state.captured;
        self.undo_explosion();
        self.state = self.history.pop().expect("a move was made");
        self.rules.take_back();
        self.side_to_move = !self.side_to_move;
        let us = self.side_to_move;
        let Some(mv) = mv else { return };
        self.restore(mv, us, captured);
    }

    fn restore(&mut self, mv: Move, us: Color, captured: Option<Piece>) {
        let from = mv.from();
        let to = mv.to();
        match mv.kind() {
            MoveKind::Castling => {
                let ends = self.castling_ends(mv);
                let king = Piece::new(us, PieceType::King);
                let rook = Piece::new(us, PieceType::Rook);
                self.take_off(king, ends.king);
                self.take_off(rook, ends.rook);
                self.place(king, from);
                self.place(rook, to);
                return;
            }
            MoveKind::Promotion(promotion) | MoveKind::CapturePromotion(promotion) => {
                self.take_off(Piece::new(us, promotion.piece_type()), to);
                self.place(Piece::new(us, PieceType::Pawn), from);
            }
            MoveKind::Drop => {
                if let Some(piece) = self.board[to] {
                    self.take_off(piece, to);
                }
            }
            _ => {
                if let Some(piece) = self.board[to] {
                    self.slide(piece, to, from);
                }
            }
        }
        if let Some(captured) = captured {
            self.place(captured, mv.capture_square());
        }
    }

    #[inline]
    fn begin_ply(&mut self, mv: Option<Move>) {
        self.history.push(self.state);
        self.rules.begin_ply();
        let state = &mut self.state;
        state.threats = Bitboard::EMPTY;
        state.last_move = mv;
        state.captured = None;
        state.halfmove_clock = state.halfmove_clock.saturating_add(1);
        state.reversible_plies = state.reversible_plies.saturating_add(1);
        state.key ^= zobrist::en_passant(state.en_passant);
        state.en_passant = None;
    }

    #[inline]
    fn end_ply(&mut self) {
        if self.side_to_move == Color::Black {
            self.state.fullmove_number = self.state.fullmove_number.saturating_add(1);
        }
        self.side_to_move = !self.side_to_move;
        self.state.key ^= zobrist::side_to_move(Color::Black);
        self.refresh_checks();
        self.follow_up();
    }

    fn castle(&mut self, us: Color, mv: Move) {
        let ends = self.castling_ends(mv);
        let king = Piece::new(us, PieceType::King);
        let rook = Piece::new(us, PieceType::Rook);
        // Both leave before either arrives: in Chess960 they may change places.
        self.remove(king, mv.from());
        self.remove(rook, mv.to());
        self.put(king, ends.king);
        self.put(rook, ends.rook);
    }

    /// Takes an enemy piece off the board, with the rights to castle that depend on it.
    #[inline]
    fn capture(&mut self, square: Square) {
        let Some(captured) = self.board[square] else {
            return;
        };
        self.remove(captured, square);
        self.state.captured = Some(captured);
        self.state.halfmove_clock = 0;
        self.lose_rights(captured, square);
        self.take_in_hand(captured, square);
    }

    /// Takes the rights to castle that needed this man on its square.
    #[inline]
    pub(super) fn lose_rights(&mut self, piece: Piece, square: Square) {
        let color = piece.color();
        if !self.state.castling.any(color) {
            return;
        }
        match piece.piece_type() {
            PieceType::King if self.may_castle_from(color, square) => {
                self.change_castling(|castling| castling.remove_color(color));
            }
            PieceType::Rook => {
                self.change_castling(|castling| castling.remove_rook(color, square));
            }
            _ => {}
        }
    }

    pub(super) fn change_castling(
        &mut self,
        change: impl FnOnce(&mut crate::types::CastlingRights),
    ) {
        self.state.key ^= zobrist::castling(self.state.castling);
        change(&mut self.state.castling);
        self.state.key ^= zobrist::castling(self.state.castling);
    }

    /// Notes that a pawn has just passed `square`, if one of the side to move can legally take it.
    pub(super) fn set_en_passant(&mut self, square: Square) {
        let us = self.side_to_move;
        let takers = attacks::pawn(!us, square) & self.pieces_of(us, PieceType::Pawn);
        if takers
            .into_iter()
            .any(|from| self.may_take_en_passant(from, square))
        {
            self.state.en_passant = Some(square);
            self.state.key ^= zobrist::en_passant(Some(square));
        }
    }

    /// Whether the pawn on `from` may take en passant on `to`, for all that the king and the rules of
    /// the variant say: two pawns leave a rank at once, so neither pins nor checkers alone can tell.
    pub(super) fn may_take_en_passant(&self, from: Square, to: Square) -> bool {
        let us = self.side_to_move;
        let taken = Bitboard::of(Square::new(to.file(), from.rank()));
        let occupied = (self.occupied() ^ from.into() ^ taken) | to.into();
        let is_safe = |king| (self.attackers(king, !us, occupied) - taken).is_empty();
        self.guarded(us).is_none_or(is_safe)
            && !self.forbids(Move::new(from, to, MoveKind::EnPassant))
    }

    #[inline]
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        self.slide(piece, from, to);
        self.toggle_keys(
            piece,
            zobrist::piece(piece, from) ^ zobrist::piece(piece, to),
        );
    }

    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.place(piece, square);
        self.toggle_keys(piece, zobrist::piece(piece, square));
    }

    #[inline]
    pub(super) fn remove(&mut self, piece: Piece, square: Square) {
        self.take_off(piece, square);
        self.toggle_keys(piece, zobrist::piece(piece, square));
    }

    #[inline]
    fn toggle_keys(&mut self, piece: Piece, number: Key) {
        self.state.key ^= number;
        if piece.piece_type() == PieceType::Pawn {
            self.state.pawn_key ^= number;
        } else {
            self.state.non_pawn_keys[piece.color()] ^= number;
        }
    }

    #[inline]
    fn slide(&mut self, piece: Piece, from: Square, to: Square) {
        let both = Bitboard::of(from).with(to);
        self.board[from] = None;
        self.board[to] = Some(piece);
        self.pieces[piece.piece_type()] ^= both;
        self.colors[piece.color()] ^= both;
    }

    #[inline]
    pub(super) fn place(&mut self, piece: Piece, square: Square) {
        self.board[square] = Some(piece);
        self.pieces[piece.piece_type()] ^= square.into();
        self.colors[piece.color()] ^= square.into();
    }

    #[inline]
    fn take_off(&mut self, piece: Piece, square: Square) {
        self.board[square] = None;
        self.pieces[piece.piece_type()] ^= square.into();
        self.colors[piece.color()] ^= square.into();
    }
}
