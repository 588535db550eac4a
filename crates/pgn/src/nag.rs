//! Marks on moves: numeric annotation glyphs.

use std::fmt;

/// A numeric annotation glyph: a mark on a move or on the position after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nag(pub u8);

impl Nag {
    /// `!`
    pub const GOOD: Self = Self(1);
    /// `?`
    pub const MISTAKE: Self = Self(2);
    /// `!!`
    pub const BRILLIANT: Self = Self(3);
    /// `??`
    pub const BLUNDER: Self = Self(4);
    /// `!?`
    pub const INTERESTING: Self = Self(5);
    /// `?!`
    pub const DUBIOUS: Self = Self(6);

    /// The mark as people write it after a move; only the six above have one.
    pub const fn suffix(self) -> Option<&'static str> {
        match self {
            Self::GOOD => Some("!"),
            Self::MISTAKE => Some("?"),
            Self::BRILLIANT => Some("!!"),
            Self::BLUNDER => Some("??"),
            Self::INTERESTING => Some("!?"),
            Self::DUBIOUS => Some("?!"),
            _ => None,
        }
    }

    /// The sign that people write after a move: its suffix, or such as `±` and `∞`; `None` if there
    /// is none.
    pub fn sign(self) -> Option<&'static str> {
        let found = SIGNS.iter().find(|&&(number, _)| number == self.0);
        self.suffix().or(found.map(|&(_, sign)| sign))
    }

    /// What a sign after a move means, such as `+-`, `=`, `∞` and `□`.
    pub(crate) fn from_sign(sign: &str) -> Option<Self> {
        let found = SIGNS.iter().find(|&&(_, known)| known == sign);
        found.map(|&(number, _)| Self(number))
    }

    /// What a run of `!` and `?` after a move means; of a longer run, its first two.
    pub(crate) fn from_suffix(first: u8, second: Option<u8>) -> Self {
        match (first, second) {
            (b'!', None) => Self::GOOD,
            (b'!', Some(b'!')) => Self::BRILLIANT,
            (b'!', Some(_)) => Self::INTERESTING,
            (_, None) => Self::MISTAKE,
            (_, Some(b'?')) => Self::BLUNDER,
            (_, Some(_)) => Self::DUBIOUS,
        }
    }
}

/// Glyphs with their signs, the usual sign first (section 10 of the standard; from 140 on as
/// `ChessBase` numbers them).
const SIGNS: [(u8, &str); 32] = [
    (7, "□"),
    (10, "="),
    (13, "∞"),
    (14, "⩲"),
    (14, "+="),
    (14, "+/="),
    (15, "⩱"),
    (15, "=+"),
    (15, "=/+"),
    (16, "±"),
    (16, "+/-"),
    (17, "∓"),
    (17, "-/+"),
    (18, "+-"),
    (19, "-+"),
    (22, "⨀"),
    (22, "⊙"),
    (36, "↑"),
    (40, "→"),
    (44, "=∞"),
    (44, "∞="),
    (132, "⇆"),
    (138, "⊕"),
    (140, "∆"),
    (142, "⌓"),
    (146, "N"),
    // The same of Black.
    (23, "⨀"),
    (37, "↑"),
    (41, "→"),
    (45, "=∞"),
    (133, "⇆"),
    (139, "⊕"),
];

impl fmt::Display for Nag {
    /// As in PGN: `$4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}
