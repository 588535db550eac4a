//! The network file: plain numbers after a header that describes them.
//!
//! All numbers are little-endian.
//!
//! | offset | bytes | what |
//! |---|---|---|
//! | 0 | 8 | [`MAGIC`] |
//! | 8 | 4 | [`VERSION`] |
//! | 12 | 4 | hidden neurons per side: a multiple of 32 from 32 to 1024 |
//! | 16 | 4 | output buckets: 1 or 8 |
//! | 20 | 4 | flags: bit 0 is set if the inputs are mirrored, bit 1 if there are direct inputs, bit 2 if there is a residual layer, bit 3 if the outputs are scaled; bits 8 to 15 are the number of the game, 0 for chess; the others are 0 |
//! | 24 | 8 | FNV-1a hash of bytes 8 to 24 and of everything from byte 32 on |
//! | 32 | inputs * hidden * 2 | weights from each input (768 in chess) to the hidden neurons |
//! | | hidden * 2 | biases of the hidden neurons |
//! | | buckets * hidden * 4 | output weights: per bucket, the side to move's half first |
//! | | buckets * 4 | output biases, in units of QA * QB |
//! | | buckets * 52 or 0 | weights of the direct inputs, in the same units: per bucket, the side to move's half first |
//! | | 37 * 64 or 0 | residual layer: weights from each input to its 32 neurons, in units of QA * QC |
//! | | buckets * 128 or 0 | biases of those neurons, per bucket, in the same units |
//! | | buckets * 64 or 0 | weights from the neurons to each output, in units of QR |
//! | | buckets * 8 or 0 | scaling: per bucket the factor, in units of 1 / QS, and the bonus, in units of QA * QB |

use thiserror::Error;

use super::counts::{COUNTS, DIRECT_INPUTS};
use super::features::{INPUTS, MAX_ACTIVE, inputs, max_pieces};
use crate::position::Variant;

/// The first bytes of every network file.
pub const MAGIC: [u8; 8] = *b"ORTHNNUE";
/// The version of the format that is written and read.
pub const VERSION: u32 = 1;
/// Hidden values of this much or more are fully active: the unit of the feature weights.
pub const QA: i32 = 255;
/// The unit of the output weights.
pub const QB: i32 = 64;
/// Weights and biases of the neurons of the residual layer are in units of `QA * QC`.
pub const QC: i32 = 32;
/// The unit of the weights from the residual layer to the outputs.
pub const QR: i32 = 1024;
/// The unit of the factors that scale outputs is the reciprocal of this.
pub const QS: i32 = 1 << 14;
/// Neurons of the residual layer.
pub const RESIDUAL_NEURONS: usize = 32;
/// Inputs of the residual layer: each count of the side to move followed by the same of the other, then the
/// output of the rest.
pub const RESIDUAL_INPUTS: usize = 2 * COUNTS + 1;
/// That last input is in steps of so many units of `QA * QB`, some six centipawns.
pub const RESIDUAL_STEP: i32 = 4 * QB;
/// At most so many steps of either sign count, 520 centipawns: beyond, little is left to correct.
pub const RESIDUAL_REACH: i32 = 83;
/// Centipawns for an output of one.
pub const SCALE: i32 = 400;
/// The largest absolute output weight: times [`QA`] it still fits into 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 127;

const HEADER_BYTES: usize = 32;
const MIRRORED: u32 = 1;
const DIRECT: u32 = 2;
const RESIDUAL: u32 = 4;
const SCALED: u32 = 8;
const GAME_SHIFT: u32 = 8;
const GAME_MASK: u32 = 0xff << GAME_SHIFT;

/// The number of a game in the header.
const fn number_of(variant: Variant) -> u32 {
    match variant {
        Variant::Standard => 0,
        Variant::KingOfTheHill => 1,
        Variant::ThreeCheck => 2,
        Variant::RacingKings => 3,
        Variant::Horde => 4,
        Variant::Atomic => 5,
        Variant::Antichess => 6,
        Variant::Giveaway => 7,
        Variant::Suicide => 8,
        Variant::Losers => 9,
        Variant::Crazyhouse => 10,
    }
}

