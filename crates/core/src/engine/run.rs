//! The engine thread: takes commands in order, hands searches to the pool and never blocks on
//! one.

#[cfg(test)]
mod model;
mod set_option;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, at, never, select};
use thiserror::Error;

use super::experience::{self, Experience, ExperienceError};
use super::loading::{LATER_PATIENCE, Loaded, Loading, PATIENCE};
use super::options::Setting;
use super::own_book::OwnBook;
use super::settings::Settings;
use super::status::StatusTimer;
use super::task_queue::TaskQueue;
use super::{Command, Environment, Event};
use crate::evaluation::Evaluation;
use crate::game::Game;
use crate::search::{
    AllocationError, Job, LagMeter, Limits, Message, Pool, PositionValues, Report, SearchId,
    SearchInfo, SearchResult, Shared, TranspositionTable,
};
use crate::types::Move;

/// Commands that may be under way to the engine; who sends more has to wait. As many more may wait
/// within it for a search to end.
pub(super) const WAITING_COMMANDS: usize = 512;

/// Why the engine could not start.
#[derive(Debug, Error)]
pub enum StartError {
    /// Not even the smallest transposition table could be allocated.
    #[error(transparent)]
    Table(#[from] AllocationError),
    /// The engine's own thread, or the first search thread.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] io::Error),
}

enum Activity {
    Idle,
    Searching(Job),
    /// A search has ended, but its answer must wait for a stop or a ponder hit.
    Holding {
        job: Job,
        result: SearchResult,
        time: Duration,
    },
}

impl Activity {
    fn job(&self) -> Option<&Job> {
        match self {
            Self::Idle => None,
            Self::Searching(job) | Self::Holding { job, .. } => Some(job),
        }
    }
}

pub(super) struct Engine {
    events: Sender<Event>,
    environment: Environment,
    pool: Pool,
    tt: Arc<TranspositionTable>,
    game: Game,
    settings: Settings,
    /// The values that users have given to positions; a running search keeps those it began with.
    values: Arc<PositionValues>,
    /// The file of the network in use; empty for the embedded one.
    network_name: String,
    own_book: OwnBook,
    experience: Experience,
    activity: Activity,
    /// The last line that the running search has reported.
    reported: Option<SearchInfo>,
    tasks: TaskQueue,
    /// Commands that wait until the running search has ended, oldest first.
    waiting: VecDeque<Command>,
    status_timer: StatusTimer,
    lag_meter: LagMeter,
    /// Option changes that cannot be made during a search, oldest first.
    deferred: VecDeque<Setting>,
    /// What a search that has been told to end did without; it goes on being read, and is waited for when
    /// that search has ended.
    postponed: VecDeque<Loading>,
    /// What is being read for an option. No later command is carried out before it is there, except
    /// those that a running search must not wait for.
    loading: Option<Loading>,
    /// Whether a file has been given up for which the commands have waited that still wait.
    has_lost_patience: bool,
    /// What a draw is worth to White, in centipawns, in the scores of the table.
    draw_for_white: i32,
}

impl Engine {
    pub(super) fn new(events: Sender<Event>, environment: Environment) -> Result<Self, StartError> {
        let pool = Pool::new(1, Evaluation::standard(environment.level))?;
        let mut engine = Self::with_pool(events, environment, pool)?;
        for setting in super::options::defaults() {
            engine.set_option(setting);
        }
        Ok(engine)
    }

    /// An engine with these search threads, whose options have not been set.
    fn with_pool(
        events: Sender<Event>,
        environment: Environment,
        pool: Pool,
    ) -> Result<Self, AllocationError> {
        Ok(Self {
            own_book: OwnBook::new(events.clone(), environment.seed),
            tasks: TaskQueue::new(events.clone()),
            events,
            pool,
            experience: Experience::new(environment.folder.clone()),
            environment,
            tt: Arc::new(TranspositionTable::new(1)?),
            game: Game::default(),
            settings: Settings::default(),
            values: Arc::default(),
            network_name: String::new(),
            activity: Activity::Idle,
            reported: None,
            waiting: VecDeque::new(),
            status_timer: StatusTimer::default(),
            lag_meter: LagMeter::default(),
            deferred: VecDeque::new(),
            postponed: VecDeque::new(),
            loading: None,
            has_lost_patience: false,
            draw_for_white: 0,
        })
    }

