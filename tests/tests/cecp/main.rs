//! The CECP head: its transcripts, bad input, and with the engine behind it.

mod engine;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use orthrus_cecp::Cecp;
use orthrus_core::engine::{Command, Event};
use orthrus_core::frontend::Frontend;
use orthrus_core::game::Game;
use orthrus_core::search::{Report, SearchId};
use orthrus_tests::{data, transcript};
use proptest::prelude::*;

#[test]
fn transcripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("transcripts/cecp");
    let count = transcript::check_folder(&folder, || Box::<Cecp>::default());
    assert!(count > 0, "no transcript in {}", folder.display());
}

/// `docs/protocols.md` names the transcripts that cover a row: all of them, and only real ones.
#[test]
fn the_document_names_every_transcript() {
    let document = data::repository().join("docs/protocols.md");
    let text = fs::read_to_string(&document).expect("the document is there");
    let (_, text) = text.split_once("## CECP").expect("it has a part on CECP");
    let named: BTreeSet<&str> = text
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|name| {
            name.contains('-') && !name.starts_with('-') && name.chars().all(is_in_file_names)
        })
        .collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("transcripts/cecp");
    for name in &named {
        let path = folder.join(format!("{name}.txt"));
        assert!(path.is_file(), "no transcript {name}");
    }
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let stem = path.file_stem().and_then(|name| name.to_str());
        let stem = stem.expect("names are plain").to_owned();
        assert!(text.contains(&format!("`{stem}`")), "{stem} is not named");
    }
}

fn is_in_file_names(letter: char) -> bool {
    letter == '-' || letter.is_ascii_lowercase() || letter.is_ascii_digit()
}

/// A head with an engine behind it that plays the first legal move as soon as it may.
#[derive(Default)]
struct Table {
    head: Cecp,
    game: Game,
    /// A search that answers only when it is stopped.
    held: Option<SearchId>,
    quit: bool,
    said: Vec<String>,
}

impl Table {
    fn say(&mut self, line: &str) {
        self.head.handle_line(Instant::now(), line);
        self.settle();
    }

    fn settle(&mut self) {
        loop {
            let mut events = Vec::new();
            while let Some(command) = self.head.poll_command() {
                self.obey(command, &mut events);
            }
            self.said
                .extend(std::iter::from_fn(|| self.head.poll_line()));
            if events.is_empty() {
                return;
            }
            for event in events {
                self.head.handle_event(Instant::now(), event);
            }
        }
    }

    fn obey(&mut self, command: Command, events: &mut Vec<Event>) {
        let stopped = matches!(
            command,
            Command::Go(..) | Command::Stop | Command::PonderHit(_)
        );
        if stopped && let Some(id) = self.held.take() {
            events.push(self.best_move(id));
        }
        match command {
            Command::SetGame(game) => self.game = *game,
            Command::Go(id, limits) if limits.infinite || limits.ponder => self.held = Some(id),
            Command::Go(id, _) => events.push(self.best_move(id)),
            Command::Ping(number) => events.push(Event::Pong(number)),
            Command::Progress => events.push(Event::Progress(None)),
            Command::Quit => self.quit = true,
            _ => {}
        }
    }

    fn best_move(&self, id: SearchId) -> Event {
        let best = self.game.position().legal_moves().first().copied();
        Event::Search(id, Report::BestMove { best, ponder: None })
    }
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
#[cfg_attr(not(has_data), ignore = "no data folder")]
fn every_line_of_the_corpus_is_answered() {
    let corpus = data::read("malformed/cecp.txt");
    let mut cases = 0;
    for case in corpus.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = case.split('\t');
        let (Some(expected), Some(line)) = (columns.next(), columns.next()) else {
            panic!("not a case: {case}");
        };
        let mut table = Table::default();
        for start in ["xboard", "protover 2", "new", "force"] {
            table.say(start);
        }
        table.said.clear();
        table.say(line);
        assert!(fits(expected, &table.said), "{case}\n{:?}", table.said);
        table.said.clear();
        table.say("ping 4711");
        let answered = table.said.iter().any(|line| line == "pong 4711");
        assert!(answered || table.quit, "no pong after {line:?}");
        assert_eq!(table.quit, expected == "exit", "{line:?}");
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
        let mut table = Table::default();
        for line in &lines {
            table.say(line);
        }
        for line in [".", "ping 4711"] {
            table.say(line);
        }
        prop_assert!(table.said.iter().all(|line| !line.contains(['\n', '\r', '\0'])));
        prop_assert!(table.said.iter().any(|line| line == "pong 4711"));
    }
}

#[test]
fn a_line_of_a_megabyte_is_answered_in_short() {
    let mut table = Table::default();
    let started = Instant::now();
    table.say(&"x".repeat(1 << 20));
    table.say(&format!("usermove {}", "e".repeat(1 << 20)));
    assert_eq!(table.said.len(), 2);
    assert!(table.said.iter().all(|line| line.len() < 1000));
    assert!(started.elapsed() < Duration::from_secs(1));
}
