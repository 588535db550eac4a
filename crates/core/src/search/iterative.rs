//! A whole search on one thread: iterative deepening, one search after another, each a ply deeper
//! and ordered by the last; what it reports, and when it is enough.

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use super::bound::Bound;
use super::mate;
use super::negamax::first_prunable_ply;
use super::node::Root;
use super::params;
use super::pv;
use super::report::{Report, SearchInfo};
use super::root::RootMove;
use super::strength::Handicap;
use super::syzygy;
use super::threads::shared::Shared;
use super::threads::worker::{SearchResult, Worker};
use super::time::Stability;
use crate::position::{Position, Rules, Variant};
use crate::types::{MAX_PLY, Move, Score};

/// Scores that are only bounds are reported once a search has lasted this long.
const REPORT_BOUNDS_AFTER: Duration = Duration::from_secs(3);
/// Iterations up to this depth in plies are all reported. Solved positions reach the largest depth at
/// once, so that deeper iterations are told only as often as somebody can take them in.
const REPORT_ALL_TO: i32 = 16;
/// A deeper iteration that has found nothing new is reported if this much time has passed since the
/// last report.
const REPORT_UNCHANGED_AFTER: Duration = Duration::from_millis(100);
/// A deeper iteration that has found something new is reported if this much time for each of its
/// lines has passed.
const TIME_PER_LINE: Duration = Duration::from_millis(2);
/// A mate in at most this many plies, for either side, that the iteration of twice the depth has
/// found is the shortest. Every root move is searched, however late, and a mate on the next ply is
/// always seen.
const SEEN_PLIES: i32 = 3;
/// Depth in plies of the ordinary search before a search for a mate.
const DEPTH_BEFORE_MATE: i32 = 4;
/// Depth in plies of the ordinary search if there is no mate.
const DEPTH_WITHOUT_MATE: i32 = 12;

/// Searches `position` until a limit of `shared` is reached.
pub(super) fn search<R: Rules>(
    worker: &mut Worker<R>,
    position: &Position<R>,
    shared: &Shared,
) -> SearchResult {
    worker.begin(position, shared);
    if let Some(ranking) = shared.ranking(position) {
        if worker.is_main() {
            worker.tbhits += ranking.moves.len() as u64;
        }
        let draw = worker.draw_score();
        syzygy::rank_root_moves(&mut worker.root_moves, ranking, shared.lines(), draw);
    }
    if !worker.root_moves.is_empty() {
        match shared.limits.mate {
            Some(moves) => search_mate(worker, moves, shared),
            None => deepen(worker, MAX_PLY as i32 - 1, shared),
        }
        if worker.is_main() {
            // The other threads stop with the main one.
            shared.stop.stop();
        }
        bring_choice_forward(worker, shared);
    }
    shared.set_counters(worker.index, worker.nodes, worker.tbhits);
    result(worker, shared)
}

/// What the search has found, as it is answered.
fn result<R: Rules>(worker: &Worker<R>, shared: &Shared) -> SearchResult {
    let best = worker.candidates.first().or(worker.root_moves.first());
    let Some(best) = best.map(RootMove::settled) else {
        // A draw is one for everybody here, not what contempt makes of it.
        let ended = worker.ended(0).filter(|score| score.is_decided());
        let mated = worker.position.in_check().then(|| Score::mated_in(0));
        return SearchResult {
            score: ended.or(mated).unwrap_or(Score::DRAW),
            nodes: worker.nodes,
            ..SearchResult::default()
        };
    };
    SearchResult {
        best: Some(best.mv),
        score: best.shown(best.score),
        bound: best.bound,
        is_table_draw: best.is_table_draw(),
        depth: worker.completed_depth.max(1) as u32,
        seldepth: best.seldepth,
        nodes: worker.nodes,
        pv: pv::final_line(&worker.position, &best, shared),
    }
}

