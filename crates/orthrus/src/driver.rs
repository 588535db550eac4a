//! Takes lines from standard input to a front end, its commands to the engine, and the answers
//! back. Knows nothing of chess, and of the world only a reader, a writer and channels, so that a
//! test can replace all of them.

use std::io::{self, BufRead, Write};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, never, select};
use orthrus_core::engine::options::Setting;
use orthrus_core::engine::{Command, Event};
use orthrus_core::frontend::Frontend;

use crate::debug_log::{DebugLog, LogFileError};
use crate::logging::TRANSCRIPT;
use crate::text::decode;

/// Bytes of the longest line; longer ones are thrown away. A game of twenty thousand moves has a
/// tenth of this.
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
/// Nothing that can be read is an error: a line is UTF-8 or else Latin-1, line ends may be those of
/// any system, the last line may lack one. A failure of the stream counts as its end.
pub(crate) fn read_input(mut stream: impl BufRead, inputs: &Sender<Input>) {
    let mut line = Vec::new();
    // What ended the line before.
    let mut last_end = None;
    loop {
        line.clear();
        let end = match read_line(&mut stream, &mut line) {
            Ok(end) => end,
            Err(error) => {
                log::warn!("standard input failed: {error}");
                break;
            }
        };
        let at = Instant::now();
        let is_pair = line.is_empty() && last_end == Some(b'\r') && end == Some(b'\n');
        let is_nothing = line.is_empty() && end.is_none();
        last_end = end;
        if line.len() > MAX_LINE {
            log::warn!("a line of more than {MAX_LINE} bytes was thrown away");
        } else if !is_pair && !is_nothing {
            let text = decode(&line);
            if inputs.send(Input::Line { at, text }).is_err() {
                return;
            }
        }
        if end.is_none() {
            break;
        }
    }
    // If nobody listens any more, nobody needs to know of the end either.
    let _ = inputs.send(Input::Eof);
}

/// Reads what comes before the next line feed or carriage return, and returns which of them it was;
/// `None` at the end of the stream. A line longer than [`MAX_LINE`] is not kept completely.
fn read_line(stream: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<u8>> {
    loop {
        let buffer = match stream.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if buffer.is_empty() {
            return Ok(None);
        }
        let length = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let taken = length.unwrap_or(buffer.len());
        if line.len() <= MAX_LINE {
            line.extend_from_slice(&buffer[..taken]);
        }
        let end = length.map(|length| buffer[length]);
        stream.consume(taken + usize::from(end.is_some()));
        if end.is_some() {
            return Ok(end);
        }
    }
}

/// Runs `frontend` until the engine has hung up. The only writer of `output`: complete lines,
/// flushed whenever there is nothing more to say.
///
/// # Errors
///
/// The output cannot be written to: nobody is left to read it. The engine has then been told to
/// quit.
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
