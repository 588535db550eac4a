//! What every state must satisfy.

use std::sync::Arc;

use super::Ask::{
    self, GoInfinite, GoPonder, Hash, NewGame, Pause, Ping, PonderHit, Resume, SetGame,
};
use super::world::{THREADS, World, game, mebibytes};
use crate::engine::run::Activity;
use crate::engine::{Command, Event};
use crate::search::Report;

impl World {
    /// The index in `heard` of the search that is answered next.
    pub(super) fn asked(&self) -> Option<usize> {
        let mut places = (0..self.heard.len()).filter(|&place| self.heard[place].is_go());
        places.nth(self.answers)
    }

    /// Whether the answer to the search at this index of `heard` has to wait, given the commands
    /// since then, and whether that search has been told to end.
    fn is_held(&self, place: usize) -> (bool, bool) {
        let infinite = self.heard[place] == GoInfinite;
        let mut pondering = self.heard[place] == GoPonder;
        let mut paused = false;
        let known = !infinite && !self.is_other_game(place);
        for &ask in &self.heard[place + 1..] {
            if known && !pondering && !paused {
                // A book move is answered before the next command.
                return (false, false);
            }
            match ask {
                _ if ask.ends_searches() => return (false, true),
                PonderHit => pondering = false,
                Pause => paused = true,
                Resume => paused = false,
                _ => {}
            }
        }
        (infinite || pondering || paused, false)
    }

    /// Whether the game at this index of `heard` is the one that the book does not know.
    pub(super) fn is_other_game(&self, place: usize) -> bool {
        let before = &self.heard[..place];
        before.iter().filter(|&&ask| ask == SetGame).count() % 2 == 1
    }

    /// Takes the engine's events and checks them.
    pub(super) fn listen(&mut self) {
        while let Ok(event) = self.events.try_recv() {
            match event {
                Event::Search(id, Report::BestMove { best, .. }) => {
                    let place = self.asked().expect("an answer that nobody asked for");
                    self.require(!self.is_held(place).0, "no answer too early");
                    let game = game(self.is_other_game(place));
                    self.require(id.0 == self.answers as u64, "its name");
                    let best = best.expect("there are moves");
                    self.require(
                        game.position().is_legal(best),
                        "the answer of this position",
                    );
                    self.answers += 1;
                }
                Event::Pong(number) => {
                    self.require(number == self.pongs as u64, "pings in order");
                    let mut pings = (0..self.heard.len()).filter(|&i| self.heard[i] == Ping);
                    let place = pings.nth(self.pongs).expect("it was asked for");
                    let before = &self.heard[..place];
                    let searches = before.iter().filter(|ask| ask.is_go()).count();
                    let last = before
                        .iter()
                        .rfind(|&&ask| ask.is_go() || ask == NewGame)
                        .copied();
                    let may_run = usize::from(last.is_some_and(Ask::is_go));
                    let answered = searches - may_run..=searches;
                    self.require(answered.contains(&self.answers), "pings in their turn");
                    // What came before the running search is done; without one, all is.
                    let done = match before.iter().rposition(|ask| ask.is_go()) {
                        Some(go) if self.engine.is_busy() => go,
                        _ => place,
                    };
                    let changes = |end: usize| {
                        let asks = self.heard[..end].iter();
                        asks.filter(|&&ask| ask == Hash).count()
                    };
                    let mut sizes = (changes(done)..=changes(self.heard.len())).map(mebibytes);
                    let size = self.engine.tt.mebibytes();
                    self.require(sizes.any(|it| it == size), "pings after options");
                    self.pongs += 1;
                }
                _ => {}
            }
        }
    }

    /// What must hold between any two steps.
    pub(super) fn check(&mut self) {
        let at_work = (0..THREADS).any(|thread| self.players.job(thread).is_some());
        let waiting = &self.engine.waiting;
        let waiting_searches = waiting.iter().filter(|it| matches!(it, Command::Go(..)));
        let open = waiting_searches.count() + usize::from(self.engine.is_busy());
        self.require(
            self.count(Ask::is_go) == self.answers + open,
            "no search lost",
        );
        let place = self.asked();
        let (held, ended) = place.map_or((false, false), |place| self.is_held(place));
        match &self.engine.activity {
            Activity::Idle => {
                let nothing_left = waiting.is_empty() && self.engine.deferred.is_empty();
                self.require(nothing_left, "nothing left to do");
                let pings = self.count(|ask| ask == Ping);
                self.require(self.pongs == pings, "no ping lost");
                let changes = self.count(|ask| ask == Hash);
                let size = self.engine.tt.mebibytes();
                self.require(size == mebibytes(changes), "no option lost");
                let owners = Arc::strong_count(&self.engine.tt);
                self.require(owners == 1, "the table is let go of");
            }
            Activity::Searching(job) => {
                let stopped = job.shared.stop.is_stopped();
                self.require(stopped || !ended, "a search knows its end");
                self.require(stopped || waiting.is_empty(), "no waiting for nothing");
                let news = at_work || !self.under_way.is_empty();
                self.require(news, "something will happen");
            }
            Activity::Holding { .. } => {
                self.require(held, "no answer kept back for nothing");
                self.require(waiting.is_empty(), "no waiting for an answer kept back");
            }
        }
        self.require(
            !self.gone || !self.engine.is_busy(),
            "quit with all answered",
        );
    }

    pub(super) fn require(&self, holds: bool, promise: &str) {
        assert!(holds, "{promise}: {:?}", self.path);
    }
}
