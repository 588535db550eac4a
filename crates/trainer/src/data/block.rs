//! Blocks: a few hundred games that are written, checked and refused together.
//!
//! A block is a header of 32 bytes and its payload, at most 64 KiB. The header has a checksum of
//! its own, so that the length in it can be trusted and the next block be found after a corrupt
//! payload.

use orthrus_core::position::Variant;
use thiserror::Error;

use super::codec::{self, DecodeError, EncodeError, GameCodec};
use super::range_coder::{Decoder, Encoder, FLUSH_LEN};
use super::record::{GameRecord, MAX_PLIES};

/// The longest payload of a block, in bytes.
pub const MAX_PAYLOAD_LEN: usize = 64 * 1_024;

/// The length of a block's header, in bytes.
pub const HEADER_LEN: usize = 32;

/// The first bytes of every block.
pub(super) const MAGIC: [u8; 4] = *b"OGB1";

/// What the header of a block says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockHeader {
    /// The number of the first game, counted through all blocks of the file.
    pub first_game: u64,
    /// How many games the block holds, at least 1.
    pub games: u32,
    /// How many plies they have together.
    pub plies: u32,
    /// Bytes of the payload.
    pub payload_len: u32,
    /// CRC-32 (IEEE) of the payload.
    pub payload_crc: u32,
}

impl BlockHeader {
    /// The number of the game after this block.
    pub fn next_game(&self) -> u64 {
        self.first_game.saturating_add(self.games.into())
    }

    fn to_bytes(self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[..4].copy_from_slice(&MAGIC);
        bytes[4..8].copy_from_slice(&self.payload_len.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.games.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.plies.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.first_game.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.payload_crc.to_le_bytes());
        let crc = crc32fast::hash(&bytes[..28]);
        bytes[28..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// Reads a header; `None` if its magic, checksum or lengths are wrong.
    pub(super) fn parse(bytes: &[u8; HEADER_LEN]) -> Option<Self> {
        let (checked, crc) = bytes.split_last_chunk::<4>()?;
        if checked[..4] != MAGIC || crc32fast::hash(checked) != u32::from_le_bytes(*crc) {
            return None;
        }
        let word = |at: usize| {
            let bytes = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
            u32::from_le_bytes(bytes)
        };
        let header = Self {
            payload_len: word(4),
            games: word(8),
            plies: word(12),
            first_game: u64::from(word(16)) | u64::from(word(20)) << 32,
            payload_crc: word(24),
        };
        let plausible = header.payload_len as usize <= MAX_PAYLOAD_LEN && header.games > 0;
        plausible.then_some(header)
    }
}

/// A block as read: checksum verified, games not decoded yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Where its header begins in the file.
    pub offset: u64,
    /// What its header says.
    pub header: BlockHeader,
    /// The game of its file.
    pub(super) variant: Variant,
    pub(super) payload: Vec<u8>,
}

/// Why a block is rejected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BlockFault {
    /// No header begins where one should.
    #[error("{skipped} bytes that are no block")]
    NoHeader {
        /// How many bytes there are up to the next header or the end of the file.
        skipped: u64,
    },
    /// The file ends within the block.
    #[error("the file ends within the block")]
    Truncated,
    /// The payload does not match its checksum.
    #[error("checksum {found:08x} instead of {expected:08x}")]
    Checksum {
        /// What the header says.
        expected: u32,
        /// What the payload has.
        found: u32,
    },
    /// The checksum is right, but a game is not.
    #[error("game {game} of the block: {error}")]
    Game {
        /// Which game of the block, from 0.
        game: u32,
        /// What is wrong with it.
        error: DecodeError,
    },
    /// The games are valid, but do not have as many plies as the header says.
    #[error("the block has {found} plies, its header says {expected}")]
    Plies {
        /// What the header says.
        expected: u32,
        /// How many plies the games have.
        found: u64,
    },
}

impl Block {
    /// Decodes all games of the block, or none.
    ///
    /// # Errors
    ///
    /// If the payload is not what an encoder writes.
    pub fn decode(&self) -> Result<Vec<GameRecord>, BlockFault> {
        let mut decoder = Decoder::new(&self.payload);
        let mut codec = GameCodec::new(self.variant);
        let mut games = Vec::new();
        for game in 0..self.header.games {
            let fault = |error| BlockFault::Game { game, error };
            games.push(codec.decode(&mut decoder).map_err(fault)?);
        }
        decoder.finish().map_err(|error| BlockFault::Game {
            game: self.header.games,
            error: error.into(),
        })?;
        let plies: u64 = games.iter().map(|game| game.moves.len() as u64).sum();
        if plies == u64::from(self.header.plies) {
            Ok(games)
        } else {
            Err(BlockFault::Plies {
                expected: self.header.plies,
                found: plies,
            })
        }
    }
}

/// Collects games until they fill a block.
#[derive(Clone, Debug)]
pub(super) struct BlockBuilder {
    encoder: Encoder,
    codec: GameCodec,
    games: u32,
    plies: u32,
}

impl BlockBuilder {
    pub(super) fn new(variant: Variant) -> Self {
        Self {
            encoder: Encoder::new(),
            codec: GameCodec::new(variant),
            games: 0,
            plies: 0,
        }
    }

    pub(super) fn games(&self) -> u32 {
        self.games
    }

    /// Whether the game is sure to fit.
    pub(super) fn has_room_for(&self, game: &GameRecord) -> bool {
        self.encoder.len() + FLUSH_LEN + codec::longest(game.moves.len()) <= MAX_PAYLOAD_LEN
    }

    /// Adds a game.
    pub(super) fn push(&mut self, game: &GameRecord) -> Result<(), EncodeError> {
        self.codec.encode(&mut self.encoder, game)?;
        self.games += 1;
        self.plies += game.moves.len() as u32;
        Ok(())
    }

    /// Header and payload, ready to be written.
    pub(super) fn finish(self, first_game: u64) -> Vec<u8> {
        let payload = self.encoder.finish();
        debug_assert!(payload.len() <= MAX_PAYLOAD_LEN);
        let header = BlockHeader {
            first_game,
            games: self.games,
            plies: self.plies,
            payload_len: payload.len() as u32,
            payload_crc: crc32fast::hash(&payload),
        };
        let mut bytes = header.to_bytes().to_vec();
        bytes.extend(payload);
        bytes
    }
}

// The longest game fits into an empty block.
const _: () = assert!(codec::longest(MAX_PLIES) + 2 * FLUSH_LEN <= MAX_PAYLOAD_LEN);
