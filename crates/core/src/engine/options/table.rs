//! All options. A new one needs an entry here, a [`Setting`], and code that acts on it.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::super::experience::DEFAULT_FILE;
use super::{BookSetting, ContemptSide, OptionKind, OptionSpec, Setting, SpinSetting, TextContent};
use crate::search::{FULL_SKILL_LEVEL, MAX_ELO, MIN_ELO};

/// All options in the order in which users see them; in a tuning build the search parameters too.
pub fn all() -> impl Iterator<Item = &'static OptionSpec> {
    #[cfg(feature = "tune")]
    {
        OPTIONS.iter().chain(tunables())
    }
    #[cfg(not(feature = "tune"))]
    OPTIONS.iter()
}

/// The option of this name.
pub fn find(name: &str) -> Option<&'static OptionSpec> {
    all().find(|spec| is_name(spec.name, name))
}

/// Whether `text` is the `name` of an option; case and spaces are ignored, so `moveoverhead` is
/// `Move Overhead`.
pub fn is_name(name: &str, text: &str) -> bool {
    fn letters(name: &str) -> impl Iterator<Item = char> {
        name.chars()
            .filter(|c| !c.is_whitespace())
            .map(|c| c.to_ascii_lowercase())
    }
    letters(name).eq(letters(text))
}

/// The settings that give every option its default value, buttons excepted.
pub fn defaults() -> impl Iterator<Item = Setting> {
    all().filter_map(|spec| match spec.kind {
        OptionKind::Check { default, setting } => Some(setting(default)),
        OptionKind::Spin {
            default, setting, ..
        } => Some(setting.make(default)),
        OptionKind::Combo {
            default, setting, ..
        } => Some(setting(default)),
        OptionKind::Text {
            default, setting, ..
        } => Some(setting(default.to_owned())),
        OptionKind::Button { .. } => None,
    })
}

#[cfg(feature = "tune")]
fn tunables() -> &'static [OptionSpec] {
    static SPECS: std::sync::LazyLock<Vec<OptionSpec>> = std::sync::LazyLock::new(|| {
        let tunables = crate::search::tunables().iter();
        let spec = |tunable: &'static crate::search::Tunable| OptionSpec {
            name: tunable.name,
            help: "a search parameter",
            kind: OptionKind::Spin {
                default: tunable.default.into(),
                min: tunable.min.into(),
                max: tunable.max.into(),
                setting: SpinSetting::Tunable(tunable),
            },
        };
        tunables.map(spec).collect()
    });
    &SPECS
}

