//! Values of options as users type them, checked against the table.

use thiserror::Error;

use super::table::find;
use super::{OptionChange, OptionKind, OptionSpec};

/// Why a change of an option was refused. The old value stays.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// The table has no option of this name.
    #[error("no such option: {0}")]
    Unknown(String),
    /// The option needs a value and none was given.
    #[error("option {0} needs a value")]
    MissingValue(&'static str),
    /// The value is of another kind.
    #[error("option {name} takes {expected}, not {value}")]
    Malformed {
        /// The option.
        name: &'static str,
        /// What it takes, in words.
        expected: String,
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
}

impl OptionError {
    fn malformed(name: &'static str, expected: &str, value: &str) -> Self {
        Self::Malformed {
            name,
            expected: expected.to_owned(),
            value: value.to_owned(),
        }
    }
}

/// Checks a name and a value, both as typed by a user, against the table.
///
/// `value` is `None` if none was given. `<empty>` means an empty text. On and off may be written as
/// true and false or as 1 and 0.
///
/// # Errors
///
/// Says what is wrong with the name or the value.
pub fn parse(name: &str, value: Option<&str>) -> Result<OptionChange, OptionError> {
    let spec = find(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
    spec.parse(value)
}

impl OptionSpec {
    /// Checks a value for this option; see [`parse`].
    ///
    /// # Errors
    ///
    /// Says what is wrong with the value.
    pub fn parse(&self, value: Option<&str>) -> Result<OptionChange, OptionError> {
        let name = self.name;
        Ok(match self.kind {
            OptionKind::Check { setting, .. } => setting(parse_check(name, value)?),
            OptionKind::Spin {
                min, max, setting, ..
            } => setting(parse_spin(name, value, min, max)?),
            OptionKind::Combo {
                choices, setting, ..
            } => setting(parse_choice(name, value, choices)?),
            OptionKind::Text { setting, .. } => {
                setting(parse_text(value.unwrap_or_default()).to_owned())
            }
            OptionKind::Button { setting } => setting(),
        })
    }
}

/// The text of a value: what UCI calls `<empty>`, in any letters, is none.
pub fn parse_text(value: &str) -> &str {
    let text = value.trim();
    if text.eq_ignore_ascii_case("<empty>") {
        ""
    } else {
        text
    }
}

/// A value that must be given.
fn given<'a>(name: &'static str, value: Option<&'a str>) -> Result<&'a str, OptionError> {
    value
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .ok_or(OptionError::MissingValue(name))
}

/// The place of a word among the choices.
fn parse_choice(
    name: &'static str,
    value: Option<&str>,
    choices: &'static [&'static str],
) -> Result<usize, OptionError> {
    let value = given(name, value)?;
    let place = choices
        .iter()
        .position(|choice| choice.eq_ignore_ascii_case(value));
    let expected = || format!("one of {}", choices.join(", "));
    place.ok_or_else(|| OptionError::malformed(name, &expected(), value))
}

/// Reads on or off.
///
/// # Errors
///
/// If the value is missing or neither.
pub fn parse_check(name: &'static str, value: Option<&str>) -> Result<bool, OptionError> {
    let value = given(name, value)?;
    match value.to_ascii_lowercase().as_str() {
        "true" | "1" | "on" => Ok(true),
        "false" | "0" | "off" => Ok(false),
        _ => Err(OptionError::malformed(name, "true or false", value)),
    }
}

/// Reads a whole number from `min` to `max`.
///
/// # Errors
///
/// If the value is missing, no such number, or outside the range.
pub fn parse_spin(
    name: &'static str,
    value: Option<&str>,
    min: i64,
    max: i64,
) -> Result<i64, OptionError> {
    let value = given(name, value)?;
    let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(OptionError::malformed(name, "a whole number", value));
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
    use std::time::Duration;

    use super::*;
    use crate::engine::options::{Setting, all};

    #[test]
    fn names_ignore_case_and_blanks() {
        let expected = OptionChange::from(Setting::MoveOverhead(Duration::from_millis(100)));
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
        assert_eq!(
            parse("Hash", Some("abc")),
            Err(OptionError::malformed("Hash", "a whole number", "abc"))
        );
        assert!(matches!(
            parse("Hash", Some("-1")),
            Err(OptionError::OutOfRange { .. })
        ));
        assert!(matches!(
            parse("Hash", Some("99999999999999999999999")),
            Err(OptionError::OutOfRange { .. })
        ));
        assert_eq!(
            parse("Ponder", Some("maybe")),
            Err(OptionError::malformed("Ponder", "true or false", "maybe"))
        );
    }

    #[test]
    fn a_button_needs_no_value() {
        for value in [None, Some("")] {
            assert_eq!(parse("clear hash", value), Ok(Setting::ClearHash.into()));
        }
    }

    #[test]
    fn defaults_are_valid_values() {
        for spec in all() {
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
