//! The options that only UCI has. Only `UCI_SetPositionValue` reaches the engine, as a command.

use std::fmt::Write as _;

use orthrus_core::VERSION;
use orthrus_core::engine::options;
use orthrus_core::fen;
use orthrus_core::position::Variant;
use orthrus_core::search::{PositionValue, ValueChange};
use orthrus_core::types::{MAX_PLY, Score};

use crate::error::UciError;

/// The author, as `id author` and `UCI_EngineAbout` give it.
pub(crate) const AUTHOR: &str = "the Orthrus developers";

const ENGINE_ABOUT: &str = "UCI_EngineAbout";
const OPPONENT: &str = "UCI_Opponent";
const POSITION_VALUE: &str = "UCI_SetPositionValue";

/// A value for one of these options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OwnOption {
    /// Ignored: some GUIs send every option back.
    EngineAbout,
    /// The opponent in words, such as `GM Gary Kasparov, human, Elo 2800`; `None` for nobody in
    /// particular.
    Opponent(Option<String>),
    /// A change of the values given to positions; `None`, the default, changes nothing.
    PositionValue(Option<ValueChange>),
}

pub(crate) fn announcements() -> [String; 3] {
    [
        format!("option name {OPPONENT} type string default <empty>"),
        format!("option name {POSITION_VALUE} type string default <empty>"),
        format!(
            "option name {ENGINE_ABOUT} type string default Orthrus {VERSION} by {AUTHOR}, \
             free under the MIT or the Apache 2.0 licence"
        ),
    ]
}

/// Reads a change of one of these options, while `variant` is played; `None` if the name is not one of them.
pub(crate) fn parse(
    variant: Variant,
    name: &str,
    value: Option<&str>,
) -> Option<Result<OwnOption, UciError>> {
    if options::is_name(ENGINE_ABOUT, name) {
        Some(Ok(OwnOption::EngineAbout))
    } else if options::is_name(OPPONENT, name) {
        Some(parse_opponent(value.unwrap_or_default()).map(OwnOption::Opponent))
    } else if options::is_name(POSITION_VALUE, name) {
        Some(parse_position_value(variant, value.unwrap_or_default()).map(OwnOption::PositionValue))
    } else {
        None
    }
}

/// `<value> + <fen> | clear + <fen> | clearall`: the plus stands for "followed by" and may be left
/// out. The value is in centipawns from White's point of view.
fn parse_position_value(variant: Variant, text: &str) -> Result<Option<ValueChange>, UciError> {
    let text = options::parse_text(text);
    if text.is_empty() {
        return Ok(None);
    }
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let fen = rest.trim_start();
    let fen = fen.strip_prefix('+').unwrap_or(fen).trim_start();
    if word.eq_ignore_ascii_case("clearall") && fen.is_empty() {
        return Ok(Some(ValueChange::ClearAll));
    }
    let clears = word.eq_ignore_ascii_case("clear");
    let most = Score::MAX_EVALUATION.value();
    let value = match word.parse::<i32>() {
        Ok(value) if (-most..=most).contains(&value) => value,
        _ if clears => 0,
        _ => return Err(UciError::PositionValue { most }),
    };
    let position = fen::parse_as(variant, fen).map_err(UciError::ValuedPosition)?;
    if clears {
        return Ok(Some(ValueChange::Clear(position.key())));
    }
    let score = Score::centipawns(value).white_relative(position.side_to_move());
    // For any depth: the specification names none.
    let depth = MAX_PLY as u32;
    let value = PositionValue { score, depth };
    Ok(Some(ValueChange::Set(position.key(), value)))
}