    pub(super) fn run(mut self, commands: &Receiver<Command>) {
        let none = never();
        loop {
            // Who sends more than can be done waits, instead of filling the memory.
            let is_behind = self.waiting.len() >= WAITING_COMMANDS;
            select! {
                recv(if is_behind { &none } else { commands }) -> command => match command {
                    Ok(Command::Quit) | Err(_) => break,
                    Ok(command) => self.handle(command),
                },
                recv(self.pool.messages()) -> message => {
                    if let Ok(message) = message {
                        self.accept(message);
                    }
                }
                recv(self.loaded()) -> loaded => match loaded {
                    Ok(loaded) => self.finish_loading(loaded),
                    Err(_) => self.give_up_loading(),
                },
                recv(self.patience()) -> _ => self.lose_patience(),
                recv(self.timer()) -> _ => self.time_is_up(),
                recv(self.status_timer.ticks()) -> _ => self.tell_status(),
            }
        }
        while self.is_owing()
            && let Ok(message) = self.pool.messages().recv()
        {
            self.accept(message);
        }
    }

    /// Answers all that can be answered at once, doing without files that are not there yet; says
    /// whether a search is left, which has been told to end.
    fn is_owing(&mut self) -> bool {
        loop {
            self.stop();
            match self.activity {
                Activity::Searching(_) => return true,
                Activity::Holding { .. } => {}
                Activity::Idle if self.waiting.is_empty() => return false,
                Activity::Idle => self.give_up_loading(),
            }
        }
    }

    /// Fires when the running search must end. The main search thread watches the clock too, but
    /// on a busy machine it may not get to it in time; this thread sleeps and is woken at once.
    fn timer(&self) -> Receiver<Instant> {
        self.deadline().map_or_else(never, at)
    }

    /// When the running search must end, unless it has been told to, or when the answer of one that
    /// has ended is due.
    fn deadline(&self) -> Option<Instant> {
        match &self.activity {
            Activity::Searching(job) if !job.shared.stop.is_stopped() => {
                job.shared.clock.deadline()
            }
            Activity::Holding { job, .. } => job.shared.clock.due(),
            _ => None,
        }
    }

    fn tell_status(&self) {
        if let Activity::Searching(job) = &self.activity {
            let status = self.status_timer.status(&job.shared);
            self.send(Event::Search(job.id, Report::Status(status)));
            let lines = job.shared.current_lines();
            if !lines.is_empty() {
                self.send(Event::Search(job.id, Report::CurrentLines(lines)));
            }
        }
    }

    fn time_is_up(&mut self) {
        if let Activity::Searching(job) = &self.activity {
            job.shared.stop.stop();
        }
        self.release_if_due();
    }

    /// Where the files arrive that are being read.
    fn loaded(&self) -> Receiver<Loaded> {
        let loading = self.loading.as_ref();
        loading.map_or_else(never, |loading| loading.loaded.clone())
    }

    /// Fires when commands have waited long for what is being read.
    fn patience(&mut self) -> Receiver<Instant> {
        self.has_lost_patience &= !self.waiting.is_empty();
        let patience = if self.has_lost_patience {
            LATER_PATIENCE
        } else {
            PATIENCE
        };
        match &mut self.loading {
            Some(loading) if !self.waiting.is_empty() => at(loading.deadline(patience)),
            _ => never(),
        }
    }

    /// Gives up what is being read, unless some of it has arrived meanwhile.
    fn lose_patience(&mut self) {
        if let Some(loading) = &mut self.loading
            && !loading.still_comes()
        {
            self.has_lost_patience = true;
            self.give_up_loading();
        }
    }

