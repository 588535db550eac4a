//! Test data: our own, in `tests/data`, and the suites of other people, which are not part of the
//! repository. Those lie in `../shared/data` next to it, or in the folder that `ORTHRUS_DATA`
//! named when the tests were built; where they are missing, the tests that use them are ignored.

use std::path::{Path, PathBuf};
use std::{fs, iter};

/// The root of the repository.
pub fn repository() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

/// A file or folder of our own data.
pub fn own(name: &str) -> PathBuf {
    repository().join("tests/data").join(name)
}

/// A file or folder of other people's suites. Tests that use it are ignored without `has_others`.
pub fn others(name: &str) -> PathBuf {
    Path::new(env!("ORTHRUS_OTHERS")).join(name)
}

/// The text of a file of our own data.
///
/// # Panics
///
/// If it cannot be read.
pub fn read(file: &str) -> String {
    text(&own(file))
}

/// The text of a file of other people's suites.
///
/// # Panics
///
/// If it cannot be read.
pub fn read_others(file: &str) -> String {
    text(&others(file))
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a folder, by name.
///
/// # Panics
///
/// If the folder is missing or empty.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| entry.map(|it| it.path())).collect())
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    assert!(!files.is_empty(), "{}: no files", folder.display());
    files.sort();
    files
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
