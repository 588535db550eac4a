//! The one table of options: their names, kinds, ranges and defaults. Front ends print it and
//! parse against it; nothing else knows an option's text.

use std::time::Duration;

use thiserror::Error;

/// A change of one option, checked against the table.
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
    /// Whether the engine may think on the opponent's time. The front end decides when to; the
    /// time manager spends a little more where it is on.
    Ponder(bool),
    /// Time kept back for the way to the user and back.
    MoveOverhead(Duration),
    /// The file of the network to evaluate with; empty for the embedded one.
    EvalFile(String),
    /// Whether castling is written as in Chess960. Only front ends act on it.
    Chess960(bool),
}

/// What values an option takes, and the setting that a value makes.
#[derive(Clone, Copy, Debug)]
pub enum OptionKind {
    /// On or off.
    Check {
        /// Value at start.
        default: bool,
        /// The setting of a value.
        setting: fn(bool) -> Setting,
    },
    /// A whole number.
    Spin {
        /// Value at start.
        default: i64,
        /// Least value.
        min: i64,
        /// Largest value.
        max: i64,
        /// The setting of a value.
        setting: fn(i64) -> Setting,
    },
    /// One of several words.
    Combo {
        /// Which of the choices holds at start, as an index.
        default: usize,
        /// The words.
        choices: &'static [&'static str],
        /// The setting of a choice, by index.
        setting: fn(usize) -> Setting,
    },
    /// Any text, which may be empty.
    Text {
        /// Value at start.
        default: &'static str,
        /// What the text stands for.
        content: TextContent,
        /// The setting of a value.
        setting: fn(String) -> Setting,
    },
    /// An action without a value.
    Button {
        /// The setting that a press makes.
        setting: fn() -> Setting,
    },
}

/// What the text of an option stands for, for front ends that offer a file dialogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextContent {
    /// Nothing in particular.
    Plain,
    /// The name of a file.
    File,
    /// One or several folders.
    Path,
}

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Its name as users know it; blanks and capitals belong to it, but are not compared.
    pub name: &'static str,
    /// Its values.
    pub kind: OptionKind,
}

/// Every option there is, in the order in which users see them.
pub static OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "Hash",
        kind: OptionKind::Spin {
            default: 16,
            min: 1,
            max: 1 << 20,
            setting: |mebibytes| Setting::Hash(mebibytes as usize),
        },
    },
    OptionSpec {
        name: "Threads",
        kind: OptionKind::Spin {
            default: 1,
            min: 1,
            max: 512,
            setting: |threads| Setting::Threads(threads as usize),
        },
    },
    OptionSpec {
        name: "Clear Hash",
        kind: OptionKind::Button {
            setting: || Setting::ClearHash,
        },
    },
    OptionSpec {
        name: "MultiPV",
        kind: OptionKind::Spin {
            default: 1,
            min: 1,
            max: 500,
            setting: |lines| Setting::MultiPv(lines as usize),
        },
    },
    OptionSpec {
        name: "Ponder",
        kind: OptionKind::Check {
            default: false,
            setting: Setting::Ponder,
        },
    },
    OptionSpec {
        name: "Move Overhead",
        kind: OptionKind::Spin {
            default: 30,
            min: 0,
            max: 5000,
            setting: |millis| Setting::MoveOverhead(Duration::from_millis(millis as u64)),
        },
    },
    OptionSpec {
        name: "EvalFile",
        kind: OptionKind::Text {
            default: "",
            content: TextContent::File,
            setting: Setting::EvalFile,
        },
    },
    OptionSpec {
        name: "UCI_Chess960",
        kind: OptionKind::Check {
            default: false,
            setting: Setting::Chess960,
        },
    },
];

/// Why a change of an option was refused. The old value stays.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// The table has no option of this name.
    #[error("no such option: {0}")]
    Unknown(String),
    /// The option needs a value and none was given.
    #[error("option {0} needs a value")]
    MissingValue(&'static str),
    /// The value is not on or off.
    #[error("option {name} takes true or false, not {value}")]
    NotACheck {
        /// The option.
        name: &'static str,
        /// The text given.
        value: String,
    },
    /// The value is no whole number.
    #[error("option {name} takes a whole number, not {value}")]
    NotANumber {
        /// The option.
        name: &'static str,
        /// The text given.
        value: String,
    },
    /// The number is too small or too large.
    #[error("option {name} takes {min} to {max}, not {value}")]
    OutOfRange {
        /// The option.
        name: &'static str,
        /// The number given, as text: it may be larger than any integer.
        value: String,
        /// Least value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// The word is none of the choices.
    #[error("option {name} takes one of {choices:?}, not {value}")]
    NotAChoice {
        /// The option.
        name: &'static str,
        /// The text given.
        value: String,
        /// The words it takes.
        choices: &'static [&'static str],
    },
}

