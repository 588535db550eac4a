//! The house rules that no compiler enforces: which modules may use which, which may do I/O, where
//! `unsafe` is allowed. Each rule is shown to catch what it forbids.

mod circles;
mod imports;
mod layers;
mod words;

use orthrus_tests::data;
use orthrus_tests::sources::{self, Source};

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