/// Looks for a mate in at most `moves` moves, given or suffered by the side to move. A short
/// ordinary search provides a move in any case; if there is no mate, one chooses the move. In a
/// variant, which may be won without mate, the ordinary search does it all.
fn search_mate<R: Rules>(worker: &mut Worker<R>, moves: u32, shared: &Shared) {
    deepen(worker, DEPTH_BEFORE_MATE, shared);
    // A move that is the only one, or settled, is no answer to the question.
    shared.clock.settle(false);
    if worker.aborted {
        return;
    }
    if worker.position.variant() != Variant::Standard {
        let plies = moves.min(MAX_PLY as u32 / 2) as i32 * 2;
        return deepen(
            worker,
            plies.clamp(DEPTH_WITHOUT_MATE, MAX_PLY as i32 - 1),
            shared,
        );
    }
    let Some((score, line)) = mate::solve(worker, moves, shared) else {
        return deepen(worker, DEPTH_WITHOUT_MATE, shared);
    };
    let best = worker
        .root_moves
        .iter()
        .position(|root| Some(&root.mv) == line.first());
    let Some(best) = best else { return };
    worker.root_moves[..=best].rotate_right(1);
    worker.root_depth = line.len() as i32;
    worker.completed_depth = worker.root_depth;
    let root = &mut worker.root_moves[0];
    root.score = score;
    root.seldepth = line.len() as u32;
    root.pv = line;
    root.note_exact();
    worker.candidates.clear();
    // Nothing is known of other moves at that depth.
    report_lines(worker, &worker.root_moves[..1], shared);
}

/// Deepens until a limit or this depth in plies is reached, from where the search has come to. There is
/// at least one root move.
fn deepen<R: Rules>(worker: &mut Worker<R>, max_depth: i32, shared: &Shared) {
    let limit = shared
        .limits
        .depth
        .map_or(max_depth, |depth| depth.clamp(1, max_depth as u32) as i32);
    let side = worker.position.side_to_move();
    let mut stability = Stability::new(worker.last_score[side]);
    let mut reports = Reports::default();
    let mut best_before = (worker.completed_depth > 0).then(|| worker.root_moves[0].mv);
    for depth in worker.completed_depth + 1..=limit {
        worker.root_depth = depth;
        worker.first_prunable_ply = first_prunable_ply(shared.settings.analysis, depth);
        let expected = worker.root_moves[0].mean_score;
        search_lines(worker, shared);
        if worker.aborted {
            repeat_lines(worker, shared);
            forget_refuted(&mut worker.root_moves, best_before);
            break;
        }
        worker.completed_depth = depth;
        let best = &worker.root_moves[0];
        let is_calm = best_before == Some(best.mv)
            && expected
                .is_some_and(|mean| (best.score - mean).abs() < params::aspiration_calm_margin());
        worker.calm_iterations = if is_calm {
            worker.calm_iterations + 1
        } else {
            0
        };
        best_before = Some(best.mv);
        if shared.lines() > 1 {
            // The answer if the next iteration is aborted, whose lines do not fit together, and the
            // choice of a limited strength.
            let lines = shared.lines().min(worker.root_moves.len());
            worker.candidates.clear();
            worker
                .candidates
                .extend_from_slice(&worker.root_moves[..lines]);
        }
        if worker.is_main() {
            shared.set_counters(worker.index, worker.nodes, worker.tbhits);
            reports.report(worker, shared);
            let best = &worker.root_moves[0];
            stability.update(best.mv, best.score);
            // One iteration with a forced move says nothing of the score.
            if worker.root_moves.len() > 1 {
                worker.last_score[side] = Some(best.score);
            }
            if is_solved(worker, shared) {
                // The answer says so: clients of CECP wait for the depth that they want.
                worker.completed_depth = limit;
                break;
            }
            if is_enough(worker, shared, &stability) {
                break;
            }
        }
    }
    // The answer repeats the first line alone.
    if reports.is_behind && !worker.aborted && shared.settings.multi_pv > 1 {
        report_lines(worker, &worker.root_moves, shared);
    }
    if let (Some(handicap), Some(budget)) = (&shared.handicap, shared.clock.budget()) {
        let is_surprised = stability.has_changed_its_mind();
        let time = handicap.thinking_time(budget.soft, &worker.candidates, is_surprised);
        shared.clock.answer_from(time.min(budget.hard));
    }
}

/// The reports of complete iterations.
#[derive(Default)]
struct Reports {
    /// When the last one was made, in the time of the search.
    last: Duration,
    /// What it said: each line and its score, best first.
    lines: Vec<(Score, Vec<Move>)>,
    /// Iterations since then have not been reported.
    is_behind: bool,
}

