//! Work beside searches: what people ask about the current position, perft and the benchmark.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use thiserror::Error;

use super::Event;
use crate::bench::{self, BenchResult};
use crate::evaluation::{Evaluation, Evaluator};
use crate::perft;
use crate::position::Position;
use crate::search::{AllocationError, STACK_SIZE, StopToken};
use crate::types::{Move, Score};

/// Something to do or to tell beside searches, about a position and with a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Tell the position.
    Position,
    /// Evaluate the position without searching.
    Evaluation,
    /// Tell which network is in use.
    Network,
    /// Count the move paths of this length in plies.
    Perft(u32),
    /// Run the benchmark to this depth in plies.
    Bench(u32),
}

/// What has come of a [`Task`].
#[derive(Clone, Debug)]
pub enum TaskResult {
    /// The position.
    Position(Box<Position>),
    /// The static evaluation, from White's side.
    Evaluation(Score),
    /// The network in a few words.
    Network(String),
    /// The number of move paths.
    Perft(Perft),
    /// The benchmark; incomplete after a stop.
    Bench(BenchResult),
}

/// The move paths of a position.
#[derive(Clone, Debug)]
pub struct Perft {
    /// Where they begin.
    pub position: Box<Position>,
    /// How many begin with each move; empty for the path without a move.
    pub divided: Vec<(Move, u64)>,
    /// How many there are; `None` after a stop.
    pub total: Option<u64>,
    /// How long it took to count them.
    pub time: Duration,
}

/// Why a task was not done.
#[derive(Clone, Copy, Debug, Error)]
pub enum TaskError {
    /// It needs a thread with more stack than others have.
    #[error("cannot start a thread: {0}")]
    Thread(io::ErrorKind),
    /// The benchmark needs a table.
    #[error(transparent)]
    Table(#[from] AllocationError),
}

impl From<io::Error> for TaskError {
    fn from(error: io::Error) -> Self {
        Self::Thread(error.kind())
    }
}

impl Task {
    /// Does the work, or as much of it as it can before a stop. Perft and the benchmark want a
    /// thread with [`STACK_SIZE`] of stack.
    ///
    /// # Errors
    ///
    /// If the benchmark lacks memory.
    pub fn run(
        self,
        position: &Position,
        evaluation: &Evaluation,
        stop: &Arc<StopToken>,
    ) -> Result<TaskResult, TaskError> {
        Ok(match self {
            Self::Position => TaskResult::Position(Box::new(position.clone())),
            Self::Evaluation => {
                let mut evaluator = Evaluator::new(evaluation.clone());
                evaluator.reset(position);
                let score = evaluator.evaluate(position);
                TaskResult::Evaluation(score.white_relative(position.side_to_move()))
            }
            Self::Network => TaskResult::Network(match evaluation {
                Evaluation::Network(network) => network.describe(),
                Evaluation::Material(_) => "none".to_owned(),
            }),
            Self::Perft(depth) => TaskResult::Perft(count(position, depth, stop)),
            Self::Bench(depth) => TaskResult::Bench(bench::run(depth, evaluation, stop)?),
        })
    }

    /// Whether it takes no time and little stack.
    fn is_brief(self) -> bool {
        !matches!(self, Self::Perft(_) | Self::Bench(_))
    }
}

fn count(position: &Position, depth: u32, stop: &StopToken) -> Perft {
    let start = Instant::now();
    let (divided, total) = if depth == 0 {
        (Vec::new(), Some(1))
    } else {
        let counts = perft::divide(&mut position.clone(), depth, &|| stop.is_stopped());
        let is_complete = counts.len() == position.count_legal_moves();
        let total = counts.iter().map(|&(_, count)| count).sum();
        (counts, is_complete.then_some(total))
    };
    Perft {
        position: Box::new(position.clone()),
        divided,
        total,
        time: start.elapsed(),
    }
}

/// A task on its way to the thread.
struct Order {
    task: Task,
    position: Position,
    evaluation: Evaluation,
    stop: Arc<StopToken>,
}

/// Does tasks, one after the other: brief ones at once if none is pending, all others on a thread,
/// which is started for the first of them.
pub(super) struct Tasks {
    events: Sender<Event>,
    orders: Option<Sender<Order>>,
    /// Tasks that the thread has not answered yet.
    pending: Arc<AtomicUsize>,
    /// Belongs to all tasks since the last stop.
    stop: Arc<StopToken>,
}

impl Tasks {
    /// None yet; their results go to `events`.
    pub(super) fn new(events: Sender<Event>) -> Self {
        Self {
            events,
            orders: None,
            pending: Arc::default(),
            stop: Arc::default(),
        }
    }

