//! Option lines, `NAME=VALUE` each: both heads read them as the table of options does.

use std::time::Instant;

use orthrus_cecp::Cecp;
use orthrus_core::engine::Command;
use orthrus_core::engine::options::{self, FrontendSetting, OptionChange, OptionKind};
use orthrus_core::frontend::Frontend;
use orthrus_uci::Uci;

use super::{inputs, text};

/// Options that CECP has its own commands for. Not taken from the head, which could otherwise reject
/// anything.
const UCI_ALONE: [&str; 4] = ["Ponder", "UCI_Chess960", "UCI_Variant", "UCI_AnalyseMode"];

/// Whether a change has an effect outside of the head.
fn is_shown(change: &OptionChange) -> bool {
    match change {
        OptionChange::Engine(_) => true,
        OptionChange::Frontend(setting) => matches!(setting, FrontendSetting::DebugLogFile(_)),
    }
}

/// A line is rejected by a head in its own form, or sets what the table of options says; and both
/// heads continue to work.
pub(super) fn run(bytes: &[u8]) {
    let (mut uci, mut cecp) = (Uci::default(), Cecp::default());
    for line in text(bytes).lines().filter(|line| !line.contains('\r')) {
        let (name, value) = match line.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim())),
            None => (line.trim(), None),
        };
        let expected = options::parse(name, value).ok();
        // What is not in the table may be one of the head's own options.
        let known = options::find(name);

        let (set, lines) = send(&mut cecp, &format!("option {line}"));
        if let Some(spec) = known {
            let expected = expected.clone().filter(|_| !UCI_ALONE.contains(&spec.name));
            assert_eq!(lines.is_empty(), expected.is_some(), "{line:?}: {lines:?}");
            assert_eq!(set, Vec::from_iter(expected.filter(is_shown)), "{line:?}");
        }
        if !lines.is_empty() {
            let is_refusal = lines.len() == 1 && lines[0].starts_with("Error (");
            assert!(is_refusal && set.is_empty(), "{line:?}: {lines:?}");
        }

        // In UCI the word `value` ends the name.
        if name.split_whitespace().any(|word| word == "value") {
            continue;
        }
        let value = value.map_or(String::new(), |value| format!(" value {value}"));
        let (set, lines) = send(&mut uci, &format!("setoption name {name}{value}"));
        if known.is_some() {
            assert_eq!(lines.is_empty(), expected.is_some(), "{line:?}: {lines:?}");
            let expected = expected.filter(is_shown);
            assert_eq!(set, Vec::from_iter(expected), "{line:?}");
        }
        assert!(lines.iter().all(|line| line.starts_with("info string ")));
    }
    assert_eq!(pinged(&mut uci, "isready"), ["readyok"]);
    assert_eq!(pinged(&mut cecp, "ping 7"), ["pong 7"]);
}

/// What a line changes outside of the head, and the lines that follow from it.
fn send(head: &mut dyn Frontend, line: &str) -> (Vec<OptionChange>, Vec<String>) {
    head.handle_line(Instant::now(), line);
    let outbox = std::mem::take(head.outbox());
    let log_file = outbox.log_file.map(FrontendSetting::DebugLogFile);
    let mut changes: Vec<OptionChange> = log_file.map(OptionChange::Frontend).into_iter().collect();
    for command in outbox.commands {
        match command {
            Command::SetOption(setting) => changes.push(setting.into()),
            Command::SetValue(_) => {}
            // The game that it names has a start position of its own.
            Command::SetGame(_) if line.to_ascii_lowercase().contains("uci_variant") => {}
            other => panic!("{line:?}: {other:?}"),
        }
    }
    (changes, outbox.lines.into())
}

/// The lines that follow from a ping.
fn pinged(head: &mut dyn Frontend, line: &str) -> Vec<String> {
    head.handle_line(Instant::now(), line);
    while let Some(command) = head.outbox().commands.pop_front() {
        if let Command::Ping(number) = command {
            head.handle_event(Instant::now(), orthrus_core::engine::Event::Pong(number));
        }
    }
    std::iter::from_fn(|| head.outbox().lines.pop_front()).collect()
}

/// Every option with valid and invalid values.
pub(super) fn seeds() -> Vec<Vec<u8>> {
    let lines = options::all().flat_map(|spec| {
        let values = match spec.kind {
            OptionKind::Check { .. } => vec!["=true".into(), "=0".into(), "=maybe".into()],
            OptionKind::Spin { min, max, .. } => {
                vec![format!("={min}"), format!("={max}"), format!("=+{max}0")]
            }
            OptionKind::Combo { choices, .. } => {
                choices.iter().map(|choice| format!("={choice}")).collect()
            }
            OptionKind::Text { .. } => vec!["=<empty>".into(), "=a b=c".into(), String::new()],
            OptionKind::Button { .. } => vec![String::new(), "=x".into()],
        };
        values
            .into_iter()
            .map(|value| format!("{}{value}", spec.name))
    });
    let lines: Vec<String> = lines.collect();
    let own = "ResignScore=500\nUCI_Opponent=GM 2800 human A B\nUCI_SetPositionValue=clear all\n";
    let mut seeds = inputs(lines.chunks(6).map(|some| some.join("\n")));
    seeds.push(own.into());
    seeds
}
