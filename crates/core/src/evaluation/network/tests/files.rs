//! Files are read back as written, and nothing else is accepted.

use std::sync::Arc;

use super::super::{CpuLevel, Network, NetworkError, RawNetwork, Scaling};
use super::{network_for, random_network};
use crate::evaluation::Evaluation;
use crate::position::Variant;

fn small() -> RawNetwork {
    random_network(1, 32, 1, false)
}

fn refusal(bytes: &[u8]) -> NetworkError {
    RawNetwork::from_bytes(bytes).unwrap_err()
}

/// `bytes` with the hash that they should have.
fn rehashed(mut bytes: Vec<u8>) -> Vec<u8> {
    if let NetworkError::Hash { computed, .. } = refusal(&bytes) {
        bytes[24..32].copy_from_slice(&computed.to_le_bytes());
    }
    bytes
}

#[test]
fn files_round_trip() {
    for (hidden, buckets, mirrored) in [
        (32, 1, false),
        (32, 8, true),
        (64, 8, true),
        (1024, 1, true),
    ] {
        let network = random_network(7, hidden, buckets, mirrored);
        let bytes = network.to_bytes();
        assert_eq!(RawNetwork::from_bytes(&bytes), Ok(network.clone()));
        let loaded = Network::from_bytes(&bytes, CpuLevel::Scalar).unwrap();
        assert_eq!(loaded.hash().to_le_bytes(), bytes[24..32]);
        assert_eq!(loaded.hash(), network.hash());
        let direct = match (network.direct, &network.residual) {
            (false, _) => "",
            (true, None) => " + 26",
            (true, Some(_)) => " + 26 + (37 -> 32)",
        };
        let shape = format!("(768 -> {hidden})x2{direct} -> {buckets}");
        assert!(loaded.describe().contains(&shape));
    }
}

#[test]
fn a_network_says_its_game() {
    let numbers = [
        (Variant::Standard, 0),
        (Variant::KingOfTheHill, 1),
        (Variant::ThreeCheck, 2),
        (Variant::RacingKings, 3),
        (Variant::Horde, 4),
        (Variant::Atomic, 5),
        (Variant::Antichess, 6),
        (Variant::Giveaway, 7),
        (Variant::Suicide, 8),
        (Variant::Losers, 9),
        (Variant::Crazyhouse, 10),
    ];
    assert_eq!(numbers.len(), Variant::ALL.len());
    for (variant, number) in numbers {
        let network = network_for(variant, 1, 32, 1, true);
        let bytes = network.to_bytes();
        assert_eq!(bytes[20..24], [1, number, 0, 0], "frozen");
        assert_eq!(RawNetwork::from_bytes(&bytes), Ok(network));
        let loaded = Network::from_bytes(&bytes, CpuLevel::Scalar).unwrap();
        assert_eq!(loaded.variant(), variant);
        assert!(loaded.expect_for(variant).is_ok());
    }
    let horde = network_for(Variant::Horde, 1, 32, 1, true);
    let horde = Network::new(&horde, CpuLevel::Scalar).unwrap();
    let error = horde.expect_for(Variant::Standard).unwrap_err();
    assert_eq!(error.to_string(), "a network for horde, not for chess");
}