    /// Does a task when those before it are done.
    pub(super) fn run(&mut self, task: Task, position: &Position, evaluation: &Evaluation) {
        if task.is_brief() && self.pending.load(Ordering::Acquire) == 0 {
            let result = task.run(position, evaluation, &self.stop);
            let _ = self.events.send(Event::Task(result));
            return;
        }
        let order = Order {
            task,
            position: position.clone(),
            evaluation: evaluation.clone(),
            stop: Arc::clone(&self.stop),
        };
        let pending = Arc::clone(&self.pending);
        match self.orders() {
            // The thread listens until this sender is dropped.
            Ok(orders) => {
                pending.fetch_add(1, Ordering::Relaxed);
                drop(orders.send(order));
            }
            Err(error) => {
                let _ = self.events.send(Event::Task(Err(error.into())));
            }
        }
    }

    /// Asks all tasks given so far to end.
    pub(super) fn stop(&mut self) {
        std::mem::take(&mut self.stop).stop();
    }

    fn orders(&mut self) -> io::Result<&Sender<Order>> {
        let orders = match self.orders.take() {
            Some(orders) => orders,
            None => start(self.events.clone(), Arc::clone(&self.pending))?,
        };
        Ok(self.orders.insert(orders))
    }
}

impl Drop for Tasks {
    /// The thread answers its tasks and ends. It is not waited for.
    fn drop(&mut self) {
        self.stop();
    }
}

fn start(events: Sender<Event>, pending: Arc<AtomicUsize>) -> io::Result<Sender<Order>> {
    let (sender, orders): (_, Receiver<Order>) = unbounded();
    thread::Builder::new()
        .name("tasks".to_owned())
        .stack_size(STACK_SIZE)
        .spawn(move || {
            for order in orders {
                let result = order
                    .task
                    .run(&order.position, &order.evaluation, &order.stop);
                // Without a listener, the engine is about to end.
                let _ = events.send(Event::Task(result));
                pending.fetch_sub(1, Ordering::Release);
            }
        })?;
    Ok(sender)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Longer than anything here takes, even on a busy machine.
    const PATIENCE: Duration = Duration::from_secs(30);
    /// Does not end before a stop.
    const ENDLESS: Task = Task::Perft(13);
    const SHORT: Task = Task::Perft(1);
    const BRIEF: Task = Task::Position;

    fn run(tasks: &mut Tasks, task: Task) {
        tasks.run(task, &Position::startpos(), &Evaluation::default());
    }

    fn tasks(all: &[Task]) -> (Tasks, Receiver<Event>) {
        let (sender, events) = unbounded();
        let mut tasks = Tasks::new(sender);
        for &task in all {
            run(&mut tasks, task);
        }
        (tasks, events)
    }

    fn answer(events: &Receiver<Event>) -> &'static str {
        match events.recv_timeout(PATIENCE) {
            Ok(Event::Task(Ok(TaskResult::Perft(Perft { total: None, .. })))) => "stopped",
            Ok(Event::Task(Ok(TaskResult::Perft(Perft {
                total: Some(20), ..
            })))) => "counted",
            Ok(Event::Task(Ok(TaskResult::Bench(bench)))) if bench.is_complete() => "bench",
            Ok(Event::Task(Ok(TaskResult::Position(_)))) => "position",
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn tasks_are_done_in_their_order() {
        let (_tasks, events) = tasks(&[SHORT, Task::Bench(1), SHORT, BRIEF]);
        assert_eq!(
            [(); 4].map(|()| answer(&events)),
            ["counted", "bench", "counted", "position"]
        );
    }

    #[test]
    fn what_is_brief_is_done_at_once_but_overtakes_nothing() {
        let (_tasks, events) = tasks(&[BRIEF]);
        assert!(matches!(events.try_recv(), Ok(Event::Task(_))));
        let (mut tasks, events) = tasks(&[ENDLESS, BRIEF]);
        assert!(events.recv_timeout(Duration::from_millis(20)).is_err());
        tasks.stop();
        assert_eq!([(); 2].map(|()| answer(&events)), ["stopped", "position"]);
    }

    #[test]
    fn a_stop_is_for_the_tasks_before_it() {
        let (mut tasks, events) = tasks(&[ENDLESS, ENDLESS]);
        tasks.stop();
        run(&mut tasks, ENDLESS);
        assert_eq!([(); 2].map(|()| answer(&events)), ["stopped"; 2]);
        assert!(events.recv_timeout(Duration::from_millis(20)).is_err());
        tasks.stop();
        assert_eq!(answer(&events), "stopped");
    }

    #[test]
    fn the_end_is_a_stop_and_all_are_answered() {
        let (tasks, events) = tasks(&[ENDLESS, SHORT]);
        drop(tasks);
        // The second begins after the stop, but may be too short to notice.
        assert_eq!(answer(&events), "stopped");
        assert!(matches!(answer(&events), "stopped" | "counted"));
        let end = events.recv_timeout(PATIENCE);
        assert!(end.is_err_and(|it| it.is_disconnected()));
    }

    #[test]
    fn the_path_without_a_move_is_counted() {
        let perft = count(&Position::startpos(), 0, &StopToken::default());
        assert_eq!((perft.divided.len(), perft.total), (0, Some(1)));
    }
}
