//! Network files.
//!
//! An input that begins like a network file is taken as one. Any other changes a good file: its
//! first byte says which one, how long the result is and whether the hash is made to fit, and every
//! five bytes after it are an offset and two bytes to write there.

use std::sync::Arc;

use orthrus_core::evaluation::network::{
    DIRECT_INPUTS, MAGIC, NetworkError, QS, RESIDUAL_INPUTS, RESIDUAL_NEURONS, RawNetwork,
    RawResidual, Scaling, inputs,
};
use orthrus_core::evaluation::{CpuLevel, Evaluation, Evaluator, Network};
use orthrus_core::fen;
use orthrus_core::position::Variant;

use super::POSITIONS;
use crate::random::Random;

/// A file is rejected, or is written as it was read and evaluates every position of its game, with
/// the same result for any instructions of the processor and after any move.
pub(super) fn run(bytes: &[u8]) {
    let file = file(bytes);
    let Ok(raw) = RawNetwork::from_bytes(&file) else {
        return;
    };
    assert!(raw.to_bytes() == file, "it is written as it was read");
    let mut evaluators = [CpuLevel::Scalar, CpuLevel::detect()].map(|level| {
        let network = Network::new(&raw, level).expect("it was checked");
        Evaluator::new(Evaluation::Network(Arc::new(network)))
    });
    let others = POSITIONS.iter();
    let others = others.filter_map(|fen| fen::parse_as(raw.variant, fen).ok());
    for mut position in others.chain([fen::start(raw.variant)]) {
        if position.outcome().is_some() {
            continue;
        }
        for evaluator in &mut evaluators {
            evaluator.reset(&position);
        }
        let [scalar, vector] = evaluators.each_mut().map(|it| it.evaluate(&position));
        assert_eq!(scalar, vector, "{position:?}");
        if let Some(&mv) = position.legal_moves().last() {
            for evaluator in &mut evaluators {
                evaluator.make_move(&position, mv);
            }
            position.make_move(mv);
            let moved = evaluators.each_mut().map(|it| it.evaluate(&position));
            evaluators[1].reset(&position);
            let anew = evaluators[1].evaluate(&position);
            assert_eq!(moved, [anew; 2], "{position:?}");
        }
    }
}

/// The file that an input describes.
fn file(bytes: &[u8]) -> Vec<u8> {
    let Some((&mode, changes)) = bytes.split_first() else {
        return Vec::new();
    };
    if bytes.starts_with(&MAGIC) {
        return bytes.to_vec();
    }
    let (hidden, buckets, mirrored) =
        [(32, 1, false), (32, 8, true), (64, 1, true)][usize::from(mode) % 3];
    let variant = Variant::ALL[usize::from(mode & 0x3f) / 3 % Variant::ALL.len()];
    let mut file = good(variant, hidden, buckets, mirrored).to_bytes();
    let (changes, rest) = changes.as_chunks::<5>();
    for &[a, b, c, low, high] in changes {
        // Small numbers are offsets in the header, where most is decided.
        let at = (usize::from(c) << 16 | usize::from(b) << 8 | usize::from(a)) % (file.len() - 1);
        file[at..at + 2].copy_from_slice(&[low, high]);
    }
    if mode & 0x40 != 0 {
        let cut = rest
            .iter()
            .fold(1, |cut, &byte| cut * 7 + usize::from(byte));
        file.truncate(file.len() - cut % file.len());
    }
    if mode & 0x80 != 0
        && let Err(NetworkError::Hash { computed, .. }) = RawNetwork::from_bytes(&file)
    {
        file[24..32].copy_from_slice(&computed.to_le_bytes());
    }
    file
}

/// A network of random weights.
fn good(variant: Variant, hidden: usize, buckets: usize, mirrored: bool) -> RawNetwork {
    let mut random = Random::new(hidden as u64);
    let mut weights = |count, largest: usize| {
        let weight = || random.below(2 * largest + 1) as i16 - largest as i16;
        std::iter::repeat_with(weight).take(count).collect()
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
        output_bias: vec![-500; buckets],
        direct_weights: weights(usize::from(direct) * buckets * 2 * DIRECT_INPUTS, 400),
        residual: direct.then(|| RawResidual {
            input_weights: weights(RESIDUAL_INPUTS * RESIDUAL_NEURONS, 2_000),
            bias: vec![2_000; buckets * RESIDUAL_NEURONS],
            output_weights: weights(buckets * RESIDUAL_NEURONS, 1_000),
        }),
        scaling: if direct {
            vec![
                Scaling {
                    factor: QS / 2,
                    bonus: 900,
                };
                buckets
            ]
        } else {
            Vec::new()
        },
    }
}

/// Complete files, truncated ones, changed ones with and without a hash that fits.
pub(super) fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = (0..3).map(|mode| vec![mode]).collect();
    seeds.push(vec![0x40, 1, 2]);
    // The header's fields: version, neurons, buckets, flags.
    for field in [8, 12, 16, 20] {
        seeds.push(vec![0x80, field, 0, 0, 64, 0]);
    }
    // A weight, as large as can be; the output's bias, at the file's end.
    seeds.push(vec![0x80, 40, 0, 0, 0xff, 0x7f]);
    seeds.push(vec![0x80, 0xe0, 0xc0, 0, 0xff, 0x7f]);
    seeds.push(vec![0, 200, 1, 0, 3, 0]);
    seeds.push([MAGIC.as_slice(), &[1, 0, 0, 0, 32]].concat());
    seeds
}