/// A network as the trainer writes it: plain rows of numbers, not yet laid out for evaluating.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawNetwork {
    /// The game that it is for.
    pub variant: Variant,
    /// Hidden neurons per side, N: a multiple of 32 from 32 to 1024.
    pub hidden: usize,
    /// Output buckets, B: 1 or 8.
    pub buckets: usize,
    /// Whether the board is mirrored to bring the own king to files a to d.
    pub mirrored: bool,
    /// Whether there are [direct inputs](super::counts).
    pub direct: bool,
    /// `[I][N]` with the [`inputs`] of the game, in units of [`QA`].
    pub feature_weights: Vec<i16>,
    /// `[N]`, in units of [`QA`].
    pub feature_bias: Vec<i16>,
    /// `[B][2 * N]`, in units of [`QB`]; the half of the side to move comes first.
    pub output_weights: Vec<i16>,
    /// `[B]`, in units of `QA * QB`.
    pub output_bias: Vec<i32>,
    /// `[B][2 * D]` with D = [`DIRECT_INPUTS`], in units of `QA * QB`; the half of the side to move comes
    /// first. Empty without direct inputs.
    pub direct_weights: Vec<i16>,
    /// The [residual layer](RawResidual), if there is one.
    pub residual: Option<RawResidual>,
    /// `[B]`, or empty if every output is what it is.
    pub scaling: Vec<Scaling>,
}

/// What is made of an output in the end, so that it means in centipawns what the search is tuned to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scaling {
    /// What it is multiplied by, in units of 1 / [`QS`], from 1 to [`MAX_FACTOR`](Self::MAX_FACTOR).
    pub factor: i32,
    /// What the side to move has for its move after that, in units of `QA * QB`.
    pub bonus: i32,
}

impl Scaling {
    /// The output as it is.
    pub const NONE: Self = Self {
        factor: QS,
        bonus: 0,
    };

    /// The largest factor.
    pub const MAX_FACTOR: i32 = 16 * QS;
}

/// The residual layer of a network with direct inputs: a few neurons that see the [counts](super::counts)
/// and what the rest of the network says, and correct it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawResidual {
    /// `[R][M]` with R = [`RESIDUAL_INPUTS`] and M = [`RESIDUAL_NEURONS`], in units of `QA * QC`.
    pub input_weights: Vec<i16>,
    /// `[B][M]`, in units of `QA * QC`.
    pub bias: Vec<i32>,
    /// `[B][M]`, in units of [`QR`].
    pub output_weights: Vec<i16>,
}

/// Why a network cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// The file does not begin like a network file.
    #[error("not a network file of Orthrus")]
    Magic,
    /// The file is of another version of the format.
    #[error("network format version {0}, expected {VERSION}")]
    Version(u32),
    /// The number of hidden neurons is not supported.
    #[error("{0} hidden neurons, expected a multiple of 32 from 32 to 1024")]
    Hidden(usize),
    /// The number of output buckets is not supported.
    #[error("{0} output buckets, expected 1 or 8")]
    Buckets(usize),
    /// An unknown flag is set, or the game is unknown.
    #[error("unknown flags {0:#x}")]
    Flags(u32),
    /// It has a residual layer, but no direct inputs.
    #[error("a residual layer without direct inputs")]
    Residual,
    /// It is for another game.
    #[error("a network for {}, not for {}", found.name(), expected.name())]
    Game {
        /// The game that it is for.
        found: Variant,
        /// The game that a network was wanted for.
        expected: Variant,
    },
    /// The file is too short or too long for its shape.
    #[error("the network file has {got} bytes, expected {expected}")]
    Length {
        /// What the header promises, or the length of the header itself.
        expected: usize,
        /// The length of the file.
        got: usize,
    },
    /// The file was damaged.
    #[error("the network's hash is {computed:016x}, but its header says {stated:016x}")]
    Hash {
        /// What the header says.
        stated: u64,
        /// The hash of the contents.
        computed: u64,
    },
    /// A layer has the wrong number of weights or biases.
    #[error("{layer} has {got} numbers, expected {expected}")]
    Layer {
        /// The name of the field.
        layer: &'static str,
        /// How many the shape requires.
        expected: usize,
        /// How many there are.
        got: usize,
    },
    /// An output weight would overflow when multiplied.
    #[error("output weight {weight} in bucket {bucket} is beyond {MAX_OUTPUT_WEIGHT}")]
    OutputWeight {
        /// The bucket.
        bucket: usize,
        /// The weight.
        weight: i16,
    },
    /// An output is multiplied by what is no factor.
    #[error(
        "the output of bucket {bucket} is multiplied by {factor}/{QS}, expected more than 0 and at most 16"
    )]
    Factor {
        /// The bucket.
        bucket: usize,
        /// The factor.
        factor: i32,
    },
    /// The output weights of one sign could add up beyond 32 bits.
    #[error("the output of bucket {bucket} can reach {reach}, beyond 32 bits")]
    Output {
        /// The bucket.
        bucket: usize,
        /// The largest sum that the weights of one sign allow.
        reach: i64,
    },
    /// A hidden value could exceed 16 bits in some position.
    #[error("hidden neuron {neuron} can reach {reach}, beyond 16 bits")]
    Accumulator {
        /// The neuron.
        neuron: usize,
        /// The value farthest from zero that it may take.
        reach: i32,
    },
}

