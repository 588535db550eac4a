//! The analysis tools, as a user or a script starts them.

mod analyse;
mod annotate;
mod epd;

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::{self, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use orthrus_tests::process::command;
use serde_json::Value;

/// A temporary file, removed when dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, content: &[u8]) -> Self {
        // Two tests may want the same name at the same time.
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("orthrus-{}-{number}-{name}", process::id()));
        fs::write(&path, content).expect("the system has a folder for such files");
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("the path is text")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // The test may have removed it already.
        let _ = fs::remove_file(&self.0);
    }
}

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
