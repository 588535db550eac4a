//! Streams that do not block, as a program that shared them may have left a terminal or a socket: the
//! engine waits until there is something to read, or room to write.

use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use orthrus_tests::process::{PATIENCE, command};

/// How long nothing is said, or read: far longer than it takes to try once.
const SILENCE: Duration = Duration::from_millis(300);

/// An engine at the other end of a socket, which does not block it.
fn start() -> (Child, UnixStream) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    theirs.set_nonblocking(true).unwrap();
    ours.set_read_timeout(Some(PATIENCE)).unwrap();
    let stdin = OwnedFd::from(theirs.try_clone().unwrap());
    let mut command = command();
    command.stdin(stdin).stdout(OwnedFd::from(theirs));
    (command.stderr(Stdio::null()).spawn().unwrap(), ours)
}

/// What it says until it ends.
fn rest(mut engine: Child, mut socket: UnixStream) -> String {
    let mut text = String::new();
    socket.read_to_string(&mut text).unwrap();
    assert!(engine.wait().unwrap().success());
    text
}

#[test]
fn input_is_waited_for() {
    for (said, answer) in [
        ("uci\n", "uciok\n"),
        ("xboard\nprotover 2\n", "feature done=1\n"),
    ] {
        let (engine, mut socket) = start();
        for line in said.split_inclusive('\n').chain(["quit\n"]) {
            thread::sleep(SILENCE);
            socket.write_all(line.as_bytes()).unwrap();
        }
        assert!(rest(engine, socket).ends_with(answer), "{said}");
    }
}

#[test]
fn room_for_output_is_waited_for() {
    // Several times what a socket holds.
    const BOARDS: usize = 1_000;
    let (engine, mut socket) = start();
    socket.write_all(b"uci\n").unwrap();
    socket.write_all("d\n".repeat(BOARDS).as_bytes()).unwrap();
    thread::sleep(SILENCE);
    socket.write_all(b"isready\nquit\n").unwrap();
    let text = rest(engine, socket);
    assert_eq!(text.matches("\nFEN: ").count(), BOARDS);
    assert!(text.ends_with("\nreadyok\n"));
}
