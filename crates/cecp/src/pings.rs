//! Which `pong` may be sent when (section 8, `ping`).

use std::collections::VecDeque;

/// More pings than anybody has a use for do not wait for the move.
const MOST: usize = 4096;

#[derive(Clone, Debug)]
struct Ping {
    /// The token sent to the engine.
    token: u64,
    /// The number, as it is sent back.
    text: String,
    /// All earlier commands are done.
    done: bool,
    /// It came while the engine was thinking: the move must be out first.
    waits_for_move: bool,
}

/// The pings not yet answered, oldest first. Answers keep the order of the questions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pings {
    waiting: VecDeque<Ping>,
    asked: u64,
}

impl Pings {
    /// Notes a `ping`; returns the token to ask the engine with, or `None` if too many wait.
    pub(crate) fn ask(&mut self, text: String, thinking: bool) -> Option<u64> {
        if self.waiting.len() >= MOST {
            return None;
        }
        self.asked += 1;
        self.waiting.push_back(Ping {
            token: self.asked,
            text,
            done: false,
            waits_for_move: thinking,
        });
        Some(self.asked)
    }

    /// The engine has done all that came before this ping.
    pub(crate) fn done(&mut self, token: u64) {
        for ping in self.waiting.iter_mut().filter(|ping| ping.token == token) {
            ping.done = true;
        }
    }

    /// The engine is not thinking any more: the move is out, or nobody wants it.
    pub(crate) fn release(&mut self) {
        for ping in &mut self.waiting {
            ping.waits_for_move = false;
        }
    }

    /// The next ping that may be answered now: its number.
    pub(crate) fn next_ready(&mut self) -> Option<String> {
        let ready = |ping: &Ping| ping.done && !ping.waits_for_move;
        if self.waiting.front().is_some_and(ready) {
            self.waiting.pop_front().map(|ping| ping.text)
        } else {
            None
        }
    }
}
