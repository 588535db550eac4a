//! The one table of options: their names, kinds, ranges and defaults. Front ends print it and parse
//! against it.

mod parse;
mod table;

use std::time::Duration;

pub use parse::{OptionError, parse, parse_check, parse_spin, parse_text};
pub use table::{all, defaults, find, is_name};

use crate::position::Variant;
#[cfg(feature = "tune")]
use crate::search::Tunable;
use crate::types::Color;

/// A change of one option, checked against the table, by who acts on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionChange {
    /// The engine.
    Engine(Setting),
    /// The front end, or the program around it.
    Frontend(FrontendSetting),
}

impl OptionChange {
    /// What the engine is to do, if anything.
    pub fn engine(self) -> Option<Setting> {
        match self {
            Self::Engine(setting) => Some(setting),
            Self::Frontend(_) => None,
        }
    }
}

impl From<Setting> for OptionChange {
    fn from(setting: Setting) -> Self {
        Self::Engine(setting)
    }
}

/// What front ends do, or have done; nothing is told to the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrontendSetting {
    /// Whether the engine may think on the opponent's time.
    Ponder(bool),
    /// Whether castling is written as in Chess960.
    Chess960(bool),
    /// The game that positions belong to.
    Variant(Variant),
    /// Whether thinking output includes the chances of win, draw and loss.
    ShowWinDrawLoss(bool),
    /// Whether scores are told in the scale where 100 centipawns win every second game.
    NormaliseScores(bool),
    /// The file that logs every line in and out; empty for none.
    DebugLogFile(String),
}

/// What the engine acts on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Size of the transposition table in MiB.
    Hash(usize),
    /// Number of search threads.
    Threads(usize),
    /// Empty the transposition table.
    ClearHash,
    /// Number of lines to report.
    MultiPv(usize),
    /// Time reserved for the delay between engine and user.
    MoveOverhead(Duration),
    /// The file of the network to evaluate with; empty for the embedded one.
    EvalFile(String),
    /// Whether to play with the strength of [`Setting::Elo`].
    LimitStrength(bool),
    /// The strength to play with, if it is limited.
    Elo(u32),
    /// The strength to play with in levels; the highest is full strength.
    SkillLevel(u32),
    /// Whether searches are analysis: then they look for sacrifices, are not limited in strength,
    /// take no book moves, leave no experience, and `Analysis Contempt` says whose contempt
    /// applies.
    AnalyseMode(bool),
    /// Something about the engine's own opening book.
    Book(BookSetting),
    /// Whether moves of games are remembered, and remembered moves used.
    Experience(bool),
    /// The file that they are remembered in.
    ExperienceFile(String),
    /// The folders of the endgame tables; empty for none.
    SyzygyPath(String),
    /// Minimum depth for probing positions with as many pieces as the largest tables.
    SyzygyProbeDepth(i32),
    /// Largest number of pieces in a position that is probed, kings included.
    SyzygyProbeLimit(u32),
    /// Whether wins that take too long are draws by the fifty-move rule.
    Syzygy50MoveRule(bool),
    /// Whether to report what refutes each root move.
    ShowRefutations(bool),
    /// Whether to report the line that every thread is searching.
    ShowCurrentLine(bool),
    /// How much the engine dislikes a draw, in centipawns.
    Contempt(i32),
    /// Whose contempt applies in analysis.
    AnalysisContempt(ContemptSide),
    /// If not 0, clocks are counted in nodes, this many per millisecond.
    NodesTime(u64),
    /// A new value for a parameter of the search, within its range.
    #[cfg(feature = "tune")]
    Tunable(&'static Tunable, i32),
}

/// Whose contempt applies in analysis, where the engine plays neither side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContemptSide {
    /// Nobody's: a draw scores 0.
    #[default]
    Nobody,
    /// That of one side, whichever is to move.
    Side(Color),
    /// That of the side to move.
    Mover,
}

impl ContemptSide {
    /// The choices as users know them, and what they mean.
    const CHOICES: &[&str] = &["Off", "White", "Black", "Both"];
    const MEANINGS: [Self; 4] = [
        Self::Nobody,
        Self::Side(Color::White),
        Self::Side(Color::Black),
        Self::Mover,
    ];

    /// The contempt of `side`, which is to move at the root, if the contemptuous side has
    /// `contempt`.
    pub(super) fn of(self, side: Color, contempt: i32) -> i32 {
        match self {
            Self::Nobody => 0,
            Self::Side(color) if color != side => -contempt,
            Self::Side(_) | Self::Mover => contempt,
        }
    }
}

/// A change of an option of the opening book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookSetting {
    /// Whether moves are played from it.
    Own(bool),
    /// Its file; empty for none.
    File(String),
    /// Whether only the move of highest weight is played.
    BestOnly(bool),
    /// The last full move of a game that is played from it.
    Depth(u16),
    /// The seed for choosing among several moves; 0: a new choice every time.
    Seed(u64),
}

/// What values an option takes, and the change that a value makes.
#[derive(Clone, Copy)]
pub enum OptionKind {
    /// On or off.
    Check {
        /// Value at start.
        default: bool,
        /// The change that a value makes.
        setting: fn(bool) -> OptionChange,
    },
    /// A whole number.
    Spin {
        /// Value at start.
        default: i64,
        /// Least value.
        min: i64,
        /// Largest value.
        max: i64,
        /// The change that a value makes.
        setting: &'static (dyn Fn(i64) -> OptionChange + Sync),
    },
    /// One of several words.
    Combo {
        /// The index of the choice at start.
        default: usize,
        /// The words.
        choices: &'static [&'static str],
        /// The change that a choice makes, by index.
        setting: fn(usize) -> OptionChange,
    },
    /// Any text, which may be empty.
    Text {
        /// Value at start.
        default: &'static str,
        /// What the text stands for.
        content: TextContent,
        /// The change that a value makes.
        setting: fn(String) -> OptionChange,
    },
    /// An action without a value.
    Button {
        /// The change that a press makes.
        setting: fn() -> OptionChange,
    },
}

/// What the text of an option stands for, for front ends that offer a file dialogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextContent {
    /// The name of a file.
    File,
    /// One or several folders.
    Path,
}

/// One option.
#[derive(Clone, Copy)]
pub struct OptionSpec {
    /// Its name as users know it; spaces and case are part of it, but ignored in comparisons.
    pub name: &'static str,
    /// What it is or does, for users: one sentence without a capital or full stop.
    pub help: &'static str,
    /// Its values.
    pub kind: OptionKind,
}
