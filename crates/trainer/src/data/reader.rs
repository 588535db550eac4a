//! Reading data files. Nothing in a file is trusted: a damaged block is reported and skipped.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::vec;

use orthrus_core::position::Variant;

use super::block::{Block, BlockFault, BlockHeader, HEADER_LEN, MAGIC};
use super::error::{DataError, ManifestFault};
use super::manifest::Manifest;
use super::record::GameRecord;

/// The first bytes of every data file.
pub(super) const FILE_MAGIC: [u8; 8] = *b"ORTHRUSG";

/// The version of the format for games of chess. Programs that know no other game read it.
const CHESS_VERSION: u32 = 1;

/// The version for other games, and the last one that is read.
const VARIANT_VERSION: u32 = 2;

/// The version of the format for this game.
pub(super) const fn version_of(variant: Variant) -> u32 {
    match variant {
        Variant::Standard => CHESS_VERSION,
        _ => VARIANT_VERSION,
    }
}

/// Bytes before the manifest: magic, version, length and CRC-32 of the manifest.
pub(super) const PREFIX_LEN: usize = 20;

/// The length of the longest manifest, in bytes.
pub(super) const MAX_MANIFEST_LEN: u32 = 1 << 24;

/// Bytes searched at a time for the next block after a damaged one.
const SCAN_LEN: usize = 64 * 1_024;

/// A data file whose header has been read.
#[derive(Debug)]
pub struct DataReader<R> {
    source: R,
    path: PathBuf,
    manifest: Manifest,
    variant: Variant,
    /// Where the first block begins.
    blocks_at: u64,
}

impl DataReader<File> {
    /// Opens a data file and reads its header.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not a data file of this version.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        let file = File::open(path).map_err(DataError::io(path))?;
        Self::new(file, path)
    }
}

impl<R: Read + Seek> DataReader<R> {
    /// Reads the header of a data file; `path` is its name in error messages.
    ///
    /// # Errors
    ///
    /// If it cannot be read or is not a data file of this version.
    pub fn new(mut source: R, path: &Path) -> Result<Self, DataError> {
        let manifest_error = |fault| DataError::Manifest {
            path: path.to_owned(),
            fault,
        };
        let mut prefix = [0; PREFIX_LEN];
        let read = read_up_to(&mut source, &mut prefix).map_err(DataError::io(path))?;
        if read < PREFIX_LEN || prefix[..8] != FILE_MAGIC {
            return Err(DataError::Magic(path.to_owned()));
        }
        let word = |at: usize| {
            u32::from_le_bytes([prefix[at], prefix[at + 1], prefix[at + 2], prefix[at + 3]])
        };
        let version = word(8);
        if !(CHESS_VERSION..=VARIANT_VERSION).contains(&version) {
            return Err(DataError::Version {
                path: path.to_owned(),
                found: version,
                supported: VARIANT_VERSION,
            });
        }
        let len = word(12);
        if len > MAX_MANIFEST_LEN {
            return Err(manifest_error(ManifestFault::Length(len)));
        }
        let mut json = vec![0; len as usize];
        let read = read_up_to(&mut source, &mut json).map_err(DataError::io(path))?;
        if read < json.len() {
            return Err(manifest_error(ManifestFault::Truncated));
        }
        if crc32fast::hash(&json) != word(16) {
            return Err(manifest_error(ManifestFault::Checksum));
        }
        let manifest: Manifest =
            serde_json::from_slice(&json).map_err(|error| manifest_error(error.into()))?;
        let variant = manifest
            .variant()
            .map_err(|error| manifest_error(error.into()))?;
        if version != version_of(variant) {
            return Err(manifest_error(ManifestFault::Version { version, variant }));
        }
        Ok(Self {
            source,
            path: path.to_owned(),
            manifest,
            variant,
            blocks_at: PREFIX_LEN as u64 + u64::from(len),
        })
    }

    /// What the file says about itself.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The game that the file holds games of.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The blocks of the file, checksums verified; damaged ones are errors.
    pub fn blocks(self) -> Blocks<R> {
        Blocks {
            source: self.source,
            path: self.path,
            variant: self.variant,
            offset: self.blocks_at,
            failed: false,
        }
    }

