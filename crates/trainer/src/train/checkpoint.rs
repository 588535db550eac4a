//! The state of a training in a file, to be continued later.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | magic |
//! | 4 | version |
//! | 4 | length of the header |
//! | | header, JSON |
//! | 8 | steps taken |
//! | | exact weights, first and second moments: 32-bit floating point, in memory order |
//! | 4 | CRC-32 of everything before |
//!
//! All numbers are little-endian. A checkpoint serves the same program on any machine; only the
//! network file is meant to last.

use orthrus_core::evaluation::network::Scaling;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::log::Row;
use super::model::{Parameters, Shape};
use super::objective::Objective;
use super::optimizer::{Optimizer, Settings};
use super::schedule::Schedule;
use super::trainer::Loss;

const MAGIC: [u8; 8] = *b"ORTHCKPT";
const VERSION: u32 = 5;

/// Why a training cannot continue.
#[derive(Debug, Error)]
pub(crate) enum CheckpointError {
    /// The bytes are not a checkpoint.
    #[error("not a checkpoint of Orthrus")]
    Magic,
    /// Written by another version.
    #[error("checkpoint version {0}, expected {VERSION}")]
    Version(u32),
    /// Bytes are missing, left over or changed.
    #[error("the checkpoint is damaged")]
    Damaged,
    /// The header is invalid.
    #[error("header of the checkpoint: {0}")]
    Header(#[from] serde_json::Error),
    /// The checkpoint is of another training.
    #[error("the checkpoint has {what} {stored}, this training {asked}")]
    Other {
        /// What differs.
        what: &'static str,
        /// Its value in the checkpoint.
        stored: String,
        /// Its value now.
        asked: String,
    },
}

/// What a checkpoint says besides the numbers of the network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Header {
    /// The shape of the network.
    pub shape: Shape,
    /// What is made of each output in the end: factor and bonus, in the units of the network file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scaling: Vec<[i32; 2]>,
    /// A fingerprint of the positions to learn from and their order.
    pub data: u32,
    /// What the network learns at the end.
    pub objective: Objective,
    /// The weight of the result at the first step.
    pub initial_result_weight: f32,
    /// The optimiser's settings.
    pub settings: Settings,
    /// The learning rates.
    pub schedule: Schedule,
    /// Positions per step.
    pub batch: usize,
    /// Positions to learn from in all, each visit counted; 0 if unknown.
    #[serde(default)]
    pub planned: u64,
    /// The time for the training, in seconds; 0 if it is not limited.
    #[serde(default)]
    pub time_limit: f64,
    /// Positions learned from, each visit counted.
    pub visits: u64,
    /// Time trained.
    pub seconds: f64,
    /// The loss since the last report.
    pub loss: Loss,
    /// The reports, oldest first.
    pub rows: Vec<Row>,
}

impl Header {
    /// Makes sure that `self` and `other` belong to the same training.
    ///
    /// # Errors
    ///
    /// Names the first thing that differs.
    pub(crate) fn check_same_training(&self, other: &Self) -> Result<(), CheckpointError> {
        let differ = |what, stored: &dyn ToString, asked: &dyn ToString| {
            Err(CheckpointError::Other {
                what,
                stored: stored.to_string(),
                asked: asked.to_string(),
            })
        };
        let shapes = (self.shape, other.shape);
        if shapes.0 != shapes.1 {
            return differ("the shape", &shapes.0, &shapes.1);
        }
        let (planned, asked) = (self.planned, other.planned);
        if planned != 0 && planned != asked {
            return differ("positions to be seen", &planned, &asked);
        }
        let (own, its) = (self.numbers(), other.numbers());
        match own
            .into_iter()
            .zip(its)
            .find(|(stored, asked)| stored != asked)
        {
            Some(((what, stored), (_, asked))) => differ(what, &stored, &asked),
            None => Ok(()),
        }
    }

