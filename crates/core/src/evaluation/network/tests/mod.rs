//! The network against simpler computations of the same numbers.

mod files;
mod play;
mod symmetry;

use super::{
    DIRECT_INPUTS, QS, RESIDUAL_INPUTS, RESIDUAL_NEURONS, RawNetwork, RawResidual, Scaling, inputs,
};
use crate::position::Variant;

/// Marsaglia's xorshift: enough for random moves and weights.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2) | 1)
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }

    pub(super) fn weight(&mut self, largest: i16) -> i16 {
        (self.below(2 * largest as usize + 1) as i32 - i32::from(largest)) as i16
    }
}

/// A network of random weights as large as trained ones get.
pub(super) fn random_network(
    seed: u64,
    hidden: usize,
    buckets: usize,
    mirrored: bool,
) -> RawNetwork {
    network_for(Variant::Standard, seed, hidden, buckets, mirrored)
}

/// The same for any game.
pub(super) fn network_for(
    variant: Variant,
    seed: u64,
    hidden: usize,
    buckets: usize,
    mirrored: bool,
) -> RawNetwork {
    let mut random = Random::new(seed);
    let mut weights = |count, largest| (0..count).map(|_| random.weight(largest)).collect();
    let direct = buckets > 1;
    RawNetwork {
        variant,
        hidden,
        buckets,
        mirrored,
        direct,
        feature_weights: weights(inputs(variant) * hidden, 200),
        feature_bias: weights(hidden, 250),
        output_weights: weights(buckets * hidden * 2, 60),
        output_bias: (0..buckets)
            .map(|bucket| bucket as i32 * 1000 - 3000)
            .collect(),
        direct_weights: weights(usize::from(direct) * buckets * 2 * DIRECT_INPUTS, 400),
        residual: (direct && hidden > 32).then(|| RawResidual {
            input_weights: weights(RESIDUAL_INPUTS * RESIDUAL_NEURONS, 2_000),
            bias: (0..buckets * RESIDUAL_NEURONS)
                .map(|n| n as i32 % 50 * 1_000 - 25_000)
                .collect(),
            output_weights: weights(buckets * RESIDUAL_NEURONS, 1_500),
        }),
        scaling: if direct && hidden > 32 {
            let scaling = |bucket| Scaling {
                factor: QS / 2 + bucket * QS / 8,
                bonus: 700 - bucket * 300,
            };
            (0..buckets as i32).map(scaling).collect()
        } else {
            Vec::new()
        },
    }
}
