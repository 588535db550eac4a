//! Where log records and transcripts go: nowhere, to standard error, or to files. Never to standard
//! output, which belongs to the protocol.

use std::env;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::time::Instant;

use env_logger::{Builder, Target};
use log::LevelFilter;
use orthrus_core::files;
use thiserror::Error;

/// The environment variable that sets the log level, or levels by module.
const LEVEL_VARIABLE: &str = "ORTHRUS_LOG";

/// The target of the records that make the transcript.
const TRANSCRIPT: &str = "transcript";

/// Starts logging: to `file` if there is one, where the level is `debug` unless the environment
/// says otherwise, else to standard error, where nothing is logged unless the environment asks. The
/// file has the transcript in any case: that is what it is for.
///
/// A record carries the process id, because several engines may append to one file, and the time
/// in seconds since the start.
///
/// # Errors
///
/// The file cannot be opened for appending, or is a pipe.
pub(crate) fn start(file: Option<&Path>) -> io::Result<()> {
    let (default_level, target) = match file {
        None => ("off", Target::Stderr),
        Some(path) => {
            if is_pipe(path) {
                return Err(io::ErrorKind::Unsupported.into());
            }
            (
                "debug",
                Target::Pipe(Box::new(LogFile(Some(append(path)?)))),
            )
        }
    };
    let wanted = env::var(LEVEL_VARIABLE).unwrap_or_default();
    let (filters, unknown) = sort_filters(&wanted, default_level);
    for word in unknown {
        // Nobody is left to tell if standard error is gone.
        let _ = writeln!(
            io::stderr(),
            "orthrus: {LEVEL_VARIABLE}: no level or module is called {word}"
        );
    }
    let start = Instant::now();
    let process = process::id();
    let mut builder = Builder::new();
    builder.parse_filters(&filters);
    if file.is_some() {
        builder.filter_module(TRANSCRIPT, LevelFilter::Debug);
    }
    builder
        .target(target)
        .format(move |out, record| {
            let seconds = start.elapsed().as_secs_f64();
            let (level, text) = (record.level(), record.args());
            writeln!(out, "[{process} {seconds:11.6} {level}] {text}")
        })
        .init();
    Ok(())
}

/// These filters, `LEVEL` or `MODULE` or `MODULE=LEVEL` with commas between them and perhaps `/TEXT`
/// behind, without the words that select nothing, and those words. With no word left this default is
/// the level. The library takes a mistyped level for a module, and would tell of the rest in a way that
/// ends the program if nobody reads it.
fn sort_filters<'a>(filters: &'a str, default: &'a str) -> (String, Vec<&'a str>) {
    let is_level = |word: &str| word.trim().parse::<LevelFilter>().is_ok();
    let is_module = |word: &str| word.starts_with("orthrus") || word == TRANSCRIPT;
    let (filters, text) = filters.split_once('/').unwrap_or((filters, ""));
    let words = filters.split(',').map(str::trim);
    let (mut kept, mut unknown): (Vec<&str>, Vec<&str>) = words
        .filter(|word| !word.is_empty())
        .partition(|word| match word.split_once('=') {
            Some((module, level)) => {
                is_module(module) && (level.trim().is_empty() || is_level(level))
            }
            None => is_level(word) || is_module(word),
        });
    if kept.is_empty() {
        kept.push(default);
    }
    let mut kept = kept.join(",");
    match text {
        "" => {}
        text if text.contains('/') => unknown.push(text),
        text => kept = format!("{kept}/{text}"),
    }
    (kept, unknown)
}

/// Opens a log: appended, so that a restarted engine does not wipe out the game in which it failed.
/// Each record is one write, so that engines that share a file do not mix lines.
fn append(path: &Path) -> io::Result<File> {
    files::refuse_folder(path)?;
    OpenOptions::new().create(true).append(true).open(path)
}

/// Whether opening this would wait for a reader.
#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt as _;

    std::fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_pipe(path: &Path) -> bool {
    files::is_device_name(path)
}

