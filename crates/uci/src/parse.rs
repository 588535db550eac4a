//! A line of the GUI as typed input. Knows the text, not the game: whether a move is legal is
//! decided where the position is known.

use crate::error::{PositionRefusal, UciError};
use crate::go::GoParameters;
use crate::words::Words;

/// Whether a conversation that begins with this line is in UCI. A program begins with `uci`, also
/// after words to be ignored ("joho uci"); a person may skip that.
pub fn recognises(line: &str) -> bool {
    let mut words = line.split_whitespace();
    match words.next() {
        Some(
            "uci" | "debug" | "isready" | "setoption" | "register" | "ucinewgame" | "position"
            | "go" | "stop" | "ponderhit",
        ) => true,
        Some("flip" | "book") if words.clone().next().is_none() => true,
        _ => words.any(|word| word == "uci"),
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input<'a> {
    Uci,
    Debug(bool),
    IsReady,
    SetOption {
        name: String,
        value: Option<&'a str>,
    },
    /// With a name, a code, or both.
    Register,
    RegisterLater,
    NewGame,
    Position {
        start: Start,
        moves: Vec<&'a str>,
    },
    Go(Box<GoParameters<'a>>),
    Stop,
    PonderHit,
    Quit,
    Flip,
    Book,
}

/// Where the moves of `position` begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    Standard,
    /// A FEN, not checked yet.
    Fen(String),
}

/// Reads a line; `None` if it is empty or a comment.
///
/// Unknown words before a command are skipped, as the specification asks ("joho debug on"). The
/// words that only people type, `flip` and `book`, must stand alone.
pub(crate) fn parse(line: &str) -> Result<Option<Input<'_>>, UciError> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    match line {
        "flip" => return Ok(Some(Input::Flip)),
        "book" => return Ok(Some(Input::Book)),
        _ => {}
    }
    let mut words = Words::new(line);
    while let Some(word) = words.next() {
        let input = match word {
            "uci" => Input::Uci,
            "debug" => Input::Debug(debug_switch(words)?),
            "isready" => Input::IsReady,
            "setoption" => set_option(words)?,
            "register" => registration(words)?,
            "ucinewgame" => Input::NewGame,
            "position" => position(words)?,
            "go" => Input::Go(Box::new(GoParameters::parse(words))),
            "stop" => Input::Stop,
            "ponderhit" => Input::PonderHit,
            "quit" => Input::Quit,
            _ => continue,
        };
        return Ok(Some(input));
    }
    Err(match line {
        "xboard" => UciError::OtherProtocol,
        _ => UciError::UnknownCommand(line.to_owned()),
    })
}

fn debug_switch(mut words: Words<'_>) -> Result<bool, UciError> {
    match words.next() {
        Some("on") => Ok(true),
        Some("off") => Ok(false),
        _ => Err(UciError::DebugSwitch),
    }
}

/// `name` may consist of several words and ends at the first `value`; the value is the rest.
fn set_option(mut words: Words<'_>) -> Result<Input<'_>, UciError> {
    words
        .find(|&word| word == "name")
        .ok_or(UciError::OptionName)?;
    let mut name: Vec<&str> = Vec::new();
    let mut value = None;
    while let Some(word) = words.next() {
        if word == "value" {
            value = Some(words.rest());
            break;
        }
        name.push(word);
    }
    if name.is_empty() {
        return Err(UciError::OptionName);
    }
    Ok(Input::SetOption {
        name: name.join(" "),
        value,
    })
}

fn registration(mut words: Words<'_>) -> Result<Input<'_>, UciError> {
    match words.find(|word| matches!(*word, "later" | "name" | "code")) {
        Some("later") => Ok(Input::RegisterLater),
        Some(_) => Ok(Input::Register),
        None => Err(UciError::Registration),
    }
}

fn position(mut words: Words<'_>) -> Result<Input<'_>, UciError> {
    let start = match words.next() {
        Some("startpos") => match words.next() {
            None | Some("moves") => Start::Standard,
            Some(word) => return Err(PositionRefusal::NoMoves(word.to_owned()).into()),
        },
        Some("fen") => {
            let fields: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
            Start::Fen(fields.join(" "))
        }
        other => {
            let got = other.unwrap_or("the end of the line").to_owned();
            return Err(PositionRefusal::NoStart(got).into());
        }
    };
    Ok(Input::Position {
        start,
        moves: words.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &Input<'_>) {
        assert_eq!(parse(line), Ok(Some(expected.clone())), "{line:?}");
    }

    fn option<'a>(name: &str, value: Option<&'a str>) -> Input<'a> {
        Input::SetOption {
            name: name.to_owned(),
            value,
        }
    }

    #[test]
    fn white_space_is_arbitrary() {
        for line in ["debug on", "  debug   on  ", "\t debug \t \t\ton\t "] {
            check(line, &Input::Debug(true));
        }
    }

    #[test]
    fn unknown_words_before_a_command_are_skipped() {
        check("joho debug on", &Input::Debug(true));
        check("joho uci", &Input::Uci);
        assert_eq!(parse("debug joho on"), Err(UciError::DebugSwitch));
        assert_eq!(
            parse("UCI"),
            Err(UciError::UnknownCommand("UCI".to_owned()))
        );
        assert_eq!(parse("xboard"), Err(UciError::OtherProtocol));
        assert_eq!(
            parse("joho flip"),
            Err(UciError::UnknownCommand("joho flip".to_owned()))
        );
    }

    #[test]
    fn nothing_is_asked_by_empty_lines_and_comments() {
        for line in ["", " \t ", "# go infinite"] {
            assert_eq!(parse(line), Ok(None), "{line:?}");
        }
    }

    #[test]
    fn option_names_and_values_may_have_blanks() {
        check("setoption name Clear   Hash", &option("Clear Hash", None));
        check(
            "setoption name NalimovPath value c:\\chess\\tb\\4;c:\\my  tb",
            &option("NalimovPath", Some("c:\\chess\\tb\\4;c:\\my  tb")),
        );
        check("setoption name Hash value", &option("Hash", Some("")));
        assert_eq!(parse("setoption Hash 16"), Err(UciError::OptionName));
        assert_eq!(parse("setoption name value 3"), Err(UciError::OptionName));
    }

    #[test]
    fn registrations_are_read() {
        check("register later", &Input::RegisterLater);
        check("register name Stefan MK code 4359874324", &Input::Register);
        assert_eq!(parse("register"), Err(UciError::Registration));
    }

    #[test]
    fn positions_are_read_whole() {
        let moves = |start, moves: &[&'static str]| Input::Position {
            start,
            moves: moves.to_vec(),
        };
        check("position startpos", &moves(Start::Standard, &[]));
        check("position startpos moves", &moves(Start::Standard, &[]));
        check(
            "position fen  8/8  w moves a1a2\tb1b2",
            &moves(Start::Fen("8/8 w".to_owned()), &["a1a2", "b1b2"]),
        );
        assert_eq!(
            parse("position startpos e2e4"),
            Err(PositionRefusal::NoMoves("e2e4".to_owned()).into())
        );
        assert_eq!(
            parse("position moves e2e4"),
            Err(PositionRefusal::NoStart("moves".to_owned()).into())
        );
    }
}