    /// The numbers in which checkpoints of one training agree, with names.
    fn numbers(&self) -> [(&'static str, f64); 15] {
        let Self {
            objective,
            settings,
            schedule,
            ..
        } = self;
        [
            (
                "positions and labels (files, selection, seed, lookahead, anchor) with checksum",
                self.data.into(),
            ),
            ("first result weight", self.initial_result_weight.into()),
            ("last result weight", objective.result_weight.into()),
            ("scale", objective.scale.into()),
            ("scale of scores", objective.score_scale.into()),
            ("exponent of the loss", objective.exponent.into()),
            (
                "worth of outputs (none: 0)",
                objective.worth.map_or(0.0, |worth| worth.steepness[0]),
            ),
            ("weight decay", settings.decay.into()),
            ("input clip", settings.input_clip.into()),
            ("output clip", settings.output_clip.into()),
            ("frozen layers", u8::from(settings.frozen).into()),
            ("first learning rate", schedule.initial.into()),
            ("last learning rate", schedule.last.into()),
            ("batch size", self.batch as f64),
            ("seconds in all (no limit: 0)", self.time_limit),
        ]
    }
}

/// The state of a training.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Checkpoint {
    /// The progress of the training.
    pub header: Header,
    /// The exact weights and the moments of the optimiser.
    pub optimizer: Optimizer,
}

impl Checkpoint {
    /// The file.
    ///
    /// # Errors
    ///
    /// If the header cannot be written as JSON.
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        let header = serde_json::to_vec(&self.header)?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header);
        bytes.extend(self.optimizer.steps.to_le_bytes());
        for numbers in [
            &self.optimizer.exact,
            &self.optimizer.first,
            &self.optimizer.second,
        ] {
            bytes.extend(numbers.iter().flat_map(f32::to_le_bytes));
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it is not a complete checkpoint of this version.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let body = bytes.strip_prefix(&MAGIC).ok_or(CheckpointError::Magic)?;
        let (version, body) = take_u32(body)?;
        if version != VERSION {
            return Err(CheckpointError::Version(version));
        }
        let (checked, crc) = bytes.split_last_chunk().ok_or(CheckpointError::Damaged)?;
        if crc32fast::hash(checked) != u32::from_le_bytes(*crc) {
            return Err(CheckpointError::Damaged);
        }
        let (length, body) = take_u32(body)?;
        let (header, body) = body
            .split_at_checked(length as usize)
            .ok_or(CheckpointError::Damaged)?;
        let header: Header = serde_json::from_slice(header)?;
        let shape = header.shape.checked();
        let shape = shape.map_err(|_| CheckpointError::Damaged)?;
        let (steps, body) = body.split_first_chunk().ok_or(CheckpointError::Damaged)?;

        let scaling = header.scaling.iter();
        let exact = Parameters {
            scaling: scaling
                .map(|&[factor, bonus]| Scaling { factor, bonus })
                .collect(),
            ..Parameters::zero(shape)
        };
        let mut optimizer = Optimizer::new(shape, exact);
        optimizer.steps = u64::from_le_bytes(*steps);
        let (stored, _crc) = body.as_chunks();
        let count = optimizer.exact.iter().count();
        if body.len() != 3 * count * size_of::<f32>() + size_of::<u32>() {
            return Err(CheckpointError::Damaged);
        }
        let targets = [
            &mut optimizer.exact,
            &mut optimizer.first,
            &mut optimizer.second,
        ];
        let targets = targets.into_iter().flat_map(Parameters::iter_mut);
        for (target, number) in targets.zip(stored) {
            *target = f32::from_le_bytes(*number);
        }
        Ok(Self { header, optimizer })
    }
}

fn take_u32(bytes: &[u8]) -> Result<(u32, &[u8]), CheckpointError> {
    let (number, rest) = bytes.split_first_chunk().ok_or(CheckpointError::Damaged)?;
    Ok((u32::from_le_bytes(*number), rest))
}
