//! What Orthrus announces to the GUI, and why (section 9, `feature`).

use orthrus_core::VERSION;
use orthrus_core::engine::options::{self, OptionKind, OptionSpec, TextContent};

use crate::board::Variant;
use crate::manners::Manners;

/// The option that holds the path of Syzygy tables.
pub(crate) const TABLE_OPTION: &str = "SyzygyPath";
/// The only table format that `egtpath` takes.
pub(crate) const TABLE_FORMAT: &str = "syzygy";

/// Features that announce a command, each with the option that the command sets.
const COMMANDS: [(&str, &str); 3] = [
    ("memory", "Hash"),
    ("smp", "Threads"),
    ("egt", TABLE_OPTION),
];

/// Features with a fixed value, in the order in which they are sent.
const FIXED: [&str; 22] = [
    // Lets the GUI know when all earlier commands are done.
    "ping=1",
    // A FEN says more than `edit`: castling rights, en passant, the counters.
    "setboard=1",
    // Understood, and spares the GUI a `go` at the wrong moment.
    "playother=1",
    // Every client sends coordinates; SAN is understood as well.
    "san=0",
    // Distinguishes moves from commands; bare moves are understood as well.
    "usermove=1",
    // The GUI's clock is the one that counts.
    "time=1",
    // Draw offers are considered, and do not make the engine move at once.
    "draw=1",
    // Input is read at all times, so no SIGINT is needed before a command.
    "sigint=0",
    // `quit` is obeyed, so no SIGTERM is needed.
    "sigterm=0",
    // One process plays any number of games.
    "reuse=1",
    // Analyze mode is supported.
    "analyze=1",
    // `white` and `black` are obsolete.
    "colors=0",
    // These two are accepted, but do not change play.
    "ics=1",
    "name=1",
    // `pause` suspends thinking and the clocks.
    "pause=1",
    // The node clock is supported.
    "nps=1",
    // Comments for the GUI's debug file are sent once this is accepted.
    "debug=1",
    // `memory` and `cores` set hash table and threads, so no such options are offered.
    "memory=1",
    "smp=1",
    // Root moves can be excluded from analysis and play.
    "exclude=1",
    // Positions can be given a score by hand.
    "setscore=1",
    // Squares are marked when the user picks up a piece.
    "highlight=1",
];

/// The lines that answer `protover`. `done=0` is first, because loading may have taken time, and
/// `done=1` last.
pub(crate) fn lines() -> Vec<String> {
    let mut lines = vec!["feature done=0".to_owned()];
    lines.extend(FIXED.iter().map(|feature| format!("feature {feature}")));
    lines.push(format!("feature myname=\"Orthrus {VERSION}\""));
    lines.push(format!("feature variants=\"{}\"", variants()));
    lines.push(format!("feature egt=\"{TABLE_FORMAT}\""));
    lines.extend(options::all().filter(|spec| is_offered(spec)).map(option));
    lines.extend(Manners::features());
    lines.push("feature done=1".to_owned());
    lines
}

/// The variants that are played, as XBoard names them, separated by commas.
pub fn variants() -> String {
    Variant::ALL.map(Variant::name).join(",")
}

/// Whether an option appears in the GUI's dialogue. The others have a command of their own:
/// `memory`, `cores`, `hard` and `easy`, `egtpath`, `variant`, `analyze`.
fn is_offered(spec: &OptionSpec) -> bool {
    is_settable(spec) && COMMANDS.iter().all(|&(_, name)| name != spec.name)
}

/// Whether `option` sets it: it is offered, or would be to a GUI that rejects the command for it.
pub(crate) fn is_settable(spec: &OptionSpec) -> bool {
    const ELSEWHERE: [&str; 4] = ["Ponder", "UCI_Chess960", "UCI_Variant", "UCI_AnalyseMode"];
    !ELSEWHERE.contains(&spec.name)
}

/// What is announced instead of a rejected feature: the option it stands for.
pub(crate) fn replacement(feature: &str) -> Option<String> {
    let (_, name) = COMMANDS.iter().find(|&&(command, _)| command == feature)?;
    options::find(name).map(option)
}

