//! The tasks in the order of their commands, and the thread that does them.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::{Event, Task, TaskError};
use crate::evaluation::Evaluation;
use crate::position::Position;
use crate::search::{STACK_SIZE, StopToken};

/// How many tasks may wait; more than anybody asks for who does not want to fill the memory.
const MAX_PENDING: usize = 4_096;

/// A task on its way to the thread.
struct Order {
    task: Task,
    position: Position,
    evaluation: Evaluation,
    stop: Arc<StopToken>,
}

/// Does tasks, one after the other: brief ones at once if none is pending, all others on a thread,
/// which is started for the first of them.
pub(super) struct TaskQueue {
    events: Sender<Event>,
    orders: Option<Sender<Order>>,
    /// Tasks that the thread has not answered yet.
    pending: Arc<AtomicUsize>,
    /// Belongs to all tasks since the last stop.
    stop: Arc<StopToken>,
}

impl TaskQueue {
    /// None yet; their results go to `events`.
    pub(super) fn new(events: Sender<Event>) -> Self {
        Self {
            events,
            orders: None,
            pending: Arc::default(),
            stop: Arc::default(),
        }
    }

    /// Does a task when those before it are done, unless [`MAX_PENDING`] are not.
    pub(super) fn run(&mut self, task: Task, position: &Position, evaluation: &Evaluation) {
        let waiting = self.pending.load(Ordering::Acquire);
        if task.is_brief() && waiting == 0 {
            let result = task.run(position, || evaluation.clone(), &self.stop);
            let _ = self.events.send(Event::Task(result));
            return;
        }
        if waiting >= MAX_PENDING {
            let refusal = Err(TaskError::TooMany(waiting));
            let _ = self.events.send(Event::Task(refusal));
            return;
        }
        let order = Order {
            task,
            position: match task {
                // It may be a repetition.
                Task::Position => position.clone(),
                _ => position.without_history(),
            },
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

impl Drop for TaskQueue {
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
                let evaluation = || order.evaluation;
                let result = order.task.run(&order.position, evaluation, &order.stop);
                // Without a listener, the engine is about to end.
                let _ = events.send(Event::Task(result));
                pending.fetch_sub(1, Ordering::Release);
            }
        })?;
    Ok(sender)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::{Perft, TaskResult};

    /// Longer than anything here takes, even on a busy machine.
    const PATIENCE: Duration = Duration::from_secs(30);
    /// Does not end before a stop.
    const ENDLESS: Task = Task::Perft(13);
    const SHORT: Task = Task::Perft(1);
    const BRIEF: Task = Task::Position;

    fn run(tasks: &mut TaskQueue, task: Task) {
        tasks.run(task, &Position::startpos(), &Evaluation::default());
    }

    fn tasks(all: &[Task]) -> (TaskQueue, Receiver<Event>) {
        let (sender, events) = unbounded();
        let mut tasks = TaskQueue::new(sender);
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
            Ok(Event::Task(Ok(TaskResult::Bench(bench)))) if bench.is_complete => "bench",
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
    fn no_more_wait_than_may() {
        let (mut tasks, events) = tasks(&vec![ENDLESS; MAX_PENDING]);
        run(&mut tasks, BRIEF);
        let refusal = events.recv_timeout(PATIENCE);
        assert!(
            matches!(
                refusal,
                Ok(Event::Task(Err(TaskError::TooMany(MAX_PENDING))))
            ),
            "{refusal:?}"
        );
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
}