    /// How many games the intact blocks of the file hold, by their headers.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn count_games(self) -> Result<u64, DataError> {
        let mut games = 0;
        for block in self.blocks() {
            match block {
                Ok(block) => games += u64::from(block.header.games),
                Err(DataError::Block { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(games)
    }

    /// The games of the file; damaged blocks are errors, between the games of the intact ones.
    pub fn games(self) -> Games<R> {
        Games {
            blocks: self.blocks(),
            games: Vec::new().into_iter(),
        }
    }
}

/// The games of intact blocks; `damaged` is told of every other block.
pub fn intact(
    games: impl Iterator<Item = Result<GameRecord, DataError>>,
    mut damaged: impl FnMut(&DataError),
) -> impl Iterator<Item = Result<GameRecord, DataError>> {
    games.filter(move |game| match game {
        Err(error @ DataError::Block { .. }) => {
            damaged(error);
            false
        }
        _ => true,
    })
}

/// The blocks of a file, in order. A damaged block is an error; the next item is the next block
/// after it. After [`DataError::Io`] there are no more.
#[derive(Debug)]
pub struct Blocks<R> {
    source: R,
    path: PathBuf,
    variant: Variant,
    offset: u64,
    failed: bool,
}

impl<R: Read + Seek> Blocks<R> {
    /// Where the next block begins.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    fn read_block(&mut self) -> io::Result<Option<Result<Block, BlockFault>>> {
        self.source.seek(SeekFrom::Start(self.offset))?;
        let mut bytes = [0; HEADER_LEN];
        let read = read_up_to(&mut self.source, &mut bytes)?;
        if read == 0 {
            return Ok(None);
        }
        let begin = self.offset;
        if read < HEADER_LEN {
            self.offset += read as u64;
            return Ok(Some(Err(BlockFault::Truncated)));
        }
        let Some(header) = BlockHeader::parse(&bytes) else {
            self.offset = self.find_header(begin + 1)?;
            let skipped = self.offset - begin;
            return Ok(Some(Err(BlockFault::NoHeader { skipped })));
        };
        let mut payload = vec![0; header.payload_len as usize];
        let read = read_up_to(&mut self.source, &mut payload)?;
        let behind_header = begin + HEADER_LEN as u64;
        let is_short = read < payload.len();
        let found = crc32fast::hash(&payload[..read]);
        if is_short || found != header.payload_crc {
            self.offset = self.find_header(behind_header)?;
            // With another block behind it, it has lost bytes in the middle.
            if is_short && self.offset == behind_header + read as u64 {
                return Ok(Some(Err(BlockFault::Truncated)));
            }
            let expected = header.payload_crc;
            return Ok(Some(Err(BlockFault::Checksum { expected, found })));
        }
        self.offset = behind_header + u64::from(header.payload_len);
        Ok(Some(Ok(Block {
            offset: begin,
            header,
            variant: self.variant,
            payload,
        })))
    }

    /// Where the first header at or after `from` begins; the end of the file if there is none.
    fn find_header(&mut self, mut from: u64) -> io::Result<u64> {
        let mut window = vec![0; SCAN_LEN];
        loop {
            self.source.seek(SeekFrom::Start(from))?;
            let read = read_up_to(&mut self.source, &mut window)?;
            let found = window[..read].windows(HEADER_LEN).position(|bytes| {
                bytes.starts_with(&MAGIC)
                    && bytes.first_chunk().and_then(BlockHeader::parse).is_some()
            });
            if let Some(at) = found {
                return Ok(from + at as u64);
            }
            if read < SCAN_LEN {
                return Ok(from + read as u64);
            }
            // A header may lie across the end of the window.
            from += (SCAN_LEN - HEADER_LEN + 1) as u64;
        }
    }
}

impl<R: Read + Seek> Iterator for Blocks<R> {
    type Item = Result<Block, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let offset = self.offset;
        match self.read_block() {
            Ok(None) => None,
            Ok(Some(Ok(block))) => Some(Ok(block)),
            Ok(Some(Err(fault))) => Some(Err(DataError::Block {
                path: self.path.clone(),
                offset,
                fault,
            })),
            Err(error) => {
                self.failed = true;
                Some(Err(DataError::Io {
                    path: self.path.clone(),
                    error,
                }))
            }
        }
    }
}

/// The games of a file, in order.
#[derive(Debug)]
pub struct Games<R> {
    blocks: Blocks<R>,
    games: vec::IntoIter<GameRecord>,
}

impl<R: Read + Seek> Iterator for Games<R> {
    type Item = Result<GameRecord, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.games.next() {
                return Some(Ok(game));
            }
            let block = match self.blocks.next()? {
                Ok(block) => block,
                Err(error) => return Some(Err(error)),
            };
            match games_of(&block, &self.blocks.path) {
                Ok(games) => self.games = games.into_iter(),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// All games of a block of this file, or none.
///
/// # Errors
///
/// If it is not what an encoder writes.
pub fn games_of(block: &Block, path: &Path) -> Result<Vec<GameRecord>, DataError> {
    block.decode().map_err(|fault| DataError::Block {
        path: path.to_owned(),
        offset: block.offset,
        fault,
    })
}

/// Fills the buffer as far as there are bytes; returns how far.
fn read_up_to(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