/// The option of this name; case and blanks do not count, so `moveoverhead` is `Move Overhead`.
pub fn find(name: &str) -> Option<&'static OptionSpec> {
    fn letters(name: &str) -> impl Iterator<Item = char> {
        name.chars()
            .filter(|c| !c.is_whitespace())
            .map(|c| c.to_ascii_lowercase())
    }
    OPTIONS
        .iter()
        .find(|spec| letters(spec.name).eq(letters(name)))
}

/// The settings that make every option's default value, but for buttons.
pub fn defaults() -> impl Iterator<Item = Setting> {
    OPTIONS.iter().filter_map(|spec| match spec.kind {
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
    })
}

/// Checks a name and a value, both as typed by a user, against the table.
///
/// `value` is `None` where none was given. `<empty>` means an empty text. On and off may be
/// written as true and false or as 1 and 0.
///
/// # Errors
///
/// Says what is wrong with the name or the value.
pub fn parse(name: &str, value: Option<&str>) -> Result<Setting, OptionError> {
    let spec = find(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
    spec.parse(value)
}

impl OptionSpec {
    /// Checks a value for this option; see [`parse`].
    ///
    /// # Errors
    ///
    /// Says what is wrong with the value.
    pub fn parse(&self, value: Option<&str>) -> Result<Setting, OptionError> {
        let name = self.name;
        if let OptionKind::Button { setting } = self.kind {
            return Ok(setting());
        }
        let value = value.map(str::trim);
        if let OptionKind::Text { setting, .. } = self.kind {
            let text = value.filter(|&text| text != "<empty>").unwrap_or_default();
            return Ok(setting(text.to_owned()));
        }
        let value = value
            .filter(|text| !text.is_empty())
            .ok_or(OptionError::MissingValue(name))?;
        match self.kind {
            OptionKind::Check { setting, .. } => parse_check(name, value).map(setting),
            OptionKind::Spin {
                min, max, setting, ..
            } => parse_spin(name, value, min, max).map(setting),
            OptionKind::Combo {
                choices, setting, ..
            } => choices
                .iter()
                .position(|choice| choice.eq_ignore_ascii_case(value))
                .map(setting)
                .ok_or(OptionError::NotAChoice {
                    name,
                    value: value.to_owned(),
                    choices,
                }),
            OptionKind::Button { .. } | OptionKind::Text { .. } => unreachable!("handled above"),
        }
    }
}

fn parse_check(name: &'static str, value: &str) -> Result<bool, OptionError> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "1" | "on" => Ok(true),
        "false" | "0" | "off" => Ok(false),
        _ => Err(OptionError::NotACheck {
            name,
            value: value.to_owned(),
        }),
    }
}

fn parse_spin(name: &'static str, value: &str, min: i64, max: i64) -> Result<i64, OptionError> {
    let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(OptionError::NotANumber {
            name,
            value: value.to_owned(),
        });
    }
    match value.parse() {
        Ok(number) if (min..=max).contains(&number) => Ok(number),
        _ => Err(OptionError::OutOfRange {
            name,
            value: value.to_owned(),
            min,
            max,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_ignore_case_and_blanks() {
        let expected = Setting::MoveOverhead(Duration::from_millis(100));
        for name in [
            "Move Overhead",
            "move overhead",
            "MoveOverhead",
            " Move  Overhead ",
        ] {
            assert_eq!(parse(name, Some("100")), Ok(expected.clone()));
        }
    }

    #[test]
    fn refusals_say_why() {
        assert_eq!(
            parse("Nonsense", Some("1")),
            Err(OptionError::Unknown("Nonsense".into()))
        );
        assert_eq!(parse("Hash", None), Err(OptionError::MissingValue("Hash")));
        assert_eq!(
            parse("Hash", Some("  ")),
            Err(OptionError::MissingValue("Hash"))
        );
        assert!(matches!(
            parse("Hash", Some("abc")),
            Err(OptionError::NotANumber { .. })
        ));
        assert!(matches!(
            parse("Hash", Some("-1")),
            Err(OptionError::OutOfRange { .. })
        ));
        assert!(matches!(
            parse("Hash", Some("99999999999999999999999")),
            Err(OptionError::OutOfRange { .. })
        ));
        assert!(matches!(
            parse("Ponder", Some("maybe")),
            Err(OptionError::NotACheck { .. })
        ));
    }

    #[test]
    fn a_button_needs_no_value() {
        assert_eq!(parse("clear hash", None), Ok(Setting::ClearHash));
        assert_eq!(parse("Clear Hash", Some("")), Ok(Setting::ClearHash));
    }

    #[test]
    fn defaults_are_valid_values() {
        for spec in OPTIONS {
            match spec.kind {
                OptionKind::Spin {
                    default, min, max, ..
                } => {
                    assert!((min..=max).contains(&default), "{}", spec.name);
                }
                OptionKind::Combo {
                    default, choices, ..
                } => {
                    assert!(default < choices.len(), "{}", spec.name);
                }
                _ => {}
            }
        }
    }
}
