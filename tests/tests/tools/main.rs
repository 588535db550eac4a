//! The analysis tools, as a user or a script starts them.

mod analyse;
mod annotate;
mod epd;

use std::process::Output;

use orthrus_tests::process::command;
use serde_json::Value;

fn run(arguments: &[&str]) -> Output {
    command()
        .args(arguments)
        .output()
        .expect("the binary can be started")
}

/// The output of a tool, which must succeed.
fn output_of(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("it writes UTF-8")
}

/// JSON objects, one per line.
fn objects<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<Value> {
    let lines = lines.into_iter();
    lines
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}
