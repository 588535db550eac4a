//! The network's arithmetic, once for every supported vector width.
//!
//! All of it is integer arithmetic, so every level yields the same bits. The level is chosen at run
//! time: no wider instruction runs before the processor is known to have it.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "vector loads and stores go through pointers")]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "vector loads and stores go through pointers")]
mod avx512;
#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code, reason = "vector loads and stores go through pointers")]
mod neon;
mod scalar;

use std::fmt;

use super::format::{QC, RESIDUAL_INPUTS, RESIDUAL_NEURONS};

/// 32 hidden values or weights, aligned for the widest vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [i16; Self::LANES]);

impl Block {
    /// Values in a block.
    pub(super) const LANES: usize = 32;
    /// All values zero.
    pub(super) const ZERO: Self = Self([0; Self::LANES]);

    /// `values` in blocks; a remainder that fills no block is dropped.
    pub(super) fn pack(values: &[i16]) -> Box<[Self]> {
        let (chunks, _) = values.as_chunks();
        chunks.iter().map(|&chunk| Self(chunk)).collect()
    }
}

/// The inputs of the residual layer are multiplied two at a time.
pub(super) const PAIRS: usize = RESIDUAL_INPUTS.div_ceil(2);

/// Takes a sum of that layer, in units of `QA * QC`, to those of `QA`.
const SHIFT: u32 = QC.ilog2();

const _: () = assert!(1 << SHIFT == QC);

/// A number for each neuron of the residual layer, aligned for the widest vectors.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Wide(pub(super) [i32; RESIDUAL_NEURONS]);

/// The first `blocks` of every row: of equal lengths a loop checks no bounds. Not with `array::map`:
/// that stays a call in code that may use more instructions than the rest.
fn shortened<const N: usize>(mut rows: [&[Block]; N], blocks: usize) -> [&[Block]; N] {
    for row in &mut rows {
        *row = &row[..blocks];
    }
    rows
}

/// Which vector instructions are used, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CpuLevel {
    /// Only what every processor of the target has.
    Scalar,
    /// NEON, on ARM: 128 bits at once.
    Neon,
    /// AVX2, on x86: 256 bits at once.
    Avx2,
    /// AVX-512 with its F and BW parts, on x86: 512 bits at once.
    Avx512,
}

impl CpuLevel {
    /// Every level, the least first.
    pub const ALL: [Self; 4] = [Self::Scalar, Self::Neon, Self::Avx2, Self::Avx512];

    /// The best level of this processor.
    pub fn detect() -> Self {
        Self::Avx512.supported()
    }

    /// This level, or the best below it if this processor does not have it.
    #[must_use]
    pub fn supported(self) -> Self {
        let levels = Self::ALL.into_iter().rev();
        let mut supported = levels.filter(|&level| level <= self && level.is_available());
        supported.next().unwrap_or(Self::Scalar)
    }

    /// Whether this processor has the instructions of this level.
    pub fn is_available(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")
            }
            #[cfg(target_arch = "aarch64")]
            Self::Neon => std::arch::is_aarch64_feature_detected!("neon"),
            #[allow(unreachable_patterns, reason = "depends on the target")]
            _ => false,
        }
    }

    /// The level with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }

    /// Its name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Neon => "neon",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
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
pub(super) struct Kernels {
    /// Invariant: [`CpuLevel::is_available`]. The safety of every call below rests on it.
    level: CpuLevel,
}

