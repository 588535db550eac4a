//! One search thread: what it owns, and how it decides to go on or to stop.

use std::time::Duration;

use super::correction::Corrections;
use super::history::{Histories, Moved};
use super::lmr::Reductions;
use super::pruning::Verification;
use super::pv::PvTable;
use super::report::{Progress, SearchInfo};
use super::root::{RootMove, root_moves};
use super::shared::Shared;
use crate::evaluation::{Evaluation, Evaluator};
use crate::position::Position;
use crate::types::{Bitboard, ColorMap, MAX_PLY, Move, Score};

/// News from a running search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Report {
    /// A line of thinking.
    Info(SearchInfo),
    /// The next root move is being searched.
    CurrentMove(Progress),
    /// A root move has been searched: the move, and the best line found against it, which may be
    /// empty.
    Refutation(Vec<Move>),
}

/// Takes the reports of a search thread, while it searches.
pub(super) type Reporter = Box<dyn Fn(Report) + Send>;

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The best move; `None` if there is none to choose from.
    pub best: Option<Move>,
    /// Score from the side to move's point of view.
    pub score: Score,
    /// Depth of the last complete iteration, or 1 if not even the first is; 0 without a move.
    pub depth: u32,
    /// The deepest ply reached.
    pub seldepth: u32,
    /// Nodes searched by this thread.
    pub nodes: u64,
    /// The expected line, beginning with the best move.
    pub pv: Vec<Move>,
}

/// The static evaluation of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct StaticScore {
    /// As evaluated, and as stored in the table.
    pub(super) raw: Score,
    /// Corrected by correction history.
    pub(super) corrected: Score,
}

/// What the search keeps for each ply of the path to the current node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    /// The move made here; `None` for a null move.
    pub(super) moved: Option<Moved>,
    /// Static evaluation; `None` in check.
    pub(super) evaluation: Option<Score>,
    /// The squares that the opponent attacks; set when the moves of the node are searched.
    pub(super) threats: Bitboard,
    /// The move excluded while the singular search tries the others.
    pub(super) excluded: Option<Move>,
    /// Moves on the path here that were extended by two plies.
    pub(super) double_extensions: i32,
}

/// Nodes between updates of a thread's counters, when the main thread also looks at the clock: a
/// power of two.
pub(super) const CLOCK_INTERVAL: u64 = 1024;
/// The first iteration is not aborted before this many nodes, so that every search has a scored
/// move to show.
const FIRST_ITERATION_NODES: u64 = 10_000;
/// From this time on the root moves are announced as they are searched.
const ANNOUNCE_AFTER: Duration = Duration::from_secs(1);

/// A search thread's own data. It lives as long as the thread and learns from search to search.
pub(super) struct Worker {
    /// 0 for the main thread, which watches the limits and reports.
    pub(super) index: usize,
    /// Where reports go.
    pub(super) report: Reporter,
    pub(super) position: Position,
    pub(super) evaluator: Evaluator,
    pub(super) histories: Box<Histories>,
    pub(super) corrections: Corrections,
    pub(super) reductions: Reductions,
    pub(super) frames: Vec<Frame>,
    pub(super) pv: PvTable,
    pub(super) root_moves: Vec<RootMove>,
    /// The best root moves of the last complete iteration; kept only if there are several lines.
    pub(super) candidates: Vec<RootMove>,
    /// The line being searched, from 0; the moves of earlier ones are skipped at the root.
    pub(super) pv_index: usize,
    /// Depth of the current iteration.
    pub(super) root_depth: i32,
    /// The first ply at which that iteration prunes whole nodes.
    pub(super) first_prunable_ply: usize,
    pub(super) completed_depth: i32,
    pub(super) seldepth: usize,
    pub(super) nodes: u64,
    /// Positions found in endgame tables.
    pub(super) tbhits: u64,
    /// Moves made before the root.
    pub(super) root_plies: usize,
    /// The score of a draw for each side.
    pub(super) draw: ColorMap<Score>,
    /// The null move that is being verified.
    pub(super) verification: Option<Verification>,
    /// The search is being aborted: scores on the way up are meaningless.
    pub(super) aborted: bool,
}

