//! The house rules that no compiler enforces: which crates and modules may use which, which may do
//! I/O, where `unsafe` is allowed, how long a file may be. Each rule is shown to catch what it
//! forbids.

mod layers;
mod manifests;
mod words;

use orthrus_tests::data;
use orthrus_tests::sources::{self, Source};

/// A longer file should be split along a name the field knows.
const MAX_LINES: usize = 400;

/// Files that are longer, each with the reason.
const LONG_FILES: &[(&str, &str)] = &[];

/// The Rust sources of every crate.
fn rust_sources() -> Vec<Source> {
    let root = data::repository();
    let mut found = sources::files(&root, "crates", ".rs");
    found.extend(sources::files(&root, "tests", ".rs"));
    assert!(
        found
            .iter()
            .any(|source| source.path == "crates/core/src/lib.rs")
    );
    found
}

fn assert_kept(breaches: &[String]) {
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
}

fn too_long(source: &Source) -> Option<String> {
    let lines = source.text.lines().count();
    let excused = LONG_FILES.iter().any(|(path, _)| *path == source.path);
    (lines > MAX_LINES && !excused)
        .then(|| format!("{}: {lines} lines, at most {MAX_LINES}", source.path))
}

#[test]
fn files_are_short() {
    let breaches: Vec<String> = rust_sources().iter().filter_map(too_long).collect();
    assert_kept(&breaches);
}

#[test]
fn a_long_file_is_noticed() {
    let lines = |count| too_long(&Source::new("a.rs", &"\n".repeat(count)));
    assert_eq!(lines(MAX_LINES), None);
    assert!(lines(MAX_LINES + 1).is_some());
}
