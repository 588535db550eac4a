//! The network against simpler computations of the same numbers.

mod files;
mod play;
mod symmetry;

use fastrand::Rng;

use super::{
    DIRECT_INPUTS, QS, RESIDUAL_INPUTS, RESIDUAL_NEURONS, RawNetwork, RawResidual, Scaling, inputs,
};
use crate::position::Variant;

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
    let mut random = Rng::with_seed(seed);
    let mut weights = |count, largest: i16| {
        let weight = |_| random.i16(-largest..=largest);
        (0..count).map(weight).collect()
    };
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
