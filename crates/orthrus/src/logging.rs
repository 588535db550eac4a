//! Where log records go: nowhere, to standard error, or to a file. Never to standard output,
//! which belongs to the protocol.

use std::env;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::process;
use std::time::Instant;

use env_logger::{Builder, Env, Target};
use log::LevelFilter;

/// The environment variable that sets the log level, or levels by module.
const LEVEL_VARIABLE: &str = "ORTHRUS_LOG";

/// The target of the records that make the transcript.
pub(crate) const TRANSCRIPT: &str = "transcript";

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
            // Appended, so that a restarted engine does not wipe out the game in which it failed;
            // and each record is one write, so that engines do not mix lines.
            let file = OpenOptions::new().create(true).append(true).open(path)?;
            ("debug", Target::Pipe(Box::new(LogFile(Some(file)))))
        }
    };
    let filters = env::var(LEVEL_VARIABLE).unwrap_or_default();
    for word in unknown_words(&filters) {
        // Nobody is left to tell if standard error is gone.
        let _ = writeln!(
            io::stderr(),
            "orthrus: {LEVEL_VARIABLE}: no level or module is called {word}"
        );
    }
    let start = Instant::now();
    let process = process::id();
    let mut builder = Builder::from_env(Env::new().filter_or(LEVEL_VARIABLE, default_level));
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

/// The words among these filters, `LEVEL` or `MODULE` or `MODULE=LEVEL` with commas between them,
/// that select nothing: a mistyped level counts as a module. What is wrong with a level after `=`
/// is told by the library.
fn unknown_words(filters: &str) -> Vec<&str> {
    // A pattern for the text follows.
    let (filters, _) = filters.split_once('/').unwrap_or((filters, ""));
    let known = |word: &str| word.starts_with("orthrus") || word == TRANSCRIPT;
    let words = filters.split(',').map(str::trim).filter_map(|filter| {
        let (word, is_module) = match filter.split_once('=') {
            Some((module, _)) => (module, true),
            None => (filter, false),
        };
        let is_level = !is_module && word.parse::<LevelFilter>().is_ok();
        (!word.is_empty() && !is_level && !known(word)).then_some(word)
    });
    words.collect()
}

/// Whether opening this would wait for a reader.
#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt as _;

    std::fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo())
}

/// Pipes have no names in the file system here.
#[cfg(not(unix))]
fn is_pipe(_path: &Path) -> bool {
    false
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistyped_levels_are_noticed() {
        for (filters, unknown) in [
            ("", &[][..]),
            ("debug", &[]),
            ("OFF", &[]),
            ("warn,orthrus_core::search=trace,transcript=off/go", &[]),
            ("inof", &["inof"]),
            ("warn, verbose,core=debug", &["verbose", "core"]),
        ] {
            assert_eq!(unknown_words(filters), unknown, "{filters}");
        }
    }
}