/// Makes sure that networks may have this many hidden neurons and output buckets.
///
/// # Errors
///
/// Names the number that is not supported.
pub fn check_shape(hidden: usize, buckets: usize) -> Result<(), NetworkError> {
    if !(32..=1024).contains(&hidden) || !hidden.is_multiple_of(32) {
        return Err(NetworkError::Hidden(hidden));
    }
    match buckets {
        1 | 8 => Ok(()),
        _ => Err(NetworkError::Buckets(buckets)),
    }
}

impl RawNetwork {
    /// The network file. Reading it back checks it: see [`check`](Self::check).
    pub fn to_bytes(&self) -> Vec<u8> {
        let mirrored = if self.mirrored { MIRRORED } else { 0 };
        let direct = if self.direct { DIRECT } else { 0 };
        let residual = if self.residual.is_some() { RESIDUAL } else { 0 };
        let scaled = if self.scaling.is_empty() { 0 } else { SCALED };
        let game = number_of(self.variant) << GAME_SHIFT;
        let flags = mirrored | direct | residual | scaled | game;
        let shape = [VERSION, self.hidden as u32, self.buckets as u32, flags];
        let mut bytes = MAGIC.to_vec();
        bytes.extend(shape.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend([0; 8]);
        write(&mut bytes, &self.feature_weights, i16::to_le_bytes);
        write(&mut bytes, &self.feature_bias, i16::to_le_bytes);
        write(&mut bytes, &self.output_weights, i16::to_le_bytes);
        write(&mut bytes, &self.output_bias, i32::to_le_bytes);
        write(&mut bytes, &self.direct_weights, i16::to_le_bytes);
        if let Some(layer) = &self.residual {
            write(&mut bytes, &layer.input_weights, i16::to_le_bytes);
            write(&mut bytes, &layer.bias, i32::to_le_bytes);
            write(&mut bytes, &layer.output_weights, i16::to_le_bytes);
        }
        for scaling in &self.scaling {
            write(
                &mut bytes,
                &[scaling.factor, scaling.bonus],
                i32::to_le_bytes,
            );
        }
        let hash = hash_of_file(&bytes[8..24], &bytes[HEADER_BYTES..]);
        bytes[24..HEADER_BYTES].copy_from_slice(&hash.to_le_bytes());
        bytes
    }

    /// Reads a network file.
    ///
    /// # Errors
    ///
    /// If it is not a network file, was damaged, or fails [`check`](Self::check).
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let Some((header, payload)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
            // A short file of another kind is better reported as such.
            if !bytes.starts_with(&MAGIC) {
                return Err(NetworkError::Magic);
            }
            return Err(NetworkError::Length {
                expected: HEADER_BYTES,
                got: bytes.len(),
            });
        };
        let mut network = Self::from_header(header)?;
        let [weights, bias, output, output_bias, direct] = network.layer_sizes();
        let residual = network.residual_sizes();
        let expected = HEADER_BYTES
            + 2 * (weights + bias + output + direct + residual[0] + residual[2])
            + 4 * (output_bias + residual[1] + 2 * network.scaling.len());
        if bytes.len() != expected {
            let got = bytes.len();
            return Err(NetworkError::Length { expected, got });
        }
        let [.., h0, h1, h2, h3, h4, h5, h6, h7] = *header;
        let stated = u64::from_le_bytes([h0, h1, h2, h3, h4, h5, h6, h7]);
        let computed = hash_of_file(&header[8..24], payload);
        if stated != computed {
            return Err(NetworkError::Hash { stated, computed });
        }
        let mut numbers = Numbers(payload);
        network.feature_weights = numbers.take(weights, i16::from_le_bytes);
        network.feature_bias = numbers.take(bias, i16::from_le_bytes);
        network.output_weights = numbers.take(output, i16::from_le_bytes);
        network.output_bias = numbers.take(output_bias, i32::from_le_bytes);
        network.direct_weights = numbers.take(direct, i16::from_le_bytes);
        if let Some(layer) = &mut network.residual {
            layer.input_weights = numbers.take(residual[0], i16::from_le_bytes);
            layer.bias = numbers.take(residual[1], i32::from_le_bytes);
            layer.output_weights = numbers.take(residual[2], i16::from_le_bytes);
        }
        let numbers = numbers.take(2 * network.scaling.len(), i32::from_le_bytes);
        for (scaling, &[factor, bonus]) in network.scaling.iter_mut().zip(numbers.as_chunks().0) {
            *scaling = Scaling { factor, bonus };
        }
        network.check()?;
        Ok(network)
    }

