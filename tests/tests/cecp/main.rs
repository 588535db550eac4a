//! The CECP head: its transcripts, bad input, and with the engine behind it.

mod engine;

use orthrus_cecp::Cecp;
use orthrus_tests::conversation::Conversation;
use orthrus_tests::{data, transcript};
use proptest::prelude::*;

#[test]
fn transcripts() {
    let folder = data::repository().join("tests/transcripts/cecp");
    transcript::check_folder(&folder, || Box::<Cecp>::default());
}

/// Whether the answers to a line of the corpus of bad input are as expected.
fn fits(expected: &str, said: &[String]) -> bool {
    let says = |beginning: &str| said.iter().any(|line| line.starts_with(beginning));
    expected.split(" or ").any(|expected| match expected {
        "ignore" => said.is_empty(),
        "error" => says("Error ("),
        "illegal" => says("Illegal move"),
        "tellusererror" => says("tellusererror Illegal position"),
        "pong" => said.len() == 1 && says("pong "),
        "features" => said.last().is_some_and(|line| line == "feature done=1"),
        "accept" => !says("Error") && !says("Illegal"),
        "either" | "exit" => true,
        other => panic!("the corpus expects {other:?}"),
    })
}

#[test]
fn every_line_of_the_corpus_is_answered() {
    let corpus = data::read("malformed/cecp.txt");
    let mut cases = 0;
    for case in corpus.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = case.split('\t');
        let (Some(expected), Some(line)) = (columns.next(), columns.next()) else {
            panic!("not a case: {case}");
        };
        let mut session = Conversation::<Cecp>::default();
        for start in ["xboard", "protover 2", "new", "force"] {
            session.say(start);
        }
        let said = session.say(line);
        assert!(fits(expected, &said), "{case}\n{said:?}");
        let answered = session.say("ping 4711").contains(&"pong 4711".to_owned());
        assert!(answered || session.has_ended, "no pong after {line:?}");
        assert_eq!(session.has_ended, expected == "exit", "{line:?}");
        cases += 1;
    }
    assert!(cases > 50, "only {cases} cases");
}

/// Every word of the protocol, with some moves and subcommands of `edit`.
const WORDS: &str = "\
    xboard protover accepted rejected new variant random force go playother white black \
    level st sd nps time otim usermove ? ping draw result setboard edit hint bk undo remove \
    hard easy post nopost analyze exit . name rating ics computer pause resume memory cores \
    egtpath option exclude include setscore lift put hover depth ponder fritz reset e2e4 \
    e7e5 Nf3 @@@@ c # Pa4 castle ep partner";

/// Words of the protocol followed by anything, and arbitrary lines.
fn any_line() -> impl Strategy<Value = String> {
    let words: Vec<_> = WORDS.split(' ').filter(|word| !word.is_empty()).collect();
    let arguments = prop_oneof![
        Just(String::new()),
        "[-0-9:.e+]{1,24}",
        "[a-h][1-8][a-h][1-8][qrbn]?",
        "[ -~]{0,20}",
        Just("8/8/8/8/8/8/8/8 w - - 0 1".to_owned()),
        Just("4k3/8/8/8/8/8/8/R3K3 b Q - 0 1".to_owned()),
        Just("all".to_owned()),
        Just("MultiPV=3".to_owned()),
        Just("fischerandom".to_owned()),
    ];
    prop_oneof![
        8 => (proptest::sample::select(words), arguments)
            .prop_map(|(word, rest)| format!("{word} {rest}")),
        1 => any::<Vec<u8>>().prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
    ]
}

proptest! {
    /// Whatever is sent: no panic, every line is one line, and a ping is answered.
    #[test]
    fn no_input_is_too_strange(lines in proptest::collection::vec(any_line(), 0..40)) {
        let mut session = Conversation::<Cecp>::default();
        for line in lines.iter().map(String::as_str).chain(["."]) {
            session.say(line);
        }
        prop_assert!(session.say("ping 4711").contains(&"pong 4711".to_owned()));
    }
}

#[test]
fn a_line_of_a_megabyte_is_answered_in_short() {
    let mut session = Conversation::<Cecp>::default();
    let mut said = session.say(&"x".repeat(1 << 20));
    said.extend(session.say(&format!("usermove {}", "e".repeat(1 << 20))));
    assert_eq!(said.len(), 2);
    assert!(said.iter().all(|line| line.len() < 1000));
}