impl Reports {
    /// Reports the lines of the iteration, unless the last report was the same, or made just now.
    fn report<R: Rules>(&mut self, worker: &Worker<R>, shared: &Shared) {
        if !worker.is_reporting(shared) {
            return;
        }
        let count = shared.settings.multi_pv.min(worker.root_moves.len());
        let lines = &worker.root_moves[..count];
        let told = self.lines.iter().map(|(score, pv)| (*score, pv));
        let is_new = !lines.iter().map(|root| (root.score, &root.pv)).eq(told);
        let pause = if is_new {
            TIME_PER_LINE * count as u32
        } else {
            REPORT_UNCHANGED_AFTER
        };
        let now = shared.clock.elapsed();
        self.is_behind = worker.root_depth > REPORT_ALL_TO && now.saturating_sub(self.last) < pause;
        if !self.is_behind {
            self.last = now;
            self.lines.clear();
            let told = lines.iter().map(|root| (root.score, root.pv.clone()));
            self.lines.extend(told);
            report_lines(worker, lines, shared);
        }
    }
}

/// After an aborted iteration: a loss that it has found of the best move counts as a fail low, and a move
/// that failed high and then low gives its place back to the one that was best before.
fn forget_refuted(root_moves: &mut [RootMove], best_before: Option<Move>) {
    let best = &mut root_moves[0];
    // Others may have been better, which were not tried any more: the game is not known to be lost.
    if best.bound == Bound::Exact && best.score.is_loss() {
        best.bound = if Some(best.mv) == best_before {
            Bound::Upper
        } else {
            // The one that was best before loses more quickly.
            Bound::Lower
        };
        return;
    }
    let mut moves = root_moves.iter();
    if root_moves[0].bound == Bound::Upper
        && let Some(index) = moves.position(|root| Some(root.mv) == best_before)
    {
        root_moves[..=index].rotate_right(1);
    }
}

/// Searches the wanted number of lines at the current depth and sorts the best to the front.
fn search_lines<R: Rules>(worker: &mut Worker<R>, shared: &Shared) {
    worker.seldepth = 0;
    // Should it be interrupted, what earlier iterations have found of the others does not count beside
    // what this one finds.
    for root in &mut worker.root_moves[1..] {
        root.score = -Score::INFINITE;
    }
    let lines = shared.lines().min(worker.root_moves.len());
    for index in 0..lines {
        worker.pv_index = index;
        search_window(worker, shared);
        worker.root_moves[..=index].sort_by_key(RootMove::order);
        if worker.aborted {
            return;
        }
    }
    // Of the moves behind them no more is known than that they are worse: what took the most nodes to
    // refute may be the next best.
    worker.root_moves[lines..].sort_by_key(|root| Reverse((root.rank, root.nodes)));
}

/// Searches one line with an aspiration window: narrow around the mean of the last scores, widened
/// on the side where the search falls out of it, and the narrower the calmer the search has been (after
/// Reckless). A score above it is confirmed one ply less deep each time (after Stockfish).
fn search_window<R: Rules>(worker: &mut Worker<R>, shared: &Shared) {
    let mut depth = worker.root_depth;
    let expected = worker.root_moves[worker.pv_index].mean_score;
    let calm = worker.calm_iterations.min(params::aspiration_calm_max());
    let mut width = params::aspiration_window() - calm;
    let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
    if let Some(expected) = expected.filter(|_| depth >= params::aspiration_min_depth()) {
        alpha = widened(expected, -width);
        beta = widened(expected, width);
    }
    loop {
        let score = worker.negamax::<Root>(alpha, beta, depth, 0, false, shared);
        // Stable, so that moves of equal score keep their order.
        worker.root_moves[worker.pv_index..].sort_by_key(RootMove::order);
        if worker.aborted {
            return;
        }
        let best = &mut worker.root_moves[worker.pv_index];
        if score <= alpha {
            best.bound = Bound::Upper;
            beta = Score::from_value((3 * alpha.value() + beta.value()) / 4).unwrap_or(beta);
            alpha = widened(score, -width);
            depth = worker.root_depth;
        } else if score >= beta {
            best.bound = Bound::Lower;
            beta = widened(score, width);
            if !score.is_decided() {
                depth = (depth - 1).max(1);
            }
        } else {
            best.note_exact();
            return;
        }
        width += width * params::aspiration_growth() / 100;
        let alone = worker.pv_index == 0 && shared.settings.multi_pv == 1;
        if worker.is_main() && alone && shared.clock.elapsed() >= REPORT_BOUNDS_AFTER {
            report_bound(worker, shared);
        }
    }
}

