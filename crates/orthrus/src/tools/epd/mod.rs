//! `orthrus epd`: how many positions of a suite does the engine solve?

mod report;
mod task;

use std::ops::ControlFlow;
use std::path::Path;

use orthrus_core::engine::Environment;
use orthrus_core::game::Game;
use orthrus_core::position::Variant;
use orthrus_core::search::Bound;

use self::report::{Effort, Reporter, Solving};
use self::task::Task;
use super::analyst::Analyst;
use super::files;
use super::output::{position_bar, print, warn};
use crate::args::EpdArgs;
use crate::failure::Failure;
use crate::text::shown;

/// Time per position if no limit is given, in milliseconds.
const DEFAULT_MOVETIME: u64 = 1000;

/// The most positions of all suites; at a second each they take more than a week.
const MAX_POSITIONS: usize = 1_000_000;

/// Lets the engine solve all positions of the suites, and reports the results.
///
/// # Errors
///
/// A suite cannot be read or is too long, or the engine or the output fails.
pub(crate) fn solve_suites(args: &EpdArgs, environment: Environment) -> Result<(), Failure> {
    let mut tasks = Vec::new();
    let mut reporter = Reporter::new(args.json);
    for suite in &args.suites {
        read_suite(suite, args.game.variant, &mut tasks, &mut reporter)?;
    }
    reporter.begin(tasks.len());
    let bar = position_bar(tasks.len());
    let mut analyst = Analyst::start(&args.search, Some(DEFAULT_MOVETIME), environment)?;
    let mut interrupted = false;
    for task in &tasks {
        let solving = solve(task, &mut analyst)?;
        bar.suspend(|| analyst.show_notices());
        let Some(solving) = solving else {
            interrupted = true;
            break;
        };
        let line = reporter.position(task, &solving);
        bar.suspend(|| print(&[line]))?;
        bar.set_message(reporter.so_far());
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(print(&reporter.summary(interrupted))?)
}

/// Reads the tasks of a file. Lines that are empty or begin with `#` are skipped.
fn read_suite(
    file: &Path,
    variant: Variant,
    tasks: &mut Vec<Task>,
    reporter: &mut Reporter,
) -> Result<(), Failure> {
    let before = tasks.len();
    let mut first = None;
    for (index, line) in files::lines(file)?.enumerate() {
        let line = line?;
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if first.is_none() && tasks.len() == before && line.starts_with('[') {
            let (file, format) = (file.to_owned(), "PGN: games, not positions");
            return Err(Failure::OtherFormat { file, format });
        }
        match Task::parse(variant, line) {
            Ok(_) if tasks.len() == MAX_POSITIONS => {
                return Err(Failure::TooManyPositions {
                    limit: MAX_POSITIONS,
                });
            }
            Ok(task) => tasks.push(task),
            Err(error) => {
                let number = index + 1;
                first.get_or_insert_with(|| format!(": line {number}: {error}"));
                warn(&format!("{}:{number}: {error}", shown(file)));
                print(&reporter.unusable(file, number, &error))?;
            }
        }
    }
    if tasks.len() == before {
        return Err(Failure::NoPosition {
            file: file.to_owned(),
            reason: first.unwrap_or_default(),
        });
    }
    Ok(())
}

/// Searches one position; `None` if that was interrupted.
fn solve(task: &Task, analyst: &mut Analyst) -> Result<Option<Solving>, Failure> {
    let game = Game::new(task.position.clone());
    // The result must not depend on the positions before.
    analyst.new_game()?;
    let mut solution = None;
    let analysis = analyst.search(&game, |info| {
        if let Some(info) = info.filter(|it| it.bound != Bound::Upper && it.multipv == 1) {
            let found = task.is_solved(info.pv.first().copied(), info.score);
            solution = found.then(|| solution.take().unwrap_or_else(|| Effort::of(info)));
        }
        ControlFlow::Continue(())
    })?;
    let (best, score) = (analysis.best, analysis.info.score);
    Ok((!analysis.interrupted).then(|| Solving {
        best,
        score,
        effort: Effort::of(&analysis.info),
        solution: solution.filter(|_| task.is_solved(best, score)),
    }))
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::{Receiver, never, unbounded};

    use super::*;
    use crate::args::SearchArgs;

    fn analyst(depth: Option<u32>, interrupts: Receiver<()>) -> Analyst {
        let args = SearchArgs {
            depth,
            ..SearchArgs::default()
        };
        Analyst::new(&args, None, Environment::default(), interrupts).unwrap()
    }

    #[test]
    fn a_mate_is_found_and_the_way_to_it_measured() {
        let task = Task::parse(
            Variant::Standard,
            "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8; dm 1;",
        )
        .unwrap();
        let solving = solve(&task, &mut analyst(Some(4), never()))
            .unwrap()
            .unwrap();
        let solution = solving.solution.expect("it is solved");
        assert!(solution.nodes <= solving.effort.nodes);
        assert!(solution.depth >= 1 && solution.depth <= solving.effort.depth);
    }

    #[test]
    fn a_miss_has_no_solution() {
        let task = Task::parse(Variant::Standard, "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Kd2;").unwrap();
        let solving = solve(&task, &mut analyst(Some(4), never()))
            .unwrap()
            .unwrap();
        assert!(solving.solution.is_none());
    }

    #[test]
    fn an_interrupted_position_does_not_count() {
        let task = Task::parse(Variant::Standard, "6k1/5ppp/8/8/8/8/8/R3K3 b - - bm Kf8;").unwrap();
        let (sender, interrupts) = unbounded();
        sender.send(()).unwrap();
        assert!(
            solve(&task, &mut analyst(None, interrupts))
                .unwrap()
                .is_none()
        );
    }
}
