//! A line of section 8 as typed input. This module knows only its form; what it means is decided
//! elsewhere. Whatever the text, it fails only with a [`CommandError`].

use std::time::Duration;

use orthrus_core::search::PositionValue;
use orthrus_core::types::{Color, ColorMap, Hand, Score, Square};

use crate::clock::Level;
use crate::error::CommandError;
use crate::features::{TABLE_FORMAT, TABLE_OPTION};

/// Longer times are cut to this, so that sums of times cannot overflow. python-chess sends node
/// limits as seconds: `nps 1`, `st NODES`.
const LONGEST: Duration = Duration::from_secs(1_000_000_000_000);

/// Whether a conversation that begins with this line is in CECP. A program begins with `xboard`, then
/// `protover` if it knows version 2 of the protocol; a missing one does no harm. cutechess sends the lines
/// before it that its user has written for the engine's start.
pub fn recognises(line: &str) -> bool {
    const BEGINNINGS: [&str; 18] = [
        "xboard", "protover", "accepted", "rejected", "ping", "new", "variant", "force", "level",
        "st", "sd", "setboard", "usermove", "post", "nopost", "hard", "easy", "analyze",
    ];
    let word = line.split_whitespace().next();
    let is_setting = || matches!(parse(line), Ok(Input::Option { value: Some(_), .. }));
    word.is_some_and(|word| BEGINNINGS.contains(&word)) || is_setting()
}

