//! The analysis tools, as a user or a script starts them.

mod analyse;
mod annotate;
mod epd;
mod play;

use serde_json::Value;

/// JSON objects, one per line.
fn objects<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<Value> {
    let lines = lines.into_iter();
    lines
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}
