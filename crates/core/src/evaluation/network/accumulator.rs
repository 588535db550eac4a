//! The hidden values of both sides, kept in step with the moves of a search.
//!
//! Making a move only notes what it changes; the values are computed when a position is evaluated,
//! from the nearest earlier ones that are known. Many positions of a search are never evaluated and
//! cost nothing then.

use std::sync::Arc;

use super::Network;
use super::features::View;
use super::kernels::Block;
use crate::fen;
use crate::position::{Position, Rules, Variant};
use crate::types::{Bitboard, Color, ColorMap, Move, Piece, PieceType, Square};

/// A piece on a square.
type Placed = (Piece, Square);

/// What a move changes on the board.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// A piece is dropped.
    Drop { added: Placed },
    /// A piece moves, or a pawn promotes.
    Shift { added: Placed, removed: Placed },
    /// The same with a capture.
    Capture { added: Placed, removed: [Placed; 2] },
    /// King and rook move.
    Castling {
        added: [Placed; 2],
        removed: [Placed; 2],
    },
}

/// What is known of the hidden values of one ply; the values are in `Accumulators::values`.
#[derive(Clone, Copy, Debug)]
struct Ply {
    /// What led here from the ply before; `None` at the root, and after an explosion, which changes
    /// too much.
    change: Option<Change>,
    views: ColorMap<View>,
    computed: ColorMap<bool>,
}

/// The hidden values along the current line of a search thread.
#[derive(Clone, Debug)]
pub(in super::super) struct Accumulators {
    network: Arc<Network>,
    /// The root and one entry per move (not null move) of the line; never empty.
    plies: Vec<Ply>,
    /// Two rows per ply, White's first; rows beyond the current line are stale.
    values: Vec<Block>,
    /// Two rows for values with inputs that the board does not show.
    completed: Vec<Block>,
}

impl Accumulators {
    /// Accumulators at the start position.
    pub(in super::super) fn new(network: Arc<Network>) -> Self {
        let mut accumulators = Self {
            network,
            plies: Vec::new(),
            values: Vec::new(),
            completed: Vec::new(),
        };
        accumulators.reset(&fen::start(accumulators.network.variant));
        accumulators
    }

    /// Starts anew at `position`.
    pub(in super::super) fn reset<R: Rules>(&mut self, position: &Position<R>) {
        self.plies.clear();
        let mirrored = self.network.mirrored;
        let view = |color| View::new(position.variant(), color, position.royal(color), mirrored);
        self.push(None, ColorMap::from_fn(view));
        for perspective in Color::ALL {
            self.refresh(position, perspective);
        }
    }

    /// Notes what `mv` will change in `position`.
    pub(in super::super) fn make_move<R: Rules>(&mut self, position: &Position<R>, mv: Move) {
        let us = position.side_to_move();
        let change = (!position.explodes(mv)).then(|| Change::of(position, mv));
        let mut views = self.current().views;
        if let Some(king) = change.and_then(Change::king_to)
            && !position.has_common_kings()
        {
            views[us] = View::new(position.variant(), us, Some(king), self.network.mirrored);
        }
        self.push(change, views);
    }

    /// Goes back by one move; stays at the root.
    pub(in super::super) fn unmake_move(&mut self) {
        if self.plies.len() > 1 {
            self.plies.pop();
        }
    }

    /// Centipawns for the side to move of `position`, to which the noted moves must have led, and what the other
    /// side attacks if that had to be known.
    pub(in super::super) fn evaluate<R: Rules>(
        &mut self,
        position: &Position<R>,
    ) -> (i32, Option<Bitboard>) {
        for perspective in Color::ALL {
            self.bring_up_to_date(position, perspective);
        }
        let us = position.side_to_move();
        let ply = self.plies.len() - 1;
        if position.variant() != Variant::Standard && self.network.has_holdings() {
            return self.evaluate_completed(position, ply);
        }
        self.network
            .output(self.row(ply, us), self.row(ply, !us), position)
    }

    /// The same with inputs that the board does not show. They are few, and are added when they are
    /// needed.
    fn evaluate_completed<R: Rules>(
        &mut self,
        position: &Position<R>,
        ply: usize,
    ) -> (i32, Option<Bitboard>) {
        let us = position.side_to_move();
        let mut completed = std::mem::take(&mut self.completed);
        completed.clear();
        for perspective in [us, !us] {
            let begin = completed.len();
            completed.extend_from_slice(self.row(ply, perspective));
            let view = self.plies[ply].views[perspective];
            self.network
                .add_holdings(&mut completed[begin..], position, view);
        }
        let (own, other) = completed.split_at(self.network.row_blocks());
        let output = self.network.output(own, other, position);
        self.completed = completed;
        output
    }

