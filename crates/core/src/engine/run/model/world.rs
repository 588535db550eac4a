//! The engine with its search threads and its user.

use std::collections::VecDeque;
use std::mem::discriminant;
use std::time::{Duration, Instant};

use super::Ask::{
    self, Go, GoInfinite, GoPonder, Hash, NewGame, Pause, Ping, PonderHit, Quit, Resume, SetGame,
    Stop,
};
use super::Step;
use crate::book::{Book, position_key};
use crate::engine::options::{BookSetting, Setting};
use crate::engine::run::{Activity, Engine};
use crate::engine::{Command, Environment, Event};
use crate::game::Game;
use crate::position::Position;
use crate::search::{Clock, Limits, Players, Progress, Report, SearchId, SearchResult};
use crate::types::ColorMap;
use crossbeam_channel::{Receiver, unbounded};

/// Search threads.
pub(super) const THREADS: usize = 2;

/// An engine, its threads, and what is known from outside.
pub(super) struct World {
    /// The commands that may be sent, and how many of them; [`Quit`] always may.
    asks: &'static [Ask],
    commands: usize,
    pub(super) engine: Engine,
    pub(super) events: Receiver<Event>,
    pub(super) players: Players,
    /// How it got here.
    pub(super) path: Vec<Step>,
    /// All commands so far.
    pub(super) heard: Vec<Ask>,
    /// How many searches, and how many pings, have been answered.
    pub(super) answers: usize,
    pub(super) pongs: usize,
    /// Messages not yet delivered: the result of a thread, or `None` for a report.
    pub(super) under_way: VecDeque<Option<usize>>,
    pub(super) reported: bool,
    /// It was told to quit, and is done.
    pub(super) gone: bool,
}

/// The initial position, which is in the book, or the one after the first legal move.
pub(super) fn game(other: bool) -> Game {
    let mut game = Game::default();
    if other {
        game.play(game.position().legal_moves()[0]);
    }
    game
}

pub(super) fn mebibytes(changes: usize) -> usize {
    1 + changes % 2
}

fn book() -> Book {
    let start = Position::startpos();
    let mut entry = vec![0; 16];
    entry[..8].copy_from_slice(&position_key(&start).0.to_be_bytes());
    // From e2, in the three bits each of rank and file, to e4; and the weight.
    entry[8..10].copy_from_slice(&0o14_34_u16.to_be_bytes());
    entry[11] = 1;
    Book::from_bytes(entry).expect("it has an entry")
}

impl World {
    pub(super) fn new(asks: &'static [Ask], commands: usize) -> Self {
        let (pool, players) = Players::new(THREADS);
        let (sender, events) = unbounded();
        let mut engine =
            Engine::with_pool(sender, Environment::default(), pool).expect("memory for a table");
        engine.own_book.take_over("model".to_owned(), book());
        engine.own_book.set(BookSetting::Own(true));
        engine.own_book.set(BookSetting::Depth(1));
        Self {
            asks,
            commands,
            engine,
            events,
            players,
            path: Vec::new(),
            heard: Vec::new(),
            answers: 0,
            pongs: 0,
            under_way: VecDeque::new(),
            reported: false,
            gone: false,
        }
    }

    pub(super) fn count(&self, is_meant: impl Fn(Ask) -> bool) -> usize {
        self.heard.iter().filter(|&&ask| is_meant(ask)).count()
    }

    fn is_leaving(&self) -> bool {
        self.heard.last() == Some(&Quit)
    }

    /// Everything that can happen now.
    pub(super) fn steps(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        if self.gone {
            return steps;
        }
        if !self.is_leaving() {
            steps.push(Step::Hear(Quit));
            if self.heard.len() < self.commands {
                steps.extend(self.asks.iter().copied().map(Step::Hear));
            }
            if self.engine.deadline().is_some() {
                steps.push(Step::TimeIsUp);
            }
        }
        if !self.under_way.is_empty() {
            steps.push(Step::Deliver);
        }
        if self.players.job(0).is_some() && !self.reported {
            steps.push(Step::Report);
        }
        let at_work = (0..THREADS).filter(|&thread| self.players.job(thread).is_some());
        steps.extend(at_work.map(Step::Finish).collect::<Vec<_>>());
        steps
    }