impl Worker {
    /// A thread's data before its first search.
    pub(super) fn new(index: usize, evaluation: Evaluation, report: Reporter) -> Self {
        Self {
            index,
            report,
            position: Position::startpos(),
            evaluator: Evaluator::new(evaluation),
            histories: Histories::new(),
            corrections: Corrections::new(),
            reductions: Reductions::new(),
            frames: vec![Frame::default(); MAX_PLY + 1],
            pv: PvTable::new(),
            root_moves: Vec::new(),
            candidates: Vec::new(),
            pv_index: 0,
            root_depth: 0,
            first_prunable_ply: 0,
            completed_depth: 0,
            seldepth: 0,
            nodes: 0,
            tbhits: 0,
            root_plies: 0,
            draw: ColorMap::default(),
            verification: None,
            aborted: false,
        }
    }

    /// Forgets what was learned: a new game begins.
    pub(super) fn new_game(&mut self) {
        self.histories.clear();
        self.corrections.clear();
    }

    /// Changes the evaluation; the corrections of the old one are forgotten.
    pub(super) fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.corrections.clear();
        self.evaluator = Evaluator::new(evaluation);
    }

    /// Searches `position` until a limit of `shared` is reached.
    pub(super) fn search(&mut self, position: &Position, shared: &Shared) -> SearchResult {
        self.position = position.clone();
        self.evaluator.reset(position);
        if cfg!(feature = "tune") {
            self.reductions = Reductions::new();
        }
        self.root_moves = root_moves(position, &shared.limits.search_moves);
        // Stable: the others keep their order.
        self.root_moves
            .sort_by_key(|root| shared.lost_before.contains(&root.mv));
        self.frames.fill(Frame::default());
        self.candidates.clear();
        self.root_plies = position.plies();
        let contempt = Score::centipawns(shared.settings.contempt);
        self.draw[position.side_to_move()] = -contempt;
        self.draw[!position.side_to_move()] = contempt;
        self.nodes = 0;
        self.tbhits = 0;
        self.seldepth = 0;
        self.completed_depth = 0;
        self.aborted = false;
        self.rank_root_moves(shared);
        if !self.root_moves.is_empty() {
            self.iterate(shared);
            self.bring_choice_forward(shared);
        }
        shared.set_counters(self.index, self.nodes, self.tbhits);
        self.result(shared)
    }

    fn result(&self, shared: &Shared) -> SearchResult {
        let best = self.candidates.first().or(self.root_moves.first());
        let best = best.map(RootMove::settled);
        let no_move = if self.position.in_check() {
            Score::mated_in(0)
        } else {
            Score::DRAW
        };
        SearchResult {
            best: best.as_ref().map(|root| root.mv),
            score: best.as_ref().map_or(no_move, |root| root.shown(root.score)),
            depth: best
                .as_ref()
                .map_or(0, |_| self.completed_depth.max(1) as u32),
            seldepth: best.as_ref().map_or(0, |root| root.seldepth),
            nodes: self.nodes,
            pv: best.map_or_else(Vec::new, |root| self.last_line(&root, shared)),
        }
    }

    /// Counts a node and checks whether the search must be aborted.
    #[inline]
    pub(super) fn count_node(&mut self, shared: &Shared) {
        if self.aborted {
            return;
        }
        self.nodes += 1;
        if self.nodes & (shared.clock_interval - 1) == 0 {
            self.look_around(shared);
        }
        if self.is_main() && shared.limits.nodes.is_some_and(|limit| self.nodes >= limit) {
            shared.stop.stop();
        }
        if shared.stop.is_raised() {
            self.heed(shared);
        }
    }

    /// Updates this thread's counters and checks the limits: rarely called, so kept out of line.
    #[cold]
    #[inline(never)]
    fn look_around(&self, shared: &Shared) {
        shared.set_counters(self.index, self.nodes, self.tbhits);
        if shared.settings.current_lines {
            shared.show_line(self.index, self.position.moves_after(self.root_plies));
        }
        let is_over = if self.is_main() {
            shared.is_over()
        } else {
            shared.has_spent_its_nodes()
        };
        if is_over {
            shared.stop.stop();
        }
    }

    /// Sits out a pause, and notes whether the search must be aborted.
    #[cold]
    fn heed(&mut self, shared: &Shared) {
        if !shared.stop.is_stopped() {
            shared.stop.sit_out_pause();
        }
        self.aborted |= shared.stop.is_stopped() && self.may_abort();
    }

    #[inline]
    pub(super) fn is_main(&self) -> bool {
        self.index == 0
    }

    #[inline]
    fn may_abort(&self) -> bool {
        self.completed_depth > 0 || self.nodes >= FIRST_ITERATION_NODES
    }

    /// Makes a move on the board and in everything that follows it.
    #[inline]
    pub(super) fn make_move(&mut self, mv: Move, ply: usize, shared: &Shared) {
        // First, so that the entry arrives while the move is made.
        shared.tt.prefetch(self.position.likely_key_after(mv));
        let piece = self.position.moved_by(mv);
        self.frames[ply].moved = Some(Moved { piece, to: mv.to() });
        self.frames[ply + 1].double_extensions = self.frames[ply].double_extensions;
        self.evaluator.make_move(&self.position, mv);
        self.position.make_move(mv);
    }

    pub(super) fn make_null_move(&mut self, ply: usize, shared: &Shared) {
        self.frames[ply].moved = None;
        self.frames[ply + 1].double_extensions = self.frames[ply].double_extensions;
        self.evaluator.make_null_move();
        self.position.make_null_move();
        shared.tt.prefetch(self.position.key());
    }

    /// Takes the last move, or null move, back.
    #[inline]
    pub(super) fn unmake_move(&mut self) {
        self.position.unmake_move();
        self.evaluator.unmake_move();
    }

    /// Reports the root move that is searched next, once the search has lasted a while.
    pub(super) fn announce(&self, number: usize, mv: Move, shared: &Shared) {
        if !self.is_main() {
            return;
        }
        shared.set_progress(self.root_depth, mv, number, self.root_moves.len());
        if shared.clock.elapsed() >= ANNOUNCE_AFTER
            && let Some(progress) = shared.progress()
        {
            (self.report)(Report::CurrentMove(progress));
        }
    }

    /// The score of a draw for the side to move.
    #[inline]
    pub(super) fn draw_score(&self) -> Score {
        self.draw[self.position.side_to_move()]
    }

    /// Reports the refutation of a root move, if wanted, once the search has lasted a while. The
    /// move has been taken back.
    pub(super) fn announce_refutation(&self, mv: Move, shared: &Shared) {
        if !self.is_main()
            || !shared.settings.refutations
            || shared.clock.elapsed() < ANNOUNCE_AFTER
        {
            return;
        }
        let known = self.root_moves.iter().find(|root| root.mv == mv);
        let line = match known {
            Some(root) if root.score != -Score::INFINITE => root.pv.clone(),
            _ => {
                let reply = shared.reply_to(&self.position, mv);
                [mv].into_iter().chain(reply).collect()
            }
        };
        (self.report)(Report::Refutation(line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_errors_of_an_evaluation_are_forgotten_with_it() {
        let mut worker = Worker::new(0, Evaluation::default(), Box::new(|_| {}));
        let position = Position::startpos();
        worker.corrections.update(&position, 10, 300);
        assert_ne!(
            worker.corrections.apply(&position, Score::DRAW),
            Score::DRAW
        );
        worker.set_evaluation(Evaluation::default());
        assert_eq!(
            worker.corrections.apply(&position, Score::DRAW),
            Score::DRAW
        );
    }
}
