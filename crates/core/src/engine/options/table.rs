//! Every option there is. A new one is a line here, a [`Setting`] and the place that acts on it.

use std::time::Duration;

use super::super::experience::DEFAULT_FILE;
use super::{BookSetting, Contemptuous, OptionKind, OptionSpec, Setting, SpinSetting, TextContent};
use crate::search::{FULL_SKILL_LEVEL, MAX_ELO, MIN_ELO};

/// Every option there is, in the order in which users see them; in a build for tuning the numbers
/// of the search as well.
pub fn all() -> impl Iterator<Item = &'static OptionSpec> {
    #[cfg(feature = "tune")]
    {
        OPTIONS.iter().chain(tunables())
    }
    #[cfg(not(feature = "tune"))]
    OPTIONS.iter()
}

#[cfg(feature = "tune")]
fn tunables() -> &'static [OptionSpec] {
    static SPECS: std::sync::LazyLock<Vec<OptionSpec>> = std::sync::LazyLock::new(|| {
        let tunables = crate::search::tunables().iter();
        let spec = |tunable: &'static crate::search::Tunable| OptionSpec {
            name: tunable.name,
            help: "a number of the search",
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
        1,
        1 << 20,
        |mebibytes| Setting::Hash(mebibytes as usize),
    ),
    spin("Threads", "search threads", 1, 1, 512, |threads| {
        Setting::Threads(threads as usize)
    }),
    button("Clear Hash", "empties the transposition table", || {
        Setting::ClearHash
    }),
    spin("MultiPV", "lines to report", 1, 1, 500, |lines| {
        Setting::MultiPv(lines as usize)
    }),
    check(
        "Ponder",
        "thinks on the opponent's time, when the GUI says so",
        false,
        Setting::Ponder,
    ),
    spin(
        "Move Overhead",
        "milliseconds of each move kept back for the way to the GUI, at most half of a fixed time",
        30,
        0,
        5000,
        |millis| Setting::MoveOverhead(Duration::from_millis(millis as u64)),
    ),
    text(
        "EvalFile",
        "the network to evaluate with, instead of the one within Orthrus; a relative name is \
         looked for in the working folder, then beside the binary",
        TextContent::File,
        Setting::EvalFile,
    ),
    text(
        "SyzygyPath",
        "folders with Syzygy endgame tables, `:` between them (`;` on Windows)",
        TextContent::Path,
        Setting::SyzygyPath,
    ),
    spin(
        "SyzygyProbeDepth",
        "least remaining depth at which positions of the largest tables are looked up",
        1,
        1,
        100,
        |depth| Setting::SyzygyProbeDepth(depth as i32),
    ),
    spin(
        "SyzygyProbeLimit",
        "most men, kings included, of a position that is looked up",
        7,
        0,
        7,
        |men| Setting::SyzygyProbeLimit(men as u32),
    ),
    check(
        "Syzygy50MoveRule",
        "lets the fifty-move rule make draws of table wins that take too long",
        true,
        Setting::Syzygy50MoveRule,
    ),
    check(
        "UCI_LimitStrength",
        "plays with the strength of UCI_Elo, except in analysis",
        false,
        Setting::LimitStrength,
    ),
    spin(
        "UCI_Elo",
        "the strength to play with, if it is limited",
        MIN_ELO as i64,
        MIN_ELO as i64,
        MAX_ELO as i64,
        |elo| Setting::Elo(elo as u32),
    ),
    spin(
        "Skill Level",
        "limits the strength in even steps of UCI_Elo; the highest level is full strength",
        FULL_SKILL_LEVEL as i64,
        0,
        FULL_SKILL_LEVEL as i64,
        |level| Setting::SkillLevel(level as u32),
    ),
    check(
        "UCI_AnalyseMode",
        "searches are analysis: they see sacrifices sooner, and the strength is never limited",
        false,
        Setting::AnalyseMode,
    ),
    check(
        "OwnBook",
        "plays from the opening book that Book File names, without thinking",
        false,
        |on| Setting::Book(BookSetting::Own(on)),
    ),
    text(
        "Book File",
        "an opening book in the Polyglot format; a relative name is looked for in the working \
         folder, then beside the binary",
        TextContent::File,
        |name| Setting::Book(BookSetting::File(name)),
    ),
    check(
        "Best Book Move",
        "plays the heaviest move of the book, instead of choosing by weight",
        false,
        |on| Setting::Book(BookSetting::BestOnly(on)),
    ),
    spin(
        "Book Depth",
        "the last move of a game that is played from the book, in full moves",
        255,
        1,
        1000,
        |moves| Setting::Book(BookSetting::Depth(moves as u16)),
    ),
    spin(
        "Book Seed",
        "0 chooses from the book anew every time; another number makes the same choice in a \
         position again",
        0,
        0,
        i32::MAX as i64,
        |seed| Setting::Book(BookSetting::Seed(seed as u64)),
    ),
    check(
        "Experience",
        "remembers what searches of games found, and uses it in later games",
        false,
        Setting::Experience,
    ),
    OptionSpec {
        name: "Experience File",
        help: "where experience is kept; a relative name as for `EvalFile`",
        kind: OptionKind::Text {
            default: DEFAULT_FILE,
            content: TextContent::File,
            setting: Setting::ExperienceFile,
        },
    },
    check(
        "UCI_Chess960",
        "writes castling as king takes rook",
        false,
        Setting::Chess960,
    ),
    check(
        "UCI_ShowWDL",
        "tells the chances of win, draw and loss beside every score, in permille",
        false,
        Setting::ShowWinDrawLoss,
    ),
    check(
        "UCI_ShowRefutations",
        "tells the best reply to every move that was searched, after the first second",
        false,
        Setting::ShowRefutations,
    ),
    check(
        "UCI_ShowCurrLine",
        "tells every second which line each thread is at",
        false,
        Setting::ShowCurrentLine,
    ),
    spin(
        "Contempt",
        "how much a draw is disliked, in centipawns; in analysis as Analysis Contempt says",
        0,
        -100,
        100,
        |centipawns| Setting::Contempt(centipawns as i32),
    ),
    OptionSpec {
        name: "Analysis Contempt",
        help: "whose contempt counts in analysis; both is that of the side to move",
        kind: OptionKind::Combo {
            default: 0,
            choices: Contemptuous::CHOICES,
            setting: |choice| Setting::AnalysisContempt(Contemptuous::of_choice(choice)),
        },
    },
    spin(
        "nodestime",
        "counts clocks in nodes, so many to a millisecond; 0 counts time",
        0,
        0,
        10_000,
        |nodes| Setting::NodesTime(nodes as u64),
    ),
    text(
        "Debug Log File",
        "keeps every line in and out, with its time, at the end of this file",
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
    min: i64,
    max: i64,
    setting: fn(i64) -> Setting,
) -> OptionSpec {
    OptionSpec {
        name,
        help,
        kind: OptionKind::Spin {
            default,
            min,
            max,
            setting: SpinSetting::Named(setting),
        },
    }
}

/// A text that is empty at start.
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

const fn button(name: &'static str, help: &'static str, setting: fn() -> Setting) -> OptionSpec {
    OptionSpec {
        name,
        help,
        kind: OptionKind::Button { setting },
    }
}
