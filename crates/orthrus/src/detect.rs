//! Which protocol is spoken: the first line that belongs to one decides.

use std::collections::VecDeque;
use std::time::Instant;

use orthrus_core::engine::options::Setting;
use orthrus_core::engine::{Command, Event};
use orthrus_core::frontend::Frontend;

use crate::args::Protocol;
use crate::console::{self, Request};
use crate::results;

/// The front end of a fresh process. Listens until a line belongs to a protocol, then hands that
/// line and everything after it to a head of the protocol.
///
/// A person's requests ([`Request`]) are tasks of the engine, except in CECP, where the words could
/// mean something else; the head never sees them.
pub(crate) struct Detector<F> {
    make_head: F,
    head: Option<(Protocol, Box<dyn Frontend>)>,
    /// Whether all castling is to be written as king takes rook.
    chess960: bool,
    /// How many requests are not answered yet.
    unanswered: usize,
    interactive: bool,
    commands: VecDeque<Command>,
    lines: VecDeque<String>,
}

impl<F: FnMut(Protocol) -> Box<dyn Frontend>> Detector<F> {
    /// A front end that makes its head with `make_head`, once the protocol is known. An
    /// `interactive` one greets, and says when it does not understand.
    pub(crate) fn new(make_head: F, interactive: bool) -> Self {
        let mut lines = VecDeque::new();
        if interactive {
            lines.push_back(console::greeting());
        }
        Self {
            make_head,
            head: None,
            chess960: false,
            unanswered: 0,
            interactive,
            commands: VecDeque::new(),
            lines,
        }
    }

    /// Decides for `protocol`, whatever the first line will be.
    pub(crate) fn decide(&mut self, protocol: Protocol) -> &mut dyn Frontend {
        log::debug!("the protocol is {protocol:?}");
        let head = (self.make_head)(protocol);
        self.head.insert((protocol, head)).1.as_mut()
    }

    fn is_for_people(&self) -> bool {
        !matches!(self.head, Some((Protocol::Cecp, _)))
    }

    /// Passes on a person's request; returns whether the line was one.
    fn handle_request(&mut self, line: &str) -> bool {
        match Request::parse(line) {
            None => return false,
            Some(Ok(Request::Help)) => self.lines.extend(console::help()),
            Some(Ok(Request::Task(task))) => {
                self.unanswered += 1;
                self.commands.push_back(Command::Task(task));
            }
            Some(Err(error)) => self.lines.push_back(error.to_string()),
        }
        true
    }

    fn handle_undecided(&mut self, now: Instant, line: &str) {
        if let Some(protocol) = recognise(line) {
            self.decide(protocol).handle_line(now, line);
        } else if line.trim() == "quit" {
            self.commands.push_back(Command::Quit);
        } else if self.interactive && !line.trim().is_empty() {
            self.lines
                .push_back("Unknown command. Type help to see what there is.".to_owned());
        }
    }
}

/// Whether a line has a meaning in UCI, or for people.
pub(crate) fn is_for_uci(line: &str) -> bool {
    recognise(line) == Some(Protocol::Uci) || Request::parse(line).is_some()
}

/// The protocol to which a line belongs, if it belongs to just one.
fn recognise(line: &str) -> Option<Protocol> {
    let mut words = line.split_whitespace();
    match words.next()? {
        // A program begins with `uci`; a person may skip that.
        "uci" | "debug" | "isready" | "setoption" | "register" | "ucinewgame" | "position"
        | "go" | "stop" | "ponderhit" => Some(Protocol::Uci),
        "flip" | "book" if words.next().is_none() => Some(Protocol::Uci),
        // A program begins with `xboard`, then `protover` if it knows version 2 of the protocol; a
        // missing one does no harm.
        "xboard" | "protover" | "new" | "force" | "level" | "setboard" | "usermove" | "post"
        | "analyze" => Some(Protocol::Cecp),
        // Unknown words before it are to be ignored ("joho debug on").
        _ => words.any(|word| word == "uci").then_some(Protocol::Uci),
    }
}

