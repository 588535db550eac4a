//! Test data: our own, in `tests/data`, and the suites of other people, which are not part of the
//! repository. Those lie in `../shared/data` next to it, or in the folder that `ORTHRUS_DATA`
//! names. Tests use their own data always, and theirs too where they are.

use std::path::{Path, PathBuf};
use std::{env, fs, iter};

/// The root of the repository.
pub fn repository() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

/// A file or folder of our own data.
pub fn own(name: &str) -> PathBuf {
    repository().join("tests/data").join(name)
}

/// The folder of other people's suites, if there is one.
///
/// # Panics
///
/// If `ORTHRUS_DATA` names no folder: a run that was to use the suites must not pass without them.
pub fn others() -> Option<PathBuf> {
    if let Some(named) = env::var_os("ORTHRUS_DATA").map(PathBuf::from) {
        assert!(
            named.is_dir(),
            "ORTHRUS_DATA: no folder {}",
            named.display()
        );
        return Some(named);
    }
    let shared = repository().join("../shared/data");
    shared.is_dir().then_some(shared)
}

/// The text of a file of our own data.
///
/// # Panics
///
/// If it cannot be read.
pub fn read(file: &str) -> String {
    text(&own(file))
}

/// The text of a file of other people's suites, if they are here.
///
/// # Panics
///
/// If they are, and it cannot be read.
pub fn read_others(file: &str) -> Option<String> {
    others().map(|folder| text(&folder.join(file)))
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
