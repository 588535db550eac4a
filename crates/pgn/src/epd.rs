//! Extended Position Description (EPD): a position and what is known of it, on one line, as section
//! 16.2 of the PGN standard defines it.

use orthrus_core::fen::{self, FenError};
use orthrus_core::position::{Position, Variant};
use thiserror::Error;

/// A line of EPD.
#[derive(Clone, Debug)]
pub struct Epd {
    /// The position; `hmvc` and `fmvn` have set its counters.
    pub position: Position,
    /// What is said of it, in the order of the line.
    pub operations: Vec<Operation>,
}

/// A statement about a position: `bm Nf3 e4;`, `id "WAC.001";`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// What it is about.
    pub opcode: String,
    /// What it says; texts without their quotation marks.
    pub operands: Vec<String>,
}

/// Why a line is not EPD.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EpdError {
    /// The position is wrong.
    #[error(transparent)]
    Position(#[from] FenError),
    /// The operation `variant` names no game that is known.
    #[error("unknown variant {0:?}")]
    Variant(String),
    /// A quoted text is not closed.
    #[error("no closing quotation mark after {0}")]
    OpenText(String),
}

impl Epd {
    /// Reads a line about this game, or the one that its operation `variant` names. Tolerates counters
    /// after the four fields, as in a FEN, superfluous dashes and semicolons, and a last operation without
    /// a semicolon.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the line.
    pub fn parse(variant: Variant, line: &str) -> Result<Self, EpdError> {
        let (fields, rest) = split_fields(line);
        let operations = parse_operations(rest)?;
        let operand = |opcode: &str| {
            let operation = operations.iter().find(|it| it.opcode == opcode)?;
            operation.operands.first()
        };
        let counter = |opcode: &str| operand(opcode)?.parse::<u16>().ok();
        let variant = match operand("variant") {
            Some(name) => {
                Variant::from_name(name).ok_or_else(|| EpdError::Variant(name.clone()))?
            }
            None => variant,
        };
        let mut setup = fen::parse_setup_as(variant, &fields)?;
        if let Some(clock) = counter("hmvc") {
            setup.halfmove_clock = clock;
        }
        if let Some(number) = counter("fmvn") {
            setup.fullmove_number = number.max(1);
        }
        let position = Position::from_setup(&setup).map_err(FenError::from)?;
        Ok(Self {
            position,
            operations,
        })
    }

    /// The operands of all operations of this name; none if there is no such operation.
    pub fn operands(&self, opcode: &str) -> Vec<&str> {
        let operations = self.operations.iter().filter(|it| it.opcode == opcode);
        let operands = operations.flat_map(|operation| &operation.operands);
        operands.map(String::as_str).collect()
    }
}

/// The fields of the position with its counters, and what follows them. A FEN has two counters; three
/// checks counts these as well, `3+3` or `+0+0`.
fn split_fields(line: &str) -> (String, &str) {
    let mut fields: Vec<&str> = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let end = rest
            .find(|c: char| c.is_whitespace() || c == ';')
            .unwrap_or(rest.len());
        let word = &rest[..end];
        let is_counter = || word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+'));
        let counts_checks = fields
            .iter()
            .skip(4)
            .chain([&word])
            .any(|it| it.contains('+'));
        let most = if counts_checks { 7 } else { 6 };
        if word.is_empty() || (fields.len() >= 4 && !is_counter()) || fields.len() == most {
            break;
        }
        fields.push(word);
        rest = rest[end..].trim_start();
    }
    (fields.join(" "), rest)
}

fn parse_operations(text: &str) -> Result<Vec<Operation>, EpdError> {
    let mut operations = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        match rest.chars().next() {
            None => break,
            Some(';') => {
                operations.extend(operation(&mut words));
                rest = &rest[1..];
            }
            Some('"') => {
                let (text, behind) =
                    quoted(&rest[1..]).ok_or_else(|| EpdError::OpenText(rest.to_owned()))?;
                words.push(text);
                rest = behind;
            }
            Some(_) => {
                let end = rest.find(|c: char| c.is_whitespace() || matches!(c, ';' | '"'));
                let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
                if word != "-" || !words.is_empty() {
                    words.push(word.to_owned());
                }
                rest = behind;
            }
        }
    }
    operations.extend(operation(&mut words));
    Ok(operations)
}

