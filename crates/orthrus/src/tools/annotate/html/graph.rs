//! The course of a game as pictures: White's chances after each move, and what the moves took.

use std::fmt::Write as _;
use std::time::Duration;

use orthrus_core::types::Color;

use super::super::accuracy::win_percent;
use super::super::clocks::move_times;
use super::super::review::Review;
use crate::text::short_time;

/// Size of the picture in its own units.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 180.0;

/// An SVG: White's share is light and at the bottom, with a dot where a move was marked.
pub(super) fn draw(review: &Review) -> String {
    let last = review.positions.len().saturating_sub(1).max(1) as f64;
    let x = |ply: usize| WIDTH * ply as f64 / last;
    let y = |percent: f64| HEIGHT * (1.0 - percent / 100.0);
    let heights: Vec<f64> = review
        .evaluations
        .iter()
        .map(|it| y(win_percent(it.score)))
        .collect();
    let mut line = String::new();
    for (ply, height) in heights.iter().enumerate() {
        let _ = write!(
            line,
            "{}{:.1} {height:.1}",
            if ply == 0 { "M" } else { "L" },
            x(ply)
        );
    }
    let mut dots = String::new();
    for index in 0..heights.len().saturating_sub(1) {
        let Some(mark) = review.mark(index) else {
            continue;
        };
        let (name, ply) = (mark.name(), index + 1);
        let _ = write!(
            dots,
            "<circle class=\"{name}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"5\"/>",
            x(ply),
            heights[ply]
        );
    }
    let end = x(heights.len().saturating_sub(1));
    let area = if line.is_empty() {
        String::new()
    } else {
        format!("<path class=\"area\" d=\"{line}L{end:.1} {HEIGHT}L0 {HEIGHT}Z\"/>")
    };
    let middle = HEIGHT / 2.0;
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"White's chances after each \
         move\"><rect class=\"ground\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>{area}\
         <path class=\"middle\" d=\"M0 {middle}H{WIDTH}\"/><path class=\"line\" d=\"{line}\"/>{dots}\
         <path class=\"cursor\" d=\"M0 0V{HEIGHT}\"/></svg>"
    )
}

/// The longest time that is named, in seconds: a century.
const MOST_SECONDS: f64 = 3e9;

/// Height of the picture of times.
const TIMES_HEIGHT: f64 = 60.0;

/// What each move took, White's upwards and Black's downwards, as a figure; empty if the game has no
/// clocks.
pub(super) fn draw_times(review: &Review) -> String {
    let taken = move_times(&review.game).into_iter().map(|time| time.taken);
    let taken: Vec<Option<f64>> = taken.collect();
    let longest = taken.iter().flatten().copied().fold(0.0, f64::max);
    if longest <= 0.0 {
        return String::new();
    }
    let width = WIDTH / taken.len() as f64;
    let middle = TIMES_HEIGHT / 2.0;
    let mut bars = String::new();
    for (index, seconds) in taken.iter().enumerate() {
        let Some(seconds) = seconds else { continue };
        let height = (middle * seconds / longest).max(0.5);
        let (class, y) = match review.positions[index].side_to_move() {
            Color::White => ("whites", middle - height),
            Color::Black => ("blacks", middle),
        };
        let _ = write!(
            bars,
            "<rect class=\"{class}\" x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{height:.1}\"/>",
            width * index as f64,
            0.8 * width
        );
    }
    format!(
        "<figure class=\"times\"><svg viewBox=\"0 0 {WIDTH} {TIMES_HEIGHT}\" \
         preserveAspectRatio=\"none\" role=\"img\" aria-label=\"time for each move\">{bars}</svg>\
         <figcaption>time for each move, at most {}</figcaption></figure>",
        short_time(Duration::from_secs_f64(longest.min(MOST_SECONDS)))
    )
}
