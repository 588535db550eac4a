//! One search thread: what it owns, how it makes moves, and how it decides to go on or to stop.
//! What it does with a node is in `negamax` and `qsearch`.

use std::sync::Arc;
use std::time::Duration;

use super::shared::Shared;
use crate::evaluation::{self, Evaluation, Evaluator};
use crate::position::{Ending, Position, Rules};
use crate::search::bound::Bound;
use crate::search::lmr::Reductions;
use crate::search::ordering::correction::{Corrections, MovePair};
use crate::search::ordering::history::{Conthist, Histories, PathMove, QuietMove};
use crate::search::pv::PvTable;
use crate::search::report::Report;
use crate::search::root::{RootMove, root_moves};
use crate::search::strength::Handicap;
use crate::search::tt::Entry;
use crate::tablebase::Wdl;
use crate::types::{ColorMap, MAX_PLY, Move, Score};

/// Takes the reports of a search thread, while it searches.
pub(crate) type Reporter = Arc<dyn Fn(Report) + Send + Sync>;

/// What a search found. The default is that of one that may not consider any move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchResult {
    /// The best move; `None` if there is none to choose from.
    pub best: Option<Move>,
    /// Score from the side to move's point of view.
    pub score: Score,
    /// What `score` says about the true score: not exact if the search was interrupted when it had
    /// only found that the move is better than expected.
    pub bound: Bound,
    /// Whether the endgame tables call the game a draw after `best`.
    pub is_table_draw: bool,
    /// Depth of the last complete iteration, or 1 if not even the first is; 0 without a move.
    pub depth: u32,
    /// The deepest ply reached.
    pub seldepth: u32,
    /// Nodes searched by this thread.
    pub nodes: u64,
    /// The expected line, beginning with the best move.
    pub pv: Vec<Move>,
}

/// What the search keeps for each ply of the path to the current node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StackEntry {
    /// The move made here.
    pub(crate) moved: PathMove,
    /// That move, if it is quiet and the histories may still learn of it.
    pub(crate) quiet: Option<QuietMove>,
    /// The moves that led here by which correction history knows the position: the last one, with the
    /// one and the three moves earlier.
    pub(crate) pairs: [MovePair; 2],
    /// Static evaluation; `None` in check, and where a capture is compulsory.
    pub(crate) eval: Option<Score>,
    /// The move excluded while the singular search tries the others.
    pub(crate) excluded: Option<Move>,
    /// Plies by which the move made here is reduced in the search of it that runs.
    pub(crate) reduction: i32,
    /// Moves on the path here that were extended by two plies.
    pub(crate) double_extensions: i32,
}

/// A running search that verifies a null move cut-off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Verification {
    /// Ply of the node. It must not be pruned in another way, or nothing would be verified.
    pub(crate) ply: usize,
    /// No null move before this ply.
    pub(crate) until: usize,
}

/// The first iteration is not aborted before this many nodes, so that every search has a scored
/// move to show.
const FIRST_ITERATION_NODES: u64 = 10_000;
/// From this time on the root moves are reported as they are searched.
const REPORT_MOVES_AFTER: Duration = Duration::from_secs(1);

/// A search thread's own data. It lives as long as the thread and learns from search to search.
pub(crate) struct Worker<R: Rules> {
    /// 0 for the main thread, which watches the limits and reports.
    pub(crate) index: usize,
    pub(crate) report: Reporter,
    pub(crate) position: Position<R>,
    pub(crate) evaluator: Evaluator,
    pub(crate) histories: Box<Histories>,
    pub(crate) corrections: Corrections,
    pub(crate) reductions: Reductions,
    pub(crate) stack: Vec<StackEntry>,
    pub(crate) pv: PvTable,
    pub(crate) root_moves: Vec<RootMove>,
    /// The best root moves of the last complete iteration; kept only if there are several lines.
    pub(crate) candidates: Vec<RootMove>,
    /// The line being searched, from 0; the moves of earlier ones are skipped at the root.
    pub(crate) pv_index: usize,
    pub(crate) root_depth: i32,
    /// The first ply at which that iteration prunes whole nodes.
    pub(crate) first_prunable_ply: usize,
    pub(crate) completed_depth: i32,
    /// Iterations in a row that kept the best move, and its score near the mean.
    pub(crate) calm_iterations: i32,
    /// By the side to move at the root, the score of the main thread's last complete iteration in this game.
    pub(crate) last_score: ColorMap<Option<Score>>,
    pub(crate) seldepth: usize,
    pub(crate) nodes: u64,
    /// Positions found in endgame tablebases.
    pub(crate) tbhits: u64,
    /// Moves made before the root.
    pub(crate) root_plies: usize,
    pub(crate) draw: ColorMap<Score>,
    pub(crate) verification: Option<Verification>,
    /// The search is being aborted: scores on the way up are meaningless.
    pub(crate) aborted: bool,
}

