//! All options. A new one needs an entry here, a [`Setting`] or [`FrontendSetting`], and code that
//! acts on it.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::super::experience::DEFAULT_FILE;
use super::{
    BookSetting, ContemptSide, FrontendSetting, OptionChange, OptionKind, OptionSpec, Setting,
    TextContent,
};
use crate::position::Variant;
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

/// The settings that give every option of the engine its default value, buttons excepted.
pub fn defaults() -> impl Iterator<Item = Setting> {
    let changes = all().filter_map(|spec| match spec.kind {
        OptionKind::Check { default, setting } => Some(setting(default)),
        OptionKind::Spin {
            default, setting, ..
        } => Some(setting(default)),
        OptionKind::Combo {
            default, setting, ..
        } => Some(setting(default)),
        OptionKind::Text {
            default, setting, ..
        } => Some(setting(default.to_owned())),
        OptionKind::Button { .. } => None,
    });
    changes.filter_map(OptionChange::engine)
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
                setting: Box::leak(Box::new(move |value: i64| {
                    Setting::Tunable(tunable, value as i32).into()
                })),
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
        &|mebibytes| Setting::Hash(mebibytes as usize).into(),
    ),
    spin("Threads", "search threads", 1, 1..=512, &|threads| {
        Setting::Threads(threads as usize).into()
    }),
    OptionSpec {
        name: "Clear Hash",
        help: "clears the transposition table",
        kind: OptionKind::Button {
            setting: || Setting::ClearHash.into(),
        },
    },
    spin("MultiPV", "best lines to report", 1, 1..=500, &|lines| {
        Setting::MultiPv(lines as usize).into()
    }),
    check(
        "Ponder",
        "thinks on the opponent's time when the GUI asks for it",
        false,
        |on| OptionChange::Frontend(FrontendSetting::Ponder(on)),
    ),
    spin(
        "Move Overhead",
        "milliseconds reserved per move for GUI and network delay, more if more is measured; at \
         most half of a fixed move time",
        10,
        0..=5000,
        &|millis| Setting::MoveOverhead(Duration::from_millis(millis as u64)).into(),
    ),
    text(
        "EvalFile",
        "network file to use instead of the built-in one for its game; a relative name is looked \
         up in the working folder, then next to the binary",
        TextContent::File,
        |name| Setting::EvalFile(name).into(),
    ),
    text(
        "SyzygyPath",
        "folders with Syzygy endgame tables, separated by `:` (`;` on Windows)",
        TextContent::Path,
        |folders| Setting::SyzygyPath(folders).into(),
    ),
    spin(
        "SyzygyProbeDepth",
        "minimum remaining depth for probing positions with as many pieces as the largest tables",
        1,
        1..=100,
        &|depth| Setting::SyzygyProbeDepth(depth as i32).into(),
    ),
    spin(
        "SyzygyProbeLimit",
        "largest number of pieces, kings included, for which the tables are probed",
        7,
        0..=7,
        &|pieces| Setting::SyzygyProbeLimit(pieces as u32).into(),
    ),
    check(
        "Syzygy50MoveRule",
        "scores a table win as a draw if the fifty-move rule prevents it",
        true,
        |on| Setting::Syzygy50MoveRule(on).into(),
    ),
    check(
        "UCI_LimitStrength",
        "plays at the strength set by UCI_Elo, except in analysis",
        false,
        |on| Setting::LimitStrength(on).into(),
    ),
    spin(
        "UCI_Elo",
        "playing strength if UCI_LimitStrength is on",
        MIN_ELO as i64,
        MIN_ELO as i64..=MAX_ELO as i64,
        &|elo| Setting::Elo(elo as u32).into(),
    ),
    spin(
        "Skill Level",
        "limits the strength in equal steps of UCI_Elo; the highest level is full strength",
        FULL_SKILL_LEVEL as i64,
        0..=FULL_SKILL_LEVEL as i64,
        &|level| Setting::SkillLevel(level as u32).into(),
    ),
    check(
        "UCI_AnalyseMode",
        "treats searches as analysis: finds sacrifices sooner, with full strength, without book \
         moves, with Analysis Contempt instead of Contempt, and teaches Experience nothing",
        false,
        |on| Setting::AnalyseMode(on).into(),
    ),
    check(
        "OwnBook",
        "plays from the opening book in Book File without searching",
        false,
        |on| Setting::Book(BookSetting::Own(on)).into(),
    ),
    text(
        "Book File",
        "opening book in the Polyglot format; a relative name is looked up in the working \
         folder, then next to the binary",
        TextContent::File,
        |name| Setting::Book(BookSetting::File(name)).into(),
    ),
    check(
        "Best Book Move",
        "always plays the book move with the highest weight instead of a random one by weight",
        false,
        |on| Setting::Book(BookSetting::BestOnly(on)).into(),
    ),
    spin(
        "Book Depth",
        "last full move of a game that may come from the book",
        255,
        1..=1000,
        &|moves| Setting::Book(BookSetting::Depth(moves as u16)).into(),
    ),
    spin(
        "Book Seed",
        "0 picks book moves at random; with any other number the same position always gets the \
         same move",
        0,
        0..=i32::MAX as i64,
        &|seed| Setting::Book(BookSetting::Seed(seed as u64)).into(),
    ),
    check(
        "Experience",
        "remembers what searches in games have found and uses it in later games",
        false,
        |on| Setting::Experience(on).into(),
    ),
    OptionSpec {
        name: "Experience File",
        help: "file that keeps the experience; a relative name is looked up as for `EvalFile`",
        kind: OptionKind::Text {
            default: DEFAULT_FILE,
            content: TextContent::File,
            setting: |name| Setting::ExperienceFile(name).into(),
        },
    },
    check(
        "UCI_Chess960",
        "Chess960 notation: castling is written as king takes rook",
        false,
        |on| OptionChange::Frontend(FrontendSetting::Chess960(on)),
    ),
    OptionSpec {
        name: "UCI_Variant",
        help: "game that positions belong to",
        kind: OptionKind::Combo {
            default: 0,
            choices: &Variant::NAMES,
            setting: |choice| {
                OptionChange::Frontend(FrontendSetting::Variant(Variant::ALL[choice]))
            },
        },
    },
    check(
        "UCI_ShowWDL",
        "reports the chances of win, draw and loss with every score, in permille",
        false,
        |on| OptionChange::Frontend(FrontendSetting::ShowWinDrawLoss(on)),
    ),
    check(
        "Normalised Scores",
        "reports scores on a scale where a lead of 100 centipawns wins every second game, whatever the material",
        false,
        |on| OptionChange::Frontend(FrontendSetting::NormaliseScores(on)),
    ),
    check(
        "UCI_ShowRefutations",
        "reports the best reply to each root move that is searched after the first second",
        false,
        |on| Setting::ShowRefutations(on).into(),
    ),
    check(
        "UCI_ShowCurrLine",
        "reports once a second the line that each thread is searching",
        false,
        |on| Setting::ShowCurrentLine(on).into(),
    ),
    spin(
        "Contempt",
        "how far below 0 a draw scores for the engine, in centipawns; for analysis see Analysis \
         Contempt",
        0,
        -100..=100,
        &|centipawns| Setting::Contempt(centipawns as i32).into(),
    ),
    OptionSpec {
        name: "Analysis Contempt",
        help: "which side's contempt applies in analysis; with Both, that of the side to move",
        kind: OptionKind::Combo {
            default: 0,
            choices: ContemptSide::CHOICES,
            setting: |choice| Setting::AnalysisContempt(ContemptSide::MEANINGS[choice]).into(),
        },
    },
    spin(
        "nodestime",
        "if not 0, clocks are counted in nodes, this many per millisecond",
        0,
        0..=10_000,
        &|nodes| Setting::NodesTime(nodes as u64).into(),
    ),
    text(
        "Debug Log File",
        "appends every line received and sent, with its time, to this file",
        TextContent::File,
        |name| OptionChange::Frontend(FrontendSetting::DebugLogFile(name)),
    ),
];

const fn check(
    name: &'static str,
    help: &'static str,
    default: bool,
    setting: fn(bool) -> OptionChange,
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
    setting: &'static (dyn Fn(i64) -> OptionChange + Sync),
) -> OptionSpec {
    OptionSpec {
        name,
        help,
        kind: OptionKind::Spin {
            default,
            min: *range.start(),
            max: *range.end(),
            setting,
        },
    }
}

/// A text option that is empty by default.
const fn text(
    name: &'static str,
    help: &'static str,
    content: TextContent,
    setting: fn(String) -> OptionChange,
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
