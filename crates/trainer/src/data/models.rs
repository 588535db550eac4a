//! Adaptive models: what the coder expects of numbers, learnt while a block is written and, in
//! step, while it is read.

use super::range_coder::{CoderError, Decoder, Encoder, Probability};

/// Numbers of up to this many bits can be written.
const MAX_BITS: usize = 17;

/// The bits below the leading one that have probabilities of their own; lower ones are as good
/// as random.
const MODELLED_BITS: usize = 2;

/// Nodes of a binary tree deep enough to distinguish the lengths 0 to [`MAX_BITS`].
const LENGTH_NODES: usize = 32;

/// A model of numbers that are more often small than large.
///
/// A number is its length in bits, through a binary tree of adaptive bits, and then the bits
/// below the leading one, the upper ones adaptive too.
#[derive(Clone, Debug)]
pub(super) struct NumberModel {
    lengths: [Probability; LENGTH_NODES],
    mantissas: [[Probability; 1 << MODELLED_BITS]; MAX_BITS + 1],
}

impl NumberModel {
    pub(super) const fn new() -> Self {
        Self {
            lengths: [Probability::EVEN; LENGTH_NODES],
            mantissas: [[Probability::EVEN; 1 << MODELLED_BITS]; MAX_BITS + 1],
        }
    }

    /// Writes a number below `2^17`.
    pub(super) fn encode(&mut self, encoder: &mut Encoder, number: u32) {
        let length = bit_length(number);
        debug_assert!(length <= MAX_BITS);
        let mut node = 1;
        for shift in (0..LENGTH_NODES.ilog2()).rev() {
            let bit = length >> shift & 1 == 1;
            encoder.bit(&mut self.lengths[node], bit);
            node = node * 2 + usize::from(bit);
        }
        let mut low_bits = length.saturating_sub(1);
        let mut node = 1;
        while low_bits > 0 && node < 1 << MODELLED_BITS {
            low_bits -= 1;
            let bit = number >> low_bits & 1 == 1;
            encoder.bit(&mut self.mantissas[length][node], bit);
            node = node * 2 + usize::from(bit);
        }
        if low_bits > 0 {
            let count = 1 << low_bits;
            encoder.uniform(number & (count - 1), count);
        }
    }

    /// Reads a number below `2^17`.
    pub(super) fn decode(&mut self, decoder: &mut Decoder<'_>) -> Result<u32, CoderError> {
        let mut node = 1;
        for _ in 0..LENGTH_NODES.ilog2() {
            let bit = decoder.bit(&mut self.lengths[node])?;
            node = node * 2 + usize::from(bit);
        }
        let length = node - LENGTH_NODES;
        if length > MAX_BITS {
            return Err(CoderError::Symbol);
        }
        if length == 0 {
            return Ok(0);
        }
        let mut low_bits = length - 1;
        let mut number = 1;
        let mut node = 1;
        while low_bits > 0 && node < 1 << MODELLED_BITS {
            low_bits -= 1;
            let bit = decoder.bit(&mut self.mantissas[length][node])?;
            node = node * 2 + usize::from(bit);
            number = number << 1 | u32::from(bit);
        }
        if low_bits > 0 {
            number = number << low_bits | decoder.uniform(1 << low_bits)?;
        }
        Ok(number)
    }
}

/// A model of the scores of one game, each from the side to move.
///
/// A score is coded as its difference from the negated score before. The size of the last
/// difference shows how volatile the game is and selects the model of the size.
#[derive(Clone, Debug)]
pub(super) struct ScoreModel {
    sizes: [NumberModel; Self::CONTEXTS],
    signs: [Probability; MAX_BITS + 1],
}

/// The state of a game's scores: what the next one is expected to be, and how sure that is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ScoreTrack {
    expected: i32,
    restlessness: usize,
}

impl ScoreModel {
    const CONTEXTS: usize = 9;

    pub(super) const fn new() -> Self {
        Self {
            sizes: [const { NumberModel::new() }; Self::CONTEXTS],
            signs: [Probability::EVEN; MAX_BITS + 1],
        }
    }

    pub(super) fn encode(&mut self, encoder: &mut Encoder, track: &mut ScoreTrack, score: i16) {
        let change = i32::from(score) - track.expected;
        let size = change.unsigned_abs();
        self.sizes[track.restlessness].encode(encoder, size);
        if size > 0 {
            encoder.bit(&mut self.signs[bit_length(size)], change < 0);
        }
        track.advance(score, size);
    }

    pub(super) fn decode(
        &mut self,
        decoder: &mut Decoder<'_>,
        track: &mut ScoreTrack,
    ) -> Result<i16, CoderError> {
        let size = self.sizes[track.restlessness].decode(decoder)?;
        let negative = size > 0 && decoder.bit(&mut self.signs[bit_length(size)])?;
        let change = if negative {
            -(size as i32)
        } else {
            size as i32
        };
        let score = i16::try_from(track.expected + change).map_err(|_| CoderError::Symbol)?;
        track.advance(score, size);
        Ok(score)
    }
}

impl ScoreTrack {
    /// After a score, the other side is expected to see its negative.
    fn advance(&mut self, score: i16, size: u32) {
        self.expected = -i32::from(score);
        self.restlessness = bit_length(size).min(ScoreModel::CONTEXTS - 1);
    }
}

fn bit_length(number: u32) -> usize {
    (u32::BITS - number.leading_zeros()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_length_round_trip() {
        let numbers: Vec<u32> = (0..=MAX_BITS)
            .flat_map(|bits| {
                let power = 1u32 << bits;
                [power - 1, power / 2, power / 2 + power / 8]
            })
            .collect();
        let mut encoder = Encoder::new();
        let mut model = NumberModel::new();
        for &number in &numbers {
            model.encode(&mut encoder, number);
        }
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        let mut model = NumberModel::new();
        for &number in &numbers {
            assert_eq!(model.decode(&mut decoder), Ok(number));
        }
    }

    #[test]
    fn scores_round_trip_over_their_whole_range() {
        let scores = [
            0,
            1,
            -1,
            i16::MAX,
            i16::MAX,
            i16::MIN,
            i16::MIN,
            0,
            31_999,
            -32_000,
        ];
        let mut encoder = Encoder::new();
        let (mut model, mut track) = (ScoreModel::new(), ScoreTrack::default());
        for score in scores {
            model.encode(&mut encoder, &mut track, score);
        }
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        let (mut model, mut track) = (ScoreModel::new(), ScoreTrack::default());
        for score in scores {
            assert_eq!(model.decode(&mut decoder, &mut track), Ok(score));
        }
    }
}
