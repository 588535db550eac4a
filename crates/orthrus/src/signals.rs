//! Signals, which mean something else in a protocol than to a person.
#![cfg_attr(
    unix,
    expect(
        unsafe_code,
        reason = "the standard library neither ignores nor raises a signal, nor tells whether it is ignored"
    )
)]

#[cfg(unix)]
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, unbounded};

/// How long the first Ctrl-C may be ignored before the next one ends the process at once. A closed
/// terminal may send two signals, one right after the other.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_secs(1);

/// A message for each Ctrl-C, and for each request of the system to end the process; from now on
/// they do nothing else, unless (on Unix) nobody takes the messages. Signals that were ignored stay ignored:
/// under `nohup` nothing happens when the terminal closes.
///
/// # Errors
///
/// The system refuses, or this was called before.
pub(crate) fn interrupts() -> Result<Receiver<()>, ctrlc::Error> {
    #[cfg(unix)]
    let ignored: Vec<libc::c_int> = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP]
        .into_iter()
        .filter(|&signal| is_ignored(signal))
        .collect();
    let (sender, receiver) = unbounded();
    #[cfg(unix)]
    let mut last = Instant::now();
    ctrlc::set_handler(move || {
        // What it would interrupt may wait for ever, to write to a reader that has stopped.
        #[cfg(unix)]
        {
            if !sender.is_empty() && last.elapsed() > PATIENCE {
                end_at_once();
            }
            last = Instant::now();
        }
        // Without a listener there is nothing to interrupt.
        let _ = sender.send(());
    })?;
    #[cfg(unix)]
    ignore(&ignored);
    Ok(receiver)
}

/// Ignores SIGINT and SIGTERM, or Ctrl-C and Ctrl-Break, from now on.
///
/// XBoard sends SIGINT before its commands and SIGTERM along with `quit`, both before it can know
/// that an engine does not want them (CECP sections 7 and 9, features `sigint` and `sigterm`).
pub(crate) fn ignore_interrupts() {
    #[cfg(unix)]
    ignore(&[libc::SIGINT, libc::SIGTERM]);
    // A handler that does nothing: for Ctrl-C and Ctrl-Break, which reach all programs of a console.
    #[cfg(windows)]
    if let Err(error) = ctrlc::set_handler(|| ()) {
        log::warn!("Ctrl-C will end the process: {error}");
    }
}

/// From now on reaching the largest file size that the system allows is a write error, which can be
/// reported, instead of the end of the process.
pub(crate) fn ignore_size_limit() {
    #[cfg(unix)]
    ignore(&[libc::SIGXFSZ]);
}

/// Ends the process as a signal does for which there is no handler.
#[cfg(unix)]
fn end_at_once() {
    // SAFETY: both may be called at any time with a valid signal number; SIG_DFL installs no handler, so
    // no code of ours runs in signal context.
    unsafe {
        libc::signal(libc::SIGTERM, libc::SIG_DFL);
        libc::raise(libc::SIGTERM);
    }
}

#[cfg(unix)]
fn is_ignored(signal: libc::c_int) -> bool {
    let mut found = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action the call only writes the current one to `found`, which is large
    // enough; if it fails, `found` stays all zeros, which is valid.
    let found = unsafe {
        libc::sigaction(signal, std::ptr::null(), found.as_mut_ptr());
        found.assume_init()
    };
    found.sa_sigaction == libc::SIG_IGN
}

#[cfg(unix)]
fn ignore(signals: &[libc::c_int]) {
    for &signal in signals {
        // SAFETY: `signal` may be called at any time with a valid signal number, which all callers
        // pass; SIG_IGN installs no handler, so no code of ours runs in signal context.
        let previous = unsafe { libc::signal(signal, libc::SIG_IGN) };
        debug_assert_ne!(previous, libc::SIG_ERR);
    }
}