impl<F: FnMut(Protocol) -> Box<dyn Frontend>> Frontend for Detector<F> {
    fn handle_line(&mut self, now: Instant, line: &str) {
        let line = match line.trim() {
            // Another word that ends programs in a terminal.
            "exit" if self.is_for_people() => "quit",
            _ => line,
        };
        // A head knows only its own searches.
        if self.unanswered > 0 && line.trim() == "stop" {
            self.commands.push_back(Command::Stop);
        }
        if self.is_for_people() && self.handle_request(line) {
            return;
        }
        if let Some((_, head)) = &mut self.head {
            head.handle_line(now, line);
        } else {
            self.handle_undecided(now, line);
        }
    }

    fn handle_event(&mut self, now: Instant, event: Event) {
        match (&mut self.head, event) {
            (_, Event::Task(result)) => {
                self.unanswered = self.unanswered.saturating_sub(1);
                match result {
                    Ok(result) => self.lines.extend(results::lines(&result, self.chess960)),
                    Err(error) => self.lines.push_back(error.to_string()),
                }
            }
            (Some((_, head)), event) => head.handle_event(now, event),
            (None, event) => log::debug!("nobody to tell: {event:?}"),
        }
    }

    fn handle_eof(&mut self) {
        match &mut self.head {
            Some((_, head)) => head.handle_eof(),
            None => self.commands.push_back(Command::Quit),
        }
    }

    fn poll_command(&mut self) -> Option<Command> {
        let command = self
            .commands
            .pop_front()
            .or_else(|| self.head.as_mut()?.1.poll_command());
        if let Some(Command::SetOption(Setting::Chess960(on))) = &command {
            self.chess960 = *on;
        }
        command
    }

