//! The large suites of positions and texts, which lie next to the repository and are not part of
//! it. Tests that need them are built as ignored where they are missing; see `build.rs`.

use std::path::{Path, PathBuf};
use std::{fs, iter};

/// The root of the repository.
pub fn repository() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

/// What lies in the data folder under this name.
fn in_folder(name: &str) -> PathBuf {
    Path::new(env!("ORTHRUS_DATA_FOLDER")).join(name)
}

/// A file of the data folder.
///
/// # Panics
///
/// If it cannot be read.
pub fn read(file: &str) -> String {
    let path = in_folder(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a subfolder of the data folder, by name.
///
/// # Panics
///
/// If the subfolder is missing or empty.
pub fn files(subfolder: &str) -> Vec<PathBuf> {
    let path = in_folder(subfolder);
    let mut files: Vec<PathBuf> = fs::read_dir(&path)
        .and_then(|entries| entries.map(|entry| entry.map(|it| it.path())).collect())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(!files.is_empty(), "{}: no files", path.display());
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
