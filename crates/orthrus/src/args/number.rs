//! Whole numbers as arguments, refused in the words that the engine's options have.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use thiserror::Error;

/// Why an argument is no number that can be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("it takes a whole number from {least} to {most}, not {text}")]
pub(super) struct NumberError {
    text: String,
    least: String,
    most: String,
}

/// Reads a whole number in this range.
pub(super) fn number<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, NumberError> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let value = text.parse().ok().filter(|value| range.contains(value));
        value.ok_or_else(|| NumberError {
            text: text.to_owned(),
            least: range.start().to_string(),
            most: range.end().to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_is_told_in_one_way() {
        let depth = number(1..=60u32);
        assert_eq!(depth("60"), Ok(60));
        for text in ["0", "61", "-1", "x", "", "99999999999999999999"] {
            let refusal = depth(text).unwrap_err().to_string();
            let expected = format!("it takes a whole number from 1 to 60, not {text}");
            assert_eq!(refusal, expected);
        }
    }
}