/// Calls the kernel of a level.
macro_rules! dispatch {
    ($level:expr, $kernel:ident($($argument:expr),*)) => {
        match $level {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the processor has AVX2, by the invariant of `Kernels::level`.
            CpuLevel::Avx2 => unsafe { avx2::$kernel($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the processor has AVX-512 F and BW, by the invariant of `Kernels::level`.
            CpuLevel::Avx512 => unsafe { avx512::$kernel($($argument),*) },
            #[cfg(target_arch = "aarch64")]
            // SAFETY: the processor has NEON, by the invariant of `Kernels::level`.
            CpuLevel::Neon => unsafe { neon::$kernel($($argument),*) },
            _ => scalar::$kernel($($argument),*),
        }
    };
}

#[allow(unsafe_code, reason = "calls what only some processors can do")]
impl Kernels {
    /// The kernels of `level`, or of the best level that this processor has below it.
    pub(super) fn new(level: CpuLevel) -> Self {
        let level = level.supported();
        Self { level }
    }

    /// The level in use.
    pub(super) const fn level(self) -> CpuLevel {
        self.level
    }

    /// The sum over both halves (values, weights) of `clamp(value, 0, QA)^2 * weight`.
    pub(super) fn forward(self, halves: [(&[Block], &[Block]); 2]) -> i32 {
        dispatch!(self.level, forward(halves))
    }

    /// `target = source + added - removed`; all have the same length.
    pub(super) fn update<const A: usize, const R: usize>(
        self,
        target: &mut [Block],
        source: &[Block],
        added: [&[Block]; A],
        removed: [&[Block]; R],
    ) {
        dispatch!(self.level, update(target, source, added, removed));
    }

    /// The sum over all neurons of the residual layer of `clamp(sum / QC, 0, QA) * output`, where `sum` is
    /// the neuron's bias and the inputs times their weights. Each of `inputs` is a pair, the first in the lower half.
    #[inline]
    pub(super) fn residual(
        self,
        inputs: &[i32; PAIRS],
        weights: &[[Block; 2]; PAIRS],
        bias: &Wide,
        output: &Wide,
    ) -> i32 {
        dispatch!(self.level, residual(inputs, weights, bias, output))
    }

    /// `target += added`; all have the same length.
    pub(super) fn add<const A: usize>(self, target: &mut [Block], added: [&[Block]; A]) {
        dispatch!(self.level, add(target, added));
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;

    /// Attempts of the longer tests; Miri is some thousand times slower.
    const ROUNDS: usize = if cfg!(miri) { 4 } else { 2_000 };

    fn blocks(random: &mut Rng, count: usize, largest: i16) -> Vec<Block> {
        let block = |_| Block([0; Block::LANES].map(|_| random.i16(-largest..=largest)));
        (0..count).map(block).collect()
    }

    /// The levels besides the scalar one that can run here.
    fn vector_levels() -> Vec<Kernels> {
        let levels = CpuLevel::ALL.into_iter().skip(1);
        let levels: Vec<_> = levels.filter(|level| level.is_available()).collect();
        levels.into_iter().map(Kernels::new).collect()
    }

    #[test]
    fn forward_passes_equal_the_scalar_one() {
        let mut random = Rng::with_seed(1);
        for count in (1..=32).cycle().take(ROUNDS) {
            // Values beyond either end of the clamp, and now and then the full 16-bit range.
            let largest = if random.usize(..4) == 0 {
                i16::MAX
            } else {
                400
            };
            let values = [0; 2].map(|_| blocks(&mut random, count, largest));
            let weights = [0; 2].map(|_| blocks(&mut random, count, 127));
            let halves = [0, 1].map(|half| (&values[half][..], &weights[half][..]));
            let expected = scalar::forward(halves);
            for kernels in vector_levels() {
                assert_eq!(kernels.forward(halves), expected, "{}", kernels.level());
            }
        }
    }

    #[test]
    fn residual_layers_equal_the_scalar_one() {
        let mut random = Rng::with_seed(4);
        for _ in 0..ROUNDS {
            let mut weights = [[Block::ZERO; 2]; PAIRS];
            for pair in &mut weights {
                pair.copy_from_slice(&blocks(&mut random, 2, 3_000));
            }
            let inputs = [0; PAIRS].map(|_| {
                let [low, high] = [0; 2].map(|_| random.i32(-40..=40));
                low & 0xffff | high << 16
            });
            let mut wide = |largest: i32| {
                Wide([0; RESIDUAL_NEURONS].map(|_| random.i32(-largest..=largest) * 8))
            };
            let (bias, output) = (wide(i16::MAX.into()), wide((i16::MAX / 8).into()));
            let expected = scalar::residual(&inputs, &weights, &bias, &output);
            for kernels in vector_levels() {
                let sum = kernels.residual(&inputs, &weights, &bias, &output);
                assert_eq!(sum, expected, "{}", kernels.level());
            }
        }
    }

    fn updates_agree<const A: usize, const R: usize>(random: &mut Rng, count: usize) {
        let source = blocks(random, count, i16::MAX);
        let rows = [0; 4].map(|_| blocks(random, count, i16::MAX));
        let added: [&[Block]; A] = std::array::from_fn(|i| &rows[i][..]);
        let removed: [&[Block]; R] = std::array::from_fn(|i| &rows[2 + i][..]);
        let mut expected = vec![Block::ZERO; count];
        scalar::update(&mut expected, &source, added, removed);
        let mut expected_sum = source.clone();
        scalar::add(&mut expected_sum, added);
        for kernels in vector_levels() {
            let mut target = vec![Block::ZERO; count];
            kernels.update(&mut target, &source, added, removed);
            assert_eq!(target, expected, "{}", kernels.level());
            let mut sum = source.clone();
            kernels.add(&mut sum, added);
            assert_eq!(sum, expected_sum, "{}", kernels.level());
        }
    }

    #[test]
    fn updates_equal_the_scalar_ones() {
        let mut random = Rng::with_seed(2);
        for count in (1..=32).cycle().take(ROUNDS / 4) {
            updates_agree::<1, 0>(&mut random, count);
            updates_agree::<1, 1>(&mut random, count);
            updates_agree::<1, 2>(&mut random, count);
            updates_agree::<2, 2>(&mut random, count);
        }
    }

    #[test]
    fn scalar_updates_undo_each_other() {
        let mut random = Rng::with_seed(3);
        let source = blocks(&mut random, 2, i16::MAX);
        let row = blocks(&mut random, 2, i16::MAX);
        let (mut there, mut back) = (vec![Block::ZERO; 2], vec![Block::ZERO; 2]);
        scalar::update(&mut there, &source, [&row], []);
        assert_eq!(there[1].0[7], source[1].0[7].wrapping_add(row[1].0[7]));
        scalar::update(&mut back, &there, [], [&row]);
        assert_eq!(back, source);
    }

    #[test]
    fn levels_go_by_name_and_fall_back_to_what_is_there() {
        for level in CpuLevel::ALL {
            assert_eq!(CpuLevel::from_name(level.name()), Some(level));
            assert!(level.supported() <= level);
            assert!(level.supported().is_available());
        }
        assert_eq!(CpuLevel::from_name("mmx"), None);
        assert_eq!(CpuLevel::Scalar.supported(), CpuLevel::Scalar);
        assert!(CpuLevel::detect().is_available());
    }
}