/// A score moved by `width`, within the range of scores; beyond a certain width the window is
/// opened fully.
fn widened(score: Score, width: i32) -> Score {
    const WIDE: i32 = 1000;
    let open = if width < 0 {
        -Score::INFINITE
    } else {
        Score::INFINITE
    };
    if width.abs() > WIDE {
        return open;
    }
    Score::from_value(score.value() + width).unwrap_or(open)
}

/// The plies to the mate, for either side, that the last iteration has found, if there is no shorter one.
fn shortest_mate<R: Rules>(worker: &Worker<R>) -> Option<i32> {
    let plies = worker.root_moves[0].score.mate_plies()?.abs();
    (worker.root_depth >= 2 * plies + 2).then_some(plies)
}

/// Whether deeper iterations of a search that has no end of its own would all find the same: a near mate.
fn is_solved<R: Rules>(worker: &Worker<R>, shared: &Shared) -> bool {
    let is_seen = shortest_mate(worker).is_some_and(|plies| plies <= SEEN_PLIES);
    // A search to a depth, or for a time, goes there.
    is_seen && !shared.limits.has_end() && shared.lines() == 1
}

/// Whether the main thread should begin no further iteration.
fn is_enough<R: Rules>(worker: &Worker<R>, shared: &Shared, stability: &Stability) -> bool {
    let best = &worker.root_moves[0];
    let limits = &shared.limits;
    let is_needed = shared.handicap.is_some() && Handicap::always_searches(worker.root_depth + 1);
    let has_spent = |nodes: u64| shared.nodes() >= nodes;
    if limits.soft_nodes.is_some_and(has_spent) && !is_needed {
        return true;
    }
    if limits.elastic_nodes.is_none() && !shared.clock.may_save_time() {
        return false;
    }
    // A forced move, or a mate that deeper search cannot shorten, needs no more thought.
    let factor = stability.factor(best.nodes as f64 / worker.nodes.max(1) as f64);
    let settled = worker.root_moves.len() == 1
        || shortest_mate(worker).is_some()
        || shared.clock.is_past_soft_limit(factor)
        || limits
            .elastic_nodes
            .is_some_and(|soft| shared.nodes() as f64 >= soft as f64 * factor);
    shared.clock.settle(settled);
    shared.clock.is_over()
}

/// Below full strength: moves the chosen move to the front. If several lines are shown, they are
/// reported once more in this order, so that the last report agrees with the answer.
fn bring_choice_forward<R: Rules>(worker: &mut Worker<R>, shared: &Shared) {
    let Some(handicap) = &shared.handicap else {
        return;
    };
    let choice = handicap.choose(&worker.candidates);
    if choice > 0 {
        worker.candidates[..=choice].rotate_right(1);
        repeat_lines(worker, shared);
    }
}

/// Reports the lines of the last complete iteration again, as those reported of an aborted one do
/// not fit together with them.
fn repeat_lines<R: Rules>(worker: &mut Worker<R>, shared: &Shared) {
    if worker.is_main() && shared.settings.multi_pv > 1 && worker.completed_depth > 0 {
        worker.root_depth = worker.completed_depth;
        report_lines(worker, &worker.candidates, shared);
    }
}

/// Reports the wanted number of these lines, best first.
fn report_lines<R: Rules>(worker: &Worker<R>, lines: &[RootMove], shared: &Shared) {
    shared.set_counters(worker.index, worker.nodes, worker.tbhits);
    let deadline = pv::lines_deadline(shared);
    for (rank, root) in lines.iter().take(shared.settings.multi_pv).enumerate() {
        // A move that was only found to be worse has no score to report.
        if root.score != -Score::INFINITE {
            (worker.report)(Report::Info(info(worker, rank, root, deadline, shared)));
        }
    }
}

