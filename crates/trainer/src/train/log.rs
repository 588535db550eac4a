//! The log of a training: one row per report, as CSV.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::sample::Phase;

/// What is reported now and then during a training. Losses are means of what `Objective` defines;
/// those against score and result alone are always mean squared errors of the expected points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// Positions learned from so far, each visit counted.
    pub visits: u64,
    /// Time trained so far.
    pub seconds: f64,
    /// The learning rate.
    pub rate: f32,
    /// The loss on what was learned since the last report.
    pub training: f64,
    /// The loss on games that are not learned from.
    pub validation: f64,
    /// The same by phase of the game, in the order of [`Phase::ALL`]; not a number if no position
    /// belongs to the phase.
    #[serde(with = "maybe_nan")]
    pub phases: [f64; Phase::ALL.len()],
    /// The loss on games that are not learned from, against the search's score alone.
    pub score: f64,
    /// The same against the game's result alone.
    pub result: f64,
}

/// JSON has no NaN: it is written as `null`.
mod maybe_nan {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    use super::Phase;

    type Values = [f64; Phase::ALL.len()];

    pub(super) fn serialize<S: Serializer>(values: &Values, to: S) -> Result<S::Ok, S::Error> {
        values
            .map(|value| (!value.is_nan()).then_some(value))
            .serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Values, D::Error> {
        let values = <[Option<f64>; Phase::ALL.len()]>::deserialize(from)?;
        Ok(values.map(|value| value.unwrap_or(f64::NAN)))
    }
}

/// The rows as CSV, with a header line.
pub(crate) fn csv(rows: &[Row]) -> String {
    let mut text = String::from("visits,seconds,learning_rate,training,validation");
    for phase in Phase::ALL {
        text.push_str(",validation_");
        text.push_str(phase.name());
    }
    text.push_str(",validation_score,validation_result\n");
    for row in rows {
        let [opening, middlegame, endgame] = row.phases;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{},{:.1},{:.3e},{:.6},{:.6},{opening:.6},{middlegame:.6},{endgame:.6},{:.6},{:.6}",
            row.visits, row.seconds, row.rate, row.training, row.validation, row.score, row.result,
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_a_field_per_column() {
        let row = Row {
            visits: 16_384,
            seconds: 1.25,
            rate: 1e-3,
            training: 0.1,
            validation: 0.2,
            phases: [0.3, f64::NAN, 0.5],
            score: 0.6,
            result: 0.7,
        };
        let text = csv(std::slice::from_ref(&row));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "visits,seconds,learning_rate,training,validation,\
             validation_opening,validation_middlegame,validation_endgame,\
             validation_score,validation_result"
        );
        assert_eq!(
            lines[1],
            "16384,1.2,1.000e-3,0.100000,0.200000,0.300000,NaN,0.500000,0.600000,0.700000"
        );

        let json = serde_json::to_string(&row).unwrap();
        let read: Row = serde_json::from_str(&json).unwrap();
        assert!(read.phases[1].is_nan());
        assert_eq!(read.phases[2].to_bits(), row.phases[2].to_bits());
    }
}
