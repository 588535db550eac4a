//! Processor groups: Windows keeps a process to the processors of one group, at most 64, until its
//! threads ask for others. One of the modules with `unsafe` that docs/architecture.md lists.

/// The other group that the search thread of this number goes to, when groups have these many
/// processors and the process begins in group `own`. Groups are filled one after the other, and
/// again if there are more threads than processors; `None` for those that stay.
#[cfg(any(windows, test))]
fn group_of(thread: usize, own: usize, sizes: &[usize]) -> Option<usize> {
    let all: usize = sizes.iter().sum();
    let mut place = thread.checked_rem(all)?;
    let mut groups = (own..sizes.len()).chain(0..own);
    let group = groups.find(|&group| {
        let is_here = place < sizes[group];
        place = place.saturating_sub(sizes[group]);
        is_here
    });
    group.filter(|&group| group != own)
}

/// Moves the calling thread to the processor group where the search thread of this number belongs.
/// If the system refuses, it stays where it is.
#[cfg(windows)]
#[expect(unsafe_code, reason = "the standard library knows no processor groups")]
pub(super) fn join(thread: usize) {
    use windows_sys::Win32::System::SystemInformation::GROUP_AFFINITY;
    use windows_sys::Win32::System::Threading::{
        GetActiveProcessorCount, GetActiveProcessorGroupCount, GetCurrentThread,
        GetThreadGroupAffinity, SetThreadGroupAffinity,
    };

    // SAFETY: these only ask the system, and take any number.
    let sizes: Vec<usize> = unsafe {
        let groups = 0..GetActiveProcessorGroupCount();
        groups
            .map(|group| GetActiveProcessorCount(group) as usize)
            .collect()
    };
    if sizes.len() < 2 {
        return;
    }
    let mut affinity = GROUP_AFFINITY::default();
    // SAFETY: the handle of the calling thread is always valid, and the call writes to `affinity`.
    let is_known = unsafe { GetThreadGroupAffinity(GetCurrentThread(), &raw mut affinity) != 0 };
    let own = if is_known { affinity.Group } else { 0 };
    let Some(group) = group_of(thread, own.into(), &sizes) else {
        return;
    };
    let affinity = GROUP_AFFINITY {
        Mask: usize::MAX >> (usize::BITS as usize - sizes[group].clamp(1, 64)),
        Group: group as u16,
        Reserved: [0; 3],
    };
    // SAFETY: as above; the call reads `affinity`, and the null pointer says that the earlier one is
    // not wanted.
    let is_moved = unsafe {
        let nothing = std::ptr::null_mut();
        SetThreadGroupAffinity(GetCurrentThread(), &raw const affinity, nothing) != 0
    };
    if !is_moved {
        log::warn!("search thread {thread} stays in processor group {own}");
    }
}

/// Other systems have no groups.
#[cfg(not(windows))]
pub(super) fn join(_thread: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_filled_one_after_the_other() {
        let first = |thread| group_of(thread, 0, &[64, 32]);
        assert_eq!([0, 63, 96].map(first), [None; 3]);
        assert_eq!([64, 95, 160].map(first), [Some(1); 3]);
        let second = |thread| group_of(thread, 1, &[64, 32]);
        assert_eq!([0, 31].map(second), [None; 2]);
        assert_eq!([32, 95].map(second), [Some(0); 2]);
        assert_eq!(group_of(5, 0, &[]), None);
        assert_eq!(group_of(5, 0, &[0, 0]), None);
    }
}
