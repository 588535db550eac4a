//! The parameters of `go`: their text, and the search limits that they mean in a position.

use std::time::{Duration, Instant};

use orthrus_core::notation::{NULL_MOVE, parse_coordinate};
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
    /// Whether it is to be searched on the opponent's time.
    pub(crate) ponder: bool,
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
        let mut lists_moves = false;
        while let Some(word) = words.next() {
            // The moves end where the next parameter begins.
            let listed_moves = std::mem::take(&mut lists_moves);
            match word {
                "searchmoves" => {
                    go.search_moves.clear();
                    lists_moves = true;
                }
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "wtime" => keep(go.time(word, words), &mut go.times[Color::White]),
                "btime" => keep(go.time(word, words), &mut go.times[Color::Black]),
                "winc" => keep(go.time(word, words), &mut go.increments[Color::White]),
                "binc" => keep(go.time(word, words), &mut go.increments[Color::Black]),
                "movestogo" => keep(go.moves_to_go(word, words), &mut go.moves_to_go),
                "movetime" => keep(go.time(word, words), &mut go.move_time),
                "depth" => keep(go.count(word, words), &mut go.depth),
                "nodes" => keep(go.nodes(word, words), &mut go.nodes),
                "mate" => keep(go.count(word, words), &mut go.mate),
                _ if listed_moves => {
                    go.search_moves.push(word);
                    lists_moves = true;
                }
                _ => {}
            }
        }
        go
    }

    /// The limits of a search of `position` requested at `now`, and what is wrong with the
    /// parameters, if anything.
    pub(crate) fn limits(self, now: Instant, position: &Position) -> (Limits, Option<GoFault>) {
        let (search_moves, move_fault) = self.legal_search_moves(position);
        let clock = |color, remaining| Clock {
            remaining,
            increment: self.increments[color].unwrap_or_default(),
        };
        let mut limits = Limits {
            clocks: ColorMap::from_fn(|color| Some(clock(color, self.times[color]?))),
            moves_to_go: self.moves_to_go,
            move_time: self.move_time,
            depth: self.depth,
            nodes: self.nodes,
            mate: self.mate,
            infinite: self.infinite,
            ponder: self.ponder,
            search_moves: (!search_moves.is_empty()).then_some(search_moves),
            ..Limits::none(now)
        };
        let side = position.side_to_move();
        if self.has_clock() && !limits.is_timed(side) && !limits.has_end() && !limits.infinite {
            // The flag of a clock that is not given may be about to fall: nothing is counted on.
            limits.clocks[side] = Some(clock(side, Duration::ZERO));
        }
        (limits, self.fault.or(move_fault))
    }

    /// Whether anything was said of a clock, on whichever side.
    fn has_clock(&self) -> bool {
        self.moves_to_go.is_some()
            || Color::ALL
                .iter()
                .any(|&color| self.times[color].is_some() || self.increments[color].is_some())
    }

    /// As [`Self::limits`] without a position: no move is considered, and the answer still waits for
    /// what it has to wait for.
    pub(crate) fn no_move(self, now: Instant) -> Limits {
        Limits {
            move_time: Some(Duration::ZERO),
            infinite: self.infinite,
            ponder: self.ponder,
            search_moves: Some(Vec::new()),
            ..Limits::none(now)
        }
    }

    fn legal_search_moves(&self, position: &Position) -> (Vec<Move>, Option<GoFault>) {
        let mut moves = Vec::new();
        let mut fault = None;
        for &text in &self.search_moves {
            match parse_coordinate(position, text) {
                Ok(mv) if moves.contains(&mv) => {}
                Ok(mv) => moves.push(mv),
                Err(error) => {
                    let text = text.to_owned();
                    fault.get_or_insert(GoFault::SearchMove { text, error });
                }
            }
        }
        // python-chess sends the null move for an empty list: that is no fault.
        if self.search_moves.iter().all(|&text| text == NULL_MOVE) {
            fault = None;
        } else if moves.is_empty() {
            fault = Some(GoFault::NoLegalSearchMove);
        }
        (moves, fault)
    }

    /// A negative time means that the flag has fallen: move at once.
    fn time(&mut self, parameter: &str, words: &mut Words<'a>) -> Option<Duration> {
        let millis = self.number(parameter, words)?.clamp(0, MAX_MILLIS);
        Some(Duration::from_millis(millis as u64))
    }

    /// A number of plies or moves.
    fn count(&mut self, parameter: &str, words: &mut Words<'a>) -> Option<u32> {
        let number = self.number(parameter, words)?;
        Some(number.clamp(1, MAX_PLY as i64) as u32)
    }

    fn nodes(&mut self, parameter: &str, words: &mut Words<'a>) -> Option<u64> {
        Some(self.number(parameter, words)?.max(1) as u64)
    }

    /// "This will only be sent if x > 0": anything else counts as not given.
    fn moves_to_go(&mut self, parameter: &str, words: &mut Words<'a>) -> Option<u32> {
        let number = self.number(parameter, words)?;
        (number > 0).then_some(number.min(i64::from(u32::MAX)) as u32)
    }

    fn number(&mut self, parameter: &str, words: &mut Words<'a>) -> Option<i64> {
        let Some(text) = words.peek() else {
            self.fault
                .get_or_insert_with(|| GoFault::MissingNumber(parameter.to_owned()));
            return None;
        };
        let number = parse_number(text);
        if number.is_some() {
            words.next();
        } else {
            self.fault.get_or_insert_with(|| GoFault::NotANumber {
                parameter: parameter.to_owned(),
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