    fn current(&self) -> &Ply {
        self.plies.last().expect("the root is never taken off")
    }

    fn push(&mut self, change: Option<Change>, views: ColorMap<View>) {
        self.plies.push(Ply {
            change,
            views,
            computed: ColorMap::new([false; 2]),
        });
        let blocks = self.plies.len() * 2 * self.network.row_blocks();
        if self.values.len() < blocks {
            self.values.resize(blocks, Block::ZERO);
        }
    }

    /// Computes the current row of one side.
    fn bring_up_to_date<R: Rules>(&mut self, position: &Position<R>, perspective: Color) {
        let current = self.plies.len() - 1;
        let view = self.plies[current].views[perspective];
        let mut known = current;
        while !self.plies[known].computed[perspective] {
            // In another view all inputs differ: earlier values are of no use.
            if self.plies[known].change.is_none()
                || self.plies[known - 1].views[perspective] != view
            {
                return self.refresh(position, perspective);
            }
            known -= 1;
        }
        for ply in known + 1..=current {
            self.apply(ply, perspective);
        }
    }

    /// Computes a row of one side from that of the ply before.
    fn apply(&mut self, ply: usize, perspective: Color) {
        let Ply { change, views, .. } = self.plies[ply];
        let Some(change) = change else { return };
        let view = views[perspective];
        let network = &*self.network;
        let row = |(piece, square): Placed| network.feature_row(view.input(piece, square));

        let blocks = network.row_blocks();
        let (before, after) = self.values.split_at_mut(ply * 2 * blocks);
        let offset = perspective as usize * blocks;
        let source = &before[before.len() - 2 * blocks + offset..][..blocks];
        let target = &mut after[offset..][..blocks];
        let kernels = network.kernels;
        match change {
            Change::Drop { added } => kernels.update(target, source, [row(added)], []),
            Change::Shift { added, removed } => {
                kernels.update(target, source, [row(added)], [row(removed)]);
            }
            Change::Capture {
                added,
                removed: [moved, captured],
            } => kernels.update(target, source, [row(added)], [row(moved), row(captured)]),
            Change::Castling {
                added: [king, rook],
                removed: [king_left, rook_left],
            } => kernels.update(
                target,
                source,
                [row(king), row(rook)],
                [row(king_left), row(rook_left)],
            ),
        }
        self.plies[ply].computed[perspective] = true;
    }

    /// Computes the current row of one side from the board alone.
    fn refresh<R: Rules>(&mut self, position: &Position<R>, perspective: Color) {
        let ply = self.plies.len() - 1;
        let view = self.plies[ply].views[perspective];
        let network = &*self.network;
        let blocks = network.row_blocks();
        let target = &mut self.values[(ply * 2 + perspective as usize) * blocks..][..blocks];
        network.fill(target, position, view);
        self.plies[ply].computed[perspective] = true;
    }

    fn row(&self, ply: usize, perspective: Color) -> &[Block] {
        let blocks = self.network.row_blocks();
        &self.values[(ply * 2 + perspective as usize) * blocks..][..blocks]
    }
}

impl Change {
    /// What the legal move `mv` changes in `position`.
    fn of<R: Rules>(position: &Position<R>, mv: Move) -> Self {
        let us = position.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        if let Some(dropped) = position.dropped_by(mv) {
            return Self::Drop {
                added: (dropped, to),
            };
        }
        let mover = position.moved_by(mv);
        let removed = (mover, from);
        if mv.is_castling() {
            let ends = position.castling_ends(mv);
            let rook = Piece::new(us, PieceType::Rook);
            return Self::Castling {
                added: [(mover, ends.king), (rook, ends.rook)],
                removed: [removed, (rook, to)],
            };
        }
        let added = (position.arriving(mv), to);
        match position.captured_by(mv) {
            None => Self::Shift { added, removed },
            Some(captured) => {
                let captured = (Piece::new(!us, captured), mv.capture_square());
                Self::Capture {
                    added,
                    removed: [removed, captured],
                }
            }
        }
    }

    /// The new square of the moving side's king, if it moves.
    fn king_to(self) -> Option<Square> {
        let (piece, square) = match self {
            Self::Drop { added } | Self::Shift { added, .. } | Self::Capture { added, .. } => added,
            Self::Castling { added, .. } => added[0],
        };
        (piece.piece_type() == PieceType::King).then_some(square)
    }
}
