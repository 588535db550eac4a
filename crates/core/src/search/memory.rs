//! Whether enough memory is left. Rust aborts when a small allocation fails, and Linux ends a
//! process whose memory is promised but not there; so large optional allocations (hash tables,
//! threads) are refused, with a message, while there is still a reserve.
//!
//! Two things limit memory: the addresses that the system grants at once, and what the machine, or
//! the control group of a container, really has, which shows only as the memory is used.

use std::hint::black_box;

/// Memory in bytes that is left for the rest of the program: far more than a search and a
/// conversation need.
pub(super) const RESERVE: usize = 64 << 20;

/// Whether the system would grant this many bytes more.
pub(super) fn can_allocate(bytes: usize) -> bool {
    let mut memory: Vec<u8> = Vec::new();
    let granted = memory.try_reserve_exact(bytes).is_ok();
    // Keeps the compiler from removing the attempt.
    black_box(memory);
    granted
}

/// Bytes that this process could use besides those that it uses now, without swapping; `None` if the
/// system does not tell.
pub(super) fn available() -> Option<usize> {
    #[cfg(all(target_os = "linux", not(miri)))]
    return linux::available(std::path::Path::new("/"));
    #[cfg(not(all(target_os = "linux", not(miri))))]
    None
}

/// Bytes of memory that this process uses; 0 if the system does not tell.
pub(super) fn resident() -> usize {
    #[cfg(all(target_os = "linux", not(miri)))]
    return linux::resident().unwrap_or_default();
    #[cfg(not(all(target_os = "linux", not(miri))))]
    0
}

#[cfg(all(target_os = "linux", not(miri)))]
mod linux {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// What the machine has, or less if a control group that the process is in has less. `root` is
    /// the folder that holds `proc` and `sys`.
    pub(super) fn available(root: &Path) -> Option<usize> {
        let machine = machine(root);
        let groups = groups(root).into_iter().filter_map(|group| left(&group));
        machine.into_iter().chain(groups).min()
    }

    /// What is in memory now.
    pub(super) fn resident() -> Option<usize> {
        let text = fs::read_to_string("/proc/self/status").ok()?;
        kibibytes(&text, "VmRSS:")
    }

    /// The estimate of the kernel (`Documentation/filesystems/proc.rst`).
    fn machine(root: &Path) -> Option<usize> {
        let text = fs::read_to_string(root.join("proc/meminfo")).ok()?;
        kibibytes(&text, "MemAvailable:")
    }

    fn kibibytes(text: &str, name: &str) -> Option<usize> {
        let value = text.lines().find_map(|line| line.strip_prefix(name))?;
        let value: usize = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
        value.checked_mul(1 << 10)
    }

    /// The folders of the control groups that limit memory: that of the process, and all that
    /// contain it and can be seen.
    fn groups(root: &Path) -> Vec<PathBuf> {
        let own = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
        let mounts = fs::read_to_string(root.join("proc/self/mountinfo")).unwrap_or_default();
        let mut groups = Vec::new();
        for mount in mounts.lines() {
            let Some((before, after)) = mount.split_once(" - ") else {
                continue;
            };
            let before: Vec<&str> = before.split(' ').collect();
            let after: Vec<&str> = after.split(' ').collect();
            let (Some(&top), Some(&place), Some(&kind)) =
                (before.get(3), before.get(4), after.first())
            else {
                continue;
            };
            // Version 1 has a hierarchy for each resource, version 2 one for all.
            let options = after.last().unwrap_or(&"");
            let is_first = kind == "cgroup" && options.split(',').any(|it| it == "memory");
            if !is_first && kind != "cgroup2" {
                continue;
            }
            let path = own.lines().find_map(|line| {
                let (_, rest) = line.split_once(':')?;
                let (resources, path) = rest.split_once(':')?;
                let is_ours = if is_first {
                    resources.split(',').any(|it| it == "memory")
                } else {
                    resources.is_empty()
                };
                is_ours.then_some(path)
            });
            // In a container, what is mounted may be a part of the hierarchy.
            let below = path
                .and_then(|path| Path::new(path).strip_prefix(top).ok())
                .unwrap_or(Path::new(""));
            let mounted = root.join(place.trim_start_matches('/'));
            groups.extend(below.ancestors().map(|part| mounted.join(part)));
        }
        groups
    }

