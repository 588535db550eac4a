//! What holds for every input: no panic, one answer for every `go`, printable lines.

use std::time::Instant;

use orthrus_core::engine::{Command, Event};
use orthrus_core::frontend::Frontend;
use orthrus_core::game::Game;
use orthrus_core::search::{Report, SearchId};
use orthrus_uci::Uci;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::count;

/// Words of the protocol, and some that are not.
const WORDS: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "debug",
    "on",
    "off",
    "setoption",
    "name",
    "value",
    "Hash",
    "Clear",
    "UCI_Chess960",
    "true",
    "register",
    "later",
    "position",
    "startpos",
    "fen",
    "moves",
    "e2e4",
    "e7e5",
    "e1g1",
    "e1h1",
    "0000",
    "a7a8q",
    "go",
    "go",
    "go",
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "stop",
    "stop",
    "ponderhit",
    "flip",
    "book",
    "joho",
    "-1",
    "0",
    "1",
    "60000",
    "99999999999999999999",
    "8/8/8/8/8/8/8/8",
    "4k3/8/8/8/8/8/8/4K2R",
    "w",
    "b",
    "K",
    "HAha",
    "-",
];

/// Stands in for the engine: answers every `Go` with the first legal move, some steps later.
#[derive(Default)]
struct Engine {
    game: Game,
    /// The searches not answered yet, oldest first; without a game if no move may be considered.
    searches: Vec<(SearchId, Option<Game>)>,
    asked: usize,
    pings: Vec<u64>,
}

impl Engine {
    fn take(&mut self, command: Command) {
        match command {
            Command::SetGame(game) => self.game = *game,
            Command::Go(id, limits) => {
                let is_refused = limits.search_moves.is_some_and(|moves| moves.is_empty());
                let game = (!is_refused).then(|| self.game.clone());
                self.searches.push((id, game));
                self.asked += 1;
            }
            Command::Ping(number) => self.pings.push(number),
            _ => {}
        }
    }

    fn answer(&mut self, uci: &mut Uci) {
        for number in self.pings.drain(..) {
            uci.handle_event(Instant::now(), Event::Pong(number));
        }
        for (id, game) in self.searches.drain(..) {
            let best = game.and_then(|game| game.position().legal_moves().first().copied());
            let answer = Report::BestMove { best, ponder: None };
            uci.handle_event(Instant::now(), Event::Search(id, answer));
        }
    }
}

/// Sends the lines, lets the engine answer after some of them and at the end, and returns what
/// was said and how many searches there were.
fn converse(input: &[(String, bool)]) -> (Vec<String>, usize) {
    let mut uci = Uci::default();
    let mut engine = Engine::default();
    let mut said = Vec::new();
    let mut drain = |uci: &mut Uci, engine: &mut Engine| {
        while let Some(command) = uci.poll_command() {
            engine.take(command);
        }
        said.extend(std::iter::from_fn(|| uci.poll_line()));
    };
    let last = [("stop".to_owned(), true)];
    for (line, answered) in input.iter().chain(&last) {
        uci.handle_line(Instant::now(), line);
        drain(&mut uci, &mut engine);
        if *answered {
            engine.answer(&mut uci);
            drain(&mut uci, &mut engine);
        }
    }
    (said, engine.asked)
}

fn words() -> impl Strategy<Value = String> {
    vec(select(WORDS), 0..12).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn any_text_is_survived(input in vec((any::<String>(), any::<bool>()), 0..8)) {
        let (said, _) = converse(&input);
        for line in said {
            prop_assert!(!line.contains(char::is_control), "{line:?}");
        }
    }

    #[test]
    fn any_bytes_are_survived(bytes in vec(any::<u8>(), 0..200)) {
        let (said, _) = converse(&[(String::from_utf8_lossy(&bytes).into_owned(), true)]);
        for line in said {
            prop_assert!(!line.contains(char::is_control), "{line:?}");
        }
    }

    #[test]
    fn every_go_is_answered_once(input in vec((words(), any::<bool>()), 0..40)) {
        let (said, asked) = converse(&input);
        let refused = count(&said, "info string nothing is searched: the last position");
        prop_assert_eq!(count(&said, "bestmove"), asked);
        prop_assert_eq!(count(&said, "bestmove 0000"), refused);
    }
}
