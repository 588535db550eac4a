//! The UCI head: its transcripts, any input, and with the engine behind it.

mod engine;
mod info;
mod options;
mod properties;

use orthrus_tests::{data, transcript};
use orthrus_uci::Uci;

/// How many lines begin so.
fn count(lines: &[String], beginning: &str) -> usize {
    let begin_so = |line: &&String| line.starts_with(beginning);
    lines.iter().filter(begin_so).count()
}

#[test]
fn transcripts() {
    let folder = data::repository().join("tests/transcripts/uci");
    transcript::check_folder(&folder, || Box::<Uci>::default());
}
