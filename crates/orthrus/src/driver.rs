//! Takes lines from a user to a front end, its commands to the engine, and the answers back. Knows
//! nothing of chess, and of the world only channels and an [`Output`], so that a test can replace
//! all of them.
//!
//! It never waits for a reader: if its output is not taken, it leaves out what is out of date
//! ([`Backlog`]), then takes no more questions, and at the end gives the reader up.

mod backlog;

use std::convert::Infallible;
use std::io;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, after, at, never, select};
use orthrus_core::engine::{Command, Event};
use orthrus_core::frontend::Frontend;

pub(crate) use self::backlog::Backlog;
use crate::input::{Input, MAX_LINE};
use crate::logging::{LogFileError, Transcript};
use crate::output::Output;
use crate::script::Script;

/// Makes the head to which a line belongs.
pub(crate) type Detect = fn(&str) -> Option<Box<dyn Frontend>>;

/// How long the end waits for a reader that takes nothing.
const READER_PATIENCE: Duration = Duration::from_secs(1);

/// How long the end waits for the engine: far longer than it takes even on a busy machine, unless
/// the system does not let go of it, as when a network folder hangs.
const ENGINE_PATIENCE: Duration = Duration::from_secs(4);

/// More commands than any line gives.
const COMMANDS_OF_A_LINE: usize = 64;

/// How soon an engine that is behind with its commands is looked at again.
const MOMENT: Duration = Duration::from_millis(1);

pub(crate) struct Driver {
    pub(crate) frontend: Box<dyn Frontend>,
    /// While no protocol is known. The head that it makes replaces the front end.
    pub(crate) detect: Option<Detect>,
    pub(crate) input: Receiver<Input>,
    /// Closed when nobody is left who could say more than was said already.
    pub(crate) hangup: Receiver<Infallible>,
    /// What to say in place of a user.
    pub(crate) script: Option<Script>,
    pub(crate) commands: Sender<Command>,
    pub(crate) events: Receiver<Event>,
    /// To the user. Nobody else writes there.
    pub(crate) output: Output,
    /// What is not worth sending while nobody reads it.
    pub(crate) backlog: Backlog,
    /// Keeps every line, if wanted.
    pub(crate) transcript: Transcript,
}

/// How a conversation has ended.
#[derive(Debug)]
pub(crate) struct Ending {
    /// Whether all could be written that somebody was there to read.
    pub(crate) written: io::Result<()>,
    /// Whether the engine has ended. One that has not must not be waited for.
    pub(crate) engine_has_ended: bool,
}

impl Driver {
    /// Runs until the engine has hung up, or nobody is left to talk to.
    pub(crate) fn run(mut self) -> Ending {
        // Who gives a script may read the answers page by page.
        let patience = self.script.is_none().then_some(READER_PATIENCE);
        // When an engine that was told to quit is given up.
        let mut engine_limit: Option<Instant> = None;
        // When a reader is given up that has stopped and so keeps the end of the input from coming.
        let mut reader_limit: Option<Instant> = None;
        let mut is_hung_up = false;
        let mut engine_has_ended = false;
        while !engine_has_ended {
            if self.deliver() {
                engine_limit.get_or_insert_with(|| Instant::now() + ENGINE_PATIENCE);
                // What follows is not for us; and a closed channel is always ready: do not spin on it.
                self.script = None;
                self.input = never();
            }
            if let Some(input) = self.script.as_mut().and_then(Script::next_input) {
                self.take(input);
                continue;
            }
            let is_engine_behind = self.is_engine_behind();
            let is_full = self.output.is_full();
            let input = if is_engine_behind || is_full {
                never()
            } else {
                self.input.clone()
            };
            let progress = if is_full || self.backlog.is_waiting() {
                self.output.progress().clone()
            } else {
                never()
            };
            let moment = if is_engine_behind {
                after(MOMENT)
            } else {
                never()
            };
            if is_full && is_hung_up {
                reader_limit.get_or_insert_with(|| Instant::now() + READER_PATIENCE);
            }
            select! {
                recv(input) -> input => self.take(input.unwrap_or(Input::Eof)),
                recv(self.events) -> event => match event {
                    Ok(event) => self.hear(event),
                    Err(_) => engine_has_ended = true,
                },
                recv(progress) -> _ => {
                    reader_limit = None;
                    if !self.output.is_congested() {
                        self.pass(Backlog::release);
                    }
                }
                recv(moment) -> _ => {}
                recv(self.hangup) -> _ => {
                    is_hung_up = true;
                    // A closed channel is always ready: do not spin on it.
                    self.hangup = never();
                }
                recv(self.output.failure()) -> _ => break,
                recv(reader_limit.map_or_else(never, at)) -> _ => break,
                recv(engine_limit.map_or_else(never, at)) -> _ => break,
            }
        }
        let engine_limit = engine_limit.unwrap_or_else(|| Instant::now() + ENGINE_PATIENCE);
        self.end(engine_has_ended, engine_limit, patience)
    }

    /// Ends the engine, unless it has ended, until this limit, and the output.
    fn end(self, mut engine_has_ended: bool, limit: Instant, patience: Option<Duration>) -> Ending {
        let _ = self.commands.send_timeout(Command::Quit, MOMENT);
        drop(self.commands);
        while !engine_has_ended {
            match self.events.recv_deadline(limit) {
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => engine_has_ended = true,
                Err(RecvTimeoutError::Timeout) => {
                    log::error!("the engine does not end");
                    break;
                }
            }
        }
        Ending {
            written: self.output.close(patience),
            engine_has_ended,
        }
    }