    /// The shape that a header promises, without any numbers yet.
    fn from_header(header: &[u8; HEADER_BYTES]) -> Result<Self, NetworkError> {
        if !header.starts_with(&MAGIC) {
            return Err(NetworkError::Magic);
        }
        let field = |at: usize| {
            u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
        };
        let (version, flags) = (field(8), field(20));
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        if flags & !(MIRRORED | DIRECT | RESIDUAL | SCALED | GAME_MASK) != 0 {
            return Err(NetworkError::Flags(flags));
        }
        let game = (flags & GAME_MASK) >> GAME_SHIFT;
        let mut variants = Variant::ALL.into_iter();
        let mut network = Self {
            variant: variants
                .find(|&variant| number_of(variant) == game)
                .ok_or(NetworkError::Flags(flags))?,
            hidden: field(12) as usize,
            buckets: field(16) as usize,
            mirrored: flags & MIRRORED != 0,
            direct: flags & DIRECT != 0,
            feature_weights: Vec::new(),
            feature_bias: Vec::new(),
            output_weights: Vec::new(),
            output_bias: Vec::new(),
            direct_weights: Vec::new(),
            residual: (flags & RESIDUAL != 0).then(RawResidual::default),
            scaling: Vec::new(),
        };
        network.check_shape()?;
        if flags & SCALED != 0 {
            network.scaling = vec![Scaling::NONE; network.buckets];
        }
        Ok(network)
    }

    /// The hash that the file carries, which identifies the network.
    pub fn hash(&self) -> u64 {
        let bytes = self.to_bytes();
        hash_of_file(&bytes[8..24], &bytes[HEADER_BYTES..])
    }

    /// Makes sure that every position can be evaluated without overflow.
    ///
    /// # Errors
    ///
    /// If the shape is not supported, a layer has another size, or a weight is so large that some
    /// value could overflow.
    pub fn check(&self) -> Result<(), NetworkError> {
        self.check_shape()?;
        self.check_layers()?;
        self.check_output()?;
        self.check_accumulator()
    }

    fn check_shape(&self) -> Result<(), NetworkError> {
        if self.residual.is_some() && !self.direct {
            return Err(NetworkError::Residual);
        }
        check_shape(self.hidden, self.buckets)
    }

    /// The numbers in each layer, in the order of the file.
    fn layer_sizes(&self) -> [usize; 5] {
        [
            inputs(self.variant) * self.hidden,
            self.hidden,
            self.buckets * self.hidden * 2,
            self.buckets,
            usize::from(self.direct) * self.buckets * 2 * DIRECT_INPUTS,
        ]
    }

    /// The numbers in each part of the residual layer, in the order of the file.
    fn residual_sizes(&self) -> [usize; 3] {
        let neurons = usize::from(self.residual.is_some()) * RESIDUAL_NEURONS;
        [
            RESIDUAL_INPUTS * neurons,
            self.buckets * neurons,
            self.buckets * neurons,
        ]
    }

    fn check_layers(&self) -> Result<(), NetworkError> {
        let residual = self.residual.as_ref();
        let residual = residual.map_or([0; 3], |it| {
            [
                it.input_weights.len(),
                it.bias.len(),
                it.output_weights.len(),
            ]
        });
        let layers = [
            ("feature_weights", self.feature_weights.len()),
            ("feature_bias", self.feature_bias.len()),
            ("output_weights", self.output_weights.len()),
            ("output_bias", self.output_bias.len()),
            ("direct_weights", self.direct_weights.len()),
            ("input_weights of the residual layer", residual[0]),
            ("bias of the residual layer", residual[1]),
            ("output_weights of the residual layer", residual[2]),
            ("scaling", self.scaling.len()),
        ];
        let scaled = if self.scaling.is_empty() {
            0
        } else {
            self.buckets
        };
        let expected = self.layer_sizes().into_iter().chain(self.residual_sizes());
        let expected = expected.chain([scaled]);
        for ((layer, got), expected) in layers.into_iter().zip(expected) {
            if got != expected {
                return Err(NetworkError::Layer {
                    layer,
                    expected,
                    got,
                });
            }
        }
        Ok(())
    }

