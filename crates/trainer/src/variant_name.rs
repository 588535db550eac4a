//! How games are named in what the trainer writes: as programs and players know them.

use orthrus_core::position::Variant;
use serde::{Deserialize, Deserializer, Serializer, de};

/// Chess, which goes without saying.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the form that serde asks for"
)]
pub(crate) fn is_chess(variant: &Variant) -> bool {
    *variant == Variant::Standard
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the form that serde asks for"
)]
pub(crate) fn serialize<S: Serializer>(
    variant: &Variant,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(variant.name())
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Variant, D::Error> {
    let name = String::deserialize(deserializer)?;
    from_argument(&name).map_err(de::Error::custom)
}

/// The game of this name, for the command line.
pub(crate) fn from_argument(name: &str) -> Result<Variant, String> {
    Variant::from_name(name).ok_or_else(|| {
        format!(
            "no game is called {name}; there are {}",
            Variant::NAMES.join(", ")
        )
    })
}
