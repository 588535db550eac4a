//! The real process: started, driven through pipes, and watched as it ends.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Names a binary to test, if it is not the one built along with the tests.
pub const BINARY_VARIABLE: &str = "ORTHRUS_BIN";

/// How long a test waits for what must come; far longer than it takes, so that only a hang fails.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// The promised time from the end of input, or of the reader of the output, to the end of the
/// process, on an idle machine.
pub const GONE_WITHIN: Duration = Duration::from_millis(100);

/// The time it may take on a busy machine.
pub const GONE_AT_LATEST: Duration = Duration::from_secs(5);

/// How often a promise about time may be tried: the engine keeps it if it does so once, and a busy
/// machine can delay any single attempt.
const ATTEMPTS: usize = 10;

/// The shortest of several measurements, or the first that is short enough.
pub fn shortest(limit: Duration, mut measure: impl FnMut() -> Duration) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..ATTEMPTS {
        best = best.min(measure());
        if best <= limit {
            break;
        }
    }
    best
}

/// Checks, with several attempts, that the process is gone in time.
///
/// # Panics
///
/// If it is not; `what` names what was tried.
pub fn assert_gone(what: &str, mut measure: impl FnMut() -> Duration) {
    let took = shortest(GONE_WITHIN, || {
        let took = measure();
        assert!(took <= GONE_AT_LATEST, "{what}: {took:?}");
        took
    });
    assert!(took <= GONE_WITHIN, "{what}: {took:?} at best");
}

/// Waits until something is so.
///
/// # Panics
///
/// If it does not come to that; `what` names it.
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}

static BINARY: LazyLock<PathBuf> =
    LazyLock::new(|| env::var_os(BINARY_VARIABLE).map_or_else(build, PathBuf::from));

/// The binary, built in the profile of this test; cargo does so on its own only for tests of the
/// same package.
fn build() -> PathBuf {
    let test = env::current_exe().expect("a test knows where it lies");
    // target/PROFILE/deps/TEST or, by newer versions of cargo, target/PROFILE/build/PACKAGE/HASH/out/TEST
    let folder = test
        .ancestors()
        .find(|folder| folder.ends_with("deps") || folder.ends_with("build"))
        .and_then(Path::parent)
        .expect("a test lies below its profile's folder");
    let profile = match folder.file_name().and_then(OsStr::to_str) {
        Some("debug") | None => "dev",
        Some(profile) => profile,
    };
    let mut target = folder
        .parent()
        .expect("the profile's folder lies in the target folder");
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--quiet", "--package", "orthrus"]);
    command.args(["--profile", profile]);
    // A system that was asked for by name has a folder of its own: target/SYSTEM/PROFILE.
    let name = target.file_name().and_then(OsStr::to_str);
    if let Some(system) = name.filter(|name| name.starts_with(&format!("{}-", env::consts::ARCH))) {
        command.args(["--target", system]);
        target = target.parent().expect("it lies in the target folder");
    }
    let status = command
        .arg("--target-dir")
        .arg(target)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .expect("cargo can be started");
    assert!(status.success(), "the binary cannot be built");
    folder.join(format!("orthrus{}", env::consts::EXE_SUFFIX))
}

/// A command that starts the binary, without any logging set in the environment.
pub fn command() -> Command {
    let mut command = Command::new(&*BINARY);
    command.env_remove("ORTHRUS_LOG");
    command
}

/// The memory of a process on Linux, in MiB: that in use (`VmRSS`) or claimed (`VmSize`).
///
/// # Panics
///
/// If there is no such process.
pub fn memory(id: u32, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).expect("its status");
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    let kibibytes = number.and_then(|number| number.parse::<u64>().ok());
    kibibytes.expect("a number of kB") >> 10
}

/// What the binary writes, and how it ends, with these arguments.
///
/// # Panics
///
/// If it cannot be started.
pub fn run(arguments: &[&str]) -> Output {
    start(|| command().args(arguments).output())
}

/// What starts a program gives, tried again if Wine fails of itself, as it does now and then when
/// several programs start at once.
fn start<T>(mut attempt: impl FnMut() -> io::Result<T>) -> T {
    const ERROR_INTERNAL_ERROR: i32 = 1359;
    let mut tries = 1;
    loop {
        match attempt() {
            Err(error) if error.raw_os_error() == Some(ERROR_INTERNAL_ERROR) && tries < 5 => {
                tries += 1;
                thread::sleep(Duration::from_millis(100));
            }
            result => return result.expect("the binary can be started"),
        }
    }
}

/// What the binary writes with these arguments; it must succeed.
///
/// # Panics
///
/// If it does not, or writes no text.
pub fn output_of(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("it writes UTF-8")
}

/// Greets an engine in UCI.
pub fn uci(mut engine: Process) -> Process {
    engine.send("uci");
    engine.wait_for("uciok");
    engine
}

