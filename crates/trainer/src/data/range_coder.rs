//! An adaptive range coder: entropy coding to a small fraction of a bit, in integers only.
//!
//! Symbols share one interval of 32 bits (G. N. N. Martin, 1979) with the carry handled as in
//! LZMA: the interval's low end keeps a 33rd bit until the byte above it is known to be final.
//! Two kinds of symbol mix freely: one of `n` equally likely values, and a bit whose probability
//! adapts ([`Probability`]).

use thiserror::Error;

/// The interval is widened by a byte when it gets narrower than this.
const NARROW: u32 = 1 << 24;

/// Bytes that [`Encoder::finish`] adds to what was written before.
pub(super) const FLUSH_LEN: usize = 5;

/// Probabilities are counted in units of 1 / 65,536.
const PROBABILITY_BITS: u32 = 16;

/// Why bytes are not what an encoder writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CoderError {
    /// Bytes are missing or left over.
    #[error("bytes are missing or left over")]
    Length,
    /// No encoder writes this symbol.
    #[error("a symbol that no encoder writes")]
    Symbol,
}

/// How likely a bit is to be 0, learnt from the bits seen so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probability {
    zero: u16,
    /// Adapting starts fast and slows down: the share of the error that is corrected is
    /// `2^-rate`.
    rate: u8,
}

impl Probability {
    const SLOWEST_RATE: u8 = 6;

    /// Bounds the cost of the unlikely bit to 12 bits.
    const LEAST: u16 = 1 << 4;

    pub(super) const EVEN: Self = Self {
        zero: 1 << (PROBABILITY_BITS - 1),
        rate: 1,
    };

    fn adapt(&mut self, bit: bool) {
        if bit {
            self.zero -= self.zero >> self.rate;
        } else {
            self.zero += (u16::MAX - self.zero) >> self.rate;
        }
        self.zero = self.zero.clamp(Self::LEAST, u16::MAX - Self::LEAST);
        self.rate = (self.rate + 1).min(Self::SLOWEST_RATE);
    }

    /// The width of the lower part of the interval, which means 0. Neither part is empty.
    fn split(self, range: u32) -> u32 {
        (range >> PROBABILITY_BITS) * u32::from(self.zero)
    }
}

/// Writes symbols into bytes.
#[derive(Clone, Debug)]
pub(super) struct Encoder {
    bytes: Vec<u8>,
    low: u64,
    range: u32,
    /// The last byte that a carry may still reach, and how many bytes of 255 follow it.
    cache: u8,
    pending: usize,
}

impl Encoder {
    pub(super) fn new() -> Self {
        Self {
            bytes: Vec::new(),
            low: 0,
            range: u32::MAX,
            cache: 0,
            pending: 0,
        }
    }

    /// How many bytes are certain so far; [`finish`](Self::finish) adds `FLUSH_LEN` at most.
    pub(super) fn len(&self) -> usize {
        self.bytes.len() + self.pending
    }

    /// Writes one of `count` equally likely values.
    pub(super) fn uniform(&mut self, value: u32, count: u32) {
        debug_assert!(value < count && count <= NARROW >> 8);
        self.range /= count;
        self.low += u64::from(value) * u64::from(self.range);
        self.widen();
    }

    /// Writes a bit.
    pub(super) fn bit(&mut self, probability: &mut Probability, bit: bool) {
        let split = probability.split(self.range);
        if bit {
            self.low += u64::from(split);
            self.range -= split;
        } else {
            self.range = split;
        }
        probability.adapt(bit);
        self.widen();
    }

    /// The bytes of everything written.
    pub(super) fn finish(mut self) -> Vec<u8> {
        for _ in 0..FLUSH_LEN {
            self.shift_low();
        }
        self.bytes
    }

    fn widen(&mut self) {
        while self.range < NARROW {
            self.range <<= 8;
            self.shift_low();
        }
    }

    /// Moves the top byte of `low` out. A byte of 255 waits, because a carry would ripple
    /// through it into the one before.
    fn shift_low(&mut self) {
        let carry = (self.low >> 32) as u8;
        let top = (self.low >> 24) as u8;
        if carry == 1 || top != u8::MAX {
            self.bytes.push(self.cache.wrapping_add(carry));
            let waiting = u8::MAX.wrapping_add(carry);
            self.bytes.resize(self.bytes.len() + self.pending, waiting);
            self.pending = 0;
            self.cache = top;
        } else {
            self.pending += 1;
        }
        self.low = (self.low & 0x00ff_ffff) << 8;
    }
}

