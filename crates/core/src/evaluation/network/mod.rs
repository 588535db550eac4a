//! The network: (768 -> N) x 2 -> 1, with SCReLU (the squared clipped `ReLU`) and output buckets.
//! A variant may have more inputs (module `features`); any network may have inputs that go straight
//! to the outputs (module `counts`) and neurons that correct them (module `residual`).
//!
//! Each side's view of the board feeds the same hidden layer; the two results, the side to move's
//! first, are clipped, squared and weighted together. A move changes few inputs, so the hidden
//! layer is kept and updated (module `accumulator`).

mod accumulator;
mod counts;
mod features;
pub mod format;
mod kernels;
mod residual;

pub use counts::{COUNTS, DIRECT_INPUTS, counts};
pub use features::{
    INPUTS, MAX_ACTIVE, View, held, held_in_hand, inputs, output_bucket, viewpoint,
};
pub use format::{
    MAGIC, NetworkError, QA, QB, QC, QR, QS, RESIDUAL_INPUTS, RESIDUAL_NEURONS, RESIDUAL_REACH,
    RESIDUAL_STEP, RawNetwork, RawResidual, SCALE, Scaling, check_shape,
};
pub use kernels::CpuLevel;

pub(super) use accumulator::Accumulators;

use std::sync::{Arc, OnceLock};

use arrayvec::ArrayVec;

use crate::position::{Position, Rules, Variant};
use crate::types::{Bitboard, Color};
use counts::{counts_and_threats, direct_sum};
use kernels::{Block, Kernels};
use residual::Residual;

/// The network that the binary carries: `networks/chess.nnue`, unless the build names another.
static EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/network.nnue"));

const _: () = assert!(
    format::is_of_chess(EMBEDDED),
    "EVALFILE names no network of chess"
);

/// The network file that the binary carries for a game, and the game that it was trained for, which
/// may be the nearest relative.
const fn embedded_file(variant: Variant) -> (Variant, &'static [u8]) {
    macro_rules! file {
        ($name:literal) => {
            include_bytes!(concat!("../../../networks/", $name, ".nnue"))
        };
    }
    match variant {
        Variant::Standard => (variant, EMBEDDED),
        Variant::KingOfTheHill => (variant, file!("kingofthehill")),
        Variant::ThreeCheck => (variant, file!("3check")),
        Variant::RacingKings => (variant, file!("racingkings")),
        Variant::Horde => (variant, file!("horde")),
        Variant::Atomic => (variant, file!("atomic")),
        Variant::Antichess | Variant::Giveaway => (Variant::Antichess, file!("antichess")),
        Variant::Suicide => (variant, file!("suicide")),
        Variant::Losers => (variant, file!("losers")),
        Variant::Crazyhouse => (variant, file!("crazyhouse")),
    }
}

/// A checked network, laid out for evaluating.
#[derive(Debug)]
pub struct Network {
    variant: Variant,
    hidden: usize,
    buckets: usize,
    mirrored: bool,
    hash: u64,
    /// One row of [`row_blocks`](Self::row_blocks) per input.
    feature_weights: Box<[Block]>,
    feature_bias: Box<[Block]>,
    /// Two rows per bucket: the side to move's, then the other's.
    output_weights: Box<[Block]>,
    output_bias: Box<[i32]>,
    /// One row per bucket; none without direct inputs.
    direct_weights: Box<[DirectWeights]>,
    residual: Option<Box<Residual>>,
    /// One per bucket.
    scaling: Box<[Scaling]>,
    kernels: Kernels,
}

/// A weight for each direct input of both sides.
type DirectWeights = [[i16; DIRECT_INPUTS]; 2];

impl Network {
    /// Makes a network fit for evaluating with the instructions of `level`, or of the best
    /// that this processor has below it.
    ///
    /// # Errors
    ///
    /// Whatever [`RawNetwork::check`] finds.
    pub fn new(raw: &RawNetwork, level: CpuLevel) -> Result<Self, NetworkError> {
        raw.check()?;
        Ok(Self {
            variant: raw.variant,
            hidden: raw.hidden,
            buckets: raw.buckets,
            mirrored: raw.mirrored,
            hash: raw.hash(),
            feature_weights: Block::pack(&raw.feature_weights),
            feature_bias: Block::pack(&raw.feature_bias),
            output_weights: Block::pack(&raw.output_weights),
            output_bias: raw.output_bias.as_slice().into(),
            direct_weights: raw.direct_weights.as_chunks().0.as_chunks().0.into(),
            residual: raw
                .residual
                .as_ref()
                .map(|raw| Box::new(Residual::new(raw))),
            scaling: if raw.scaling.is_empty() {
                vec![Scaling::NONE; raw.buckets].into()
            } else {
                raw.scaling.as_slice().into()
            },
            kernels: Kernels::new(level),
        })
    }

    /// Reads a network file; see [`new`](Self::new).
    ///
    /// # Errors
    ///
    /// Whatever [`RawNetwork::from_bytes`] finds.
    pub fn from_bytes(bytes: &[u8], level: CpuLevel) -> Result<Self, NetworkError> {
        Self::new(&RawNetwork::from_bytes(bytes)?, level)
    }

    /// The game that the network which the binary carries for this one was trained for.
    pub const fn embedded_game(variant: Variant) -> Variant {
        embedded_file(variant).0
    }

