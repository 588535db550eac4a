//! Takes lines from a user to a front end, its commands to the engine, and the answers back. Knows
//! nothing of chess, and of the world only a writer and channels, so that a test can replace all of
//! them.

use std::io::{self, Write};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, never, select};
use orthrus_core::engine::{Command, Event};
use orthrus_core::frontend::Frontend;

use crate::input::Input;
use crate::logging::{LogFileError, Transcript};
use crate::script::Script;

/// Makes the head to which a line belongs.
pub(crate) type Detect = fn(&str) -> Option<Box<dyn Frontend>>;

pub(crate) struct Driver<'a> {
    pub(crate) frontend: Box<dyn Frontend>,
    /// While no protocol is known. The head that it makes replaces the front end.
    pub(crate) detect: Option<Detect>,
    pub(crate) input: Receiver<Input>,
    /// What to say in place of a user.
    pub(crate) script: Option<Script>,
    pub(crate) commands: Sender<Command>,
    pub(crate) events: Receiver<Event>,
    /// To the user. Nobody else writes to it: complete lines, flushed whenever there is nothing
    /// more to say.
    pub(crate) output: &'a mut dyn Write,
    /// Keeps every line, if wanted.
    pub(crate) transcript: Transcript,
}

impl Driver<'_> {
    /// Runs until the engine has hung up.
    ///
    /// # Errors
    ///
    /// The output cannot be written to: nobody is left to read it. The engine has then been told to
    /// quit.
    pub(crate) fn run(mut self) -> io::Result<()> {
        loop {
            if let Err(error) = self.deliver() {
                let _ = self.commands.send(Command::Quit);
                return Err(error);
            }
            if let Some(input) = self.script.as_mut().and_then(Script::next_input) {
                self.take(input);
                continue;
            }
            select! {
                recv(self.input) -> input => self.take(input.unwrap_or(Input::Eof)),
                recv(self.events) -> event => match event {
                    Ok(event) => {
                        if let Some(script) = &mut self.script {
                            script.hear(&event);
                        }
                        self.frontend.handle_event(Instant::now(), event);
                    }
                    Err(_) => return Ok(()),
                },
            }
        }
    }

    fn take(&mut self, input: Input) {
        match input {
            Input::Line { at, text } => {
                self.record(">>", &text);
                if let Some(head) = self.detect.and_then(|detect| detect(&text)) {
                    self.frontend = head;
                    self.detect = None;
                }
                self.frontend.handle_line(at, &text);
            }
            Input::Eof => {
                self.frontend.handle_eof();
                self.script = None;
                // A closed channel is always ready: do not spin on it.
                self.input = never();
            }
        }
    }

    fn deliver(&mut self) -> io::Result<()> {
        let mut wrote = false;
        loop {
            let outbox = self.frontend.outbox();
            if let Some(name) = outbox.log_file.take() {
                let opened = self.transcript.open(&name);
                self.complain(opened);
            } else if let Some(command) = outbox.commands.pop_front() {
                log::trace!("{command:?}");
                if let Some(script) = &mut self.script {
                    script.note(&command);
                }
                // An engine that has hung up says so by its events.
                let _ = self.commands.send(command);
            } else if let Some(line) = outbox.lines.pop_front() {
                self.record("<<", &line);
                writeln!(self.output, "{line}")?;
                wrote = true;
            } else if wrote {
                return self.output.flush();
            } else {
                return Ok(());
            }
        }
    }

    fn record(&mut self, direction: &str, line: &str) {
        let kept = self.transcript.record(direction, line);
        self.complain(kept);
    }

    /// Tells the user why lines are not kept.
    fn complain(&mut self, outcome: Result<(), LogFileError>) {
        if let Err(error) = outcome {
            let notice = Event::Notice(error.to_string());
            self.frontend.handle_event(Instant::now(), notice);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use crossbeam_channel::unbounded;

    use orthrus_core::frontend::Outbox;

    use super::*;

    /// `ping` asks the engine, which answers; `quit` and the end of input quit; all else is repeated.
    #[derive(Default)]
    struct Parrot {
        is_loud: bool,
        outbox: Outbox,
    }

    impl Frontend for Parrot {
        fn handle_line(&mut self, _now: Instant, line: &str) {
            match line {
                "ping" => self.outbox.send(Command::Ping(7)),
                "quit" => self.outbox.send(Command::Quit),
                _ if self.is_loud => self.outbox.say(line.to_uppercase()),
                _ => self.outbox.say(line.to_owned()),
            }
        }

        fn handle_event(&mut self, _now: Instant, event: Event) {
            self.outbox.say(format!("{event:?}"));
        }

        fn handle_eof(&mut self) {
            self.outbox.say("eof".to_owned());
            self.outbox.send(Command::Quit);
        }

        fn outbox(&mut self) -> &mut Outbox {
            &mut self.outbox
        }
    }

    /// Lets a parrot talk with an engine that answers pings, until both have ended. After
    /// `louder` another parrot takes over.
    fn converse(input: Receiver<Input>, output: &mut impl Write) -> io::Result<()> {
        let (commands, inbox) = unbounded();
        let (outbox, events) = unbounded();
        let engine = thread::spawn(move || {
            for command in inbox {
                match command {
                    Command::Ping(token) => outbox.send(Event::Pong(token)).unwrap(),
                    Command::Quit => break,
                    other => panic!("not part of this test: {other:?}"),
                }
            }
        });
        let driver = Driver {
            frontend: Box::new(Parrot::default()),
            detect: Some(|line| {
                (line == "louder").then(|| {
                    Box::new(Parrot {
                        is_loud: true,
                        ..Parrot::default()
                    }) as _
                })
            }),
            input,
            script: None,
            commands,
            events,
            output,
            transcript: Transcript::new(),
        };
        let result = driver.run();
        engine.join().unwrap();
        result
    }

    fn line(text: &str) -> Input {
        Input::Line {
            at: Instant::now(),
            text: text.to_owned(),
        }
    }

    /// Feeds `script` to a parrot and returns what was written. The sender of the input stays open
    /// until the end, as it does with a user who waits.
    fn session(script: &[Input]) -> String {
        let (inputs, input) = unbounded();
        for item in script {
            inputs.send(item.clone()).unwrap();
        }
        let mut output = Vec::new();
        converse(input, &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn lines_go_in_and_out_until_the_engine_has_ended() {
        assert_eq!(
            session(&[line("hello"), line("world"), line("quit")]),
            "hello\nworld\n"
        );
    }

    #[test]
    fn a_head_that_is_detected_takes_over_once() {
        let script = ["hello", "louder", "world", "louder", "quit"].map(line);
        assert_eq!(session(&script), "hello\nLOUDER\nWORLD\nLOUDER\n");
    }

    #[test]
    fn end_of_input_reaches_the_front_end_once() {
        assert_eq!(session(&[line("hello"), Input::Eof]), "hello\neof\n");
    }

    #[test]
    fn a_reader_that_vanishes_is_the_end_of_input() {
        let (inputs, input) = unbounded();
        drop(inputs);
        let mut output = Vec::new();
        converse(input, &mut output).unwrap();
        assert_eq!(output, b"eof\n");
    }

    #[test]
    fn events_are_answered_while_the_input_is_silent() {
        let (inputs, input) = unbounded();
        inputs.send(line("ping")).unwrap();
        let quit = thread::spawn(move || {
            thread::sleep(Duration::from_millis(50));
            inputs.send(line("quit")).unwrap();
            inputs // stays open: no end of input is seen
        });
        let mut output = Vec::new();
        converse(input, &mut output).unwrap();
        quit.join().unwrap();
        assert_eq!(output, b"Pong(7)\n");
    }

    #[test]
    fn a_closed_output_quits_the_engine() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let (inputs, input) = unbounded();
        inputs.send(line("hello")).unwrap();
        let result = converse(input, &mut Closed);
        assert_eq!(result.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn every_line_is_flushed_before_waiting() {
        /// Lets through only what was flushed.
        struct Flushed<'a> {
            held: Vec<u8>,
            seen: &'a Sender<String>,
        }
        impl Write for Flushed<'_> {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.held.extend(bytes);
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                let text = String::from_utf8(std::mem::take(&mut self.held)).unwrap();
                self.seen.send(text).map_err(io::Error::other)
            }
        }
        let (inputs, input) = unbounded();
        let (seen, sight) = unbounded();
        let driver = thread::spawn(move || {
            let mut output = Flushed {
                held: Vec::new(),
                seen: &seen,
            };
            converse(input, &mut output).unwrap();
        });
        inputs.send(line("hello")).unwrap();
        assert_eq!(
            sight.recv_timeout(Duration::from_secs(10)).as_deref(),
            Ok("hello\n")
        );
        inputs.send(Input::Eof).unwrap();
        driver.join().unwrap();
    }
}
