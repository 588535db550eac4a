//! Work that a front end wants done alongside searches, such as a benchmark.

use std::fmt::Debug;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::Event;
use crate::evaluation::Evaluation;
use crate::search::{STACK_SIZE, StopToken};

/// Work that may take a while and is not a search for a move. The engine lends it a thread, the
/// network in use and a stop token.
pub trait Errand: Debug + Send + Sync {
    /// Does the work on a thread with [`STACK_SIZE`] of stack, and returns the lines to report.
    /// After a stop it must drop the work and return at once.
    fn run(&self, evaluation: &Evaluation, stop: &Arc<StopToken>) -> Vec<String>;

    /// Whether it takes no time and little stack: then the engine's own thread runs it before the
    /// next command, unless other errands are pending.
    fn is_brief(&self) -> bool {
        false
    }
}

/// An errand on its way to the thread.
struct Order {
    errand: Arc<dyn Errand>,
    evaluation: Evaluation,
    stop: Arc<StopToken>,
}

/// A thread that runs errands, one after the other; there is none before the first that is not
/// brief.
pub(super) struct Errands {
    events: Sender<Event>,
    orders: Option<Sender<Order>>,
    /// Errands that the thread has not answered yet.
    pending: Arc<AtomicUsize>,
    /// Belongs to all errands since the last stop.
    stop: Arc<StopToken>,
}

impl Errands {
    /// None yet; their answers go to `events`.
    pub(super) fn new(events: Sender<Event>) -> Self {
        Self {
            events,
            orders: None,
            pending: Arc::default(),
            stop: Arc::default(),
        }
    }

    /// Runs an errand when those before it are done; a brief one at once if there are none.
    pub(super) fn run(&mut self, errand: Arc<dyn Errand>, evaluation: Evaluation) {
        if errand.is_brief() && self.pending.load(Ordering::Acquire) == 0 {
            let lines = errand.run(&evaluation, &self.stop);
            let _ = self.events.send(Event::Errand(lines));
            return;
        }
        let order = Order {
            errand,
            evaluation,
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
                let text = format!("cannot start a thread: {error}");
                let _ = self.events.send(Event::Errand(vec![text]));
            }
        }
    }

    /// Asks all errands given so far to end.
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

impl Drop for Errands {
    /// The thread answers its errands and ends. It is not waited for.
    fn drop(&mut self) {
        self.stop();
    }
}

fn start(events: Sender<Event>, pending: Arc<AtomicUsize>) -> io::Result<Sender<Order>> {
    let (sender, orders): (_, Receiver<Order>) = unbounded();
    thread::Builder::new()
        .name("errands".to_owned())
        .stack_size(STACK_SIZE)
        .spawn(move || {
            for order in orders {
                let lines = order.errand.run(&order.evaluation, &order.stop);
                // Without a listener, the engine is about to end.
                let _ = events.send(Event::Errand(lines));
                pending.fetch_sub(1, Ordering::Release);
            }
        })?;
    Ok(sender)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Longer than anything here takes, even on a busy machine.
    const PATIENCE: Duration = Duration::from_secs(30);

    /// Answers with its number; one without a number only after a stop. Large numbers are brief.
    #[derive(Debug)]
    struct Number(Option<u32>);

    const BRIEF: Option<u32> = Some(100);

    impl Errand for Number {
        fn run(&self, _evaluation: &Evaluation, stop: &Arc<StopToken>) -> Vec<String> {
            while self.0.is_none() && !stop.is_stopped() {
                thread::sleep(Duration::from_millis(1));
            }
            vec![format!("{:?}", self.0)]
        }

        fn is_brief(&self) -> bool {
            self.0 >= BRIEF
        }
    }

    fn errands(numbers: &[Option<u32>]) -> (Errands, Receiver<Event>) {
        let (sender, events) = unbounded();
        let mut errands = Errands::new(sender);
        for &number in numbers {
            errands.run(Arc::new(Number(number)), Evaluation::default());
        }
        (errands, events)
    }

    fn answer(events: &Receiver<Event>) -> String {
        match events.recv_timeout(PATIENCE).unwrap() {
            Event::Errand(lines) => lines.concat(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn errands_are_done_in_their_order() {
        let (_errands, events) = errands(&[Some(1), Some(2), Some(3)]);
        assert_eq!(
            [(); 3].map(|()| answer(&events)),
            ["Some(1)", "Some(2)", "Some(3)"]
        );
    }

    #[test]
    fn what_is_brief_is_done_at_once_but_overtakes_nothing() {
        let (_errands, events) = errands(&[BRIEF]);
        assert!(matches!(events.try_recv(), Ok(Event::Errand(_))));
        let (mut errands, events) = errands(&[None, BRIEF]);
        assert!(events.recv_timeout(Duration::from_millis(20)).is_err());
        errands.stop();
        assert_eq!(
            [(); 2].map(|()| answer(&events)),
            ["None".to_owned(), format!("{BRIEF:?}")]
        );
    }

    #[test]
    fn a_stop_is_for_the_errands_before_it() {
        let (mut errands, events) = errands(&[None, None]);
        errands.stop();
        errands.run(Arc::new(Number(None)), Evaluation::default());
        assert_eq!([(); 2].map(|()| answer(&events)), ["None", "None"]);
        assert!(events.recv_timeout(Duration::from_millis(20)).is_err());
        errands.stop();
        assert_eq!(answer(&events), "None");
    }

    #[test]
    fn the_end_is_a_stop_and_all_are_answered() {
        let (errands, events) = errands(&[None, Some(1)]);
        drop(errands);
        assert_eq!([(); 2].map(|()| answer(&events)), ["None", "Some(1)"]);
        assert!(
            events
                .recv_timeout(PATIENCE)
                .is_err_and(|it| it.is_disconnected())
        );
    }
}
