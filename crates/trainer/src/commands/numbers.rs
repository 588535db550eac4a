//! Numbers on the command line, each within its range.

use std::ops::RangeInclusive;

/// Sums of larger input weights might not fit into 16 bits.
pub(super) const WIDEST_INPUT: f64 = 1.98;

/// A positive whole number, also in the form 1e9.
pub(super) fn count(text: &str) -> Result<u64, String> {
    number(text, 1.0..=1e15).map(|number| number as u64)
}

/// A number from 0 to 1.
pub(super) fn share(text: &str) -> Result<f32, String> {
    number(text, 0.0..=1.0).map(|number| number as f32)
}

/// A power of an error.
pub(super) fn exponent(text: &str) -> Result<f32, String> {
    number(text, 1.0..=4.0).map(|number| number as f32)
}

/// The largest absolute weight or bias that a training allows at the inputs.
pub(super) fn input_weight(text: &str) -> Result<f32, String> {
    number(text, 0.01..=WIDEST_INPUT).map(|number| number as f32)
}

/// Minutes: some milliseconds to two years.
pub(super) fn minutes(text: &str) -> Result<f64, String> {
    number(text, 0.001..=1e6)
}

/// A number within a range.
pub(super) fn number(text: &str, range: RangeInclusive<f64>) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("not a number from {} to {}", range.start(), range.end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_may_have_an_exponent() {
        assert_eq!(count("1e9"), Ok(1_000_000_000));
        assert_eq!(count("16384"), Ok(16_384));
        for bad in ["0", "-1", "NaN", "inf", "1e99", "many"] {
            assert!(count(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers_have_a_range() {
        assert_eq!(share("0.25"), Ok(0.25));
        for bad in ["1.1", "-0.1", "NaN", "half"] {
            assert!(share(bad).is_err(), "{bad}");
        }
        assert_eq!(exponent("2.5"), Ok(2.5));
        for bad in ["0.9", "4.1", "NaN", "square"] {
            assert!(exponent(bad).is_err(), "{bad}");
        }
        assert_eq!(input_weight("1.98"), Ok(1.98));
        for bad in ["0", "-1", "1.99", "NaN"] {
            assert!(input_weight(bad).is_err(), "{bad}");
        }
        assert_eq!(minutes("0.5"), Ok(0.5));
        for bad in ["-1", "NaN", "inf"] {
            assert!(minutes(bad).is_err(), "{bad}");
        }
    }
}