/// A file that reports on standard error, once, that it can no longer be written to.
struct LogFile(Option<File>);

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(file) = &mut self.0 else {
            return Ok(bytes.len());
        };
        file.write(bytes).inspect_err(|error| {
            self.0 = None;
            // Nobody is left to tell if standard error is gone too.
            let _ = writeln!(io::stderr(), "orthrus: the log failed: {error}");
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Why lines are not kept, or no longer.
#[derive(Debug, Error)]
#[error("cannot log to {}: {}; nothing is kept from now on", path.display(), files::reason(*kind))]
pub(crate) struct LogFileError {
    path: PathBuf,
    kind: io::ErrorKind,
}

/// Every line of a conversation: a record of the log, and a line in the file that the option
/// `Debug Log File` names while the engine runs.
#[derive(Debug)]
pub(crate) struct Transcript {
    start: Instant,
    file: Option<(PathBuf, File)>,
}

impl Transcript {
    /// No file yet; times count from now.
    pub(crate) fn new() -> Self {
        Self {
            start: Instant::now(),
            file: None,
        }
    }

    /// Appends to this file from now on, and closes the one before; an empty name only closes.
    pub(crate) fn open(&mut self, name: &str) -> Result<(), LogFileError> {
        self.file = None;
        if name.is_empty() {
            return Ok(());
        }
        let path = PathBuf::from(name);
        match files::check(&path).and_then(|()| append(&path)) {
            Ok(file) => self.file = Some((path, file)),
            Err(error) => {
                let kind = error.kind();
                return Err(LogFileError { path, kind });
            }
        }
        Ok(())
    }

    /// Keeps a line: `>>` from the user, `<<` to the user.
    ///
    /// # Errors
    ///
    /// The file cannot be written to; it is closed.
    pub(crate) fn record(&mut self, direction: &str, line: &str) -> Result<(), LogFileError> {
        log::debug!(target: TRANSCRIPT, "{direction} {line}");
        let Some((path, mut file)) = self.file.take() else {
            return Ok(());
        };
        let seconds = self.start.elapsed().as_secs_f64();
        let record = format!("[{} {seconds:11.6}] {direction} {line}\n", process::id());
        if let Err(error) = file.write_all(record.as_bytes()) {
            let kind = error.kind();
            return Err(LogFileError { path, kind });
        }
        self.file = Some((path, file));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn lines_are_appended_until_it_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let name = path.to_str().unwrap();
        let mut log = Transcript::new();
        log.record(">>", "before").unwrap();
        for line in ["first", "second"] {
            log.open(name).unwrap();
            log.record("<<", line).unwrap();
        }
        log.open("").unwrap();
        log.record(">>", "after").unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let kept: Vec<&str> = text
            .lines()
            .filter_map(|line| line.split("] ").nth(1))
            .collect();
        assert_eq!(kept, ["<< first", "<< second"]);
    }

    #[test]
    fn a_folder_is_no_file() {
        let folder = env::temp_dir();
        let error = Transcript::new()
            .open(folder.to_str().unwrap())
            .unwrap_err();
        assert!(error.to_string().contains(folder.to_str().unwrap()));
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let error = Transcript::new().open(pipe.to_str().unwrap()).unwrap_err();
        assert_eq!(error.kind, io::ErrorKind::Unsupported);
    }

    #[test]
    fn mistyped_levels_are_left_out_and_noticed() {
        for (wanted, kept, unknown) in [
            ("", "off", &[][..]),
            ("debug", "debug", &[]),
            ("OFF", "OFF", &[]),
            (
                "warn,orthrus_core::search=trace,transcript= off/go",
                "warn,orthrus_core::search=trace,transcript= off/go",
                &[],
            ),
            ("inof", "off", &["inof"]),
            ("/go", "off/go", &[]),
            (
                "warn, verbose,core=debug",
                "warn",
                &["verbose", "core=debug"],
            ),
            (
                "orthrus_core=inof,orthrus=,info=warn=off",
                "orthrus=",
                &["orthrus_core=inof", "info=warn=off"],
            ),
            ("debug/a/b", "debug", &["a/b"]),
        ] {
            let (filters, words) = sort_filters(wanted, "off");
            assert_eq!((filters.as_str(), words.as_slice()), (kept, unknown));
        }
    }
}
