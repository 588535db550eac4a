//! Signals, where they mean something else in a protocol than for a person.
#![cfg_attr(
    unix,
    expect(unsafe_code, reason = "the standard library cannot ignore a signal")
)]

use crossbeam_channel::{Receiver, unbounded};

/// A message for each Ctrl-C, and for each time the system asks the process to end, which from now
/// on do nothing else.
///
/// # Errors
///
/// The system refuses, or this was called before.
pub(crate) fn interrupts() -> Result<Receiver<()>, ctrlc::Error> {
    let (sender, receiver) = unbounded();
    ctrlc::set_handler(move || {
        // Without a listener there is nothing to interrupt.
        let _ = sender.send(());
    })?;
    Ok(receiver)
}

/// Ignores SIGINT and SIGTERM from now on.
///
/// XBoard sends SIGINT before its commands and SIGTERM along with `quit`, both before it can know
/// that an engine does not want them (CECP sections 7 and 9, features `sigint` and `sigterm`).
pub(crate) fn ignore_interrupts() {
    #[cfg(unix)]
    ignore(&[libc::SIGINT, libc::SIGTERM]);
}

/// From now on a file that reaches the size the system allows is a failure to write, which can be
/// told, and not the end of the process.
pub(crate) fn ignore_size_limit() {
    #[cfg(unix)]
    ignore(&[libc::SIGXFSZ]);
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