/// One line from the GUI, its units converted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Input<'a> {
    /// An empty line, or a command that Orthrus can ignore.
    Nothing,
    /// Numbers too large to read are large versions.
    Protover(u32),
    Accepted(&'a str),
    Rejected(&'a str),
    /// The text to send back.
    Ping(&'a str),
    Quit,
    /// Only people type it.
    Help,
    Force,
    Go,
    PlayOther,
    UserMove(&'a str),
    /// A word that is not a command: a move, or nonsense.
    BareMove(&'a str),
    MoveNow,
    Draw,
    Result,
    Hint,
    Book,
    Pause,
    Resume,
    /// ChessBase's `ponder` alone: think on the opponent's time now.
    PonderNow,
    Level(Level),
    MoveTime(Duration),
    /// The old `level 1 TIME`: this time per move, and no other control.
    OnlyMoveTime(Duration),
    Depth(u32),
    /// The old `depth`, whose number comes on the next line.
    DepthFollows,
    /// `nps`: nodes per second; 0 means CPU time.
    NodeRate(u64),
    OwnClock(Duration),
    OpponentClock(Duration),
    /// `new`, and ChessBase's `reset`
    New,
    Variant(&'a str),
    SetBoard(&'a str),
    /// The men in hand of White and Black.
    Holding(ColorMap<Hand>),
    Edit,
    Undo,
    Remove,
    /// `white` or `black`: whose turn it is.
    Turn(Color),
    Analyze,
    Exit,
    Status,
    /// A move, or `all`.
    Exclude(&'a str),
    /// A move, or `all`.
    Include(&'a str),
    /// `hard` (true) or `easy`; Crafty's `ponder on` and `ponder off`, which Scid sends.
    Pondering(bool),
    /// `post` (true) or `nopost`
    Post(bool),
    SetScore(PositionValue),
    /// `option NAME[=VALUE]`, or a command that stands for an option.
    Option {
        name: &'a str,
        value: Option<&'a str>,
    },
    Pointer(Pointer),
}

/// Commands that report what a user does with the mouse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pointer {
    Lift(Square),
    Put(Square),
    Hover(Square),
}

pub(crate) fn parse(line: &str) -> Result<Input<'_>, CommandError> {
    let line = line.trim();
    let (word, rest) = line
        .split_once(char::is_whitespace)
        .map_or((line, ""), |(word, rest)| (word, rest.trim()));
    if let Some(input) = parse_alone(word) {
        return Ok(input);
    }
    let argument = || match rest {
        "" => Err(CommandError::MissingParameter),
        _ => Ok(rest),
    };
    Ok(match word {
        "protover" => Input::Protover(small_number(argument()?)?),
        "accepted" => Input::Accepted(argument()?),
        "rejected" => Input::Rejected(argument()?),
        "ping" => Input::Ping(argument()?),
        "usermove" => Input::UserMove(rest),
        "variant" => Input::Variant(argument()?),
        "setboard" => Input::SetBoard(rest),
        "holding" => Input::Holding(hands(argument()?)?),
        "exclude" => Input::Exclude(argument()?),
        "include" => Input::Include(argument()?),
        "memory" => set("Hash", argument()?),
        "cores" => set("Threads", argument()?),
        "egtpath" => table_path(argument()?)?,
        "option" => option(argument()?),
        "setscore" => Input::SetScore(value(argument()?)?),
        // XBoard's names for men in hand, beside the board.
        "lift" | "put" if rest.starts_with(['_', '`', 'i', 'j']) => Input::Nothing,
        "lift" => Input::Pointer(Pointer::Lift(square(argument()?)?)),
        // XBoard appends a comma if Ctrl is held.
        "put" => Input::Pointer(Pointer::Put(square(argument()?.trim_end_matches(','))?)),
        "hover" => Input::Pointer(Pointer::Hover(square(argument()?)?)),
        "level" => level(argument()?)?,
        "st" => Input::MoveTime(seconds(argument()?)?),
        "sd" => Input::Depth(depth(argument()?)?),
        "go" if rest.is_empty() => Input::Go,
        // A person means `go` of UCI, which would not do the same.
        "go" => return Err(CommandError::ExtraParameter),
        "ponder" => match rest {
            "" => Input::PonderNow,
            "on" => Input::Pondering(true),
            "off" => Input::Pondering(false),
            _ => return Err(CommandError::Malformed),
        },
        "depth" if rest.is_empty() => Input::DepthFollows,
        "depth" => Input::Depth(depth(rest)?),
        "nps" => Input::NodeRate(number(argument()?)?),
        "time" => Input::OwnClock(centiseconds(argument()?)?),
        "otim" => Input::OpponentClock(centiseconds(argument()?)?),
        _ if rest.is_empty() => Input::BareMove(word),
        _ => return Err(CommandError::Unknown),
    })
}

/// Commands without arguments, or whose arguments do not matter to an engine.
fn parse_alone(word: &str) -> Option<Input<'_>> {
    Some(match word {
        // `xboard` needs no answer: there is no prompt to switch off. The rest is for engines that
        // play differently because of it.
        "" | "xboard" | "random" | "name" | "rating" | "ics" | "computer" | "fritz" => {
            Input::Nothing
        }
        "quit" => Input::Quit,
        "help" => Input::Help,
        "force" => Input::Force,
        "playother" => Input::PlayOther,
        "?" => Input::MoveNow,
        "draw" => Input::Draw,
        "result" => Input::Result,
        "hint" => Input::Hint,
        "bk" => Input::Book,
        "pause" => Input::Pause,
        "resume" => Input::Resume,
        "new" | "reset" => Input::New,
        "edit" => Input::Edit,
        "undo" => Input::Undo,
        "remove" => Input::Remove,
        "white" => Input::Turn(Color::White),
        "black" => Input::Turn(Color::Black),
        "analyze" => Input::Analyze,
        "exit" => Input::Exit,
        "." => Input::Status,
        "hard" => Input::Pondering(true),
        "easy" => Input::Pondering(false),
        "post" => Input::Post(true),
        "nopost" => Input::Post(false),
        _ => return None,
    })
}

fn set<'a>(name: &'a str, value: &'a str) -> Input<'a> {
    let value = Some(value);
    Input::Option { name, value }
}

/// `egtpath FORMAT PATH`. cutechess sends no path if there are no tables.
fn table_path(text: &str) -> Result<Input<'_>, CommandError> {
    let (format, path) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    if format != TABLE_FORMAT {
        return Err(CommandError::UnsupportedTables);
    }
    Ok(set(TABLE_OPTION, path.trim()))
}

/// `[PPPRQ] []`: what White and Black hold, whatever follows.
fn hands(text: &str) -> Result<ColorMap<Hand>, CommandError> {
    let hand = |text: &str| -> Option<(Hand, usize)> {
        let (letters, _) = text.strip_prefix('[')?.split_once(']')?;
        Some((Hand::from_letters(letters)?, letters.len() + 2))
    };
    let (white, length) = hand(text).ok_or(CommandError::Malformed)?;
    let (black, _) = hand(text[length..].trim_start()).ok_or(CommandError::Malformed)?;
    Ok(ColorMap::new([white, black]))
}

fn option(text: &str) -> Input<'_> {
    match text.split_once('=') {
        Some((name, value)) => set(name.trim(), value.trim()),
        None => Input::Option {
            name: text,
            value: None,
        },
    }
}

/// Reads `SCORE DEPTH`: centipawns from the side to move's point of view, and plies. A score out of
/// range, such as that of a mate, is clamped to the range of evaluations.
fn value(text: &str) -> Result<PositionValue, CommandError> {
    let mut words = text.split_whitespace();
    let mut word = || words.next().ok_or(CommandError::MissingParameter);
    let (score, depth) = (word()?, word()?);
    if words.next().is_some() {
        return Err(CommandError::ExtraParameter);
    }
    Ok(PositionValue {
        score: Score::evaluation(score.parse().map_err(|_| CommandError::Malformed)?),
        depth: small_number(depth)?,
    })
}

fn square(text: &str) -> Result<Square, CommandError> {
    text.parse().map_err(|_| CommandError::Malformed)
}

/// `MPS BASE INC`, or the old `1 TIME`, which means `st` (section 13).
fn level(text: &str) -> Result<Input<'_>, CommandError> {
    let mut words = text.split_whitespace();
    let moves = small_number(words.next().ok_or(CommandError::MissingParameter)?)?;
    let base = minutes(words.next().ok_or(CommandError::MissingParameter)?)?;
    let increment = match words.next() {
        Some(text) => seconds(text)?,
        None if moves == 1 => return Ok(Input::OnlyMoveTime(base)),
        None => Duration::ZERO,
    };
    if words.next().is_some() {
        return Err(CommandError::ExtraParameter);
    }
    Ok(Input::Level(Level {
        moves: (moves > 0).then_some(moves),
        base,
        increment,
    }))
}

/// `MIN` or `MIN:SEC`, whatever follows (section 11): `25+5` is 25 minutes. Seconds need no
/// leading zero and may have a fraction.
fn minutes(text: &str) -> Result<Duration, CommandError> {
    let (minutes, rest) = leading_number(text)?;
    let seconds = match rest.strip_prefix(':') {
        Some(seconds) => leading_number(seconds)?.0,
        None => 0.0,
    };
    Ok(duration(minutes * 60.0 + seconds))
}

/// The number that `text` begins with, and what follows it. A number below zero counts as zero: the
/// flag has fallen.
fn leading_number(text: &str) -> Result<(f64, &str), CommandError> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let end = unsigned
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(unsigned.len());
    let (digits, rest) = unsigned.split_at_checked(end).unwrap_or((unsigned, ""));
    let number: f64 = digits.parse().map_err(|_| CommandError::Malformed)?;
    let negative = unsigned.len() < text.len();
    Ok((if negative { 0.0 } else { number }, rest))
}

/// Seconds, with or without fraction or exponent (`0.05`, `1e-05`); `XBoard` writes a fraction as the
/// language of its user has it (`0,05`).
fn seconds(text: &str) -> Result<Duration, CommandError> {
    let seconds: f64 = text
        .replace(',', ".")
        .parse()
        .map_err(|_| CommandError::Malformed)?;
    if seconds.is_nan() {
        return Err(CommandError::Malformed);
    }
    Ok(duration(seconds))
}

fn centiseconds(text: &str) -> Result<Duration, CommandError> {
    seconds(text).map(|hundredfold| hundredfold / 100)
}

/// This many seconds, clamped to the range from 0 to [`LONGEST`].
fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.max(0.0)).map_or(LONGEST, |time| time.min(LONGEST))
}

fn depth(text: &str) -> Result<u32, CommandError> {
    match small_number(text)? {
        0 => Err(CommandError::Malformed),
        depth => Ok(depth),
    }
}

/// A number that is not negative; one too large becomes the largest.
fn number(text: &str) -> Result<u64, CommandError> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(CommandError::Malformed);
    }
    Ok(text.parse().unwrap_or(u64::MAX))
}

/// The same, of a version, of moves or of plies.
fn small_number(text: &str) -> Result<u32, CommandError> {
    number(text).map(|number| u32::try_from(number).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests;
