//! What comes from the user: lines, until there are no more.

use std::convert::Infallible;
use std::io::{self, BufRead};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::text::decode;

/// Bytes of the longest line; longer ones are thrown away. A game of twenty thousand moves has a
/// hundredth of this.
pub(crate) const MAX_LINE: usize = 1 << 24;

/// Lines that wait to be answered. With more, whoever writes them has to wait too: what waits takes
/// no more memory than a few of the longest lines.
pub(crate) const WAITING_LINES: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// A line, without its ending, and the moment it was read.
    Line {
        at: Instant,
        /// The line; neither line ends nor NUL are left in it.
        text: String,
    },
    /// A line that was thrown away.
    TooLong,
    Eof,
}

/// Reads lines until the end of the stream, stamps them and sends them, with [`Input::Eof`] last.
///
/// Nothing that can be read is an error: a line is UTF-8 or else Latin-1, line ends may be those of
/// any system, the last line may lack one. A failure of the stream counts as its end.
pub(crate) fn read(mut stream: impl BufRead, inputs: &Sender<Input>) {
    let mut line = Vec::new();
    // What ended the line before.
    let mut last_end = None;
    loop {
        line.clear();
        let end = match read_line(&mut stream, &mut line) {
            Ok(end) => end,
            Err(error) => {
                log::warn!("standard input failed: {error}");
                break;
            }
        };
        let at = Instant::now();
        let is_pair = line.is_empty() && last_end == Some(b'\r') && end == Some(b'\n');
        let is_nothing = line.is_empty() && end.is_none();
        last_end = end;
        let input = if line.len() > MAX_LINE {
            Some(Input::TooLong)
        } else if is_pair || is_nothing {
            None
        } else {
            let text = decode(&line);
            Some(Input::Line { at, text })
        };
        if input.is_some_and(|input| inputs.send(input).is_err()) {
            return;
        }
        if end.is_none() {
            break;
        }
    }
    log::debug!("end of input");
    // If nobody listens any more, nobody needs to know of the end either.
    let _ = inputs.send(Input::Eof);
}

/// A channel that is closed when nobody can write to this process any more, even if not all that was
/// written has been read. Where the system cannot tell, or standard input is no pipe, it stays open.
///
/// # Errors
///
/// The system refuses a thread.
pub(crate) fn hangup() -> io::Result<Receiver<Infallible>> {
    let (alive, hangup) = bounded(0);
    // Not joined: it waits as long as the process lives.
    thread::Builder::new()
        .name("hangup".to_owned())
        .stack_size(64 << 10)
        .spawn(move || {
            wait_for_hangup();
            drop(alive);
        })?;
    Ok(hangup)
}

#[cfg(unix)]
fn wait_for_hangup() {
    use std::os::fd::AsFd as _;

    use nix::errno::Errno;
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    let stdin = io::stdin();
    // Without a flag only a hang-up and failures are reported.
    let mut polled = [PollFd::new(stdin.as_fd(), PollFlags::empty())];
    while let Err(Errno::EINTR) = poll(&mut polled, PollTimeout::NONE) {}
}

#[cfg(not(unix))]
fn wait_for_hangup() {
    loop {
        thread::park();
    }
}

/// Reads what comes before the next line feed or carriage return, and returns which of them it was;
/// `None` at the end of the stream. A line longer than [`MAX_LINE`] is not kept completely.
fn read_line(stream: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<u8>> {
    loop {
        let buffer = match stream.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if buffer.is_empty() {
            return Ok(None);
        }
        let length = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let taken = length.unwrap_or(buffer.len());
        if line.len() <= MAX_LINE {
            line.extend_from_slice(&buffer[..taken]);
        }
        let end = length.map(|length| buffer[length]);
        stream.consume(taken + usize::from(end.is_some()));
        if end.is_some() {
            return Ok(end);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use crossbeam_channel::unbounded;

    use super::*;

    fn read(bytes: &[u8]) -> Vec<String> {
        let (sender, receiver) = unbounded();
        super::read(Cursor::new(bytes), &sender);
        drop(sender);
        let mut inputs: Vec<Input> = receiver.iter().collect();
        assert_eq!(inputs.pop(), Some(Input::Eof));
        inputs
            .into_iter()
            .map(|input| match input {
                Input::Line { text, .. } => text,
                Input::TooLong => "(too long)".to_owned(),
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
        super::read(stream, &sender);
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
        assert_eq!(read(&bytes), ["(too long)", "uci"]);
    }

    #[test]
    fn a_failing_stream_has_ended() {
        let (sender, receiver) = unbounded();
        super::read(io::BufReader::new(Broken), &sender);
        assert_eq!(receiver.try_recv(), Ok(Input::Eof));
    }
}