    /// Whether the engine is so far behind that another line might have to wait for it.
    fn is_engine_behind(&self) -> bool {
        let capacity = self.commands.capacity();
        capacity.is_some_and(|most| self.commands.len() + COMMANDS_OF_A_LINE > most)
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
            Input::TooLong => self.notify(format!(
                "a line of more than {MAX_LINE} bytes was thrown away"
            )),
            Input::Eof => self.frontend.handle_eof(),
        }
    }

    fn hear(&mut self, event: Event) {
        if let Some(script) = &mut self.script {
            script.hear(&event);
        }
        let is_congested = self.output.is_congested();
        self.pass(|backlog| backlog.pass(event, is_congested));
    }

    /// Passes on what the backlog lets through.
    fn pass(&mut self, events: impl FnOnce(&mut Backlog) -> Vec<Event>) {
        for event in events(&mut self.backlog) {
            self.frontend.handle_event(Instant::now(), event);
        }
    }

    /// Delivers everything the front end has to say, and returns whether the engine is to quit.
    fn deliver(&mut self) -> bool {
        let mut quits = false;
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
                quits |= matches!(command, Command::Quit);
                // An engine that has hung up says so by its events.
                let _ = self.commands.send(command);
            } else if let Some(line) = outbox.lines.pop_front() {
                self.record("<<", &line);
                self.output.send(line);
            } else {
                return quits;
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
            self.notify(error.to_string());
        }
    }

    fn notify(&mut self, text: String) {
        self.frontend
            .handle_event(Instant::now(), Event::Notice(text));
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};
    use std::thread;

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

    /// A parrot's driver. After `louder` another parrot takes over.
    fn parrot(
        input: Receiver<Input>,
        hangup: Receiver<Infallible>,
        commands: Sender<Command>,
        events: Receiver<Event>,
        writer: impl Write + Send + 'static,
    ) -> Driver {
        Driver {
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
            hangup,
            script: None,
            commands,
            events,
            output: Output::start(writer, |_| false).unwrap(),
            backlog: Backlog::default(),
            transcript: Transcript::new(),
        }
    }

    /// Lets a parrot talk with an engine that answers pings, until both have ended.
    fn converse(
        input: Receiver<Input>,
        hangup: Receiver<Infallible>,
        writer: impl Write + Send + 'static,
    ) -> io::Result<()> {
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
        let ending = parrot(input, hangup, commands, events, writer).run();
        engine.join().unwrap();
        assert!(ending.engine_has_ended);
        ending.written
    }

    /// Keeps what is written.
    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);

    impl Paper {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
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
        let output = Paper::default();
        converse(input, never(), output.clone()).unwrap();
        output.text()
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
        let output = Paper::default();
        converse(input, never(), output.clone()).unwrap();
        assert_eq!(output.text(), "eof\n");
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
        let output = Paper::default();
        converse(input, never(), output.clone()).unwrap();
        quit.join().unwrap();
        assert_eq!(output.text(), "Pong(7)\n");
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
        let result = converse(input, never(), Closed);
        assert_eq!(result.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn an_engine_that_does_not_end_is_heard_and_then_given_up_once() {
        let (inputs, input) = unbounded();
        inputs.send(line("quit")).unwrap();
        let (commands, inbox) = unbounded();
        let (outbox, events) = unbounded();
        let engine = thread::spawn(move || {
            assert!(matches!(inbox.recv(), Ok(Command::Quit)));
            thread::sleep(ENGINE_PATIENCE / 2);
            outbox.send(Event::Pong(1)).unwrap();
            outbox // stays open: the engine has not ended
        });
        let output = Paper::default();
        let start = Instant::now();
        let ending = parrot(input, never(), commands, events, output.clone()).run();
        assert!(start.elapsed() < ENGINE_PATIENCE * 2);
        assert!(!ending.engine_has_ended);
        assert_eq!(output.text(), "Pong(1)\n");
        engine.join().unwrap();
    }

    #[test]
    fn every_line_is_flushed_before_waiting() {
        /// Lets through only what was flushed.
        struct Flushed {
            held: Vec<u8>,
            seen: Sender<String>,
        }
        impl Write for Flushed {
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
            let output = Flushed {
                held: Vec::new(),
                seen,
            };
            converse(input, never(), output).unwrap();
        });
        inputs.send(line("hello")).unwrap();
        assert_eq!(
            sight.recv_timeout(Duration::from_secs(10)).as_deref(),
            Ok("hello\n")
        );
        inputs.send(Input::Eof).unwrap();
        driver.join().unwrap();
    }

    /// Takes nothing, until the other end of the channel is dropped.
    struct Stopped(Receiver<()>);
    impl Write for Stopped {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_stopped_reader_holds_neither_a_quit_nor_the_end_of_input_up() {
        for end in [line("quit"), Input::Eof] {
            let (_goes_on, stop) = unbounded();
            let (inputs, input) = unbounded();
            inputs.send(line("hello")).unwrap();
            inputs.send(end).unwrap();
            converse(input, never(), Stopped(stop)).unwrap();
        }
    }

    #[test]
    fn a_stopped_reader_stops_the_input_and_is_given_up_when_nobody_writes() {
        let (_goes_on, stop) = unbounded();
        let (inputs, input) = unbounded();
        let (writer, hangup) = crossbeam_channel::bounded(0);
        let flood = line(&"x".repeat(1 << 20));
        for _ in 0..50 {
            inputs.send(flood.clone()).unwrap();
        }
        drop(writer);
        let left = input.clone();
        converse(input, hangup, Stopped(stop)).unwrap();
        assert!(left.len() > 40, "only {} lines were not taken", left.len());
    }
}