#[test]
fn the_layout_is_frozen() {
    let mut network = small();
    network.feature_weights.fill(0);
    network.feature_weights[0] = 0x0102;
    let bytes = network.to_bytes();
    assert_eq!(bytes[..8], *b"ORTHNNUE");
    assert_eq!(
        bytes[8..24],
        [1, 0, 0, 0, 32, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    );
    assert_eq!(bytes[32..36], [2, 1, 0, 0]);
    assert_eq!(bytes.len(), 32 + 2 * (768 * 32 + 32 + 64) + 4);

    let mut network = random_network(1, 32, 8, true);
    network.direct_weights[8 * 26 - 1] = 0x0102;
    let bytes = network.to_bytes();
    assert_eq!(bytes[20..24], [3, 0, 0, 0]);
    let outputs = 8 * (2 * 64 + 4 + 2 * 26);
    assert_eq!(bytes.len(), 32 + 2 * (768 * 32 + 32) + outputs);
    assert_eq!(bytes[bytes.len() - 2..], [2, 1]);

    let mut network = random_network(1, 64, 8, true);
    network.scaling.clear();
    let residual = network.residual.as_mut().unwrap();
    residual.input_weights[0] = 0x0304;
    residual.output_weights[8 * 32 - 1] = 0x0102;
    let bytes = network.to_bytes();
    assert_eq!(bytes[20..24], [7, 0, 0, 0]);
    let layer = 2 * 37 * 32 + 8 * 32 * (4 + 2);
    let outputs = 8 * (2 * 128 + 4 + 2 * 26);
    assert_eq!(bytes.len(), 32 + 2 * (768 * 64 + 64) + outputs + layer);
    assert_eq!(bytes[bytes.len() - layer..][..2], [4, 3]);
    assert_eq!(bytes[bytes.len() - 2..], [2, 1]);

    let unscaled = bytes.len();
    network.scaling = vec![Scaling::NONE; 8];
    network.scaling[7] = Scaling {
        factor: 0x0506,
        bonus: -2,
    };
    let bytes = network.to_bytes();
    assert_eq!(bytes[20..24], [15, 0, 0, 0]);
    assert_eq!(bytes.len(), unscaled + 8 * 8);
    assert_eq!(bytes[unscaled..][..8], [0, 0x40, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bytes[unscaled + 56..], [6, 5, 0, 0, 0xfe, 0xff, 0xff, 0xff]);
}

#[test]
fn other_files_are_refused() {
    for text in [
        "",
        "ORTH",
        "MZ\0\0",
        "a text file that is longer than a header",
    ] {
        assert_eq!(refusal(text.as_bytes()), NetworkError::Magic, "{text}");
    }
    let bytes = small().to_bytes();
    let length = |got| NetworkError::Length { expected: 32, got };
    assert_eq!(refusal(&bytes[..20]), length(20));
}

#[test]
fn files_of_the_wrong_length_are_refused() {
    let bytes = small().to_bytes();
    let expected = bytes.len();
    let longer = [bytes.as_slice(), &[0]].concat();
    for wrong in [&bytes[..32], &bytes[..expected - 1], &longer] {
        let got = wrong.len();
        assert_eq!(refusal(wrong), NetworkError::Length { expected, got });
    }
}

#[test]
fn headers_of_other_shapes_are_refused() {
    let cases = [
        (8, 2, NetworkError::Version(2)),
        (12, 33, NetworkError::Hidden(33)),
        (12, 0, NetworkError::Hidden(0)),
        (12, 1056, NetworkError::Hidden(1056)),
        (12, u32::MAX, NetworkError::Hidden(u32::MAX as usize)),
        (16, 0, NetworkError::Buckets(0)),
        (16, 4, NetworkError::Buckets(4)),
        (20, 4, NetworkError::Residual),
        (20, 16, NetworkError::Flags(16)),
        (21, 0xff, NetworkError::Flags(0xff00)),
    ];
    for (at, value, expected) in cases {
        let mut bytes = small().to_bytes();
        bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
        assert_eq!(refusal(&bytes), expected);
    }
}

#[test]
fn every_damaged_byte_is_noticed() {
    let bytes = small().to_bytes();
    for at in (0..64).chain((64..bytes.len()).step_by(997)) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert!(RawNetwork::from_bytes(&damaged).is_err(), "byte {at}");
    }
    let mut damaged = bytes;
    damaged[100] ^= 1;
    assert!(matches!(refusal(&damaged), NetworkError::Hash { .. }));
}

#[test]
fn weights_that_could_overflow_are_refused() {
    let mut network = small();
    network.output_weights[3] = -128;
    let expected = NetworkError::OutputWeight {
        bucket: 0,
        weight: -128,
    };
    assert_eq!(network.check(), Err(expected.clone()));
    let bytes = rehashed(network.to_bytes());
    assert_eq!(refusal(&bytes), expected);

    let mut network = random_network(1, 1024, 1, false);
    network.output_weights.fill(20);
    let reach = 2048 * 20 * 255 * 255;
    assert_eq!(
        network.check(),
        Err(NetworkError::Output { bucket: 0, reach })
    );
    // With half of the weights of each sign the sum stays in range.
    network.output_weights[..1024].fill(-20);
    assert_eq!(network.check(), Ok(()));

    for factor in [0, -1, Scaling::MAX_FACTOR + 1] {
        network.scaling = vec![Scaling { factor, bonus: 0 }];
        let expected = NetworkError::Factor { bucket: 0, factor };
        assert_eq!(network.check(), Err(expected));
    }
}

#[test]
fn hidden_values_that_could_overflow_are_refused() {
    let mut network = small();
    network.feature_weights.fill(0);
    network.feature_bias.fill(0);
    for row in network.feature_weights.chunks_mut(32) {
        row[5] = -1024;
    }
    // 32 pieces at most: -32768 still fits.
    assert_eq!(network.check(), Ok(()));
    network.feature_bias[5] = -1;
    let expected = NetworkError::Accumulator {
        neuron: 5,
        reach: -32769,
    };
    assert_eq!(network.check(), Err(expected));
}

#[test]
fn layers_of_the_wrong_size_are_refused() {
    let mut network = small();
    network.output_bias.push(0);
    let expected = NetworkError::Layer {
        layer: "output_bias",
        expected: 1,
        got: 2,
    };
    assert_eq!(network.check(), Err(expected));

    let mut network = random_network(1, 64, 8, true);
    network.residual.as_mut().unwrap().bias.pop();
    let expected = NetworkError::Layer {
        layer: "bias of the residual layer",
        expected: 256,
        got: 255,
    };
    assert_eq!(network.check(), Err(expected));
}

#[test]
fn a_network_is_used_for_its_game_and_the_carried_ones_for_the_others() {
    let hash = |evaluation: &Evaluation, variant| match evaluation.for_game(variant) {
        Evaluation::Network(network) => network.hash(),
        Evaluation::Material(_) => unreachable!(),
    };
    let carried = Evaluation::standard(CpuLevel::Scalar);
    for (of, also) in [
        (Variant::Horde, &[][..]),
        (Variant::Giveaway, &[]),
        (Variant::Antichess, &[Variant::Giveaway]),
        (Variant::Suicide, &[]),
        (Variant::Standard, &[]),
    ] {
        let network = network_for(of, 1, 32, 1, true);
        let network = Arc::new(Network::new(&network, CpuLevel::Scalar).unwrap());
        let evaluation = Evaluation::Network(Arc::clone(&network));
        for variant in Variant::ALL {
            let is_meant = variant == of || also.contains(&variant);
            let expected = if is_meant {
                network.hash()
            } else {
                hash(&carried, variant)
            };
            assert_eq!(hash(&evaluation, variant), expected, "{of:?} {variant:?}");
        }
    }
}

#[test]
fn the_embedded_networks_are_sound() {
    for variant in Variant::ALL {
        let (game, bytes) = super::super::embedded_file(variant);
        let network = Network::from_bytes(bytes, CpuLevel::Scalar).unwrap();
        assert!(network.expect_for(game).is_ok());
    }
}
