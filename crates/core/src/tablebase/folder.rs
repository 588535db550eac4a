//! Collecting the tables in folders.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::Tablebase;
use super::file::{Cache, TableFile};
use super::material::Material;
use super::pairs::Malformed;
use super::table::{Kind, Table};
use crate::files;

/// Why a folder or a file of tables is not used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TableFileError {
    /// The folder cannot be listed.
    #[error("no tables in {}: {}", path.display(), files::reason(*kind))]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        kind: io::ErrorKind,
    },
    /// The file cannot be read.
    #[error("table {} skipped: {}", path.display(), files::reason(*kind))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        kind: io::ErrorKind,
    },
    /// The file is not what its name says, or is incomplete.
    #[error("table {} skipped: {reason}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: Malformed,
    },
}

impl TableFileError {
    /// Whether the folder just does not exist: some programs name one (`/EGT/Syzygy`) in every
    /// game, whether it exists or not.
    pub fn is_absence(&self) -> bool {
        matches!(self, Self::Folder { kind, .. } if *kind == io::ErrorKind::NotFound)
    }
}

/// What separates the folders of a list.
const SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

impl Tablebase {
    /// Opens all tables in a list of folders, with `:` between them (`;` on Windows). Of two files
    /// of one kind for the same material, the first is taken. Files that cannot be used are skipped
    /// and named.
    pub fn open(folders: &str) -> (Self, Vec<TableFileError>) {
        Self::open_watched(folders, || {})
    }

    /// The same; `on_file` is called after each file, of which there may be thousands on a slow disk.
    pub fn open_watched(folders: &str, mut on_file: impl FnMut()) -> (Self, Vec<TableFileError>) {
        let mut tablebase = Self::default();
        let mut errors = Vec::new();
        let cache = Arc::new(Cache::new());
        for folder in folders.split(SEPARATOR).map(str::trim) {
            if folder.is_empty() {
                continue;
            }
            match list(Path::new(folder)) {
                Ok(files) => {
                    for (path, material, kind) in files {
                        errors.extend(tablebase.add(path, material, kind, &cache).err());
                        on_file();
                    }
                }
                Err(error) => errors.push(TableFileError::Folder {
                    path: folder.into(),
                    kind: error.kind(),
                }),
            }
        }
        (tablebase, errors)
    }

    fn add(
        &mut self,
        path: PathBuf,
        material: Material,
        kind: Kind,
        cache: &Arc<Cache>,
    ) -> Result<(), TableFileError> {
        let known = self.tables.get(&material).is_some_and(|tables| match kind {
            Kind::Wdl => tables.wdl.is_some(),
            Kind::Dtz => tables.dtz.is_some(),
        });
        if known {
            return Ok(());
        }
        let number = self.wdl_files + self.dtz_files;
        let opened = TableFile::open(&path, number, cache)
            .and_then(|file| Table::open(file, material, kind));
        let table = opened
            .map_err(|error| TableFileError::Unreadable {
                path: path.clone(),
                kind: error.kind(),
            })?
            .map_err(|reason| TableFileError::Malformed { path, reason })?;
        let tables = self.tables.entry(material).or_default();
        match kind {
            Kind::Wdl => {
                tables.wdl = Some(table);
                self.wdl_files += 1;
                self.max_pieces = self.max_pieces.max(material.pieces());
            }
            Kind::Dtz => {
                tables.dtz = Some(table);
                self.dtz_files += 1;
            }
        }
        Ok(())
    }
}

/// The files of a folder that have the names of tables, in the order of their names.
fn list(folder: &Path) -> io::Result<Vec<(PathBuf, Material, Kind)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let part = |part: Option<&std::ffi::OsStr>| part?.to_str().map(str::to_owned);
        let (stem, extension) = (part(path.file_stem()), part(path.extension()));
        let material = stem.as_deref().and_then(Material::parse);
        let kind = [Kind::Wdl, Kind::Dtz]
            .into_iter()
            .find(|kind| extension.as_deref() == Some(kind.extension()));
        if let (Some(material), Some(kind)) = (material, kind) {
            files.push((path, material, kind));
        }
    }
    files.sort_by(|(path, ..), (other, ..)| path.cmp(other));
    Ok(files)
}
