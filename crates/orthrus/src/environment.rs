//! What the engine is told of the machine that it runs on.

use std::env;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::sync::LazyLock;

use orthrus_core::engine::Environment;
use orthrus_core::evaluation::CpuLevel;

/// The instruction set for networks: the best, or a lower one that `ORTHRUS_CPU` names, so that
/// every path can be tried on one machine; if the processor lacks that one, the best below it. Any other
/// name is reported, once, and ignored.
pub(crate) fn cpu_level() -> CpuLevel {
    static LEVEL: LazyLock<CpuLevel> = LazyLock::new(|| {
        let best = CpuLevel::detect();
        let Some(name) = env::var_os("ORTHRUS_CPU") else {
            return best;
        };
        if let Some(level) = name.to_str().and_then(CpuLevel::from_name) {
            return level.supported();
        }
        let _ = writeln!(
            io::stderr(),
            "orthrus: ORTHRUS_CPU: no instructions are called {}, computing with {best}",
            name.display()
        );
        best
    });
    *LEVEL
}

/// Lets this process open as many files as the system allows without asking: endgame tables for six
/// men are more than a thousand, about the number that is usual at first.
pub(crate) fn allow_open_files() {
    #[cfg(unix)]
    {
        use nix::sys::resource::{Resource, getrlimit, setrlimit};

        if let Ok((now, most)) = getrlimit(Resource::RLIMIT_NOFILE) {
            // A Mac may name no limit and refuse more than OPEN_MAX, 10,240. Tables that cannot be
            // opened are named when the time comes.
            let _ = setrlimit(Resource::RLIMIT_NOFILE, most, most).or_else(|_| {
                let some = most.min(now.max(10_240));
                setrlimit(Resource::RLIMIT_NOFILE, some, most)
            });
        }
    }
}

/// The processor, the folder of the executable, and a seed that differs from run to run.
pub(crate) fn environment() -> Environment {
    let executable = env::current_exe().ok();
    // A standard library without a random number generator still has a random hasher.
    let seed = RandomState::new().hash_one(0);
    Environment {
        level: cpu_level(),
        folder: executable.and_then(|path| Some(path.parent()?.to_owned())),
        seed,
    }
}
