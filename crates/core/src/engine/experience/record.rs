//! One record of experience, as bytes.

use crate::types::{Key, Move, Score};

/// What a search has found out about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The position's key.
    pub key: Key,
    /// The move played there.
    pub mv: Move,
    /// What the move is worth to the side that made it, or less if the opponent has better.
    pub score: Score,
    /// The depth of that search in plies, 1 to 255.
    pub depth: u8,
}

/// Bytes of a record in a file.
pub(super) const RECORD_BYTES: usize = 24;

/// From the start: key (8), number (4), move (2), score (2), depth (1), zeros (3), checksum of all
/// these (4); all little-endian.
pub(super) type RecordBytes = [u8; RECORD_BYTES];

impl Record {
    /// The bytes of the record with this number: records are numbered from 0, and the newest has
    /// the highest number.
    pub(super) fn to_bytes(self, number: u32) -> RecordBytes {
        let mut bytes = [0; RECORD_BYTES];
        bytes[..8].copy_from_slice(&self.key.0.to_le_bytes());
        bytes[8..12].copy_from_slice(&number.to_le_bytes());
        bytes[12..14].copy_from_slice(&self.mv.bits().to_le_bytes());
        bytes[14..16].copy_from_slice(&(self.score.value() as i16).to_le_bytes());
        bytes[16] = self.depth;
        let checksum = crc32fast::hash(&bytes[..20]);
        bytes[20..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// The record and its number; `None` for anything that [`Self::to_bytes`] has not written, such
    /// as half of a record.
    pub(super) fn from_bytes(bytes: &RecordBytes) -> Option<(u32, Self)> {
        let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| bytes[at + i]));
        let half = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        if word(20) != crc32fast::hash(&bytes[..20]) {
            return None;
        }
        let record = Self {
            key: Key(u64::from(word(0)) | u64::from(word(4)) << 32),
            mv: Move::from_bits(half(12))?,
            score: Score::from_value((half(14) as i16).into())?,
            depth: bytes[16],
        };
        Some((word(8), record))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    #[test]
    fn survives_as_bytes_and_notices_damage() {
        let record = Record {
            key: Key(0x0123_4567_89ab_cdef),
            mv: Move::new(Square::E2, Square::E4, MoveKind::DoublePush),
            score: Score::centipawns(-321),
            depth: 17,
        };
        let bytes = record.to_bytes(70_000);
        assert_eq!(Record::from_bytes(&bytes), Some((70_000, record)));
        for place in 0..RECORD_BYTES {
            let mut damaged = bytes;
            damaged[place] ^= 0x10;
            assert_eq!(Record::from_bytes(&damaged), None, "byte {place}");
        }
    }
}
