//! The large suites of positions and texts, which lie beside the repository and are no part of it.
//!
//! A test that needs them asks [`read`]; where they are absent it leaves a line that names it, so
//! that a test run can count what it left out.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::{env, iter};

/// Names the data folder, if it is not `../shared/data` seen from the repository.
pub const DATA_VARIABLE: &str = "ORTHRUS_DATA";
/// Names the file that skipped tests are noted in, if it is not standard error.
pub const SKIP_LOG_VARIABLE: &str = "ORTHRUS_SKIP_LOG";

/// The root of the repository.
pub fn repository() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

/// A file of the data folder; `None`, and a note that `test` was skipped, where there is no folder.
///
/// # Panics
///
/// If there is a folder and the file cannot be read from it, or if [`DATA_VARIABLE`] names no
/// folder: a run that was to use the data must not pass without it.
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

/// The files of a folder of the data folder, by name; none, and a note that `test` was skipped,
/// where there is no data folder.
///
/// # Panics
///
/// If there is a data folder and no such folder in it, or nothing in that; see [`read`].
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

/// Notes `skipped: TEST (REASON)` where the run counts such lines.
///
/// # Panics
///
/// If the file that [`SKIP_LOG_VARIABLE`] names cannot be written.
pub fn note_skipped(test: &str, reason: &str) {
    let line = format!("skipped: {test} ({reason})\n");
    // Straight to the stream: the test harness swallows what `eprintln!` says in tests that pass.
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

/// The cells of every row of a table with tabs between its columns, without the heading; a row
/// with fewer cells than `N` is filled up with empty ones.
pub fn table<const N: usize>(text: &str) -> impl Iterator<Item = [&str; N]> {
    entries(text).skip(1).map(row)
}

/// The first `N` cells of a line with tabs between them, empty where there are fewer.
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
