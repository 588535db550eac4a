//! What tools write: results to standard output, complete lines at a time; a progress bar and what
//! went wrong to standard error.

use std::io::{self, BufWriter, Write};

use indicatif::{ProgressBar, ProgressStyle};

use crate::streams;
use crate::text::printable;

/// Writes lines to standard output at once; control characters in them are shown.
pub(crate) fn print(lines: &[String]) -> io::Result<()> {
    let mut output = BufWriter::new(streams::stdout());
    for line in lines {
        writeln!(output, "{}", printable(line))?;
    }
    output.flush()
}

/// Tells people what went wrong; nobody is left to tell if standard error is gone.
pub(crate) fn warn(text: &str) {
    let _ = writeln!(io::stderr(), "orthrus: {}", printable(text));
}

/// Tells people what was done, on standard error.
pub(crate) fn tell(lines: &[String]) {
    let mut output = io::stderr().lock();
    for line in lines {
        let _ = writeln!(output, "{}", printable(line));
    }
}

/// A bar of positions on standard error; nothing if that is not a terminal.
pub(crate) fn position_bar(length: usize) -> ProgressBar {
    progress_bar(
        length as u64,
        "{wide_bar} {pos}/{len} positions, {msg}{eta} left",
    )
}

/// A bar on standard error; nothing if that is not a terminal.
pub(crate) fn progress_bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    // The template is a constant: were it wrong, the plain bar would do.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