/// Greets an engine in CECP.
pub fn cecp(mut engine: Process) -> Process {
    engine.send("xboard\nprotover 2");
    engine.wait_for("feature done=1");
    engine
}

/// A command that starts the binary under limits, given as for the shell's `ulimit`.
#[cfg(unix)]
pub fn limited(limits: &str) -> Command {
    let engine = command();
    let mut command = Command::new("sh");
    command.env_remove("ORTHRUS_LOG");
    command.args(["-c", &format!("ulimit {limits} && exec \"$0\" \"$@\"")]);
    command.arg(engine.get_program());
    command
}

/// How a process ended.
#[derive(Debug)]
pub struct Exit {
    /// Its exit status.
    pub status: ExitStatus,
    /// What it wrote to standard error.
    pub stderr: String,
    /// The lines on standard output that had not been read yet.
    pub lines: Vec<String>,
    /// How long it took to end after it was left alone.
    pub took: Duration,
}

/// A running engine. Dropped, it is killed.
#[derive(Debug)]
pub struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: Option<JoinHandle<String>>,
    /// When it was started.
    pub started: Instant,
}

impl Process {
    /// Starts the binary with these arguments.
    ///
    /// # Panics
    ///
    /// If it cannot be started.
    pub fn start(arguments: &[&str]) -> Self {
        let mut command = command();
        command.args(arguments);
        Self::spawn(command)
    }

    /// Starts a command: the binary, or a shell that becomes it.
    ///
    /// # Panics
    ///
    /// If it cannot be started.
    pub fn spawn(mut command: Command) -> Self {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let started = Instant::now();
        let mut child = start(|| command.spawn());
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("standard output is a pipe");
        let mut stderr = child.stderr.take().expect("standard error is a pipe");
        let (sender, lines) = channel();
        thread::spawn(move || {
            let lines = BufReader::new(stdout).lines().map_while(Result::ok);
            lines
                .map(|line| sender.send(line))
                .take_while(Result::is_ok)
                .for_each(drop);
        });
        let stderr = Some(thread::spawn(move || {
            let mut bytes = Vec::new();
            // What was read before a failure is worth showing too.
            let _ = stderr.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        }));
        Self {
            child,
            stdin,
            lines,
            stderr,
            started,
        }
    }

    /// Its process ID.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends bytes as they are; returns whether the engine took them all.
    pub fn try_send_bytes(&mut self, bytes: &[u8]) -> bool {
        let taken = |stdin: &mut ChildStdin| stdin.write_all(bytes).and_then(|()| stdin.flush());
        self.stdin
            .as_mut()
            .is_some_and(|stdin| taken(stdin).is_ok())
    }

    /// Sends bytes as they are.
    ///
    /// # Panics
    ///
    /// If the engine does not take them.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        assert!(self.try_send_bytes(bytes), "the engine does not listen");
    }

    /// Sends one or more lines.
    pub fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    /// Waits for a line that begins with `start` and returns all lines up to it.
    ///
    /// # Panics
    ///
    /// If it does not come.
    pub fn wait_for(&mut self, start: &str) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut seen = Vec::new();
        loop {
            let patience = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(patience) {
                Ok(line) => {
                    let found = line.starts_with(start);
                    seen.push(line);
                    if found {
                        return seen;
                    }
                }
                Err(error) => panic!("no {start:?} ({error}) after {seen:#?}"),
            }
        }
    }

    /// The lines that come within `time`.
    pub fn lines_within(&mut self, time: Duration) -> Vec<String> {
        let deadline = Instant::now() + time;
        let mut seen = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => seen.push(line),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return seen,
            }
        }
    }

    /// Closes standard input.
    pub fn close_input(&mut self) {
        drop(self.stdin.take());
    }

    /// Closes standard input and waits for the end.
    pub fn close(mut self) -> Exit {
        self.close_input();
        self.wait()
    }

    /// Waits for the end without closing standard input.
    ///
    /// # Panics
    ///
    /// If it does not end.
    pub fn wait(mut self) -> Exit {
        let start = Instant::now();
        let status = loop {
            match self.child.try_wait().expect("a child can be waited for") {
                Some(status) => break status,
                None if start.elapsed() > PATIENCE => panic!("the process does not end"),
                None => thread::sleep(Duration::from_millis(1)),
            }
        };
        let took = start.elapsed();
        let stderr = self
            .stderr
            .take()
            .map(|reader| reader.join().unwrap_or_default());
        let lines = self.lines_within(PATIENCE);
        Exit {
            status,
            stderr: stderr.unwrap_or_default(),
            lines,
            took,
        }
    }

    /// Sends a signal by its name, such as `INT`.
    ///
    /// # Panics
    ///
    /// If there is nothing to send it to.
    #[cfg(unix)]
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .args([format!("-{name}"), self.id().to_string()])
            .status()
            .expect("kill can be started");
        assert!(status.success(), "the process is gone");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It has usually ended already; a failed test must not leave it running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
