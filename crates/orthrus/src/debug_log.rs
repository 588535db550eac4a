//! The option `Debug Log File`: a copy of every line in and out, in a file that the user names
//! while the engine runs.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process;
use std::time::Instant;

use orthrus_core::files;
use thiserror::Error;

/// Why lines are not kept, or no longer.
#[derive(Debug, Error)]
#[error("cannot log to {}: {}; nothing is kept from now on", path.display(), files::reason(*kind))]
pub(crate) struct LogFileError {
    path: PathBuf,
    kind: io::ErrorKind,
}

/// Where copies of lines go, if anywhere.
#[derive(Debug)]
pub(crate) struct DebugLog {
    start: Instant,
    file: Option<(PathBuf, File)>,
}

impl DebugLog {
    /// No file yet; times count from now.
    pub(crate) fn new() -> Self {
        Self {
            start: Instant::now(),
            file: None,
        }
    }

    /// Appends to this file from now on, and closes the one before; an empty name only closes.
    ///
    /// # Errors
    ///
    /// The file cannot be opened for appending.
    pub(crate) fn open(&mut self, name: &str) -> Result<(), LogFileError> {
        self.file = None;
        if name.is_empty() {
            return Ok(());
        }
        let path = PathBuf::from(name);
        // Opening a pipe would wait for its reader.
        let opened = files::check(&path)
            .and_then(|()| OpenOptions::new().create(true).append(true).open(&path));
        match opened {
            Ok(file) => self.file = Some((path, file)),
            Err(error) => {
                let kind = error.kind();
                return Err(LogFileError { path, kind });
            }
        }
        Ok(())
    }

    /// Keeps a line: `>>` from the user, `<<` to the user. Each is one write, so that engines that
    /// share a file do not mix lines.
    ///
    /// # Errors
    ///
    /// The file cannot be written to; it is closed.
    pub(crate) fn keep(&mut self, direction: &str, line: &str) -> Result<(), LogFileError> {
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
    use std::{env, fs};

    use super::*;

    #[test]
    fn lines_are_appended_until_it_is_closed() {
        let path = env::temp_dir().join(format!("orthrus-debug-log-{}", process::id()));
        let name = path.to_str().unwrap();
        let mut log = DebugLog::new();
        log.keep(">>", "before").unwrap();
        for line in ["first", "second"] {
            log.open(name).unwrap();
            log.keep("<<", line).unwrap();
        }
        log.open("").unwrap();
        log.keep(">>", "after").unwrap();
        let text = fs::read_to_string(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let kept: Vec<&str> = text
            .lines()
            .filter_map(|line| line.split("] ").nth(1))
            .collect();
        assert_eq!(kept, ["<< first", "<< second"]);
    }

    #[test]
    fn a_folder_is_no_file() {
        let folder = env::temp_dir();
        let error = DebugLog::new().open(folder.to_str().unwrap()).unwrap_err();
        assert!(error.to_string().contains(folder.to_str().unwrap()));
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_no_file() {
        let pipe = env::temp_dir().join(format!("orthrus-debug-pipe-{}", process::id()));
        let made = process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let error = DebugLog::new().open(pipe.to_str().unwrap()).unwrap_err();
        fs::remove_file(&pipe).unwrap();
        assert_eq!(error.kind, io::ErrorKind::Unsupported);
    }
}
