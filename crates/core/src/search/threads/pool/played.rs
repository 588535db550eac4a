//! A pool whose threads are played by a test: it sees their orders and sends their messages, in any
//! order it likes.

use std::collections::VecDeque;
use std::thread;

use super::{Job, Message, Order, Pool, Report, SearchResult, Thread};
use crate::evaluation::{Evaluation, Material};
use crossbeam_channel::{Receiver, Sender, unbounded};

/// The played threads.
pub(crate) struct Players {
    inboxes: Vec<Receiver<Order>>,
    /// The unfinished searches that each has been given, oldest first.
    jobs: Vec<VecDeque<Job>>,
    outbox: Sender<Message>,
}

impl Players {
    /// A pool and its played threads.
    pub(crate) fn new(threads: usize) -> (Pool, Self) {
        let mut pool = Pool::without_threads(Evaluation::Material(Material::default()));
        let mut inboxes = Vec::new();
        for _ in 0..threads {
            let (orders, inbox) = unbounded();
            let handle = thread::spawn(|| {});
            pool.threads.push(Thread { orders, handle });
            inboxes.push(inbox);
        }
        let players = Self {
            inboxes,
            jobs: (0..threads).map(|_| VecDeque::new()).collect(),
            outbox: pool.sender.clone(),
        };
        (pool, players)
    }

    /// Lets the threads of a pool go without waiting for them at its end.
    pub(crate) fn dismiss(pool: &mut Pool) {
        pool.threads.clear();
    }

    /// The current search of a thread.
    pub(crate) fn job(&mut self, thread: usize) -> Option<&Job> {
        let orders = self.inboxes[thread].try_iter();
        self.jobs[thread].extend(orders.filter_map(|order| match order {
            Order::Search(job) => Some(*job),
            Order::NewGame | Order::SetEvaluation(_) => None,
        }));
        self.jobs[thread].front()
    }

    /// The main thread reports something.
    pub(crate) fn report(&self, report: Report) {
        self.send(Message::Report(report));
    }

    /// A thread ends its search as real ones do: the main one stops the others, and all let go of
    /// the table first.
    pub(crate) fn finish(&mut self, thread: usize, result: SearchResult) {
        if let Some(job) = self.jobs[thread].pop_front()
            && thread == 0
        {
            job.shared.stop.stop();
        }
        self.send(Message::Result { thread, result });
    }

    fn send(&self, message: Message) {
        self.outbox.send(message).expect("the pool listens");
    }
}
