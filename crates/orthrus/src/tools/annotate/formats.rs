//! A review as PGN and as JSON.

use std::mem;

use orthrus_core::VERSION;
use orthrus_core::evaluation::WinDrawLoss;
use orthrus_core::notation::{CastlingText, write_coordinate, write_moves, write_san};
use orthrus_core::position::Position;
use orthrus_core::types::{Color, Score};
use orthrus_pgn::{Line, MoveNode, PgnGame};
use serde_json::{Map, Value, json};

use super::accuracy::Mark;
use super::review::{Review, Summary};
use crate::text::{capital, chances_json, fen, score_json};

/// A variation shows no more than this of a better line, in plies.
const VARIATION_LENGTH: usize = 10;

/// The end of the remark on a marked move.
const REMARK_END: &str = " was best.";

/// The game with evaluations, marks and better lines. What was there stays, except evaluations and
/// earlier remarks of this tool.
pub(super) fn annotated(review: &Review) -> PgnGame {
    let mut game = review.game.clone();
    let annotators = annotators(game.tags.get("Annotator"));
    game.tags.set("Annotator", &annotators);
    for (side, tag) in [
        (Color::White, "WhiteAccuracy"),
        (Color::Black, "BlackAccuracy"),
    ] {
        if let Some(accuracy) = review.summary(side).accuracy {
            game.tags.set(tag, &format!("{accuracy:.1}"));
        }
    }
    for (index, node) in game.main.moves.iter_mut().enumerate() {
        let (Some(verdict), Some(after)) =
            (review.verdict(index), review.evaluations.get(index + 1))
        else {
            break;
        };
        remove_earlier(node, &review.positions[index]);
        let before = &review.evaluations[index];
        let mut words = Vec::new();
        if let Some(command) = eval_command(after.score) {
            words.extend([command, wdl_command(after.chances)]);
        }
        if let Some(mark) = verdict.mark {
            if !node.nags.iter().any(|nag| nag.suffix().is_some()) {
                node.nags.insert(0, mark.nag());
            }
            if let Some(&best) = before.line.first() {
                let best = write_san(&review.positions[index], best);
                words.push(format!("{}{best}{REMARK_END}", remark_begin(mark)));
            }
            let better: Vec<_> = before.line.iter().copied().take(VARIATION_LENGTH).collect();
            node.variations.push(Line::from(better));
        }
        words.extend(Some(mem::take(&mut node.comment)).filter(|text| !text.is_empty()));
        node.comment = words.join(" ");
    }
    game
}

/// The annotators, separated by colons as the standard has it for players, this program the last.
fn annotators(earlier: Option<&str>) -> String {
    let own = format!("Orthrus {VERSION}");
    let names = earlier.unwrap_or_default().split(':');
    let others = names.filter(|name| !matches!(*name, "" | "?") && !name.starts_with("Orthrus "));
    others.chain([own.as_str()]).collect::<Vec<_>>().join(":")
}

/// Removes what [`annotated`] has said before about a move of `position`.
fn remove_earlier(node: &mut MoveNode, position: &Position) {
    for name in ["eval", "wdl"] {
        node.comment = without_command(&node.comment, name);
    }
    for (mark, _) in Mark::ALL {
        let Some((rest, best)) = without_remark(&node.comment, mark) else {
            continue;
        };
        let is_better = |line: &Line| {
            let first = line.moves.first();
            first.is_some_and(|first| write_san(position, first.mv) == best)
                && *line == Line::from(line.moves.iter().map(|node| node.mv).collect::<Vec<_>>())
        };
        // The better line was added after those that were there before.
        if let Some(index) = node.variations.iter().rposition(is_better) {
            node.variations.remove(index);
        }
        node.nags.retain(|&there| there != mark.nag());
        node.comment = rest;
    }
}

/// The start of the remark on a marked move; the better move and [`REMARK_END`] follow.
fn remark_begin(mark: Mark) -> String {
    format!("{}: ", capital(mark.name()))
}

/// A comment without the remark on such a mark, and the better move that it names.
fn without_remark(comment: &str, mark: Mark) -> Option<(String, String)> {
    let (before, rest) = comment.split_once(&remark_begin(mark))?;
    let (best, after) = rest.split_once(REMARK_END)?;
    let is_word = !best.contains(char::is_whitespace);
    is_word.then(|| (joined(before, after), best.to_owned()))
}

/// `[%eval 0.35]`, `[%eval #-3]`; `None` for a mate on the board, which is its own evaluation.
fn eval_command(score: Score) -> Option<String> {
    match score.mate_moves() {
        Some(0) => None,
        Some(moves) => Some(format!("[%eval #{moves}]")),
        None => Some(format!("[%eval {:.2}]", f64::from(score.value()) / 100.0)),
    }
}