    /// Uses what was read; then does what had to wait for it.
    fn finish_loading(&mut self, loaded: Loaded) {
        self.loading = None;
        self.take_loaded(loaded);
        self.resume();
    }

    /// Gives up what is being read; then does what had to wait for it.
    fn give_up_loading(&mut self) {
        if let Some(mut loading) = self.loading.take() {
            self.send(loading.missed("doing without"));
        }
        self.resume();
    }

    /// Whether a stop waits for files that is meant for a search: one that runs, or waits before it.
    fn has_waiting_stop(&self) -> bool {
        let is_go = |command: &&Command| matches!(command, Command::Go(..));
        let is_stop = |command: &Command| matches!(command, Command::Stop);
        let is_busy = self.is_busy();
        let mut after_go = self.waiting.iter().skip_while(|it| !is_busy && !is_go(it));
        after_go.any(is_stop)
    }

    /// Executes a command, or queues it if others already wait.
    fn handle(&mut self, command: Command) {
        let of_search = matches!(
            command,
            Command::Stop
                | Command::PonderHit(_)
                | Command::Pause
                | Command::Resume
                | Command::Progress
        );
        // What it may be meant for.
        let begins = |command: &Command| {
            matches!(
                command,
                Command::Go(..) | Command::NewGame | Command::Task(_)
            )
        };
        let waits = if self.loading.is_some() {
            !of_search || self.waiting.iter().any(begins)
        } else {
            !self.waiting.is_empty()
        };
        if waits {
            self.waiting.push_back(command);
            if self.has_waiting_stop() {
                self.resume();
            }
        } else {
            self.execute(command);
        }
    }

    fn execute(&mut self, command: Command) {
        // A ping too, so that the first move takes no longer than the next.
        let needs_files = matches!(command, Command::Go(..) | Command::Ping(_));
        if needs_files && !self.is_busy() && self.opens_experience() {
            return self.waiting.push_front(command);
        }
        match command {
            Command::Go(..) | Command::NewGame if self.is_busy() => {
                self.waiting.push_front(command);
                self.stop();
            }
            // Settings wait for the end of the search, and who stops it for all that came before.
            Command::Ping(_) if self.is_stopping() && !self.deferred.is_empty() => {
                self.waiting.push_front(command);
            }
            Command::Go(id, limits) => self.go(id, *limits),
            Command::NewGame => self.new_game(),
            Command::SetGame(game) => self.game = *game,
            Command::PonderHit(at) => self.ponder_hit(at),
            Command::Stop => {
                self.tasks.stop();
                self.stop();
            }
            Command::Pause => self.pause(),
            Command::Resume => self.end_pause(),
            Command::SetOption(setting) => self.set_option(setting),
            Command::SetValue(change) => self.set_value(change),
            Command::Ping(number) => self.send(Event::Pong(number)),
            Command::Progress => self.tell_progress(),
            Command::ShowBook(position) => self.own_book.show(&position),
            Command::Task(task) => {
                let position = self.game.position();
                self.tasks.run(task, position, self.pool.evaluation());
            }
            // Never gets here: the loop in `run` ends on it.
            Command::Quit => {}
        }
    }

    /// Whether a search runs that has been told to end.
    fn is_stopping(&self) -> bool {
        let job = self.activity.job();
        job.is_some_and(|job| job.shared.stop_requested())
    }

    fn is_busy(&self) -> bool {
        !matches!(self.activity, Activity::Idle)
    }

    fn send(&self, event: Event) {
        // Without a listener, the engine is about to end.
        let _ = self.events.send(event);
    }

    fn tell_progress(&self) {
        let job = self.activity.job();
        let mut progress = job.and_then(|job| Some((job.id, job.shared.progress()?)));
        if let (Activity::Holding { time, .. }, Some((_, progress))) =
            (&self.activity, &mut progress)
        {
            progress.time = *time;
        }
        self.send(Event::Progress(progress));
    }

    fn complain(&self, outcome: Result<(), ExperienceError>) {
        if let Err(error) = outcome {
            self.send(Event::Notice(error.to_string()));
        }
    }

