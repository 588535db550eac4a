//! Standard output of a conversation. A thread of its own writes what a reader does not take at once,
//! so that nothing else ever waits for one that has stopped; who hands lines over asks how many have
//! not been taken. What there is room for is written directly: on a busy machine another thread may
//! have to wait for its turn, while a clock is running.

use std::convert::Infallible;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};

/// Bytes that a reader which is merely busy may leave unread, besides what the pipe holds.
const CONGESTED: usize = 1 << 20;

/// Bytes after which no more questions are taken.
const FULL: usize = 4 << 20;

/// The most bytes that the thread writes at once; on Linux a pipe takes them as one.
const PIECE: usize = 4096;

/// Lines on their way to a reader.
pub(crate) struct Output {
    /// Writes a whole line unless that might have to wait; says whether it has.
    at_once: fn(&str) -> bool,
    lines: Sender<String>,
    /// Bytes that were handed over and are not written yet.
    unwritten: Arc<AtomicUsize>,
    /// A message when some of them have been written.
    progress: Receiver<()>,
    /// Closed when nothing can be written any more.
    failure: Receiver<Infallible>,
    thread: JoinHandle<io::Result<()>>,
}

impl Output {
    /// Starts the thread that writes what `at_once` does not; that writes a whole line if it can do so
    /// without waiting, and says whether it has.
    ///
    /// # Errors
    ///
    /// The system refuses the thread.
    pub(crate) fn start(
        writer: impl Write + Send + 'static,
        at_once: fn(&str) -> bool,
    ) -> io::Result<Self> {
        let (lines, inbox) = unbounded();
        let (moved, progress) = bounded(1);
        let (alive, failure) = bounded(0);
        let unwritten = Arc::new(AtomicUsize::new(0));
        let left = Arc::clone(&unwritten);
        let thread = Builder::new().name("output".to_owned()).spawn(move || {
            // Dropped at the end: that is the message.
            let _alive = alive;
            write(writer, &inbox, &left, &moved)
        })?;
        Ok(Self {
            at_once,
            lines,
            unwritten,
            progress,
            failure,
            thread,
        })
    }

    /// Hands over a line, without its end. Never waits.
    pub(crate) fn send(&self, mut line: String) {
        line.push('\n');
        // Nothing may overtake what the thread has still to write.
        if self.unwritten.load(Ordering::Acquire) == 0 && (self.at_once)(&line) {
            return;
        }
        self.unwritten.fetch_add(line.len(), Ordering::Relaxed);
        // A thread that has failed says so by `failure`.
        let _ = self.lines.send(line);
    }

    /// Whether the reader has stopped, or is much slower than the search: what is out of date when
    /// it is read need not be sent.
    pub(crate) fn is_congested(&self) -> bool {
        self.unwritten.load(Ordering::Relaxed) > CONGESTED
    }

    /// Whether so much is unread that nothing should be asked that adds to it.
    pub(crate) fn is_full(&self) -> bool {
        self.unwritten.load(Ordering::Relaxed) > FULL
    }

    /// A message whenever something has been written since the last one.
    pub(crate) fn progress(&self) -> &Receiver<()> {
        &self.progress
    }

    /// Closed when nothing can be written any more; [`Self::close`] says why.
    pub(crate) fn failure(&self) -> &Receiver<Infallible> {
        &self.failure
    }

    /// Waits until all is written, or nothing has been for as long as `patience`: a reader that has
    /// stopped may never go on. Without `patience` it may take its time.
    ///
    /// # Errors
    ///
    /// Something cannot be written: nobody is left to read it, or there is no room for it.
    pub(crate) fn close(self, patience: Option<Duration>) -> io::Result<()> {
        drop(self.lines);
        loop {
            let waited = match patience {
                Some(patience) => self.progress.recv_timeout(patience),
                None => self.progress.recv().map_err(RecvTimeoutError::from),
            };
            match waited {
                Ok(()) => {}
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    let bytes = self.unwritten.load(Ordering::Relaxed);
                    log::warn!("nobody reads standard output: {bytes} bytes are lost");
                    return Ok(());
                }
            }
        }
        match self.thread.join() {
            Ok(written) => written,
            Err(_) => Err(io::Error::other("the thread that writes has panicked")),
        }
    }
}

/// Writes a line to standard output if there is room for it, and says whether it has. What fails is
/// left to the thread, to which it happens again.
#[cfg(unix)]
pub(crate) fn write_at_once(line: &str) -> bool {
    use std::os::fd::AsFd as _;
    use std::sync::LazyLock;

    use nix::libc::PIPE_BUF;
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    static IS_PIPE: LazyLock<bool> = LazyLock::new(|| is_pipe(io::stdout().as_fd()));

    if !*IS_PIPE {
        return false;
    }
    let mut stdout = io::stdout().lock();
    let has_room = {
        let mut polled = [PollFd::new(stdout.as_fd(), PollFlags::POLLOUT)];
        let found = poll(&mut polled, PollTimeout::ZERO);
        found == Ok(1) && polled[0].revents() == Some(PollFlags::POLLOUT)
    };
    // A pipe that can be written to takes so many bytes at once (POSIX): 4,096 on Linux, 512 on a Mac.
    // A terminal does not, and a write to it would wait for its reader.
    has_room && line.len() <= PIPE_BUF && stdout.write_all(line.as_bytes()).is_ok()
}