    fn poll_line(&mut self) -> Option<String> {
        // What was said before the head spoke comes first.
        self.lines
            .pop_front()
            .or_else(|| self.head.as_mut()?.1.poll_line())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use orthrus_core::engine::TaskResult;
    use orthrus_core::evaluation::Evaluation;
    use orthrus_core::fen;
    use orthrus_core::game::Game;
    use orthrus_core::position::Position;
    use std::sync::Arc;

    /// A head that repeats what it hears, under the name of its protocol.
    struct Echo {
        protocol: Protocol,
        lines: VecDeque<String>,
        commands: VecDeque<Command>,
    }

    impl Frontend for Echo {
        fn handle_line(&mut self, _now: Instant, line: &str) {
            if line == "chess960" {
                let setting = Setting::Chess960(true);
                self.commands.push_back(Command::SetOption(setting));
            } else if let Some(fen) = line.strip_prefix("position fen ") {
                let game = Game::new(fen::parse(fen).unwrap());
                self.commands.push_back(Command::SetGame(Box::new(game)));
            }
            self.lines.push_back(format!("{:?}: {line}", self.protocol));
        }

        fn handle_event(&mut self, _now: Instant, event: Event) {
            self.lines.push_back(format!("{event:?}"));
        }

        fn handle_eof(&mut self) {
            self.commands.push_back(Command::Quit);
        }

        fn poll_command(&mut self) -> Option<Command> {
            self.commands.pop_front()
        }

        fn poll_line(&mut self) -> Option<String> {
            self.lines.pop_front()
        }
    }

    fn echo(protocol: Protocol) -> Box<dyn Frontend> {
        Box::new(Echo {
            protocol,
            lines: VecDeque::new(),
            commands: VecDeque::new(),
        })
    }

    /// What is answered to these lines, with an engine that does tasks at once.
    fn answers(frontend: &mut dyn Frontend, input: &[&str]) -> Vec<String> {
        let mut position = Position::startpos();
        for line in input {
            frontend.handle_line(Instant::now(), line);
            while let Some(command) = frontend.poll_command() {
                match command {
                    Command::SetGame(game) => position = game.position().clone(),
                    Command::Task(task) => {
                        let result = task.run(&position, &Evaluation::default(), &Arc::default());
                        frontend.handle_event(Instant::now(), Event::Task(result));
                    }
                    _ => {}
                }
            }
        }
        std::iter::from_fn(|| frontend.poll_line()).collect()
    }

    fn heard(input: &[&str]) -> Vec<String> {
        answers(&mut Detector::new(echo, false), input)
    }

    #[test]
    fn the_first_word_decides() {
        assert_eq!(heard(&["uci", "xboard"]), ["Uci: uci", "Uci: xboard"]);
        assert_eq!(heard(&["xboard", "uci"]), ["Cecp: xboard", "Cecp: uci"]);
        assert_eq!(heard(&["  uci\t"]), ["Uci:   uci\t"]);
    }

    #[test]
    fn version_1_of_cecp_is_recognised() {
        assert_eq!(heard(&["new"]), ["Cecp: new"]);
        assert_eq!(heard(&["protover 2"]), ["Cecp: protover 2"]);
    }

    #[test]
    fn a_person_may_come_to_the_point() {
        assert_eq!(heard(&["position startpos"]), ["Uci: position startpos"]);
        assert_eq!(heard(&["go depth 3"]), ["Uci: go depth 3"]);
    }

    #[test]
    fn every_word_of_uci_decides() {
        for line in [
            "debug on",
            "register later",
            "stop",
            "ponderhit",
            "flip",
            "book",
        ] {
            assert_eq!(heard(&[line]), [format!("Uci: {line}")]);
        }
        assert_eq!(heard(&["joho uci"]), ["Uci: joho uci"]);
        assert!(heard(&["book a flight", "flip it"]).is_empty());
    }

    #[test]
    fn exit_is_quit_but_in_cecp() {
        assert_eq!(heard(&["uci", "exit"]), ["Uci: uci", "Uci: quit"]);
        assert_eq!(heard(&["xboard", "exit"]), ["Cecp: xboard", "Cecp: exit"]);
    }

    #[test]
    fn silent_until_a_line_is_recognised() {
        let noise = [
            "",
            "   ",
            "init string",
            "UCI",
            "uciuci",
            "\u{fffd}\u{fffd}",
            "quit?",
        ];
        assert!(heard(&noise).is_empty());
        let mut then = noise.to_vec();
        then.push("uci");
        assert_eq!(heard(&then), ["Uci: uci"]);
    }

    #[test]
    fn a_terminal_gets_a_hint_and_hears_of_mistakes() {
        let mut detector = Detector::new(echo, true);
        let lines = answers(&mut detector, &["", "hello"]);
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].contains("Type help"), "{lines:?}");
        assert!(lines[1].starts_with("Unknown command"), "{lines:?}");
    }

    #[test]
    fn requests_concern_the_position_of_the_protocol() {
        let fen = "8/8/8/8/8/8/8/4K2k w - - 0 1";
        let position = format!("position fen {fen}");
        let lines = heard(&[&position, "d"]);
        assert!(lines.contains(&format!("FEN: {fen}")), "{lines:?}");
    }

    #[test]
    fn requests_write_castling_as_the_protocol_does() {
        let position = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let standard = heard(&[position, "go perft 1"]);
        assert!(standard.contains(&"e1g1: 1".to_owned()), "{standard:?}");
        let chess960 = heard(&["uci", "chess960", position, "go perft 1"]);
        assert!(chess960.contains(&"e1h1: 1".to_owned()), "{chess960:?}");
    }

    #[test]
    fn a_stop_is_for_the_engine_while_requests_are_unanswered() {
        let mut detector = Detector::new(echo, false);
        let mut stops = |line| {
            detector.handle_line(Instant::now(), line);
            let commands = std::iter::from_fn(|| detector.poll_command());
            commands.filter(|it| matches!(it, Command::Stop)).count()
        };
        assert_eq!(stops("stop"), 0);
        assert_eq!(stops("perft 9"), 0);
        assert_eq!(stops("stop"), 1);
        detector.handle_event(
            Instant::now(),
            Event::Task(Ok(TaskResult::Network(String::new()))),
        );
        detector.handle_line(Instant::now(), "stop");
        assert!(detector.poll_command().is_none());
    }

    #[test]
    fn in_cecp_requests_belong_to_the_head() {
        assert_eq!(heard(&["xboard", "d"]), ["Cecp: xboard", "Cecp: d"]);
    }

    #[test]
    fn quit_and_end_of_input_quit_before_there_is_a_head() {
        for line in ["quit", " exit "] {
            let mut detector = Detector::new(echo, false);
            detector.handle_line(Instant::now(), line);
            assert!(matches!(detector.poll_command(), Some(Command::Quit)));
        }
        let mut detector = Detector::new(echo, false);
        detector.handle_eof();
        assert!(matches!(detector.poll_command(), Some(Command::Quit)));
    }

    #[test]
    fn a_protocol_can_be_decided_in_advance() {
        let mut detector = Detector::new(echo, false);
        detector.decide(Protocol::Cecp);
        assert_eq!(answers(&mut detector, &["uci"]), ["Cecp: uci"]);
    }
}