    fn go(&mut self, id: SearchId, mut limits: Limits) {
        let position = self.game.position().clone();
        let side = position.side_to_move();
        let mut settings = self.settings.apply(&mut limits, &position);
        // While the opponent thinks, the front end can only guess what our clock will say.
        if !limits.ponder {
            self.lag_meter
                .read(&limits, &position, settings.overhead.reserved);
        }
        settings.overhead.measured = self.lag_meter.lag();
        self.forget_other_draws(settings, side);
        if let Some(tt) = Arc::get_mut(&mut self.tt) {
            tt.new_search();
        }
        let (known, handicap) = if limits.search_moves.as_ref().is_some_and(Vec::is_empty) {
            (Some(SearchResult::default()), None)
        } else if self.settings.analyses(&limits) {
            (None, None)
        } else {
            let evaluation = self.pool.evaluation();
            let known = self.own_book.answer(id, &position, &limits, evaluation);
            // The next choice of the same position differs.
            self.environment.seed = self.environment.seed.wrapping_add(1);
            let seed = self.environment.seed ^ position.key().0;
            (known, self.settings.handicap(&mut limits, side, seed))
        };
        // Limited strength and mate searches use one thread and no tables: the one has to play
        // endings without them, and tables know no mates.
        let alone = handicap.is_some() || limits.mate.is_some();
        let threads = if alone { 1 } else { self.pool.threads() };
        let tt = Arc::clone(&self.tt);
        let mut shared = Shared::new(tt, limits, &position, settings, threads);
        if !alone {
            shared.syzygy = self.settings.syzygy_for_search();
        }
        shared.handicap = handicap;
        shared.values = Arc::clone(&self.values);
        if known.is_none() {
            self.experience.prepare(&mut shared, &position);
        }
        let shared = Arc::new(shared);
        let job = Job {
            id,
            shared,
            position,
        };
        if known.is_none() {
            self.send(Event::Search(id, Report::Plan(job.shared.plan())));
            self.status_timer.start();
            self.pool.search(&job);
        }
        self.activity = Activity::Searching(job);
        self.reported = None;
        if let Some(result) = known {
            self.finish(result);
        }
    }

    fn new_game(&mut self) {
        let ended = self.experience.new_game();
        self.complain(ended);
        self.lag_meter.new_game();
        self.pool.new_game();
        self.clear_hash();
    }

    fn stop(&mut self) {
        match &self.activity {
            Activity::Idle => {}
            Activity::Searching(job) => job.shared.request_stop(),
            Activity::Holding { .. } => self.release(),
        }
    }

    fn ponder_hit(&mut self, at: Instant) {
        if let Some(Job {
            shared, position, ..
        }) = self.activity.job()
        {
            if shared.clock.is_pondering() {
                let reserved = shared.settings.overhead.reserved;
                self.lag_meter.read(&shared.limits, position, reserved);
            }
            shared.clock.ponder_hit(at);
        }
        self.release_if_due();
    }

    fn pause(&self) {
        if let Some(job) = self.activity.job() {
            job.shared.pause();
        }
    }

    fn end_pause(&mut self) {
        if let Some(job) = self.activity.job() {
            job.shared.resume();
        }
        self.release_if_due();
    }

    fn release_if_due(&mut self) {
        if let Activity::Holding { job, .. } = &self.activity
            && !job.shared.is_held()
        {
            self.release();
        }
    }

    /// Sends the answer that was held back.
    fn release(&mut self) {
        if let Activity::Holding { job, result, .. } =
            std::mem::replace(&mut self.activity, Activity::Idle)
        {
            self.answer(job, &result);
            self.resume();
        }
    }

    fn accept(&mut self, message: Message) {
        match message {
            Message::Report(report) => {
                if let Some(job) = self.activity.job() {
                    if let Report::Info(info) = &report {
                        self.reported = Some(info.clone());
                    }
                    self.send(Event::Search(job.id, report));
                }
            }
            Message::Result { thread, result } => {
                if let Some(result) = self.pool.collect(thread, result) {
                    self.finish(result);
                }
            }
        }
    }