    fn check_output(&self) -> Result<(), NetworkError> {
        for (bucket, &Scaling { factor, .. }) in self.scaling.iter().enumerate() {
            if !(1..=Scaling::MAX_FACTOR).contains(&factor) {
                return Err(NetworkError::Factor { bucket, factor });
            }
        }
        for (bucket, weights) in self.output_weights.chunks(2 * self.hidden).enumerate() {
            let fits = |weight: &i16| weight.unsigned_abs() <= MAX_OUTPUT_WEIGHT.unsigned_abs();
            if let Some(&weight) = weights.iter().find(|weight| !fits(weight)) {
                return Err(NetworkError::OutputWeight { bucket, weight });
            }
            // Sums are built in any order, so positive and negative terms must each fit alone.
            let sum = |sign: i64| -> i64 {
                let parts = weights.iter().map(|&weight| sign * i64::from(weight));
                parts.filter(|&part| part > 0).sum()
            };
            let reach = sum(1).max(sum(-1)) * i64::from(QA * QA);
            if reach > i64::from(i32::MAX) {
                return Err(NetworkError::Output { bucket, reach });
            }
        }
        Ok(())
    }

    fn check_accumulator(&self) -> Result<(), NetworkError> {
        // Nearly every network would fit even if all its inputs had the largest weight.
        let largest = |weights: &[i16]| weights.iter().map(|weight| weight.unsigned_abs()).max();
        let [weight, bias] = [&self.feature_weights, &self.feature_bias]
            .map(|layer| largest(layer).map_or(0, usize::from));
        if i16::try_from(bias + MAX_ACTIVE * weight).is_ok() {
            return Ok(());
        }
        for (neuron, &bias) in self.feature_bias.iter().enumerate() {
            for sign in [1, -1] {
                let reach = i32::from(bias) + sign * self.largest_sum(neuron, sign);
                if i16::try_from(reach).is_err() {
                    return Err(NetworkError::Accumulator { neuron, reach });
                }
            }
        }
        Ok(())
    }

    /// The most that the pieces of a game on different squares (32 in chess), and everything that
    /// can be held, can add to a neuron in the direction of `sign`.
    fn largest_sum(&self, neuron: usize, sign: i32) -> i32 {
        let added = |row: &[i16]| sign * row.get(neuron).map_or(0, |&weight| i32::from(weight));
        let mut rows = self.feature_weights.chunks(self.hidden);
        let mut squares = [0; 64];
        for (input, row) in rows.by_ref().take(INPUTS).enumerate() {
            let best = &mut squares[input % 64];
            *best = added(row).max(*best);
        }
        let held: i32 = rows.map(|row| added(row).max(0)).sum();
        squares.sort_unstable();
        held + squares[64 - max_pieces(self.variant)..].iter().sum::<i32>()
    }
}

/// Packs `numbers` at the end of `bytes`.
fn write<const N: usize, T: Copy>(bytes: &mut Vec<u8>, numbers: &[T], pack: fn(T) -> [u8; N]) {
    bytes.extend(numbers.iter().flat_map(|&number| pack(number)));
}

/// Whether a file begins like that of a network for chess, which is all that can be asked before the program
/// runs.
pub(super) const fn is_of_chess(file: &[u8]) -> bool {
    let mut at = 0;
    while at < MAGIC.len() {
        if at == file.len() || file[at] != MAGIC[at] {
            return false;
        }
        at += 1;
    }
    // The flags begin at byte 20, counted from 0.
    file.len() > HEADER_BYTES
        && file[20 + GAME_SHIFT as usize / 8] as u32 == number_of(Variant::Standard)
}

/// The numbers of a file that are not read yet.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    /// Reads the next `count`, each of which takes `N` bytes.
    fn take<const N: usize, T>(&mut self, count: usize, number: fn([u8; N]) -> T) -> Vec<T> {
        let (bytes, rest) = self.0.split_at(N * count);
        self.0 = rest;
        bytes
            .as_chunks()
            .0
            .iter()
            .map(|&chunk| number(chunk))
            .collect()
    }
}

/// The 64-bit FNV-1a hash (Fowler, Noll, Vo) of a network file.
fn hash_of_file(shape: &[u8], payload: &[u8]) -> u64 {
    const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(PRIME);
    shape.iter().chain(payload).fold(OFFSET_BASIS, step)
}