/// `[%wdl 442,126,432]`: the chances of White, permille.
fn wdl_command(chances: WinDrawLoss) -> String {
    format!("[%wdl {},{},{}]", chances.win, chances.draw, chances.loss)
}

/// A comment without an earlier command of this name.
fn without_command(comment: &str, name: &str) -> String {
    let Some(start) = comment.find(&format!("[%{name}")) else {
        return comment.to_owned();
    };
    let rest = &comment[start..];
    let end = rest.find(']').map_or(rest.len(), |end| end + 1);
    joined(&comment[..start], &rest[end..])
}

/// What is left of a comment around what was taken out.
fn joined(before: &str, after: &str) -> String {
    let text = format!("{} {}", before.trim_end(), after.trim_start());
    text.trim().to_owned()
}

/// Everything about the game as one object.
pub(super) fn json(review: &Review) -> Value {
    let tags: Map<String, Value> = review
        .game
        .tags
        .iter()
        .map(|(name, value)| (name.to_owned(), value.into()))
        .collect();
    json!({
        "tags": tags,
        "result": review.game.result.to_string(),
        "white": player(&review.summary(Color::White)),
        "black": player(&review.summary(Color::Black)),
        "complete": review.evaluations.len() == review.positions.len(),
        "positions": (0..review.positions.len()).map(|ply| position(review, ply)).collect::<Vec<_>>(),
    })
}

fn player(summary: &Summary) -> Value {
    json!({
        "accuracy": summary.accuracy.map(tenths),
        "centipawn_loss": summary.centipawn_loss,
        "inaccuracies": summary.inaccuracies,
        "mistakes": summary.mistakes,
        "blunders": summary.blunders,
    })
}

/// A position with the move that led to it and the line that is best from it.
fn position(review: &Review, ply: usize) -> Value {
    let here = &review.positions[ply];
    let castling = CastlingText::fitting(&review.positions[0]);
    let mut json = json!({ "ply": ply, "fen": fen(here) });
    if let Some((before, mv)) = ply
        .checked_sub(1)
        .and_then(|index| review.moves().nth(index))
    {
        json["move"] = write_san(before, mv).into();
        json["uci"] = write_coordinate(before, mv, castling).into();
        if let Some(verdict) = review.verdict(ply - 1) {
            json["accuracy"] = tenths(verdict.accuracy).into();
            json["mark"] = verdict.mark.map(Mark::name).into();
        }
    }
    if let Some(evaluation) = review.evaluations.get(ply) {
        json["score"] = score_json(evaluation.score);
        json["wdl"] = chances_json(evaluation.chances);
        json["depth"] = evaluation.depth.into();
        json["nodes"] = evaluation.nodes.into();
        json["best"] = json!(write_moves(here, &evaluation.line, write_san));
        let best = evaluation.line.first();
        json["best_uci"] = best.map(|&mv| write_coordinate(here, mv, castling)).into();
    }
    json
}

fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_as_other_programs_write_them() {
        let text = |score| eval_command(score).unwrap();
        assert_eq!(text(Score::centipawns(-35)), "[%eval -0.35]");
        assert_eq!(text(Score::mated_in(6)), "[%eval #-3]");
        assert_eq!(eval_command(Score::mate_in(0)), None);
    }

    #[test]
    fn an_earlier_evaluation_makes_way() {
        for (comment, rest) in [
            ("[%eval 0.3] [%clk 0:01:00] hm", "[%clk 0:01:00] hm"),
            ("[%clk 0:01:00] [%eval #3]", "[%clk 0:01:00]"),
            ("good", "good"),
            ("[%eval 0.3", ""),
        ] {
            assert_eq!(without_command(comment, "eval"), rest);
        }
    }

    #[test]
    fn an_earlier_remark_makes_way() {
        let without = |comment| without_remark(comment, Mark::Mistake);
        let taken = |rest: &str, best: &str| Some((rest.to_owned(), best.to_owned()));
        assert_eq!(without("Mistake: Nf3 was best."), taken("", "Nf3"));
        assert_eq!(without("a Mistake: e4 was best. b"), taken("a b", "e4"));
        for other in [
            "Blunder: Nf3 was best.",
            "Mistake: the plan was best.",
            "Mistake: Nf3",
        ] {
            assert_eq!(without(other), None, "{other}");
        }
    }

    #[test]
    fn annotators_are_added_to() {
        let own = format!("Orthrus {VERSION}");
        assert_eq!(annotators(None), own);
        assert_eq!(annotators(Some("?")), own);
        assert_eq!(annotators(Some("Orthrus 0.0.1")), own);
        let both = format!("Tal, Mihail:{own}");
        assert_eq!(annotators(Some("Tal, Mihail")), both);
        assert_eq!(annotators(Some(&both)), both);
    }
}