/// A text up to its closing quotation mark, and what follows that. A backslash before a quotation mark or another
/// backslash makes it part of the text, as in PGN.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => {
                let escaped = letters.next_if(|&(_, next)| matches!(next, '"' | '\\'));
                value.push(escaped.map_or(letter, |(_, escaped)| escaped));
            }
            letter => value.push(letter),
        }
    }
    None
}

/// The words collected so far, as an operation; `None` if there are none.
fn operation(words: &mut Vec<String>) -> Option<Operation> {
    let mut words = std::mem::take(words).into_iter();
    Some(Operation {
        opcode: words.next()?,
        operands: words.collect(),
    })
}

#[cfg(test)]
mod tests {
    use orthrus_core::types::Color;

    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn operations(rest: &str) -> Vec<String> {
        let record = Epd::parse(Variant::Standard, &format!("{START}{rest}")).unwrap();
        let operations = record.operations.iter();
        operations
            .map(|it| format!("{}={}", it.opcode, it.operands.join(",")))
            .collect()
    }

    #[test]
    fn a_line_is_about_a_game() {
        let line = "4k3/8/8/8/8/8/4P3/4K3 w - - 2+1 3 7 bm e4;";
        let record = Epd::parse(Variant::ThreeCheck, line).unwrap();
        assert_eq!(record.position.checks_left(Color::Black), 1);
        assert_eq!(record.position.fullmove_number(), 7);
        assert_eq!(record.operands("bm"), ["e4"]);
        assert!(Epd::parse(Variant::Standard, line).is_err());
        let line = "4k3/8/8/8/8/8/4P3/4K3[Nn] w - - bm N@f6+;";
        let record = Epd::parse(Variant::Crazyhouse, line).unwrap();
        assert_eq!(record.operands("bm"), ["N@f6+"]);
    }

    #[test]
    fn a_line_may_name_its_game() {
        let checks = "4k3/8/8/8/8/8/4P3/4K3 w - - 2+1 3 7 bm e4; variant 3check;";
        let hands = "4k3/8/8/8/8/8/4P3/4K3[Nn] w - - variant crazyhouse;";
        for (line, variant) in [(checks, Variant::ThreeCheck), (hands, Variant::Crazyhouse)] {
            for other in [Variant::Standard, Variant::Atomic] {
                let record = Epd::parse(other, line).unwrap();
                assert_eq!(record.position.variant(), variant);
            }
        }
        let unknown = Epd::parse(Variant::Standard, &format!("{START} variant bughouse;"));
        assert_eq!(
            unknown.unwrap_err(),
            EpdError::Variant("bughouse".to_owned())
        );
    }

    #[test]
    fn operations_end_at_semicolons_outside_texts() {
        for (rest, expected) in [
            ("", &[][..]),
            (" bm e4 d4; id \"a;b c\";", &["bm=e4,d4", "id=a;b c"]),
            (" bm e4", &["bm=e4"]),
            (" bm e4;id\"x\"", &["bm=e4", "id=x"]),
            (
                " id \"19\\\" board\"; c0 \"a\\\\b\\c\";",
                &["id=19\" board", "c0=a\\b\\c"],
            ),
            (" ; bm e4;;", &["bm=e4"]),
            (" - bm e4;", &["bm=e4"]),
            (" 0 1 bm e4;", &["bm=e4"]),
            (" id \"\"; pv;", &["id=", "pv="]),
        ] {
            assert_eq!(operations(rest), expected, "{rest}");
        }
    }

    #[test]
    fn counters_may_be_operations() {
        let record = Epd::parse(
            Variant::Standard,
            "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 12; fmvn 40;",
        )
        .unwrap();
        assert_eq!(record.position.halfmove_clock(), 12);
        assert_eq!(record.position.fullmove_number(), 40);
        assert_eq!(record.operands("hmvc"), ["12"]);
        assert!(record.operands("bm").is_empty());
    }

    #[test]
    fn what_is_wrong_is_told() {
        assert!(matches!(
            Epd::parse(Variant::Standard, "4k3/8/8/8/8/8/4P3/4K3 bm e4;"),
            Err(EpdError::Position(FenError::SideToMove(_)))
        ));
        assert!(matches!(
            Epd::parse(Variant::Standard, " "),
            Err(EpdError::Position(FenError::Empty))
        ));
        assert_eq!(
            Epd::parse(Variant::Standard, &format!("{START} id \"open;")).unwrap_err(),
            EpdError::OpenText("\"open;".to_owned())
        );
    }
}
