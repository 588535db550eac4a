//! What an engine is told once, at its start.

use std::path::PathBuf;

use crate::evaluation::CpuLevel;

/// What the engine must know of its environment.
#[derive(Clone, Debug)]
pub struct Environment {
    /// The CPU instructions that networks are evaluated with.
    pub level: CpuLevel,
    /// Where files named by options are looked for if they are not in the working folder.
    pub folder: Option<PathBuf>,
    /// The seed of random choices; the same seed makes the same choices.
    pub seed: u64,
}

impl Default for Environment {
    /// The best instructions of this processor, no other folder, and the same choices every time.
    fn default() -> Self {
        Self {
            level: CpuLevel::detect(),
            folder: None,
            seed: 0,
        }
    }
}
