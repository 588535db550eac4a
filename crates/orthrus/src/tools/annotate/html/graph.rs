//! The course of a game as a picture: White's chances after each move.

use std::fmt::Write as _;

use super::super::accuracy::win_percent;
use super::super::review::Review;

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
        let Some(mark) = review.verdict(index).and_then(|verdict| verdict.mark) else {
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