#[cfg(unix)]
fn is_pipe(stdout: std::os::fd::BorrowedFd<'_>) -> bool {
    use std::fs::File;
    use std::os::unix::fs::FileTypeExt as _;

    let file = stdout.try_clone_to_owned().map(File::from);
    let metadata = file.and_then(|file| file.metadata());
    metadata.is_ok_and(|it| it.file_type().is_fifo())
}

/// Everything is left to the thread.
#[cfg(not(unix))]
pub(crate) fn write_at_once(_line: &str) -> bool {
    false
}

/// Writes lines until there are no more, flushing whenever none is waiting.
fn write(
    mut writer: impl Write,
    lines: &Receiver<String>,
    unwritten: &AtomicUsize,
    moved: &Sender<()>,
) -> io::Result<()> {
    let mut piece = String::new();
    let mut next = None;
    while let Some(line) = next.take().or_else(|| lines.recv().ok()) {
        piece.clear();
        piece.push_str(&line);
        while let Ok(line) = lines.try_recv() {
            if piece.len() + line.len() > PIECE {
                next = Some(line);
                break;
            }
            piece.push_str(&line);
        }
        writer.write_all(piece.as_bytes())?;
        writer.flush()?;
        unwritten.fetch_sub(piece.len(), Ordering::Release);
        // A message is already waiting, or nobody listens.
        let _ = moved.try_send(());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a reader does.
    enum Act {
        Take,
        Fail,
    }

    /// A reader that takes one piece each time it is told to, and keeps it.
    struct Reader {
        acts: Receiver<Act>,
        taken: Sender<String>,
    }

    impl Write for Reader {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self.acts.recv() {
                Ok(Act::Take) => {
                    let text = String::from_utf8(bytes.to_vec()).unwrap();
                    self.taken.send(text).map_err(io::Error::other)?;
                    Ok(bytes.len())
                }
                Ok(Act::Fail) | Err(_) => Err(io::ErrorKind::BrokenPipe.into()),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn output() -> (Output, Sender<Act>, Receiver<String>) {
        let (tell, acts) = unbounded();
        let (taken, texts) = unbounded();
        (
            Output::start(Reader { acts, taken }, |_| false).unwrap(),
            tell,
            texts,
        )
    }

    #[test]
    fn lines_arrive_whole_and_in_order() {
        let (output, tell, texts) = output();
        let lines: Vec<String> = (0..2000).map(|number| format!("line {number}")).collect();
        for line in &lines {
            output.send(line.clone());
        }
        for _ in 0..=lines.len() {
            tell.send(Act::Take).unwrap();
        }
        output.close(None).unwrap();
        let pieces: Vec<String> = texts.iter().collect();
        assert!(pieces.iter().all(|piece| piece.ends_with('\n')));
        assert!(pieces.iter().all(|piece| piece.len() <= PIECE));
        assert_eq!(pieces.concat(), lines.join("\n") + "\n");
    }

    #[test]
    fn a_reader_that_has_stopped_holds_nobody_up_and_is_noticed() {
        let (output, tell, texts) = output();
        while !output.is_full() {
            assert!(output.unwritten.load(Ordering::Relaxed) <= FULL);
            output.send("x".repeat(1000));
        }
        assert!(output.is_congested());
        // It goes on: everything arrives.
        for _ in 0..FULL {
            tell.send(Act::Take).unwrap();
        }
        while output.is_congested() {
            output.progress().recv().unwrap();
        }
        output.close(None).unwrap();
        let length: usize = texts.iter().map(|piece| piece.len()).sum();
        assert!(length > FULL);
    }

    #[test]
    fn the_end_waits_for_a_reader_that_reads_and_for_no_other() {
        let (first, tell, texts) = output();
        first.send("last words".to_owned());
        tell.send(Act::Take).unwrap();
        first.close(Some(Duration::from_secs(20))).unwrap();
        assert_eq!(texts.recv().unwrap(), "last words\n");

        let (second, _tell, _texts) = output();
        second.send("nobody reads this".to_owned());
        second.close(Some(Duration::from_millis(1))).unwrap();
    }

    #[test]
    fn a_failure_is_noticed_and_told() {
        let (output, tell, _texts) = output();
        output.send("anything".to_owned());
        tell.send(Act::Fail).unwrap();
        assert!(output.failure().recv().is_err());
        let error = output.close(None).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
