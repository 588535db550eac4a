//! Standard input and output as streams that wait, even if they have been told not to block: that is
//! set for all who share a stream, as a terminal or a socket, so others may have left it behind, and it
//! is not ours to change.

use std::io::{self, BufRead, Write};

/// Standard input.
#[cfg(unix)]
pub(crate) fn stdin() -> impl BufRead + Send {
    io::BufReader::new(unix::Input)
}

/// Standard output, without a buffer.
#[cfg(unix)]
pub(crate) fn stdout() -> impl Write + Send {
    unix::Output
}

/// Standard input.
#[cfg(not(unix))]
pub(crate) fn stdin() -> impl BufRead + Send {
    io::BufReader::new(io::stdin())
}

/// Standard output.
#[cfg(not(unix))]
pub(crate) fn stdout() -> impl Write + Send {
    io::stdout()
}

#[cfg(unix)]
mod unix {
    use std::io::{self, Read, Write};
    use std::os::fd::AsFd;

    use nix::errno::Errno;
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use nix::unistd;

    pub(super) struct Input;

    impl Read for Input {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let stdin = io::stdin();
            wait_while_blocked(&stdin, PollFlags::POLLIN, || unistd::read(&stdin, buffer))
        }
    }

    pub(super) struct Output;

    impl Write for Output {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let stdout = io::stdout();
            wait_while_blocked(&stdout, PollFlags::POLLOUT, || {
                unistd::write(&stdout, bytes)
            })
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Does this, again and again while the stream is not `ready` for it; any other failure is the caller's.
    fn wait_while_blocked(
        stream: impl AsFd,
        ready: PollFlags,
        mut act: impl FnMut() -> nix::Result<usize>,
    ) -> io::Result<usize> {
        loop {
            match act() {
                Err(Errno::EAGAIN) => {
                    poll(&mut [PollFd::new(stream.as_fd(), ready)], PollTimeout::NONE)?;
                }
                done => return Ok(done?),
            }
        }
    }
}