/// Reads the symbols back. Bytes that no encoder wrote give wrong symbols or an error.
#[derive(Clone, Debug)]
pub(super) struct Decoder<'a> {
    bytes: &'a [u8],
    code: u32,
    range: u32,
    /// How many bytes beyond the end were asked for.
    missing: usize,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self {
            bytes,
            code: 0,
            range: u32::MAX,
            missing: 0,
        };
        for _ in 0..FLUSH_LEN {
            decoder.shift_in();
        }
        decoder
    }

    /// Reads one of `count` equally likely values, `count` being at least 1.
    pub(super) fn uniform(&mut self, count: u32) -> Result<u32, CoderError> {
        self.range /= count;
        let value = self.code / self.range;
        if value >= count {
            return Err(CoderError::Symbol);
        }
        self.code -= value * self.range;
        self.widen()?;
        Ok(value)
    }

    /// Reads a bit.
    pub(super) fn bit(&mut self, probability: &mut Probability) -> Result<bool, CoderError> {
        let split = probability.split(self.range);
        let bit = self.code >= split;
        if bit {
            self.code -= split;
            self.range -= split;
        } else {
            self.range = split;
        }
        probability.adapt(bit);
        self.widen()?;
        Ok(bit)
    }

    /// Checks that all bytes were needed, and no more.
    pub(super) fn finish(self) -> Result<(), CoderError> {
        if self.bytes.is_empty() && self.missing == 0 {
            Ok(())
        } else {
            Err(CoderError::Length)
        }
    }

    fn widen(&mut self) -> Result<(), CoderError> {
        while self.range < NARROW {
            self.range <<= 8;
            self.shift_in();
        }
        if self.missing == 0 {
            Ok(())
        } else {
            Err(CoderError::Length)
        }
    }

    fn shift_in(&mut self) {
        let byte = if let Some((&first, rest)) = self.bytes.split_first() {
            self.bytes = rest;
            first
        } else {
            self.missing += 1;
            0
        };
        self.code = self.code << 8 | u32::from(byte);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes and reads the same symbols, chosen by a seeded generator; returns the length in
    /// bytes.
    fn round_trip(seed: u64, symbols: usize, one_in: u32) -> usize {
        let mut random = fastrand::Rng::with_seed(seed);
        let symbols: Vec<(u32, u32, bool)> = (0..symbols)
            .map(|_| {
                let count = random.u32(1..=65_536);
                (random.u32(0..count), count, random.u32(0..one_in) == 0)
            })
            .collect();
        let mut encoder = Encoder::new();
        let mut probability = Probability::EVEN;
        for &(value, count, bit) in &symbols {
            encoder.uniform(value, count);
            encoder.bit(&mut probability, bit);
        }
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        let mut probability = Probability::EVEN;
        for &(value, count, bit) in &symbols {
            assert_eq!(decoder.uniform(count), Ok(value));
            assert_eq!(decoder.bit(&mut probability), Ok(bit));
        }
        assert_eq!(decoder.finish(), Ok(()));
        bytes.len()
    }

    #[test]
    fn what_is_written_is_read_back() {
        for seed in 0..50 {
            round_trip(seed, 2_000, 1 + seed as u32);
        }
        assert_eq!(round_trip(0, 0, 1), FLUSH_LEN);
    }

    #[test]
    fn carries_ripple_through_waiting_bytes() {
        // The largest value again and again drives the low end up to 255s; then zeros and ones
        // decide late whether they overflow.
        for tail in 0..300 {
            let mut encoder = Encoder::new();
            for _ in 0..40 {
                encoder.uniform(255, 256);
            }
            encoder.uniform(tail, 300);
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            for _ in 0..40 {
                assert_eq!(decoder.uniform(256), Ok(255));
            }
            assert_eq!(decoder.uniform(300), Ok(tail));
            assert_eq!(decoder.finish(), Ok(()));
        }
    }

    #[test]
    fn a_rare_bit_costs_little() {
        let mut encoder = Encoder::new();
        let mut probability = Probability::EVEN;
        for n in 0..80_000 {
            encoder.bit(&mut probability, n % 100 == 0);
        }
        // The entropy of 1 in 100 is 0.081 bits: 808 bytes.
        let len = encoder.finish().len();
        assert!((700..1_000).contains(&len), "{len} bytes");
    }

    #[test]
    fn missing_and_left_over_bytes_are_noticed() {
        let mut encoder = Encoder::new();
        for value in 0..100 {
            encoder.uniform(value, 100);
        }
        let mut bytes = encoder.finish();
        let read = |bytes: &[u8]| {
            let mut decoder = Decoder::new(bytes);
            for _ in 0..100 {
                decoder.uniform(100)?;
            }
            decoder.finish()
        };
        assert_eq!(read(&bytes), Ok(()));
        bytes.push(0);
        assert_eq!(read(&bytes), Err(CoderError::Length));
        for len in 0..bytes.len() - 1 {
            assert!(read(&bytes[..len]).is_err());
        }
    }
}
