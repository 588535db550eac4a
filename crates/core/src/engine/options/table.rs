//! Every option there is. A new one is a line here, a [`Setting`] and the place that acts on it.

use std::time::Duration;

use super::{OptionKind, OptionSpec, Setting, TextContent};

/// Every option there is, in the order in which users see them.
pub static OPTIONS: &[OptionSpec] = &[
    spin("Hash", 16, 1, 1 << 20, |mebibytes| {
        Setting::Hash(mebibytes as usize)
    }),
    spin("Threads", 1, 1, 512, |threads| {
        Setting::Threads(threads as usize)
    }),
    button("Clear Hash", || Setting::ClearHash),
    spin("MultiPV", 1, 1, 500, |lines| {
        Setting::MultiPv(lines as usize)
    }),
    check("Ponder", false, Setting::Ponder),
    spin("Move Overhead", 30, 0, 5000, |millis| {
        Setting::MoveOverhead(Duration::from_millis(millis as u64))
    }),
    text("EvalFile", TextContent::File, Setting::EvalFile),
    check("UCI_Chess960", false, Setting::Chess960),
];

const fn check(name: &'static str, default: bool, setting: fn(bool) -> Setting) -> OptionSpec {
    OptionSpec {
        name,
        kind: OptionKind::Check { default, setting },
    }
}

const fn spin(
    name: &'static str,
    default: i64,
    min: i64,
    max: i64,
    setting: fn(i64) -> Setting,
) -> OptionSpec {
    OptionSpec {
        name,
        kind: OptionKind::Spin {
            default,
            min,
            max,
            setting,
        },
    }
}

/// A text that is empty at start.
const fn text(
    name: &'static str,
    content: TextContent,
    setting: fn(String) -> Setting,
) -> OptionSpec {
    OptionSpec {
        name,
        kind: OptionKind::Text {
            default: "",
            content,
            setting,
        },
    }
}

const fn button(name: &'static str, setting: fn() -> Setting) -> OptionSpec {
    OptionSpec {
        name,
        kind: OptionKind::Button { setting },
    }
}
