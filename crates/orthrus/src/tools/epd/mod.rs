//! `orthrus epd`: how many positions of a suite does the engine solve?

mod report;
mod task;

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use indicatif::ProgressBar;
use orthrus_core::engine::Surroundings;
use orthrus_core::game::Game;
use orthrus_core::search::{Bound, Limits, SearchInfo};

use self::report::{Outcome, Reporter, Unusable};
use self::task::Task;
use super::analyst::{Analyst, AnalystError};
use super::{ToolError, progress_bar, say, start_analyst, warn};
use crate::args::EpdArgs;
use crate::tools::files;

/// Time per position if no limit is given, in milliseconds.
const DEFAULT_MOVETIME: u64 = 1000;

/// Lets the engine solve all positions of the suites, and reports the results.
///
/// # Errors
///
/// A suite cannot be read, or the engine or the output fails.
pub(crate) fn run_suites(args: &EpdArgs, surroundings: Surroundings) -> Result<(), ToolError> {
    let mut tasks = Vec::new();
    let mut unusable = Vec::new();
    for suite in &args.suites {
        read_suite(suite, &mut tasks, &mut unusable)?;
    }
    let bar = progress_bar(tasks.len() as u64, "positions");
    let mut reporter = Reporter::new(args.json, tasks.len());
    for line in unusable {
        warn(&bar, &line.to_string());
        say(&bar, &reporter.unusable(&line))?;
    }
    let mut analyst = start_analyst(&args.engine, surroundings)?;
    let limits = args.limits.or_movetime(DEFAULT_MOVETIME);
    let interrupted = solve(&tasks, &mut analyst, &bar, &mut reporter, || {
        limits.limits()
    })?;
    bar.finish_and_clear();
    say(&bar, &reporter.summary(interrupted))?;
    Ok(())
}

/// Solves the tasks one after the other; returns whether it was interrupted.
fn solve(
    tasks: &[Task],
    analyst: &mut Analyst,
    bar: &ProgressBar,
    reporter: &mut Reporter,
    limits: impl Fn() -> Limits,
) -> Result<bool, ToolError> {
    for task in tasks {
        let outcome = attempt(task, analyst, &limits)?;
        for notice in analyst.take_notices() {
            warn(bar, &notice);
        }
        let Some(outcome) = outcome else {
            return Ok(true);
        };
        say(bar, &reporter.outcome(task, &outcome))?;
        bar.set_message(reporter.so_far());
        bar.inc(1);
    }
    Ok(false)
}

/// Reads the tasks of a file. Lines that are empty or begin with `#` are skipped.
fn read_suite(
    file: &Path,
    tasks: &mut Vec<Task>,
    unusable: &mut Vec<Unusable>,
) -> Result<(), ToolError> {
    let before = (tasks.len(), unusable.len());
    for (index, line) in files::read_lines(file)?.iter().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match Task::parse(line) {
            Ok(task) => tasks.push(task),
            Err(error) => unusable.push(Unusable {
                file: file.to_owned(),
                line: index + 1,
                error,
            }),
        }
    }
    if tasks.len() == before.0 {
        let first = unusable.get(before.1);
        return Err(ToolError::NoPosition {
            file: file.to_owned(),
            reason: first.map_or_else(String::new, |it| {
                format!(": line {}: {}", it.line, it.error)
            }),
        });
    }
    Ok(())
}

/// Searches one position; `None` if that was interrupted.
fn attempt(
    task: &Task,
    analyst: &mut Analyst,
    limits: impl Fn() -> Limits,
) -> Result<Option<Outcome>, AnalystError> {
    let game = Game::new(task.position.clone());
    // The result must not depend on the positions before.
    analyst.forget()?;
    let mut solution = None;
    // The limits begin to run now.
    let answer = analyst.search(&game, limits(), |info| {
        if let Some(info) = info.filter(|it| it.bound != Bound::Upper && it.multipv == 1) {
            let found = task.is_solved(info.pv.first().copied(), info.score);
            solution = found.then(|| solution.take().unwrap_or_else(|| Effort::of(info)));
        }
        ControlFlow::Continue(())
    })?;
    if answer.interrupted {
        return Ok(None);
    }
    Ok(Some(Outcome {
        best: answer.best,
        score: answer.info.score,
        effort: Effort::of(&answer.info),
        solution: solution.filter(|_| task.is_solved(answer.best, answer.info.score)),
    }))
}

/// What a search, or a part of it, has taken.
#[derive(Clone, Copy, Debug, Default)]
struct Effort {
    depth: u32,
    nodes: u64,
    time: Duration,
}

impl Effort {
    fn of(info: &SearchInfo) -> Self {
        Self {
            depth: info.depth,
            nodes: info.nodes,
            time: info.time,
        }
    }
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::{never, unbounded};

    use super::*;

    fn analyst() -> Analyst {
        Analyst::start(Surroundings::default(), [], never()).unwrap()
    }

    #[test]
    fn a_mate_is_found_and_the_way_to_it_measured() {
        let task = Task::parse("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8; dm 1;").unwrap();
        let outcome = attempt(&task, &mut analyst(), || Limits::depth(4))
            .unwrap()
            .unwrap();
        let solution = outcome.solution.expect("it is solved");
        assert!(solution.nodes <= outcome.effort.nodes);
        assert!(solution.depth >= 1 && solution.depth <= outcome.effort.depth);
    }

    #[test]
    fn a_miss_has_no_solution() {
        let task = Task::parse("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Kd2;").unwrap();
        let outcome = attempt(&task, &mut analyst(), || Limits::depth(4))
            .unwrap()
            .unwrap();
        assert!(outcome.solution.is_none());
    }

    #[test]
    fn an_interrupted_position_does_not_count() {
        let task = Task::parse("6k1/5ppp/8/8/8/8/8/R3K3 b - - bm Kf8;").unwrap();
        let (sender, interrupts) = unbounded();
        sender.send(()).unwrap();
        let mut analyst = Analyst::start(Surroundings::default(), [], interrupts).unwrap();
        let limits = Limits::none(std::time::Instant::now());
        assert!(
            attempt(&task, &mut analyst, || limits.clone())
                .unwrap()
                .is_none()
        );
    }
}
