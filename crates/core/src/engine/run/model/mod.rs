//! Tries every interleaving of a few commands with what searches do meanwhile, on the real engine.
//!
//! Nothing is left to chance: the test decides what the engine's thread receives next, and plays
//! the part of the search threads. From every reachable state it tries everything that can happen
//! there: any command, the deadline, a report, a thread that ends its search on its own or because
//! it was told to, a message that arrives. States that differ in nothing that matters are tried
//! once.
//!
//! What every state must satisfy: each search is answered once, in order, for its own position and
//! not too early; pings are answered in order, after what they must wait for; the engine only waits
//! for searches that have been told to end; the end is always reached, with everything answered.

mod promises;
mod world;

use std::collections::HashSet;

use world::World;

/// The commands that the engine may receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ask {
    Go,
    GoInfinite,
    GoPonder,
    PonderHit,
    Stop,
    Pause,
    Resume,
    Ping,
    /// Changes the size of the table.
    Hash,
    /// Switches to the other position: the book knows one of the two.
    SetGame,
    NewGame,
    Quit,
}

impl Ask {
    /// All but [`Self::Quit`].
    const ALL: &[Self] = &[
        Self::Go,
        Self::GoInfinite,
        Self::GoPonder,
        Self::PonderHit,
        Self::Stop,
        Self::Pause,
        Self::Resume,
        Self::Ping,
        Self::Hash,
        Self::SetGame,
        Self::NewGame,
    ];

    fn is_go(self) -> bool {
        matches!(self, Self::Go | Self::GoInfinite | Self::GoPonder)
    }

    /// Whether it ends whatever search was begun before it.
    fn ends_searches(self) -> bool {
        self.is_go() || matches!(self, Self::Stop | Self::NewGame | Self::Quit)
    }
}

/// What can happen.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// The engine receives a command.
    Hear(Ask),
    /// The engine receives a message of a search thread.
    Deliver,
    /// The engine's timer fires.
    TimeIsUp,
    /// The main search thread reports something.
    Report,
    /// A search thread ends its search.
    Finish(usize),
}

/// Visits every state that conversations of this many of these commands can lead to; returns how
/// many there are.
fn explore(asks: &'static [Ask], commands: usize) -> usize {
    let mut seen = HashSet::new();
    let mut paths = vec![Vec::new()];
    while let Some(path) = paths.pop() {
        let mut world = World::new(asks, commands);
        for step in path {
            world.take(step);
        }
        // Takes the first possible step at once, and comes back for the others.
        while seen.insert(world.state()) {
            let mut steps = world.steps().into_iter();
            let Some(first) = steps.next() else {
                world.require(world.gone, "no dead end but the end");
                break;
            };
            paths.extend(steps.map(|step| [&world.path[..], &[step]].concat()));
            world.take(first);
        }
    }
    seen.len()
}

#[test]
fn every_conversation_of_two_commands_keeps_the_promises() {
    let states = explore(Ask::ALL, 2);
    assert!(states > 500, "{states}");
}

#[test]
fn every_crowd_of_searches_keeps_the_promises() {
    let asks = &[
        Ask::Go,
        Ask::GoInfinite,
        Ask::Ping,
        Ask::SetGame,
        Ask::NewGame,
    ];
    let states = explore(asks, 4);
    assert!(states > 1_000, "{states}");
}

#[test]
#[ignore = "takes a minute: tests/sanitize model"]
fn every_conversation_of_four_commands_keeps_the_promises() {
    let states = explore(Ask::ALL, 4);
    assert!(states > 50_000, "{states}");
}
