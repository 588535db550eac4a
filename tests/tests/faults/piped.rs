//! A process whose pipes are in the hands of the test: it is read only on request, and either pipe can be closed.

use std::fs;
use std::io::{BufReader, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use orthrus_tests::process::PATIENCE;

pub(super) struct Piped {
    pub(super) child: Child,
    pub(super) stdin: Option<ChildStdin>,
    pub(super) stdout: Option<BufReader<ChildStdout>>,
    /// What is sent to it repeatedly while the test waits for its end. Once may not be enough: a
    /// process that another test is just starting holds all pipes open for a moment.
    pub(super) told: &'static str,
}

impl Piped {
    pub(super) fn start(mut command: Command, stdin: Stdio) -> Self {
        command.stdin(stdin).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().map(BufReader::new);
        Self {
            child,
            stdin,
            stdout,
            told: "",
        }
    }

    pub(super) fn say(&mut self, text: &str) {
        // A process that has ended reads nothing; its end is what the tests wait for.
        let _ = self.stdin.as_mut().unwrap().write_all(text.as_bytes());
    }

    /// How long it takes to end, without having crashed.
    pub(super) fn end(&mut self, what: &str) -> Duration {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(start.elapsed() < PATIENCE, "{what}: still there");
            if !self.told.is_empty() {
                self.say(self.told);
            }
            thread::sleep(Duration::from_millis(1));
        };
        let took = start.elapsed();
        let has_panicked = status.code() == Some(101);
        // SIGABRT, SIGBUS, SIGSEGV.
        let has_crashed = matches!(status.signal(), Some(6 | 7 | 11));
        assert!(!has_panicked && !has_crashed, "{what}: {status}");
        took
    }

    /// Processor time used so far, in the system's ticks of 10 ms.
    pub(super) fn ticks(&self) -> u64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let (_, fields) = stat.rsplit_once(") ").unwrap();
        let fields: Vec<&str> = fields.split(' ').collect();
        // The fields utime and stime, counted from the one after the name.
        [11, 12]
            .iter()
            .map(|&i| fields[i].parse::<u64>().unwrap())
            .sum()
    }
}

impl Drop for Piped {
    fn drop(&mut self) {
        // It has usually ended already; a failed test must not leave it running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