static OPTIONS: &[OptionSpec] = &[
    spin(
        "Hash",
        "size of the transposition table in MiB",
        16,
        1..=1 << 20,
        |mebibytes| Setting::Hash(mebibytes as usize),
    ),
    spin("Threads", "search threads", 1, 1..=512, |threads| {
        Setting::Threads(threads as usize)
    }),
    OptionSpec {
        name: "Clear Hash",
        help: "clears the transposition table",
        kind: OptionKind::Button {
            setting: || Setting::ClearHash,
        },
    },
    spin("MultiPV", "best lines to report", 1, 1..=500, |lines| {
        Setting::MultiPv(lines as usize)
    }),
    check(
        "Ponder",
        "thinks on the opponent's time when the GUI asks for it",
        false,
        Setting::Ponder,
    ),
    spin(
        "Move Overhead",
        "milliseconds reserved per move for GUI and network delay; at most half of a fixed move \
         time",
        30,
        0..=5000,
        |millis| Setting::MoveOverhead(Duration::from_millis(millis as u64)),
    ),
    text(
        "EvalFile",
        "network file to use instead of the built-in one; a relative name is looked up in the \
         working folder, then next to the binary",
        TextContent::File,
        Setting::EvalFile,
    ),
    text(
        "SyzygyPath",
        "folders with Syzygy endgame tables, separated by `:` (`;` on Windows)",
        TextContent::Path,
        Setting::SyzygyPath,
    ),
    spin(
        "SyzygyProbeDepth",
        "minimum remaining depth for probing positions with as many pieces as the largest tables",
        1,
        1..=100,
        |depth| Setting::SyzygyProbeDepth(depth as i32),
    ),
    spin(
        "SyzygyProbeLimit",
        "largest number of pieces, kings included, for which the tables are probed",
        7,
        0..=7,
        |men| Setting::SyzygyProbeLimit(men as u32),
    ),
    check(
        "Syzygy50MoveRule",
        "scores a table win as a draw if the fifty-move rule prevents it",
        true,
        Setting::Syzygy50MoveRule,
    ),
    check(
        "UCI_LimitStrength",
        "plays at the strength set by UCI_Elo, except in analysis",
        false,
        Setting::LimitStrength,
    ),
    spin(
        "UCI_Elo",
        "playing strength if UCI_LimitStrength is on",
        MIN_ELO as i64,
        MIN_ELO as i64..=MAX_ELO as i64,
        |elo| Setting::Elo(elo as u32),
    ),
    spin(
        "Skill Level",
        "limits the strength in equal steps of UCI_Elo; the highest level is full strength",
        FULL_SKILL_LEVEL as i64,
        0..=FULL_SKILL_LEVEL as i64,
        |level| Setting::SkillLevel(level as u32),
    ),
    check(
        "UCI_AnalyseMode",
        "treats searches as analysis: sacrifices are found sooner, and the strength is never \
         limited",
        false,
        Setting::AnalyseMode,
    ),
    check(
        "OwnBook",
        "plays from the opening book in Book File without searching",
        false,
        |on| Setting::Book(BookSetting::Own(on)),
    ),
    text(
        "Book File",
        "opening book in the Polyglot format; a relative name is looked up in the working \
         folder, then next to the binary",
        TextContent::File,
        |name| Setting::Book(BookSetting::File(name)),
    ),
    check(
        "Best Book Move",
        "always plays the book move with the highest weight instead of a random one by weight",
        false,
        |on| Setting::Book(BookSetting::BestOnly(on)),
    ),
    spin(
        "Book Depth",
        "last full move of a game that may come from the book",
        255,
        1..=1000,
        |moves| Setting::Book(BookSetting::Depth(moves as u16)),
    ),
    spin(
        "Book Seed",
        "0 picks book moves at random; with any other number the same position always gets the \
         same move",
        0,
        0..=i32::MAX as i64,
        |seed| Setting::Book(BookSetting::Seed(seed as u64)),
    ),
    check(
        "Experience",
        "remembers what searches in games have found and uses it in later games",
        false,
        Setting::Experience,
    ),
    OptionSpec {
        name: "Experience File",
        help: "file that keeps the experience; a relative name is looked up as for `EvalFile`",
        kind: OptionKind::Text {
            default: DEFAULT_FILE,
            content: TextContent::File,
            setting: Setting::ExperienceFile,
        },
    },
    check(
        "UCI_Chess960",
        "Chess960 notation: castling is written as king takes rook",
        false,
        Setting::Chess960,
    ),
    check(
        "UCI_ShowWDL",
        "reports the chances of win, draw and loss with every score, in permille",
        false,
        Setting::ShowWinDrawLoss,
    ),
    check(
        "UCI_ShowRefutations",
        "reports the best reply to each root move that is searched after the first second",
        false,
        Setting::ShowRefutations,
    ),
    check(
        "UCI_ShowCurrLine",
        "reports once a second the line that each thread is searching",
        false,
        Setting::ShowCurrentLine,
    ),
    spin(
        "Contempt",
        "how far below 0 a draw scores for the engine, in centipawns; for analysis see Analysis \
         Contempt",
        0,
        -100..=100,
        |centipawns| Setting::Contempt(centipawns as i32),
    ),
    OptionSpec {
        name: "Analysis Contempt",
        help: "which side's contempt applies in analysis; with Both, that of the side to move",
        kind: OptionKind::Combo {
            default: 0,
            choices: ContemptSide::CHOICES,
            setting: |choice| Setting::AnalysisContempt(ContemptSide::MEANINGS[choice]),
        },
    },
    spin(
        "nodestime",
        "if not 0, clocks are counted in nodes, this many per millisecond",
        0,
        0..=10_000,
        |nodes| Setting::NodesTime(nodes as u64),
    ),
    text(
        "Debug Log File",
        "appends every line received and sent, with its time, to this file",
        TextContent::File,
        Setting::DebugLogFile,
    ),
];

const fn check(
    name: &'static str,
    help: &'static str,
    default: bool,
    setting: fn(bool) -> Setting,
) -> OptionSpec {
    OptionSpec {
        name,
        help,
        kind: OptionKind::Check { default, setting },
    }
}

const fn spin(
    name: &'static str,
    help: &'static str,
    default: i64,
    range: RangeInclusive<i64>,
    setting: fn(i64) -> Setting,
) -> OptionSpec {
    OptionSpec {
        name,
        help,
        kind: OptionKind::Spin {
            default,
            min: *range.start(),
            max: *range.end(),
            setting: SpinSetting::Named(setting),
        },
    }
}

/// A text option that is empty by default.
const fn text(
    name: &'static str,
    help: &'static str,
    content: TextContent,
    setting: fn(String) -> Setting,
) -> OptionSpec {
    OptionSpec {
        name,
        help,
        kind: OptionKind::Text {
            default: "",
            content,
            setting,
        },
    }
}
