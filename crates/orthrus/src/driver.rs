//! The way of a line: from standard input to a front end, from there to the engine, and back.
//! Knows nothing of chess, and of the world only a reader, a writer and channels, so that a test
//! can stand in for all of them.

use std::io::{self, BufRead, Read, Write};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, never, select};
use orthrus_core::engine::options::Setting;
use orthrus_core::engine::{Command, Event};
use orthrus_core::frontend::Frontend;

use crate::debug_log::{DebugLog, LogFileError};
use crate::logging::TRANSCRIPT;

/// Bytes of a line beyond which it is thrown away: a game of twenty thousand moves has a tenth of
/// this.
const MAX_LINE: usize = 1 << 24;

/// What comes from the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// A line, without its ending, and the moment it was read.
    Line {
        /// When the line was complete.
        at: Instant,
        /// The line; neither line ends nor NUL are left in it.
        text: String,
    },
    /// There will be no more lines.
    Eof,
}

/// Reads lines until the end of the stream, stamps them and sends them, with [`Input::Eof`] last.
///
/// Nothing that can be read is an error: bytes that are no UTF-8 are replaced, line ends may be
/// those of any system, the last line may lack one. A failure of the stream is its end.
pub(crate) fn read_input(mut stream: impl BufRead, inputs: &Sender<Input>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match stream
            .by_ref()
            .take(MAX_LINE as u64)
            .read_until(b'\n', &mut bytes)
        {
            Ok(0) => break,
            Ok(MAX_LINE) if bytes.last() != Some(&b'\n') => {
                log::warn!("a line of more than {MAX_LINE} bytes was thrown away");
                if stream.skip_until(b'\n').is_err() {
                    break;
                }
                continue;
            }
            Ok(_) => {}
            Err(error) => {
                log::warn!("standard input failed: {error}");
                break;
            }
        }
        let at = Instant::now();
        for text in lines(&bytes) {
            if inputs.send(Input::Line { at, text }).is_err() {
                return;
            }
        }
    }
    // If nobody listens any more, nobody needs to hear of the end either.
    let _ = inputs.send(Input::Eof);
}

/// The lines in what was read up to a line feed: several where carriage returns alone end lines.
fn lines(bytes: &[u8]) -> impl Iterator<Item = String> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    bytes
        .split(|&byte| byte == b'\r')
        // A NUL that is quoted in an answer would end the line for a user written in C.
        .map(|line| String::from_utf8_lossy(line).replace('\0', "\u{fffd}"))
}

/// Runs `frontend` until the engine has hung up. The only writer of `output`: whole lines, flushed
/// whenever there is nothing more to say.
///
/// # Errors
///
/// The output cannot be written to: there is nobody left to speak to. The engine has then been
/// told to quit.
pub(crate) fn drive(
    frontend: &mut dyn Frontend,
    mut input: Receiver<Input>,
    commands: &Sender<Command>,
    events: &Receiver<Event>,
    output: &mut dyn Write,
) -> io::Result<()> {
    let mut debug_log = DebugLog::new();
    loop {
        if let Err(error) = drain(frontend, commands, output, &mut debug_log) {
            let _ = commands.send(Command::Quit);
            return Err(error);
        }
        select! {
            recv(input) -> received => match received {
                Ok(Input::Line { at, text }) => {
                    log::debug!(target: TRANSCRIPT, ">> {text}");
                    complain(frontend, debug_log.keep(">>", &text));
                    frontend.handle_line(at, &text);
                }
                Ok(Input::Eof) | Err(_) => {
                    log::debug!("end of input");
                    frontend.handle_eof();
                    // A closed channel is always ready: do not spin on it.
                    input = never();
                }
            },
            recv(events) -> received => match received {
                Ok(event) => frontend.handle_event(Instant::now(), event),
                Err(_) => return Ok(()),
            },
        }
    }
}

/// Delivers everything the front end has to say, commands first.
fn drain(
    frontend: &mut dyn Frontend,
    commands: &Sender<Command>,
    output: &mut dyn Write,
    debug_log: &mut DebugLog,
) -> io::Result<()> {
    let mut wrote = false;
    loop {
        if let Some(command) = frontend.poll_command() {
            log::trace!("{command:?}");
            if let Command::SetOption(Setting::DebugLogFile(name)) = &command {
                complain(frontend, debug_log.open(name));
            }
            // An engine that has hung up says so by its events.
            let _ = commands.send(command);
        } else if let Some(line) = frontend.poll_line() {
            log::debug!(target: TRANSCRIPT, "<< {line}");
            complain(frontend, debug_log.keep("<<", &line));
            writeln!(output, "{line}")?;
            wrote = true;
        } else if wrote {
            return output.flush();
        } else {
            return Ok(());
        }
    }
}

/// Tells the user why lines are not kept.
fn complain(frontend: &mut dyn Frontend, outcome: Result<(), LogFileError>) {
    if let Err(error) = outcome {
        frontend.handle_event(Instant::now(), Event::Notice(error.to_string()));
    }
}

#[cfg(test)]
mod tests;