    /// The network that the binary carries for a game, its own or that of the nearest relative: read
    /// when it is first asked for, and then shared.
    ///
    /// # Panics
    ///
    /// If the build was given a file that is not a network for chess; a test reads the usual ones.
    pub fn embedded(variant: Variant, level: CpuLevel) -> Arc<Self> {
        type Levels = [OnceLock<Arc<Network>>; CpuLevel::ALL.len()];
        static READ: [Levels; Variant::ALL.len()] =
            [const { [const { OnceLock::new() }; CpuLevel::ALL.len()] }; Variant::ALL.len()];
        let (game, bytes) = embedded_file(variant);
        let read = || {
            let network =
                Self::from_bytes(bytes, level).and_then(|network| network.expect_for(game));
            Arc::new(network.expect("the embedded network is sound"))
        };
        let slot = &READ[game as usize][level.supported() as usize];
        Arc::clone(slot.get_or_init(read))
    }

    /// This network, if it is for the game.
    ///
    /// # Errors
    ///
    /// If it is for another.
    pub fn expect_for(self, expected: Variant) -> Result<Self, NetworkError> {
        let found = self.variant;
        if found == expected {
            Ok(self)
        } else {
            Err(NetworkError::Game { found, expected })
        }
    }

    /// The game that it is for.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The instructions that it is computed with.
    pub(super) fn level(&self) -> CpuLevel {
        self.kernels.level()
    }

    /// The hash of its file, which identifies the network.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Its shape, hash and instructions in one line for users.
    pub fn describe(&self) -> String {
        let game = match self.variant {
            Variant::Standard => String::new(),
            variant => format!("{}: ", variant.name()),
        };
        let mirrored = if self.mirrored { ", mirrored" } else { "" };
        let direct = if self.direct_weights.is_empty() {
            String::new()
        } else {
            format!(" + {}", 2 * DIRECT_INPUTS)
        };
        let residual = match self.residual {
            None => String::new(),
            Some(_) => format!(" + ({RESIDUAL_INPUTS} -> {RESIDUAL_NEURONS})"),
        };
        format!(
            "{game}({} -> {})x2{direct}{residual} -> {}{mirrored}, hash {:016x}, {}",
            inputs(self.variant),
            self.hidden,
            self.buckets,
            self.hash,
            self.kernels.level()
        )
    }

    /// Blocks in a row of hidden values.
    fn row_blocks(&self) -> usize {
        self.hidden / Block::LANES
    }

    /// The weights from one input to the hidden layer.
    fn feature_row(&self, input: usize) -> &[Block] {
        let blocks = self.row_blocks();
        &self.feature_weights[input * blocks..][..blocks]
    }

    /// Computes the hidden values of `position` in `view` from the board alone.
    fn fill<R: Rules>(&self, target: &mut [Block], position: &Position<R>, view: View) {
        let pieces = position.occupied().into_iter();
        // At most one for each square.
        let rows: ArrayVec<_, 64> = pieces
            .filter_map(|square| Some(view.input(position.piece_on(square)?, square)))
            .map(|input| self.feature_row(input))
            .collect();
        target.copy_from_slice(&self.feature_bias);
        // Several rows at once, so that the target is loaded and stored less often.
        let (groups, rest) = rows.as_chunks::<8>();
        for group in groups {
            self.kernels.add(target, *group);
        }
        for row in rest {
            self.kernels.add(target, [row]);
        }
    }

    /// Whether positions have inputs that the board does not show.
    fn has_holdings(&self) -> bool {
        inputs(self.variant) > INPUTS
    }

    /// Adds to hidden values in `view` what both sides hold beside the board.
    fn add_holdings<R: Rules>(&self, target: &mut [Block], position: &Position<R>, view: View) {
        for owner in Color::ALL {
            for number in held(position, owner) {
                let row = self.feature_row(view.holding(self.variant, owner, number));
                self.kernels.add(target, [row]);
            }
        }
    }

    /// The output in centipawns for the hidden values of the side to move and of the other, in
    /// `position`, and the squares that the other side attacks if that had to be known.
    fn output<R: Rules>(
        &self,
        own: &[Block],
        other: &[Block],
        position: &Position<R>,
    ) -> (i32, Option<Bitboard>) {
        let blocks = self.row_blocks();
        let bucket = output_bucket(position.occupied().count(), self.buckets);
        let weights = &self.output_weights[bucket * 2 * blocks..][..2 * blocks];
        let (own_weights, other_weights) = weights.split_at(blocks);
        let sum = self
            .kernels
            .forward([(own, own_weights), (other, other_weights)]);
        // The values were squared, so there is one QA too many.
        let mut output = i64::from(sum / QA) + i64::from(self.output_bias[bucket]);
        let mut threats = None;
        if let Some(weights) = self.direct_weights.get(bucket) {
            let (pieces, colors) = position.boards();
            let (counts, attacked) = counts_and_threats(pieces, colors, position.side_to_move());
            threats = Some(attacked);
            output += i64::from(direct_sum(&counts, weights));
            if let Some(residual) = &self.residual {
                let correction = residual.correction(&counts, output, bucket, self.kernels);
                output += i64::from(correction);
            }
        }
        let Scaling { factor, bonus } = self.scaling[bucket];
        output = output * i64::from(factor) / i64::from(QS) + i64::from(bonus);
        let centipawns = (output * i64::from(SCALE) / i64::from(QA * QB)) as i32;
        (centipawns, threats)
    }
}

#[cfg(test)]
mod tests;