/// `[GM|IM|FM|WGM|WIM|none] [<elo>|none] [computer|human] <name>`
fn parse_opponent(value: &str) -> Result<Option<String>, UciError> {
    if options::parse_text(value).is_empty() {
        return Ok(None);
    }
    let words: Vec<&str> = value.split_whitespace().collect();
    let [title, rating, kind, name @ ..] = words.as_slice() else {
        return Err(UciError::Opponent);
    };
    let is_known = |word: &str| !word.eq_ignore_ascii_case("none");
    let kind = kind.to_ascii_lowercase();
    if !matches!(kind.as_str(), "computer" | "human") {
        return Err(UciError::Opponent);
    }
    let mut text = format!("{}, {kind}", name.join(" "));
    if is_known(title) {
        text.insert_str(0, &format!("{title} "));
    }
    if is_known(rating) {
        let rating: u32 = rating.parse().map_err(|_| UciError::Opponent)?;
        let _ = write!(text, ", Elo {rating}");
    }
    Ok(Some(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(value: &str) -> Result<Option<ValueChange>, UciError> {
        match parse(Variant::Standard, "UCI_SetPositionValue", Some(value)) {
            Some(Ok(OwnOption::PositionValue(change))) => Ok(change),
            Some(Err(error)) => Err(error),
            other => panic!("{value}: {other:?}"),
        }
    }

    #[test]
    fn a_valued_position_is_one_of_the_game_that_is_played() {
        let fen = "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1";
        let value = format!("35 + {fen}");
        let change = |variant| parse(variant, POSITION_VALUE, Some(&value));
        assert!(matches!(
            change(Variant::Standard),
            Some(Err(UciError::ValuedPosition(_)))
        ));
        let key = fen::parse_as(Variant::Horde, fen).map(|position| position.key());
        let Some(Ok(OwnOption::PositionValue(Some(ValueChange::Set(set, _))))) =
            change(Variant::Horde)
        else {
            panic!("refused");
        };
        assert_eq!(Ok(set), key);
    }

    #[test]
    fn values_of_positions_count_from_white() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
        let key = fen::parse(fen).map(|position| position.key());
        let key = key.expect("a legal position");
        let expected = PositionValue {
            score: Score::centipawns(-35),
            depth: MAX_PLY as u32,
        };
        for text in [
            format!("35 {fen}"),
            format!(" 35 +  {fen} "),
            format!("+35 + {fen}"),
        ] {
            let set = ValueChange::Set(key, expected);
            assert_eq!(change(&text), Ok(Some(set)), "{text}");
        }
        let clear = change(&format!("clear {fen}"));
        assert_eq!(clear, Ok(Some(ValueChange::Clear(key))));
        assert_eq!(change("clearall"), Ok(Some(ValueChange::ClearAll)));
        for text in ["", " ", "<EMPTY>"] {
            assert_eq!(change(text), Ok(None), "{text}");
        }
        for text in [
            "35",
            "clear",
            "x 4k3",
            "-2147483648 + 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
            "99999 + 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
        ] {
            assert!(change(text).is_err(), "{text}");
        }
    }

    fn opponent(value: &str) -> Result<Option<String>, UciError> {
        match parse(Variant::Standard, "uci_opponent", Some(value)) {
            Some(Ok(OwnOption::Opponent(opponent))) => Ok(opponent),
            Some(Err(error)) => Err(error),
            other => panic!("{value}: {other:?}"),
        }
    }

    #[test]
    fn reads_the_examples_of_the_specification() {
        let kasparov = "GM Gary Kasparov, human, Elo 2800".to_owned();
        assert_eq!(opponent("GM 2800 human Gary Kasparov"), Ok(Some(kasparov)));
        let shredder = "Shredder, computer".to_owned();
        assert_eq!(opponent("none none computer Shredder"), Ok(Some(shredder)));
    }

    #[test]
    fn nobody_and_nonsense() {
        assert_eq!(opponent(""), Ok(None));
        assert_eq!(opponent("<empty>"), Ok(None));
        for value in [
            "Shredder",
            "GM high human X",
            "GM 2800 alien X",
            "GM -1 human X",
        ] {
            assert_eq!(opponent(value), Err(UciError::Opponent), "{value}");
        }
    }

    #[test]
    fn other_names_are_the_engines() {
        assert_eq!(parse(Variant::Standard, "Hash", Some("1")), None);
    }
}