/// Reports the line being searched, whose score is only a bound.
fn report_bound<R: Rules>(worker: &Worker<R>, shared: &Shared) {
    shared.set_counters(worker.index, worker.nodes, worker.tbhits);
    let root = &worker.root_moves[worker.pv_index];
    let deadline = pv::lines_deadline(shared);
    let info = info(worker, worker.pv_index, root, deadline, shared);
    (worker.report)(Report::Info(info));
}

fn info<R: Rules>(
    worker: &Worker<R>,
    rank: usize,
    root: &RootMove,
    deadline: Instant,
    shared: &Shared,
) -> SearchInfo {
    SearchInfo {
        depth: worker.root_depth.max(1) as u32,
        seldepth: root.seldepth,
        multipv: rank + 1,
        score: root.shown(root.score),
        bound: root.bound,
        is_table_draw: root.is_table_draw(),
        nodes: shared.nodes(),
        time: shared.clock.elapsed(),
        hashfull: shared.tt.hashfull(),
        tbhits: shared.tbhits(),
        pv: pv::line_so_far(&worker.position, root, deadline, shared),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::evaluation::Evaluation;
    use crate::fen;
    use crate::search::limits::Limits;
    use crate::search::searcher::on_search_stack;
    use crate::search::settings::SearchSettings;
    use crate::search::threads::worker::Reporter;
    use crate::search::tt::TranspositionTable;
    use crate::types::{Color, ColorMap};

    #[test]
    fn a_loss_found_by_an_interrupted_iteration_is_not_answered() {
        let moves = crate::search::root::root_moves(&Position::startpos(), None);
        for (score, bound, answered) in [
            (Score::mated_in(4), Bound::Exact, Score::centipawns(-50)),
            (Score::mated_in(4), Bound::Lower, Score::mated_in(4)),
            (Score::centipawns(-90), Bound::Exact, Score::centipawns(-90)),
        ] {
            let mut moves = moves.clone();
            let best = moves[0].mv;
            moves[0].score = Score::centipawns(-50);
            moves[0].note_exact();
            moves[0].score = score;
            moves[0].bound = bound;
            forget_refuted(&mut moves, Some(best));
            let settled = moves[0].settled();
            assert_eq!((settled.mv, settled.score), (best, answered));
        }
        // Of two that lose, the one that loses later, though others may not lose at all.
        let mut moves = moves;
        let before = moves[1].mv;
        for (root, score) in moves
            .iter_mut()
            .zip([Score::mated_in(10), Score::mated_in(4)])
        {
            root.note_exact();
            root.score = score;
        }
        let best = moves[0].mv;
        forget_refuted(&mut moves, Some(before));
        let settled = moves[0].settled();
        let answered = (settled.mv, settled.score, settled.bound);
        assert_eq!(answered, (best, Score::mated_in(10), Bound::Lower));
    }

    #[test]
    fn each_side_remembers_the_score_of_its_last_search_in_the_game() {
        let boards = [
            "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/Q3K3 b - - 0 1",
        ];
        let [white, black] = boards.map(|text| fen::parse(text).unwrap());
        on_search_stack(move || {
            let report: Reporter = Arc::new(|_| {});
            let mut worker = Worker::new(0, Evaluation::default(), report, white.clone());
            let score_of = |worker: &mut Worker<_>, position: &Position| {
                let tt = Arc::new(TranspositionTable::new(1).unwrap());
                let settings = SearchSettings::default();
                let shared = Shared::new(tt, Limits::depth(2), position, settings, 1);
                search(worker, position, &shared).score
            };
            let score = score_of(&mut worker, &white);
            assert!(score > Score::DRAW);
            assert_eq!(worker.last_score[Color::White], Some(score));
            assert_eq!(worker.last_score[Color::Black], None);
            let other = score_of(&mut worker, &black);
            assert!(other < Score::DRAW);
            assert_eq!(worker.last_score[Color::White], Some(score));
            assert_eq!(worker.last_score[Color::Black], Some(other));
            worker.new_game();
            assert_eq!(worker.last_score, ColorMap::default());
        })
        .unwrap();
    }
}
