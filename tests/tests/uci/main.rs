//! The UCI head: its transcripts, any input, and with the engine behind it.

mod engine;
mod info;
mod options;
mod properties;

use std::fs;
use std::path::PathBuf;

use orthrus_tests::{data, transcript};
use orthrus_uci::Uci;

/// How many lines begin so.
fn count(lines: &[String], beginning: &str) -> usize {
    let begin_so = |line: &&String| line.starts_with(beginning);
    lines.iter().filter(begin_so).count()
}

fn folder() -> PathBuf {
    data::repository().join("tests/transcripts/uci")
}

#[test]
fn transcripts() {
    let count = transcript::check_folder(&folder(), || Box::<Uci>::default());
    assert!(count > 0, "no transcript in {}", folder().display());
}

#[test]
fn the_documentation_names_every_transcript() {
    let page = data::repository().join("docs/protocols.md");
    let page = fs::read_to_string(page).expect("the page about the protocols");
    // The transcripts in the other head's half of the page belong to that head.
    let (page, _) = page
        .split_once("## CECP")
        .expect("a half for each protocol");
    let files = fs::read_dir(folder()).expect("the folder of transcripts");
    let unnamed: Vec<PathBuf> = files
        .map(|file| file.expect("the folder can be read").path())
        .filter(|path| {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            !page.contains(&format!("`{name}`"))
        })
        .collect();
    assert!(unnamed.is_empty(), "{unnamed:?}");
}
