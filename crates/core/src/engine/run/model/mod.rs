//! Every interleaving of a few commands with what searches do meanwhile, on the real engine.
//!
//! Chance is taken out: the test decides what the engine's thread hears next, and plays the search
//! threads. From every state that can be reached it tries everything that can happen there: any
//! command, the end of time, a report, a thread that ends its search by itself or because it was
//! told to, a message that arrives. States that differ in nothing that matters are tried once.
//!
//! What is asked of every state: each search is answered once, in order, for its own position and
//! not too early; pings are answered in order, behind what they must wait for; who was told to end
//! is waited for, and nobody else; the end is always reached, with nothing left unanswered.

mod promises;
mod world;

use std::collections::HashSet;

use world::World;

/// What the engine may be asked.
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
    /// Another size of the table.
    Hash,
    /// The other position: the book knows one of the two.
    SetGame,
    NewGame,
    Quit,
}

impl Ask {
    /// All but the last.
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
    /// The engine hears a command.
    Hear(Ask),
    /// The engine hears from a search thread.
    Deliver,
    /// The engine's alarm goes off.
    TimeIsUp,
    /// The main search thread tells something.
    Report,
    /// A search thread ends its search.
    Finish(usize),
}

/// Goes wherever conversations of so many of these commands can lead; says to how many states.
fn explore(asks: &'static [Ask], commands: usize) -> usize {
    let mut seen = HashSet::new();
    let mut paths = vec![Vec::new()];
    while let Some(path) = paths.pop() {
        let mut world = World::new(asks, commands);
        for step in path {
            world.take(step);
        }
        // Goes on with the first of all steps at once, and comes back for the others.
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
#[ignore = "takes a minute: scripts/sanitize.sh model"]
fn every_conversation_of_four_commands_keeps_the_promises() {
    let states = explore(Ask::ALL, 4);
    assert!(states > 50_000, "{states}");
}
