//! The network's arithmetic, once for every width of vector that processors have.
//!
//! All of it is whole-number arithmetic, so that every level yields the same bits. The level is
//! chosen when the program starts: no wider instruction runs before the processor was asked for it.

mod scalar;

use std::fmt;

/// 32 hidden values or weights, aligned so that the widest vectors load them whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [i16; Self::LANES]);

impl Block {
    /// Values in a block.
    pub(super) const LANES: usize = 32;
    /// All values zero.
    pub(super) const ZERO: Self = Self([0; Self::LANES]);

    /// `values` in blocks; a rest that fills no block is dropped.
    pub(super) fn pack(values: &[i16]) -> Box<[Self]> {
        let (chunks, _) = values.as_chunks();
        chunks.iter().map(|&chunk| Self(chunk)).collect()
    }
}

/// How much of the processor is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CpuLevel {
    /// Nothing beyond what every processor of the target has.
    Scalar,
}

impl CpuLevel {
    /// The best level of this processor.
    pub fn detect() -> Self {
        Self::Scalar
    }

    /// The level with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "scalar" => Some(Self::Scalar),
            _ => None,
        }
    }

    /// Its name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
        }
    }
}

impl fmt::Display for CpuLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The arithmetic of a level that this processor has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernels(CpuLevel);

impl Kernels {
    /// The kernels of `level`.
    pub(super) fn new(level: CpuLevel) -> Self {
        Self(level)
    }

    /// The level in use.
    pub(super) const fn level(self) -> CpuLevel {
        self.0
    }

    /// The sum over both halves (values, weights) of `clamp(value, 0, QA)^2 * weight`.
    #[inline]
    pub(super) fn forward(self, halves: [(&[Block], &[Block]); 2]) -> i32 {
        match self.0 {
            CpuLevel::Scalar => scalar::forward(halves),
        }
    }

    /// `target = source + added - removed`; all have the same length.
    #[inline]
    pub(super) fn update<const A: usize, const R: usize>(
        self,
        target: &mut [Block],
        source: &[Block],
        added: [&[Block]; A],
        removed: [&[Block]; R],
    ) {
        match self.0 {
            CpuLevel::Scalar => scalar::update(target, source, added, removed),
        }
    }

    /// `target += added`; all have the same length.
    #[inline]
    pub(super) fn add<const A: usize>(self, target: &mut [Block], added: [&[Block]; A]) {
        match self.0 {
            CpuLevel::Scalar => scalar::add(target, added),
        }
    }
}
