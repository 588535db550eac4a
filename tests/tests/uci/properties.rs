//! What holds for every input: no panic, one answer for every `go`, printable lines.

use orthrus_tests::conversation::Conversation;
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
    "UCI_Variant",
    "3check",
    "horde",
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

/// Sends the lines, lets the engine answer after some of them and at the end, and returns what
/// was said and how many searches there were.
fn converse(input: &[(String, bool)]) -> (Vec<String>, usize) {
    let mut session = Conversation::<Uci>::default();
    let mut said = Vec::new();
    let last = [("stop".to_owned(), true)];
    for (line, is_answered) in input.iter().chain(&last) {
        said.extend(session.send(line).lines);
        if *is_answered {
            said.extend(session.hear().lines);
        }
    }
    (said, session.engine.searches() as usize)
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
    fn every_go_is_answered_once(input in vec((words(), any::<bool>()), 0..40)) {
        let (said, asked) = converse(&input);
        let refused = count(&said, "info string nothing is searched: the last position");
        prop_assert_eq!(count(&said, "bestmove"), asked);
        prop_assert_eq!(count(&said, "bestmove 0000"), refused);
    }
}
