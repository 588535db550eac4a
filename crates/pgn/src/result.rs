//! How a game ended.

use std::fmt;

use orthrus_core::types::Color;

/// What typesetters use for a hyphen: two dashes and a minus sign.
pub(crate) const DASHES: [char; 3] = ['–', '—', '−'];

/// How a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// This side won.
    Win(Color),
    /// Nobody won.
    Draw,
    /// Unfinished or unknown.
    #[default]
    Unknown,
}

impl GameResult {
    /// The side that won, if one did.
    pub fn winner(self) -> Option<Color> {
        match self {
            Self::Win(color) => Some(color),
            Self::Draw | Self::Unknown => None,
        }
    }

    /// The result with this text, `1-0`, `0-1`, `1/2-1/2` or `*`; a draw may be shortened to `1/2`.
    /// Typesetters' `½` and dashes are read too.
    pub fn from_text(text: &str) -> Option<Self> {
        match text {
            "1-0" => Some(Self::Win(Color::White)),
            "0-1" => Some(Self::Win(Color::Black)),
            "1/2-1/2" | "1/2" => Some(Self::Draw),
            "*" => Some(Self::Unknown),
            _ if !text.is_ascii() => {
                let plain = text.replace(DASHES, "-").replace('½', "1/2");
                plain.is_ascii().then(|| Self::from_text(&plain)).flatten()
            }
            _ => None,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Win(Color::White) => "1-0",
            Self::Win(Color::Black) => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        })
    }
}
