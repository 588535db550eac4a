//! Signals, where they mean something else in a protocol than for a person.
#![cfg_attr(
    unix,
    expect(
        unsafe_code,
        reason = "the standard library neither ignores a signal nor tells whether it is ignored"
    )
)]

use crossbeam_channel::{Receiver, unbounded};

/// A message for each Ctrl-C, and for each time the system asks the process to end, which from now
/// on do nothing else. What is ignored already stays so: `nohup` means that nothing happens when
/// its terminal closes.
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
    ctrlc::set_handler(move || {
        // Without a listener there is nothing to interrupt.
        let _ = sender.send(());
    })?;
    #[cfg(unix)]
    ignore(&ignored);
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
fn is_ignored(signal: libc::c_int) -> bool {
    let mut found = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action the call only writes the present one to `found`, which is large
    // enough, and all of whose bytes may be zero where the call fails.
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
