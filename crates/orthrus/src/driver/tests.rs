use std::io::{Cursor, Read};
use std::thread;
use std::time::Duration;

use crossbeam_channel::unbounded;

use super::*;

fn read(bytes: &[u8]) -> Vec<String> {
    let (sender, receiver) = unbounded();
    read_input(Cursor::new(bytes), &sender);
    drop(sender);
    let mut inputs: Vec<Input> = receiver.iter().collect();
    assert_eq!(inputs.pop(), Some(Input::Eof));
    inputs
        .into_iter()
        .map(|input| match input {
            Input::Line { text, .. } => text,
            Input::Eof => panic!("the end came twice"),
        })
        .collect()
}

/// A stream that fails.
struct Broken;
impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("unplugged"))
    }
}

#[test]
fn lines_end_in_any_manner() {
    assert_eq!(read(b""), [""; 0]);
    assert_eq!(read(b"uci\nisready\n"), ["uci", "isready"]);
    assert_eq!(read(b"uci\r\nisready\r\n"), ["uci", "isready"]);
    assert_eq!(read(b"uci\risready\r"), ["uci", "isready"]);
    assert_eq!(read(b"uci\r\r\n\nisready"), ["uci", "", "", "isready"]);
    assert_eq!(read(b"uci\nquit"), ["uci", "quit"]);
    assert_eq!(read(b"\n\n"), ["", ""]);
}

#[test]
fn a_carriage_return_ends_a_line_before_more_is_there() {
    let (sender, inputs) = unbounded();
    // Reading on fails: the line must be there before that.
    let stream = io::BufReader::new(b"isready\r".chain(Broken));
    read_input(stream, &sender);
    let first = inputs.try_recv().unwrap();
    assert!(matches!(first, Input::Line { text, .. } if text == "isready"));
}

#[test]
fn any_bytes_make_a_line() {
    assert_eq!(read(b"\xef\xbb\xbfuci\n"), ["uci"]);
    assert_eq!(read(b"a\0b\n"), ["a\u{fffd}b"]);
    assert_eq!(read("jürgen\n".as_bytes()), ["jürgen"]);
    assert_eq!(read(b"j\xfcrgen\xff(\n"), ["jürgenÿ("]);
}

#[test]
fn long_lines_arrive_and_absurd_ones_do_no_harm() {
    let mut bytes = vec![b'x'; 1 << 20];
    bytes.extend(b"\nuci\n");
    let lines = read(&bytes);
    assert_eq!((lines[0].len(), lines[1].as_str()), (1 << 20, "uci"));

    let mut bytes = vec![b'x'; MAX_LINE + 5];
    bytes.extend(b"\nuci\n");
    assert_eq!(read(&bytes), ["uci"]);
}

#[test]
fn a_failing_stream_has_ended() {
    let (sender, receiver) = unbounded();
    read_input(io::BufReader::new(Broken), &sender);
    assert_eq!(receiver.try_recv(), Ok(Input::Eof));
}

/// `ping` asks the engine, which answers; `quit` and the end of input quit; all else is repeated.
#[derive(Default)]
struct Parrot {
    commands: Vec<Command>,
    lines: Vec<String>,
}

impl Frontend for Parrot {
    fn handle_line(&mut self, _now: Instant, line: &str) {
        match line {
            "ping" => self.commands.push(Command::Ping(7)),
            "quit" => self.commands.push(Command::Quit),
            _ => self.lines.push(line.to_owned()),
        }
    }

    fn handle_event(&mut self, _now: Instant, event: Event) {
        self.lines.push(format!("{event:?}"));
    }

    fn handle_eof(&mut self) {
        self.lines.push("eof".to_owned());
        self.commands.push(Command::Quit);
    }

    fn poll_command(&mut self) -> Option<Command> {
        self.commands.pop()
    }

    fn poll_line(&mut self) -> Option<String> {
        self.lines.pop()
    }
}

/// Lets a parrot talk with an engine that answers pings, until both have ended.
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
    let result = drive(&mut Parrot::default(), input, &commands, &events, output);
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