    pub(super) fn take(&mut self, step: Step) {
        self.path.push(step);
        match step {
            Step::Hear(ask) => {
                let command = self.command(ask);
                self.heard.push(ask);
                match command {
                    Some(command) => self.engine.handle(command),
                    None => self.gone = !self.engine.is_owing(),
                }
            }
            Step::Deliver => {
                self.under_way.pop_front();
                let message = self.engine.pool.messages().try_recv();
                self.engine.accept(message.expect("it is under way"));
                if self.is_leaving() {
                    self.gone = !self.engine.is_owing();
                }
            }
            Step::TimeIsUp => self.engine.time_is_up(),
            Step::Report => {
                let position = self.players.job(0).expect("it works").position.clone();
                self.players.report(Report::CurrentMove(Progress {
                    depth: 1,
                    nodes: 1,
                    time: Duration::ZERO,
                    current_move: position.legal_moves()[0],
                    move_number: 1,
                    move_count: 1,
                }));
                self.reported = true;
                self.under_way.push_back(None);
            }
            Step::Finish(thread) => {
                let job = self.players.job(thread).expect("it works");
                let result = result(&job.position);
                self.players.finish(thread, result);
                self.under_way.push_back(Some(thread));
            }
        }
        self.listen();
        self.check();
    }

    fn command(&self, ask: Ask) -> Option<Command> {
        let clock = Some(Clock {
            remaining: Duration::from_secs(3_600),
            increment: Duration::ZERO,
        });
        let timed = Limits {
            clocks: ColorMap::new([clock; 2]),
            ..Limits::none(Instant::now())
        };
        let id = SearchId(self.count(Ask::is_go) as u64);
        let go = |limits| Command::Go(id, Box::new(limits));
        Some(match ask {
            Go => go(timed),
            GoPonder => go(Limits {
                ponder: true,
                ..timed
            }),
            GoInfinite => go(Limits {
                infinite: true,
                ..Limits::none(Instant::now())
            }),
            PonderHit => Command::PonderHit(Instant::now()),
            Stop => Command::Stop,
            Pause => Command::Pause,
            Resume => Command::Resume,
            Ping => Command::Ping(self.count(|ask| ask == Ping) as u64),
            Hash => {
                let changes = self.count(|ask| ask == Hash) + 1;
                Command::SetOption(Setting::Hash(mebibytes(changes)))
            }
            SetGame => {
                let other = !self.is_other_game(self.heard.len());
                Command::SetGame(Box::new(game(other)))
            }
            NewGame => Command::NewGame,
            Quit => return None,
        })
    }

    /// Everything that the future depends on.
    pub(super) fn state(&mut self) -> String {
        let job = self.engine.activity.job().map(|job| {
            let (shared, clock) = (&job.shared, &job.shared.clock);
            (
                matches!(self.engine.activity, Activity::Holding { .. }),
                (shared.stop.is_stopped(), shared.stop_requested()),
                (
                    shared.is_held(),
                    clock.is_pondering(),
                    clock.deadline().is_some(),
                ),
            )
        });
        // Commands before the oldest unanswered one no longer matter, except for what they changed.
        let mut pings = (0..self.heard.len()).filter(|&i| self.heard[i] == Ping);
        let open = self.asked().into_iter().chain(pings.nth(self.pongs)).min();
        let changes = [Hash, SetGame].map(|it| self.count(|ask| ask == it) % 2);
        let at_work = (0..THREADS).map(|thread| self.players.job(thread).is_some());
        let at_work: Vec<bool> = at_work.collect();
        let waiting: Vec<_> = self.engine.waiting.iter().map(discriminant).collect();
        let last = self.heard.len();
        format!(
            "{last} {job:?} {waiting:?} {:?} {:?} {changes:?} {at_work:?} {:?} {} {} {}",
            self.engine.deferred,
            &self.heard[open.unwrap_or(last)..],
            self.under_way,
            self.reported,
            self.gone,
            self.is_leaving(),
        )
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // With thousands of worlds, idle threads are not waited for.
        Players::dismiss(&mut self.engine.pool);
    }
}

fn result(position: &Position) -> SearchResult {
    let best = position.legal_moves()[0];
    SearchResult {
        best: Some(best),
        depth: 1,
        seldepth: 1,
        nodes: 1,
        pv: vec![best],
        ..SearchResult::default()
    }
}