impl<R: Rules> Worker<R> {
    /// A worker that stands at `position`.
    pub(crate) fn new(
        index: usize,
        evaluation: Evaluation,
        report: Reporter,
        position: Position<R>,
    ) -> Self {
        Self {
            index,
            report,
            position,
            evaluator: Evaluator::new(evaluation),
            histories: Histories::new(),
            corrections: Corrections::new(),
            reductions: Reductions::new(),
            stack: vec![StackEntry::default(); MAX_PLY + 1],
            pv: PvTable::new(),
            root_moves: Vec::new(),
            candidates: Vec::new(),
            pv_index: 0,
            root_depth: 0,
            first_prunable_ply: 0,
            completed_depth: 0,
            calm_iterations: 0,
            last_score: ColorMap::default(),
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
    pub(crate) fn new_game(&mut self) {
        self.histories.clear();
        self.corrections.clear();
        self.last_score = ColorMap::default();
    }

    /// Changes the evaluation; the corrections of the old one are forgotten.
    pub(crate) fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.corrections.clear();
        self.evaluator = Evaluator::new(evaluation);
    }

    /// Sets everything up for a search of `position`.
    pub(crate) fn begin(&mut self, position: &Position<R>, shared: &Shared) {
        self.position = position.clone();
        self.evaluator.reset(position);
        if cfg!(feature = "tune") {
            self.reductions = Reductions::new();
        }
        self.root_moves = root_moves(position, shared.limits.search_moves.as_deref());
        if shared.handicap.is_some() {
            self.leave_out_odd_moves();
        }
        // Stable: the others keep their order.
        self.root_moves
            .sort_by_key(|root| shared.lost_before.contains(&root.mv));
        self.stack.fill(StackEntry::default());
        self.histories.age();
        self.candidates.clear();
        self.root_plies = position.plies();
        let contempt = Score::centipawns(shared.settings.contempt);
        self.draw[position.side_to_move()] = -contempt;
        self.draw[!position.side_to_move()] = contempt;
        self.nodes = 0;
        self.tbhits = 0;
        self.seldepth = 0;
        self.completed_depth = 0;
        self.calm_iterations = 0;
        self.aborted = false;
    }

    /// Leaves out what no limited player thinks of, if anything else is left.
    fn leave_out_odd_moves(&mut self) {
        let position = &self.position;
        let is_considered = |root: &RootMove| Handicap::considers(position, root.mv);
        if self.root_moves.iter().any(is_considered) {
            self.root_moves.retain(is_considered);
        }
    }

    /// Counts a node and checks whether the search must be aborted.
    pub(crate) fn count_node(&mut self, shared: &Shared) {
        if self.aborted {
            return;
        }
        self.nodes += 1;
        if self.nodes & (shared.clock_interval - 1) == 0 {
            self.check_limits(shared);
        }
        if self.is_main() && shared.limits.nodes.is_some_and(|limit| self.nodes >= limit) {
            shared.stop.stop();
        }
        if shared.stop.is_raised() {
            self.obey(shared);
        }
    }

    /// Updates this thread's counters and checks the limits: rarely called, so kept out of line.
    #[cold]
    #[inline(never)]
    fn check_limits(&self, shared: &Shared) {
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

    /// Waits while the search is paused, and notes whether the search must be aborted.
    #[cold]
    fn obey(&mut self, shared: &Shared) {
        if !shared.stop.is_stopped() {
            shared.stop.wait_while_paused();
        }
        self.aborted |= shared.stop.is_stopped() && self.may_abort();
    }

    pub(crate) fn is_main(&self) -> bool {
        self.index == 0
    }

    /// Whether this thread makes the reports, if anybody takes them.
    pub(crate) fn is_reporting(&self, shared: &Shared) -> bool {
        self.is_main() && shared.settings.multi_pv > 0
    }

    fn may_abort(&self) -> bool {
        self.completed_depth > 0 || self.nodes >= FIRST_ITERATION_NODES
    }

    /// Fetches the table's entry of the position after a move, to be called as soon as it is known
    /// that the move may be made.
    pub(crate) fn prefetch(&self, mv: Move, shared: &Shared) {
        shared.tt.prefetch(self.position.likely_tt_key_after(mv));
    }

    /// Makes a move on the board and in everything that follows it.
    pub(crate) fn make_move(&mut self, mv: Move, ply: usize) {
        let piece = self.position.moved_by(mv);
        self.extend_path(ply, PathMove::new(piece, mv.to()));
        self.evaluator.make_move(&self.position, mv);
        self.position.make_move(mv);
        self.corrections
            .prefetch(&self.position, self.stack[ply + 1].pairs);
    }

    pub(crate) fn make_null_move(&mut self, ply: usize) {
        self.extend_path(ply, PathMove::NONE);
        self.position.make_null_move();
    }

    pub(crate) fn unmake_null_move(&mut self) {
        self.position.unmake_move();
    }

    /// Notes on the stack what is played at `ply`, and what the next ply knows of its path.
    fn extend_path(&mut self, ply: usize, moved: PathMove) {
        self.stack[ply].moved = moved;
        self.stack[ply].quiet = None;
        self.stack[ply + 1].double_extensions = self.stack[ply].double_extensions;
        self.stack[ply + 1].pairs = self.last_pairs(ply + 1);
    }

    pub(crate) fn unmake_move(&mut self) {
        self.position.unmake_move();
        self.evaluator.unmake_move();
    }

    /// Reports the root move that is searched next, once the search has lasted a while.
    pub(crate) fn report_current_move(&self, number: usize, mv: Move, shared: &Shared) {
        if !self.is_reporting(shared) {
            return;
        }
        shared.set_progress(self.root_depth, mv, number, self.root_moves.len());
        if shared.clock.elapsed() >= REPORT_MOVES_AFTER
            && let Some(progress) = shared.progress()
        {
            (self.report)(Report::CurrentMove(progress));
        }
    }

    pub(crate) fn draw_score(&self) -> Score {
        self.draw[self.position.side_to_move()]
    }

    /// The score of a game that has ended as only its variant does, or that the side to move ends
    /// with its next move.
    #[inline]
    pub(crate) fn ended(&self, ply: usize) -> Option<Score> {
        let position = &self.position;
        match position.ending().or_else(|| position.end_without_moves()) {
            Some(Ending::Won(winner, _)) if winner == self.position.side_to_move() => {
                Some(Score::mate_in(ply))
            }
            Some(Ending::Won(..)) => Some(Score::mated_in(ply)),
            Some(Ending::Tie) => Some(self.draw_score()),
            None => {
                // Unless the game is drawn before.
                let wins = position.wins_at_once() && position.outcome().is_none();
                wins.then(|| Score::mate_in(ply + 1))
            }
        }
    }

    /// Whether the node is a draw by rule. Mate on the hundredth ply takes precedence over the
    /// fifty-move rule.
    pub(crate) fn is_draw(&self, ply: usize) -> bool {
        let is_mated = || self.position.in_check() && !self.position.has_legal_move();
        self.position.is_draw(ply) && !is_mated()
    }

    /// The static evaluation, raw as it is stored in the transposition table, and as the search uses
    /// it: corrected by correction history, and nearer to a draw the longer nothing has happened.
    /// Then the size of the correction in centipawns: the larger, the less it can be trusted.
    /// Meaningless in check.
    pub(crate) fn evaluate(&mut self, tt_entry: Option<Entry>, ply: usize) -> (Score, Score, i32) {
        if self.position.in_check() {
            return (Score::DRAW, Score::DRAW, 0);
        }
        let raw = match tt_entry.and_then(|entry| entry.evaluation) {
            Some(evaluation) => evaluation,
            None => self.evaluator.evaluate_noting(&mut self.position),
        };
        let pairs = self.stack[ply].pairs;
        let corrected = self.corrections.apply(&self.position, pairs, raw);
        let fade = evaluation::fade(self.position.fifty_move_clock());
        let eval = Score::evaluation(corrected.value() * fade / evaluation::FADE_UNIT);
        (raw, eval, (corrected.value() - raw.value()).abs())
    }

    /// Records that a search of this depth scored the position at this ply `error` centipawns above its corrected
    /// evaluation.
    pub(crate) fn learn_correction(&mut self, ply: usize, depth: i32, error: i32) {
        let pairs = self.stack[ply].pairs;
        self.corrections.update(&self.position, pairs, depth, error);
    }

    #[inline]
    fn last_pairs(&self, ply: usize) -> [MovePair; 2] {
        let last = self.moved_before(ply, 1);
        [2, 4].map(|plies| MovePair::new(self.moved_before(ply, plies), last))
    }

    /// The move made so many plies before this one.
    #[inline]
    fn moved_before(&self, ply: usize, plies: usize) -> PathMove {
        ply.checked_sub(plies)
            .map_or(PathMove::NONE, |ply| self.stack[ply].moved)
    }

    /// The moves before this ply that index continuation history.
    #[inline]
    pub(crate) fn conthist(&self, ply: usize) -> Conthist {
        [1, 2].map(|plies| self.moved_before(ply, plies))
    }

    /// The result by the endgame tablebases, if they may be probed at this node.
    pub(crate) fn probe_tb(&mut self, depth: i32, shared: &Shared) -> Option<Wdl> {
        let syzygy = shared.tree_syzygy()?;
        let wdl = syzygy.probe(&mut self.position, depth)?;
        self.tbhits += 1;
        Some(wdl)
    }

    /// The root move with this number after the finished lines, in the order of the last iteration;
    /// `None` after the last of those that the tablebases rank like the first.
    pub(crate) fn root_move(&self, number: usize) -> Option<Move> {
        let first = self.root_moves.get(self.pv_index)?;
        let root = self.root_moves.get(self.pv_index + number)?;
        (root.rank == first.rank).then_some(root.mv)
    }

    /// Records the result of a root move. One that neither came first nor raised alpha has no
    /// `bound`: it is only known to be worse.
    pub(crate) fn record_root_move(
        &mut self,
        mv: Move,
        score: Score,
        bound: Option<Bound>,
        nodes_before: u64,
    ) {
        let nodes = self.nodes - nodes_before;
        let seldepth = self.seldepth as u32;
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else {
            return;
        };
        root.nodes += nodes;
        if let Some(bound) = bound {
            root.score = score;
            root.bound = bound;
            root.seldepth = seldepth;
            root.pv.clear();
            root.pv.push(mv);
            root.pv.extend_from_slice(self.pv.line(1));
        } else {
            root.score = -Score::INFINITE;
        }
    }

    /// Reports the refutation of a root move, if wanted, once the search has lasted a while. The
    /// move has been taken back.
    pub(crate) fn report_refutation(&self, mv: Move, shared: &Shared) {
        if !self.is_main()
            || !shared.settings.refutations
            || shared.clock.elapsed() < REPORT_MOVES_AFTER
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
        let mut worker = Worker::new(
            0,
            Evaluation::default(),
            Arc::new(|_| {}),
            Position::startpos(),
        );
        let position = Position::startpos();
        worker
            .corrections
            .update(&position, [MovePair::NONE; 2], 10, 300);
        assert_ne!(
            worker
                .corrections
                .apply(&position, [MovePair::NONE; 2], Score::DRAW),
            Score::DRAW
        );
        worker.set_evaluation(Evaluation::default());
        assert_eq!(
            worker
                .corrections
                .apply(&position, [MovePair::NONE; 2], Score::DRAW),
            Score::DRAW
        );
    }
}
