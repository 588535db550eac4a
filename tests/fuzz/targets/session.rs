//! Sessions of both protocols: a front end that gets any lines, with an engine behind it that keeps
//! the real one's promises and answers at once or a little later.

use std::fs;
use std::time::Duration;

use orthrus_cecp::Cecp;
use orthrus_core::frontend::Frontend;
use orthrus_uci::Uci;

use super::text;
use crate::conversation::{Conversation, Said};
use crate::data::{files, repository};

/// A line of a session: what was said to it, and whether it was refused.
struct Reply {
    said: Said,
    is_refused: bool,
}

/// Says these lines, as the program cuts them, up to the end of the session. A line is refused if
/// nothing came of it but lines that say so. Those that `is_left_out` says are left out.
fn play<F: Frontend + Default>(
    text: &str,
    is_refusal: fn(&str) -> bool,
    is_left_out: impl Fn(usize) -> bool,
) -> (Conversation<F>, Vec<Option<Reply>>) {
    let mut session = Conversation::default();
    let mut replies = Vec::new();
    for (index, line) in text.split(['\n', '\r']).enumerate() {
        if session.has_ended {
            break;
        }
        if is_left_out(index) {
            replies.push(None);
            continue;
        }
        session.set_time(Duration::from_millis(index as u64));
        let mut said = session.send(line);
        let refusals = said.lines.iter().filter(|line| is_refusal(line));
        let is_refused = said.commands.is_empty() && refusals.count() == 1 && said.lines.len() == 1;
        // Some answers come late.
        if !is_refused && line.len() % 4 != 3 {
            let Said { commands, lines } = session.hear();
            said.commands.extend(commands);
            said.lines.extend(lines);
        }
        replies.push(Some(Reply { said, is_refused }));
    }
    (session, replies)
}

/// Says these lines twice, the second time without those that were refused the first time: the
/// answers to all others must be the same. `may_count` names lines whose refusal is not without
/// consequences.
fn converse<F: Frontend + Default>(
    text: &str,
    is_refusal: fn(&str) -> bool,
    may_count: impl Fn(&str) -> bool,
) -> Conversation<F> {
    let (session, replies) = play(text, is_refusal, |_| false);
    let lines: Vec<&str> = text.split(['\n', '\r']).collect();
    let is_left_out = |index: usize| {
        let before = index.checked_sub(1).and_then(|before| lines.get(before));
        let counts = [before, lines.get(index)];
        let counts = counts.into_iter().flatten().any(|line| may_count(line));
        let reply = replies.get(index).and_then(Option::as_ref);
        reply.is_some_and(|reply| reply.is_refused && !counts)
    };
    if replies.iter().flatten().any(|reply| reply.is_refused) {
        let (_, without) = play::<F>(text, is_refusal, is_left_out);
        for ((line, with), without) in lines.iter().zip(&replies).zip(&without) {
            if let (Some(with), Some(without)) = (with, without) {
                assert_eq!(with.said, without.said, "{line:?} after a refused line");
            }
        }
    }
    session
}

/// How many of these lines fit.
fn count(lines: &[String], fits: impl Fn(&str) -> bool) -> usize {
    lines.iter().filter(|line| fits(line)).count()
}

/// After any lines that do not end it, a session goes on: it is ready, takes a position and plays.
/// A refused line changes nothing, but a refused `position`, after which nothing is searched.
pub(super) fn uci(bytes: &[u8]) {
    let is_refusal = |line: &str| {
        let text = line.strip_prefix("info string ").unwrap_or_default();
        let beginnings = ["unknown command: ", "this is UCI", "position refused: "];
        let is_syntax = text.contains(" takes ") && !text.contains("plan: ");
        is_syntax || beginnings.iter().any(|it| text.starts_with(it))
    };
    let mut session = converse::<Uci>(&text(bytes), is_refusal, |line| line.contains("position"));
    if session.has_ended {
        session.hear();
        assert!(session.send("isready").lines.is_empty(), "after the end");
        return;
    }
    session.say("stop");
    assert!(!session.engine.is_searching());
    let lines = session.say("isready");
    assert_eq!(count(&lines, |line| line == "readyok"), 1, "{lines:?}");
    session.say("setoption name UCI_Variant value chess");
    session.say("position startpos moves e2e4");
    let lines = session.say("go depth 1");
    let is_move = |line: &str| line.starts_with("bestmove ");
    assert_eq!(count(&lines, is_move), 1, "{lines:?}");
    assert!(
        lines.iter().any(|line| line.starts_with("bestmove b8a6")),
        "{lines:?}"
    );
    assert_eq!(session.end().commands, ["Quit"]);
}

/// After any lines that do not end it, a session goes on: it answers a ping, takes a move and
/// plays. A refused line changes nothing, but that after `depth`, which was to be its number.
pub(super) fn cecp(bytes: &[u8]) {
    let is_refusal = |line: &str| line.starts_with("Error (") || line.starts_with("Illegal move");
    let mut session = converse::<Cecp>(&text(bytes), is_refusal, |line| line.contains("depth"));
    if session.has_ended {
        session.hear();
        assert!(session.send("ping 1").lines.is_empty(), "after the end");
        return;
    }
    for line in [".", "exit", "new", "force"] {
        session.say(line);
    }
    assert!(!session.engine.is_searching());
    let lines = session.say("ping at-the-end");
    assert_eq!(
        count(&lines, |line| line == "pong at-the-end"),
        1,
        "{lines:?}"
    );
    let lines = session.say("usermove e2e4");
    assert!(
        lines.iter().all(|line| !line.starts_with("Illegal")),
        "{lines:?}"
    );
    let lines = session.say("go");
    assert_eq!(count(&lines, |line| line == "move b8a6"), 1, "{lines:?}");
    assert!(session.end().commands.contains(&"Quit".to_owned()));
}

pub(super) fn uci_seeds() -> Vec<Vec<u8>> {
    of_transcripts("uci")
}

pub(super) fn cecp_seeds() -> Vec<Vec<u8>> {
    of_transcripts("cecp")
}

/// What users send in the transcripts of a protocol.
fn of_transcripts(protocol: &str) -> Vec<Vec<u8>> {
    let folder = repository().join("tests/transcripts").join(protocol);
    let said = |path| {
        let text = fs::read_to_string(path).expect("a transcript");
        let lines = text
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("> "));
        lines.collect::<Vec<_>>().join("\n").into_bytes()
    };
    files(&folder).iter().map(said).collect()
}
