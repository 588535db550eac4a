//! Runs the hot loops with the widest vector instructions of the machine.
//!
//! The loops are plain Rust, compiled three times: for the build's baseline, for AVX2 and for
//! AVX-512. They do the same operations on the same lanes in the same order and never fuse a
//! multiplication with an addition, so every level gives the same bits.
#![allow(unsafe_code)] // calls functions compiled for instructions found at run time

/// A loop to be compiled for each level.
///
/// `run`, and whatever it calls in its inner loop, must be `#[inline(always)]`: only inlined code
/// takes on the instructions of the caller.
pub(crate) trait Kernel {
    /// Runs the loop.
    fn run(self);
}

/// Which vector instructions to use. Only levels that this machine has can be constructed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level(Instructions);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instructions {
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// What the build assumes every machine to have.
    pub(crate) const BASELINE: Self = Self(Instructions::Baseline);

    /// The levels that this machine has, narrowest first.
    pub(crate) fn available() -> Vec<Self> {
        let levels = [
            (Instructions::Baseline, true),
            #[cfg(target_arch = "x86_64")]
            (Instructions::Avx2, is_x86_feature_detected!("avx2")),
            #[cfg(target_arch = "x86_64")]
            (
                Instructions::Avx512,
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw"),
            ),
        ];
        let had = levels.into_iter().filter(|&(_, is_had)| is_had);
        had.map(|(instructions, _)| Self(instructions)).collect()
    }

    /// The widest level that this machine has.
    pub(crate) fn widest() -> Self {
        Self::available().pop().unwrap_or(Self::BASELINE)
    }

    /// Runs `kernel` with the instructions of this level.
    #[inline]
    pub(crate) fn run(self, kernel: impl Kernel) {
        match self.0 {
            Instructions::Baseline => kernel.run(),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => {
                debug_assert!(is_x86_feature_detected!("avx2"));
                // SAFETY: only `available` makes this level, and only if the machine has AVX2.
                unsafe { run_avx2(kernel) }
            }
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => {
                debug_assert!(is_x86_feature_detected!("avx512bw"));
                // SAFETY: only `available` makes this level, and only if the machine has AVX2 and
                // AVX-512 F and BW.
                unsafe { run_avx512(kernel) }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2(kernel: impl Kernel) {
    kernel.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512bw")]
fn run_avx512(kernel: impl Kernel) {
    kernel.run();
}
