//! Writing data files: append-only, in whole blocks.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use orthrus_core::position::Variant;

use super::block::{BlockBuilder, BlockFault};
use super::error::DataError;
use super::manifest::Manifest;
use super::reader::{DataReader, FILE_MAGIC, PREFIX_LEN, version_of};
use super::record::GameRecord;

/// Writes games into a file, in blocks. Games that do not fill a block after [`push`](Self::push)
/// are lost unless [`finish`](Self::finish) is called.
#[derive(Debug)]
pub struct DataWriter {
    file: File,
    path: PathBuf,
    variant: Variant,
    builder: BlockBuilder,
    /// The number of the first game of the block being built.
    first_game: u64,
}

impl DataWriter {
    /// Continues the file if it exists, else creates it.
    ///
    /// # Errors
    ///
    /// As [`append`](Self::append) and [`create`](Self::create).
    pub fn open(path: &Path, manifest: &Manifest) -> Result<Self, DataError> {
        // An empty file is what is left if the header could not be written.
        if path.metadata().is_ok_and(|found| found.len() > 0) {
            Self::append(path, manifest)
        } else {
            Self::create(path, manifest)
        }
    }

    /// Starts a new file, or one that is empty. No other process can write to it meanwhile.
    ///
    /// # Errors
    ///
    /// If the file is not empty; or if it cannot be written, and then it is left empty.
    pub fn create(path: &Path, manifest: &Manifest) -> Result<Self, DataError> {
        let io = DataError::io(path);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(&io)?;
        let mut writer = Self::locked(file, path, manifest)?;
        if writer.file.metadata().map_err(&io)?.len() > 0 {
            return Err(io(ErrorKind::AlreadyExists.into()));
        }
        let header = header(path, manifest, writer.variant)?;
        writer.write(&header).inspect_err(|_| {
            // A partial header could not be continued. Whether this works or not, the write error
            // is the one to report.
            let _ = writer.file.set_len(0);
        })?;
        Ok(writer)
    }

    /// Continues a file after its last complete block; a block that was being written when the
    /// writer was interrupted is cut off.
    ///
    /// # Errors
    ///
    /// If the file has another manifest, is damaged in any way but by an interruption, or cannot be
    /// read and written.
    pub fn append(path: &Path, manifest: &Manifest) -> Result<Self, DataError> {
        let io = DataError::io(path);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(path)
            .map_err(&io)?;
        let mut writer = Self::locked(file, path, manifest)?;
        let reader = DataReader::new(writer.file.try_clone().map_err(&io)?, path)?;
        if reader.manifest() != manifest {
            return Err(DataError::OtherRun {
                path: path.to_owned(),
                found: json(path, reader.manifest())?,
                wanted: json(path, manifest)?,
            });
        }
        let mut blocks = reader.blocks();
        let mut end = blocks.offset();
        while let Some(block) = blocks.next() {
            match block {
                Ok(block) => {
                    writer.first_game = block.header.next_game();
                    end = blocks.offset();
                }
                Err(DataError::Block {
                    fault: BlockFault::Truncated,
                    offset,
                    ..
                }) => log::warn!("{}: cut off at byte {offset}", path.display()),
                Err(error) => return Err(error),
            }
        }
        writer.file.set_len(end).map_err(&io)?;
        writer.file.seek(SeekFrom::Start(end)).map_err(&io)?;
        Ok(writer)
    }

    fn locked(file: File, path: &Path, manifest: &Manifest) -> Result<Self, DataError> {
        let variant = manifest.variant().map_err(|error| DataError::Manifest {
            path: path.to_owned(),
            fault: error.into(),
        })?;
        match file.try_lock() {
            Ok(()) => Ok(Self {
                file,
                path: path.to_owned(),
                variant,
                builder: BlockBuilder::new(variant),
                first_game: 0,
            }),
            Err(TryLockError::WouldBlock) => Err(DataError::InUse(path.to_owned())),
            Err(TryLockError::Error(error)) => Err(DataError::io(path)(error)),
        }
    }

    /// The number of the next game: how many the file holds, unless some were lost.
    pub fn next_game(&self) -> u64 {
        self.first_game + u64::from(self.builder.games())
    }

    /// Adds a game. Writes a block when one is full.
    ///
    /// # Errors
    ///
    /// If the game is invalid or the file cannot be written.
    pub fn push(&mut self, game: &GameRecord) -> Result<(), DataError> {
        if !self.builder.has_room_for(game) {
            self.flush()?;
        }
        self.builder.push(game).map_err(|error| DataError::Encode {
            path: self.path.clone(),
            error,
        })
    }

    /// Writes the games that do not fill a block yet, and waits until the disk has everything.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<(), DataError> {
        self.flush()?;
        self.file.sync_all().map_err(DataError::io(&self.path))
    }

    fn flush(&mut self) -> Result<(), DataError> {
        let next_game = self.next_game();
        let builder = std::mem::replace(&mut self.builder, BlockBuilder::new(self.variant));
        if builder.games() > 0 {
            self.write(&builder.finish(self.first_game))?;
            self.first_game = next_game;
        }
        Ok(())
    }

    /// One call for a whole header or block, so that an interruption between calls is unlikely.
    fn write(&mut self, bytes: &[u8]) -> Result<(), DataError> {
        self.file
            .write_all(bytes)
            .map_err(DataError::io(&self.path))
    }
}

fn json(path: &Path, manifest: &Manifest) -> Result<String, DataError> {
    serde_json::to_string(manifest).map_err(|error| DataError::Manifest {
        path: path.to_owned(),
        fault: error.into(),
    })
}

/// Everything before the first block.
fn header(path: &Path, manifest: &Manifest, variant: Variant) -> Result<Vec<u8>, DataError> {
    let json = json(path, manifest)?;
    let mut bytes = Vec::with_capacity(PREFIX_LEN + json.len());
    bytes.extend(FILE_MAGIC);
    bytes.extend(version_of(variant).to_le_bytes());
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(crc32fast::hash(json.as_bytes()).to_le_bytes());
    bytes.extend(json.bytes());
    Ok(bytes)
}
