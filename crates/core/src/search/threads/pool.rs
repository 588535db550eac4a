//! The search threads: started once, kept from search to search, and voting on the result.

#[cfg(test)]
pub(crate) mod played;

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use super::groups;
use super::player::Player;
use super::shared::Shared;
use super::vote::vote;
use super::worker::SearchResult;
use crate::evaluation::Evaluation;
use crate::position::Position;
use crate::search::memory::{RESERVE, available, can_allocate};
use crate::search::report::{Report, SearchId};

/// Stack of a search thread in bytes: the deepest search needs less than a quarter of it.
pub const STACK_SIZE: usize = 16 << 20;

/// Memory in bytes that must be available for another thread: its stack, the address space that
/// some systems reserve for a thread's allocations, its histories, and the reserve for the rest.
const THREAD_MEMORY: usize = STACK_SIZE + (128 << 20) + RESERVE;

/// The most memory in bytes that a thread takes as it searches.
const GROWTH: usize = 1 << 20;

/// Memory in bytes that a thread has used in the end: its histories and a part of its stack.
const THREAD_USE: usize = 12 << 20;

#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub id: SearchId,
    pub shared: Arc<Shared>,
    pub position: Position,
}

/// What an idle thread may be told to do.
enum Order {
    Search(Box<Job>),
    NewGame,
    SetEvaluation(Evaluation),
}

/// News from the threads.
#[derive(Debug)]
pub(crate) enum Message {
    /// From the main thread of the running search.
    Report(Report),
    /// A thread has ended its search: for [`Pool::collect`].
    Result {
        /// Which thread's: 0 for the main one.
        thread: usize,
        result: SearchResult,
    },
}

struct Thread {
    orders: Sender<Order>,
    handle: JoinHandle<()>,
}

/// A set of search threads. Only one search runs at a time.
pub(crate) struct Pool {
    threads: Vec<Thread>,
    messages: Receiver<Message>,
    /// Handed to every thread; kept so that the channel stays open while threads come and go.
    sender: Sender<Message>,
    evaluation: Evaluation,
    /// Results of the running search so far that count, each with the number of its thread, and how
    /// many threads are still searching.
    results: Vec<(usize, SearchResult)>,
    searching: usize,
    /// Whether all threads vote on the move. With several lines, the answer is the first of those
    /// shown, which are the main thread's.
    votes: bool,
    /// The depth in plies that ends the search. If the main thread has reached it, its result is
    /// what was asked for.
    depth: Option<u32>,
}

impl Pool {
    /// A pool of this many threads, at least one. If the system refuses some of them, the pool
    /// has fewer.
    ///
    /// # Errors
    ///
    /// If the system refuses even the first: without any, no search would end.
    pub(crate) fn new(threads: usize, evaluation: Evaluation) -> io::Result<Self> {
        let mut pool = Self::without_threads(evaluation);
        pool.threads.push(pool.spawn(0)?);
        pool.resize(threads);
        Ok(pool)
    }

    fn without_threads(evaluation: Evaluation) -> Self {
        let (sender, messages) = unbounded();
        Self {
            threads: Vec::new(),
            messages,
            sender,
            evaluation,
            results: Vec::new(),
            searching: 0,
            votes: true,
            depth: None,
        }
    }

    pub(crate) fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Starts or ends threads until there are this many, at least one. No search may be running.
    pub(crate) fn resize(&mut self, threads: usize) {
        for thread in self.threads.drain(threads.max(1).min(self.threads.len())..) {
            thread.join();
        }
        let left = available().map(|bytes| bytes.saturating_sub(RESERVE) / THREAD_USE);
        let most = left.map_or(usize::MAX, |left| self.threads.len() + left);
        while self.threads.len() < threads.max(1) {
            if self.threads.len() >= most.max(1)
                || !can_allocate(THREAD_MEMORY + self.threads.len() * GROWTH)
            {
                log::error!("no memory for another search thread");
                break;
            }
            match self.spawn(self.threads.len()) {
                Ok(thread) => self.threads.push(thread),
                Err(error) => {
                    log::error!("cannot start search thread: {error}");
                    break;
                }
            }
        }
    }