    /// A search has ended: report the result, and answer now unless the answer has to wait.
    fn finish(&mut self, result: SearchResult) {
        let Activity::Searching(job) = std::mem::replace(&mut self.activity, Activity::Idle) else {
            return;
        };
        self.status_timer.stop();
        let time = job.shared.clock.elapsed();
        self.report_result(&job, &result, time);
        let is_held = job.shared.is_held() && !job.shared.stop_requested();
        self.activity = Activity::Holding { job, result, time };
        if !is_held {
            self.release();
        }
    }

    /// Does what had to wait for the end of a search, or for a file. A search that has been told to end
    /// does without the files that are not there yet.
    fn resume(&mut self) {
        loop {
            while !self.is_busy()
                && self.loading.is_none()
                && let Some(setting) = self.deferred.pop_front()
            {
                self.set_option(setting);
            }
            if !self.is_busy() && self.loading.is_none() && !self.has_waiting_stop() {
                self.loading = self.postponed.pop_front();
            }
            let mut waiting = std::mem::take(&mut self.waiting);
            while self.loading.is_none()
                && let Some(command) = waiting.pop_front()
            {
                self.execute(command);
                if !self.waiting.is_empty() {
                    // It has to wait for the next search, and so must all that follow it.
                    break;
                }
            }
            self.waiting.append(&mut waiting);
            if self.has_waiting_stop()
                && let Some(mut loading) = self.loading.take()
            {
                self.send(loading.missed("this search does without"));
                self.postponed.push_back(loading);
            } else if self.is_busy() || self.loading.is_some() || self.postponed.is_empty() {
                break;
            }
        }
    }

    /// Sends the result of a search that took `time`: a final line that begins with the best move,
    /// unless that was the last one reported. It is sent at once, even if the best move itself has
    /// to wait.
    fn report_result(&self, job: &Job, result: &SearchResult, time: Duration) {
        if let Some(moves) = missed_mate(job, result) {
            self.send(Event::Notice(format!("no mate in {moves} found")));
        }
        let info = SearchInfo {
            depth: result.depth,
            seldepth: result.seldepth,
            multipv: 1,
            score: result.score,
            bound: result.bound,
            is_table_draw: result.is_table_draw,
            nodes: job.shared.nodes(),
            time,
            hashfull: job.shared.tt.hashfull(),
            tbhits: job.shared.tbhits(),
            pv: result.pv.clone(),
        };
        if !self
            .reported
            .as_ref()
            .is_some_and(|last| info.repeats(last))
        {
            self.send(Event::Search(job.id, Report::Info(info)));
        }
    }

    /// Sends the best move. Releases the transposition table.
    fn answer(&mut self, job: Job, result: &SearchResult) {
        let ponder = expected_reply(&job, result);
        let lesson = experience::lesson(&job, result);
        let best = result.best;
        if let Some((budget, spent)) = job.shared.clock.spent() {
            // What a search took beyond its hard limit it has waited for a processor.
            let thought = spent.min(budget.hard);
            self.lag_meter
                .answered(&job.shared.limits, &job.position, thought);
        }
        self.send(Event::Search(job.id, Report::BestMove { best, ponder }));
        if let Some(record) = lesson {
            let learned = self.experience.learn(job.position, record);
            self.complain(learned);
        }
    }
}

/// The second move of the line, or the table's reply to the first.
fn expected_reply(job: &Job, result: &SearchResult) -> Option<Move> {
    let in_line = result.pv.get(1).copied();
    in_line.or_else(|| job.shared.reply_to(&job.position, result.best?))
}

/// The number of moves of the mate that was asked for, if none that short was found.
fn missed_mate(job: &Job, result: &SearchResult) -> Option<u32> {
    let found = result.score.mate_moves();
    let wanted = job.shared.limits.mate?;
    found
        .is_none_or(|moves| moves.unsigned_abs() > wanted)
        .then_some(wanted)
}
