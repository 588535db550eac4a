//! The large suites of positions and texts, which lie next to the repository and are not part of
//! it.
//!
//! A test that needs them calls [`read`]; if they are absent it leaves a line with its name, so
//! that a test run can count the tests it skipped.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::{env, iter};

/// Names the data folder, if it is not `../shared/data` relative to the repository.
pub const DATA_VARIABLE: &str = "ORTHRUS_DATA";
/// Names the file in which skipped tests are noted, if it is not standard error.
pub const SKIP_LOG_VARIABLE: &str = "ORTHRUS_SKIP_LOG";

/// The root of the repository.
pub fn repository() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

/// A file of the data folder; `None`, and a note that `test` was skipped, if there is no folder.
///
/// # Panics
///
/// If there is a folder and the file cannot be read from it, or if [`DATA_VARIABLE`] does not name
/// a folder: a run that was to use the data must not pass without it.
pub fn read(test: &str, file: &str) -> Option<String> {
    let Some(folder) = folder() else {
        note_skipped(test, "no data folder");
        return None;
    };
    let path = folder.join(file);
    match fs::read_to_string(&path) {
        Ok(content) => Some(content),
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

/// The files of a subfolder of the data folder, by name; none, and a note that `test` was skipped,
/// if there is no data folder.
///
/// # Panics
///
/// If there is a data folder and the subfolder is missing or empty; see [`read`].
pub fn files(test: &str, subfolder: &str) -> Vec<PathBuf> {
    let Some(folder) = folder() else {
        note_skipped(test, "no data folder");
        return Vec::new();
    };
    let path = folder.join(subfolder);
    let entries = fs::read_dir(&path)
        .and_then(|entries| entries.map(|entry| entry.map(|it| it.path())).collect());
    let mut files: Vec<PathBuf> = match entries {
        Ok(files) => files,
        Err(error) => panic!("{}: {error}", path.display()),
    };
    assert!(!files.is_empty(), "{}: no files", path.display());
    files.sort();
    files
}

fn folder() -> Option<PathBuf> {
    if let Some(folder) = env::var_os(DATA_VARIABLE).map(PathBuf::from) {
        assert!(
            folder.is_dir(),
            "{DATA_VARIABLE}: no folder {}",
            folder.display()
        );
        return Some(folder);
    }
    let folder = repository().join("../shared/data");
    folder.is_dir().then_some(folder)
}

/// Notes `skipped: TEST (REASON)` where the test run counts such lines.
///
/// # Panics
///
/// If the file that [`SKIP_LOG_VARIABLE`] names cannot be written.
pub fn note_skipped(test: &str, reason: &str) {
    let line = format!("skipped: {test} ({reason})\n");
    // Straight to the stream: the test harness swallows the output of `eprintln!` in tests that
    // pass.
    let written = match env::var_os(SKIP_LOG_VARIABLE) {
        Some(path) => OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .and_then(|mut log| log.write_all(line.as_bytes())),
        None => io::stderr().write_all(line.as_bytes()),
    };
    if let Err(error) = written {
        panic!("cannot note that {test} was skipped: {error}");
    }
}

/// The lines that are neither empty nor a comment.
pub fn entries(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The cells of every row of a tab-separated table, without the heading; a row with fewer cells
/// than `N` is filled up with empty ones.
pub fn table<const N: usize>(text: &str) -> impl Iterator<Item = [&str; N]> {
    entries(text).skip(1).map(row)
}

/// The first `N` cells of a tab-separated line, empty if there are fewer.
pub fn row<const N: usize>(line: &str) -> [&str; N] {
    let mut cells = line.split('\t').chain(iter::repeat(""));
    [(); N].map(|()| cells.next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_holds_this_file() {
        assert!(repository().join("tests/src/data.rs").is_file());
    }

    #[test]
    fn tables_lose_heading_and_comments_only() {
        let text = "# comment\na\tb\n1\t2\n3\n";
        let rows: Vec<[&str; 2]> = table(text).collect();
        assert_eq!(rows, [["1", "2"], ["3", ""]]);
    }
}