    fn spawn(&self, index: usize) -> io::Result<Thread> {
        let (orders, inbox) = unbounded();
        let outbox = self.sender.clone();
        let reports = self.sender.clone();
        let evaluation = self.evaluation.clone();
        let (ready, is_ready) = bounded::<()>(0);
        let handle = thread::Builder::new()
            .name(format!("search-{index}"))
            .stack_size(STACK_SIZE)
            .spawn(move || {
                groups::join(index);
                let report = Arc::new(move |report| {
                    let _ = reports.send(Message::Report(report));
                });
                let player = Player::new(index, evaluation, report);
                drop(ready);
                serve(player, &inbox, &outbox);
            })?;
        // The dropped sender is the signal: the thread has its memory; `can_allocate` sees the
        // rest.
        let _ = is_ready.recv();
        Ok(Thread { orders, handle })
    }

    pub(crate) fn new_game(&self) {
        self.order(|| Order::NewGame);
    }

    pub(crate) fn set_evaluation(&mut self, evaluation: &Evaluation) {
        self.evaluation = evaluation.clone();
        self.order(|| Order::SetEvaluation(evaluation.clone()));
    }

    /// Begins a search on as many threads as it has counters for, if there are that many; it ends
    /// when [`Pool::collect`] has the result of every thread.
    pub(crate) fn search(&mut self, job: &Job) {
        self.results.clear();
        self.searching = job.shared.threads().min(self.threads.len());
        self.votes = job.shared.lines() == 1;
        self.depth = job.shared.limits.depth;
        for thread in &self.threads[..self.searching] {
            thread.order(Order::Search(Box::new(job.clone())));
        }
    }

    fn order(&self, make: impl Fn() -> Order) {
        for thread in &self.threads {
            thread.order(make());
        }
    }

    /// Where the threads' messages arrive.
    pub(crate) fn messages(&self) -> &Receiver<Message> {
        &self.messages
    }

    /// Takes the result of a thread; returns what all have agreed on once it is the last.
    pub(crate) fn collect(&mut self, thread: usize, result: SearchResult) -> Option<SearchResult> {
        if self.votes || thread == 0 {
            self.results.push((thread, result));
        }
        self.searching -= 1;
        (self.searching == 0).then(|| self.decide())
    }

    /// The result of the search that has ended.
    fn decide(&mut self) -> SearchResult {
        let mut results = std::mem::take(&mut self.results);
        let is_asked_for = |(thread, result): &(usize, SearchResult)| {
            *thread == 0 && self.depth.is_some_and(|depth| result.depth >= depth)
        };
        if results.iter().any(is_asked_for) {
            results.retain(is_asked_for);
        }
        vote(results.into_iter().map(|(_, result)| result).collect())
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for thread in self.threads.drain(..) {
            thread.join();
        }
    }
}

impl Thread {
    fn order(&self, order: Order) {
        // A thread listens until its sender is dropped.
        let _ = self.orders.send(order);
    }

    fn join(self) {
        drop(self.orders);
        if self.handle.join().is_err() {
            log::error!("a search thread has panicked");
        }
    }
}

fn serve(mut player: Player, orders: &Receiver<Order>, messages: &Sender<Message>) {
    for order in orders {
        match order {
            Order::NewGame => player.new_game(),
            Order::SetEvaluation(evaluation) => player.set_evaluation(evaluation),
            Order::Search(job) => {
                let result = player.search(&job.position, &job.shared);
                // The receiver of the last result may change the table: drop this reference first.
                drop(job);
                let thread = player.index;
                let _ = messages.send(Message::Result { thread, result });
            }
        }
    }
}
