//! Files of networks, which commands read and write.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use orthrus_core::evaluation::network::RawNetwork;
use orthrus_core::files;

use super::CommandResult;
use crate::train::model::{Parameters, Shape};
use crate::train::quantise::dequantise;

/// The shape and the weights of the network in a file.
pub(super) fn read_network(path: &Path) -> Result<(Shape, Parameters), String> {
    let network = read_raw(path)?;
    dequantise(&network).map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads a network file as it is.
pub(super) fn read_raw(path: &Path) -> Result<RawNetwork, String> {
    let named = |error: &dyn Display| format!("{}: {error}", path.display());
    let bytes = fs::read(path).map_err(|error| named(&error))?;
    RawNetwork::from_bytes(&bytes).map_err(|error| named(&error))
}

/// Makes sure that a network can be written there, and overwrites nothing of another kind, such as the games or
/// a device.
pub(super) fn check_network(path: &Path) -> CommandResult {
    let named = |error: io::Error| format!("{}: {}", path.display(), files::reason(error.kind()));
    let bytes = match files::open(path) {
        Ok(mut file) => {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(named)?;
            bytes
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(named(error).into()),
    };
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    if let Some(missing) = folder.filter(|folder| !folder.is_dir()) {
        return Err(format!("{}: no such folder", missing.display()).into());
    }
    if bytes.is_empty() || RawNetwork::from_bytes(&bytes).is_ok() {
        return Ok(());
    }
    Err(format!(
        "{} is no network, and is not replaced by one",
        path.display()
    )
    .into())
}

/// Writes a file so that there is always a complete one, the old or the new, even after a loss of power.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    let write = || {
        let mut file = File::create(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        drop(file);
        fs::rename(&new, path)
    };
    write().map_err(|error: io::Error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempFolder;

    #[test]
    fn a_network_replaces_only_networks() {
        let folder = TempFolder::new();
        let refusal = |path: &Path| check_network(path).unwrap_err().to_string();
        let games = folder.file("games");
        fs::write(&games, "games").unwrap();
        assert!(refusal(&games).ends_with("is not replaced by one"));
        assert!(refusal(games.parent().unwrap()).ends_with("a folder"));
        let nowhere = folder.file("no-folder").join("network");
        assert!(refusal(&nowhere).ends_with("no-folder: no such folder"));
        check_network(&folder.file("network")).unwrap();
        check_network(Path::new("no-file-here")).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_no_place_for_a_network() {
        let refused = check_network(Path::new("/dev/null")).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "/dev/null: neither a file nor a folder"
        );
    }
}