/// `feature option="..."`. Texts come after a blank even if they are empty: XBoard requires it.
///
/// The name has no blanks: python-chess, and lichess-bot with it, cuts names at the first. It can be
/// set in either spelling.
fn option(spec: &OptionSpec) -> String {
    let name = spec.name.replace(' ', "");
    let value = match spec.kind {
        OptionKind::Check { default, .. } => format!("-check {}", u8::from(default)),
        OptionKind::Spin {
            default, min, max, ..
        } => format!("-spin {default} {min} {max}"),
        OptionKind::Combo {
            default, choices, ..
        } => format!("-combo {}", combo(default, choices)),
        OptionKind::Text {
            default, content, ..
        } => {
            let content = match content {
                TextContent::File => "file",
                TextContent::Path => "path",
            };
            format!("-{content} {default}")
        }
        OptionKind::Button { .. } => "-button".to_owned(),
    };
    format!("feature option=\"{name} {value}\"")
}

fn combo(default: usize, choices: &[&str]) -> String {
    let marked = choices.iter().enumerate().map(|(index, choice)| {
        let mark = if index == default { "*" } else { "" };
        format!("{mark}{choice}")
    });
    marked.collect::<Vec<_>>().join(" /// ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use orthrus_core::engine::options::Setting;

    /// What XBoard takes for a failed start, a claim or an offer, wherever it occurs in a line.
    const DANGEROUS: [&str; 10] = [
        "not found",
        "No such file",
        "Permission denied",
        "unknown host",
        "can't alloc",
        "No remote directory",
        "Draw",
        "game is a draw",
        "offer",
        "'",
    ];

    #[test]
    fn no_line_is_taken_for_something_else() {
        for line in lines() {
            for text in DANGEROUS {
                assert!(!line.contains(text), "{line}");
            }
            assert_eq!(line.matches('"').count() % 2, 0, "{line}");
        }
    }

    #[test]
    fn every_type_of_option_is_written() {
        let spec = |kind| {
            option(&OptionSpec {
                name: "X Y",
                help: "",
                kind,
            })
        };
        assert_eq!(
            spec(OptionKind::Combo {
                default: 1,
                choices: &["one", "two"],
                setting: |_| Setting::ClearHash.into()
            }),
            "feature option=\"XY -combo one /// *two\""
        );
        for (content, expected) in [
            (TextContent::File, "feature option=\"XY -file \""),
            (TextContent::Path, "feature option=\"XY -path \""),
        ] {
            let text = spec(OptionKind::Text {
                default: "",
                content,
                setting: |_| Setting::ClearHash.into(),
            });
            assert_eq!(text, expected);
        }
        assert_eq!(
            spec(OptionKind::Check {
                default: true,
                setting: |_| Setting::ClearHash.into()
            }),
            "feature option=\"XY -check 1\""
        );
    }

    /// python-chess takes the first word for the name, and the second for the type.
    #[test]
    fn no_client_misreads_a_name() {
        const TYPES: [&str; 7] = [
            "-check", "-spin", "-combo", "-string", "-file", "-path", "-button",
        ];
        let lines = lines();
        let options = lines
            .iter()
            .filter_map(|line| line.strip_prefix("feature option=\""));
        assert!(options.clone().count() > 10);
        for option in options {
            let words: Vec<&str> = option.trim_end_matches('"').split(' ').collect();
            assert!(TYPES.contains(&words[1]), "{option}");
            assert!(
                options::find(words[0]).is_some()
                    || Manners::default().set(words[0], None).is_some(),
                "{option}"
            );
        }
    }

    #[test]
    fn options_with_a_command_of_their_own_are_not_offered() {
        let text = lines().join("\n");
        assert!(text.contains("option=\"MultiPV -spin 1 1 500\""));
        assert!(text.contains("option=\"ClearHash -button\""));
        for name in [
            "Hash -spin",
            "Threads",
            "Ponder",
            "UCI_Chess960",
            "UCI_AnalyseMode",
        ] {
            let option = format!("option=\"{name}");
            assert!(!text.contains(&option), "{name}");
        }
    }
}
