//! Singular extensions (Thomas Anantharaman, Murray Campbell, Feng-hsiung Hsu; in the form of
//! Stockfish): a move that is much better than all others is searched deeper.

use super::bound::Bound;
use super::negamax::{Node, NodeInfo, Task, ZeroWindow};
use super::params;
use super::shared::Shared;
use super::worker::Worker;
use crate::types::{Move, Score};

/// What a search of the other moves says about the table move.
pub(super) enum Singularity {
    /// Search the move this many plies deeper; shallower if negative.
    Extend(i32),
    /// Several moves are good enough (multi-cut): the node is worth at least this.
    CutOff(Score),
}

impl Worker {
    /// Searches all moves but the table move at reduced depth, to see whether any comes near it.
    pub(super) fn singularity<N: Node>(
        &mut self,
        mv: Move,
        node: &NodeInfo,
        shared: &Shared,
    ) -> Singularity {
        let Some(entry) = node.tt_entry.filter(|_| Some(mv) == node.tt_move) else {
            return Singularity::Extend(0);
        };
        let Task {
            beta,
            depth,
            ply,
            cut_node,
        } = node.task;
        let is_candidate = !N::ROOT
            && depth >= params::singular_min_depth()
            && self.frames[ply].excluded.is_none()
            && entry.depth >= depth - 3
            && matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
            && !entry.score.is_decided()
            // Guard against explosion: no path becomes much longer than the iteration is deep.
            && ply < 2 * self.root_depth as usize;
        if !is_candidate {
            return Singularity::Extend(0);
        }
        let limit = entry.score - params::singular_margin() * depth / 16;
        self.frames[ply].excluded = Some(mv);
        let score =
            self.negamax::<ZeroWindow>(limit - 1, limit, (depth - 1) / 2, ply, cut_node, shared);
        self.frames[ply].excluded = None;
        if score < limit {
            let much = !N::PV
                && score < limit - params::double_extension_margin()
                && self.frames[ply].double_extensions < params::double_extensions_max();
            Singularity::Extend(if much { 2 } else { 1 })
        } else if limit >= beta {
            Singularity::CutOff(limit)
        } else if entry.score >= beta || cut_node {
            // Others may do as well: reduce this one.
            Singularity::Extend(-1)
        } else {
            Singularity::Extend(0)
        }
    }
}
