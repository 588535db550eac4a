//! The parameters of `go`: their text, and the search limits that they mean in a position.

use std::time::{Duration, Instant};

use orthrus_core::notation::{MoveError, parse_coordinate};
use orthrus_core::position::Position;
use orthrus_core::search::{Clock, Limits};
use orthrus_core::types::{Color, ColorMap, MAX_PLY, Move};

use crate::error::GoFault;
use crate::words::Words;

/// The longest time limit, in milliseconds: 49 days, which clients send for "no limit".
const MAX_MILLIS: i64 = u32::MAX as i64;

/// The parameters of `go`, in any order; if one is given twice, the last counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct GoParameters<'a> {
    times: ColorMap<Option<Duration>>,
    increments: ColorMap<Option<Duration>>,
    moves_to_go: Option<u32>,
    move_time: Option<Duration>,
    depth: Option<u32>,
    nodes: Option<u64>,
    mate: Option<u32>,
    infinite: bool,
    ponder: bool,
    search_moves: Vec<&'a str>,
    /// The first fault; one line is enough.
    fault: Option<GoFault>,
}

impl<'a> GoParameters<'a> {
    /// Reads the words after `go`. Unknown ones are skipped; a parameter without a number counts as
    /// not given; numbers out of range are clamped.
    pub(crate) fn parse(mut words: Words<'a>) -> Self {
        let mut go = Self::default();
        let words = &mut words;
        while let Some(word) = words.next() {
            match word {
                "searchmoves" => go.take_search_moves(words),
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "wtime" => keep(go.time("wtime", words), &mut go.times[Color::White]),
                "btime" => keep(go.time("btime", words), &mut go.times[Color::Black]),
                "winc" => keep(go.time("winc", words), &mut go.increments[Color::White]),
                "binc" => keep(go.time("binc", words), &mut go.increments[Color::Black]),
                "movestogo" => keep(go.moves_to_go(words), &mut go.moves_to_go),
                "movetime" => keep(go.time("movetime", words), &mut go.move_time),
                "depth" => keep(go.count("depth", words, MAX_PLY as u32), &mut go.depth),
                "nodes" => keep(go.nodes(words), &mut go.nodes),
                "mate" => keep(go.count("mate", words, MAX_PLY as u32), &mut go.mate),
                _ => {}
            }
        }
        go
    }

    /// The limits of a search of `position` requested at `now`, and what is wrong with the
    /// parameters, if anything.
    pub(crate) fn limits(self, now: Instant, position: &Position) -> (Limits, Option<GoFault>) {
        let (search_moves, move_fault) = self.legal_search_moves(position);
        let clock = |color| {
            self.times[color].map(|remaining| Clock {
                remaining,
                increment: self.increments[color].unwrap_or_default(),
            })
        };
        let limits = Limits {
            clocks: ColorMap::from_fn(clock),
            moves_to_go: self.moves_to_go,
            move_time: self.move_time,
            depth: self.depth,
            nodes: self.nodes,
            mate: self.mate,
            infinite: self.infinite,
            ponder: self.ponder,
            search_moves,
            ..Limits::none(now)
        };
        (limits, self.fault.or(move_fault))
    }

    /// Whether the answer must wait for `stop`.
    pub(crate) fn is_infinite(&self) -> bool {
        self.infinite
    }

    /// Whether the answer must wait for `ponderhit` or `stop`.
    pub(crate) fn is_ponder(&self) -> bool {
        self.ponder
    }

    fn legal_search_moves(&self, position: &Position) -> (Vec<Move>, Option<GoFault>) {
        let mut moves = Vec::new();
        let mut fault = None;
        for &text in &self.search_moves {
            match parse_coordinate(position, text) {
                Ok(mv) if moves.contains(&mv) => {}
                Ok(mv) => moves.push(mv),
                Err(error) => {
                    fault.get_or_insert_with(|| search_move_fault(text, error));
                }
            }
        }
        // python-chess sends the null move for an empty list: that is no fault.
        if self.search_moves.iter().all(|&text| text == "0000") {
            fault = None;
        } else if moves.is_empty() {
            fault = Some(GoFault::NoLegalSearchMove);
        }
        (moves, fault)
    }

    /// The moves end where the next parameter begins.
    fn take_search_moves(&mut self, words: &mut Words<'a>) {
        self.search_moves.clear();
        while let Some(word) = words.peek().filter(|word| !is_parameter(word)) {
            self.search_moves.push(word);
            words.next();
        }
    }

    fn time(&mut self, parameter: &'static str, words: &mut Words<'a>) -> Option<Duration> {
        self.number(parameter, words).map(millis)
    }

    /// A number of plies or moves, from 1 to `max`.
    fn count(&mut self, parameter: &'static str, words: &mut Words<'a>, max: u32) -> Option<u32> {
        let number = self.number(parameter, words)?;
        Some(number.clamp(1, i64::from(max)) as u32)
    }

    fn nodes(&mut self, words: &mut Words<'a>) -> Option<u64> {
        Some(self.number("nodes", words)?.max(1) as u64)
    }

    /// "This will only be sent if x > 0": anything else counts as not given.
    fn moves_to_go(&mut self, words: &mut Words<'a>) -> Option<u32> {
        let number = self.number("movestogo", words)?;
        (number > 0).then_some(number.min(i64::from(u32::MAX)) as u32)
    }

    fn number(&mut self, parameter: &'static str, words: &mut Words<'a>) -> Option<i64> {
        let Some(text) = words.peek() else {
            self.fault.get_or_insert(GoFault::MissingNumber(parameter));
            return None;
        };
        let number = parse_number(text);
        if number.is_some() {
            words.next();
        } else {
            self.fault.get_or_insert_with(|| GoFault::NotANumber {
                parameter,
                text: text.to_owned(),
            });
        }
        number
    }
}

/// Sets a parameter if a number was given; otherwise it keeps its value.
fn keep<T>(given: Option<T>, parameter: &mut Option<T>) {
    if given.is_some() {
        *parameter = given;
    }
}

fn search_move_fault(text: &str, error: MoveError) -> GoFault {
    GoFault::SearchMove {
        text: text.to_owned(),
        error,
    }
}

fn is_parameter(word: &str) -> bool {
    matches!(
        word,
        "searchmoves"
            | "ponder"
            | "wtime"
            | "btime"
            | "winc"
            | "binc"
            | "movestogo"
            | "depth"
            | "nodes"
            | "mate"
            | "movetime"
            | "infinite"
    )
}

/// A negative time means that the flag has fallen: move at once.
fn millis(number: i64) -> Duration {
    Duration::from_millis(number.clamp(0, MAX_MILLIS) as u64)
}

/// A whole number; one beyond 64 bits becomes the largest or smallest. A fraction, which programs
/// in Python send, is cut off.
fn parse_number(text: &str) -> Option<i64> {
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let text = match text.split_once('.') {
        Some((whole, fraction)) if is_digits(fraction) => whole,
        _ => text,
    };
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !is_digits(digits) {
        return None;
    }
    let beyond = if text.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    };
    Some(text.parse().unwrap_or(beyond))
}