    /// What a group may still use. The pages of files count as used, but are given up when memory is
    /// needed.
    fn left(group: &Path) -> Option<usize> {
        let number = |name: &str| -> Option<usize> {
            let text = fs::read_to_string(group.join(name)).ok()?;
            text.trim().parse().ok()
        };
        // Without a limit, version 2 says `max`, and version 1 a number near the largest.
        let limit = number("memory.max").or_else(|| number("memory.limit_in_bytes"))?;
        let used = number("memory.current").or_else(|| number("memory.usage_in_bytes"))?;
        let statistics = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
        let of_files = |name: &str| -> Option<usize> {
            let words = |line: &str| {
                let (found, value) = line.split_once(' ')?;
                (found == name).then(|| value.trim().parse().ok())?
            };
            statistics.lines().find_map(words)
        };
        let both = |first: &str, second: &str| Some(of_files(first)? + of_files(second)?);
        // Version 1 counts the groups below in the totals only.
        let files = both("total_inactive_file", "total_active_file")
            .or_else(|| both("inactive_file", "active_file"))
            .unwrap_or_default();
        Some(limit.saturating_sub(used.saturating_sub(files)))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        const MEBIBYTE: usize = 1 << 20;

        /// A machine with 1,000 MiB available and these files.
        fn machine(files: &[(&str, &str)]) -> tempfile::TempDir {
            let root = tempfile::tempdir().unwrap();
            let mut all = vec![("proc/meminfo", "MemTotal: 9 kB\nMemAvailable: 1024000 kB\n")];
            all.extend(files);
            for (name, text) in all {
                let path = root.path().join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            root
        }

        fn mebibytes(files: &[(&str, &str)]) -> usize {
            available(machine(files).path()).unwrap() / MEBIBYTE
        }

        #[test]
        fn without_groups_the_machine_is_the_limit() {
            assert_eq!(mebibytes(&[]), 1000);
            assert!(available(Path::new("/no/such/folder")).is_none());
        }

        #[test]
        fn the_smallest_group_of_version_2_is_the_limit() {
            let mounts = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";
            let files = [
                ("proc/self/cgroup", "0::/pod/box\n"),
                ("proc/self/mountinfo", mounts),
                ("sys/fs/cgroup/pod/box/memory.max", "max\n"),
                ("sys/fs/cgroup/pod/box/memory.current", "1048576\n"),
                ("sys/fs/cgroup/pod/memory.max", "209715200\n"),
                ("sys/fs/cgroup/pod/memory.current", "104857600\n"),
                (
                    "sys/fs/cgroup/pod/memory.stat",
                    "anon 5\ninactive_file 10485760\nactive_file 10485760\n",
                ),
            ];
            assert_eq!(mebibytes(&files), 120);
        }

        #[test]
        fn a_container_sees_its_own_group_of_version_1_only() {
            let mounts = "40 30 0:30 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n\
                          41 30 0:31 /docker/abc /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n";
            let files = [
                (
                    "proc/self/cgroup",
                    "4:memory:/docker/abc\n3:cpu:/docker/abc\n",
                ),
                ("proc/self/mountinfo", mounts),
                ("sys/fs/cgroup/memory/memory.limit_in_bytes", "209715200\n"),
                ("sys/fs/cgroup/memory/memory.usage_in_bytes", "104857600\n"),
                (
                    "sys/fs/cgroup/memory/memory.stat",
                    "inactive_file 1\ntotal_inactive_file 1048576\ntotal_active_file 0\n",
                ),
            ];
            assert_eq!(mebibytes(&files), 101);
        }

        #[test]
        fn this_machine_says_something() {
            assert!(available(Path::new("/")).is_some_and(|bytes| bytes > 0));
            assert!(resident().is_some_and(|bytes| bytes > MEBIBYTE));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "Miri ends a program that asks for too much")]
    fn a_little_can_be_allocated_but_not_everything() {
        assert!(can_allocate(RESERVE));
        assert!(!can_allocate(isize::MAX as usize));
    }
}
