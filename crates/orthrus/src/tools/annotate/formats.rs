//! A review as PGN, as JSON, and as EPD of its mistakes.

use std::fmt::Write as _;
use std::mem;

use orthrus_core::VERSION;
use orthrus_core::notation::{CastlingText, NULL_MOVE, write_coordinate, write_moves, write_san};
use orthrus_core::position::{Position, Variant};
use orthrus_core::types::Color;
use orthrus_pgn::{Line, MoveNode, PgnGame};
use serde_json::{Map, Value, json};

use super::accuracy::Mark;
use super::clocks::{MoveTime, move_times};
use super::phase::Phase;
use super::reason::reason;
use super::remarks::{self, MarkedBy, eval_command, remove_earlier, wdl_command};
use super::review::{Review, Summary};
use crate::text::{JSON_SCHEMA, chances_json, fen, score_json};

/// A variation shows no more than this of a better line, in plies.
pub(super) const VARIATION_LENGTH: usize = 10;

/// The move of a node in coordinate notation.
pub(super) fn coordinates(position: &Position, node: &MoveNode, castling: CastlingText) -> String {
    let null = || NULL_MOVE.to_owned();
    node.mv
        .map_or_else(null, |mv| write_coordinate(position, mv, castling))
}

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
            let by = if node.nags.iter().any(|nag| nag.suffix().is_some()) {
                MarkedBy::Owner
            } else {
                node.nags.insert(0, mark.nag());
                MarkedBy::Tool
            };
            if let Some(&best) = before.line.first() {
                let best = write_san(&review.positions[index], best);
                words.push(remarks::remark(
                    mark,
                    by,
                    &best,
                    reason(review, index).as_deref(),
                ));
            }
            let better: Vec<_> = before.line.iter().copied().take(VARIATION_LENGTH).collect();
            node.variations.push(Line::from(better));
        }
        words.extend(Some(mem::take(&mut node.comment)).filter(|text| !text.is_empty()));
        node.comment = words.join(" ");
    }
    if let Some(fault) = &game.broken_off
        && let Some(last) = game.main.moves.last_mut()
    {
        let words = [mem::take(&mut last.comment), remarks::broken_off(fault)];
        words.join(" ").trim_start().clone_into(&mut last.comment);
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

/// Everything about the game as one object.
pub(super) fn json(review: &Review) -> Value {
    let tags: Map<String, Value> = review
        .game
        .tags
        .iter()
        .map(|(name, value)| (name.to_owned(), value.into()))
        .collect();
    let times = move_times(&review.game);
    json!({
        "schema": JSON_SCHEMA,
        "tags": tags,
        "variant": review.game.start.variant().name(),
        "result": review.game.result.to_string(),
        "white": player(&review.summary(Color::White)),
        "black": player(&review.summary(Color::Black)),
        "complete": review.evaluations.len() == review.positions.len(),
        "broken_off": review.game.broken_off,
        "positions": (0..review.positions.len())
            .map(|ply| position(review, &times, ply))
            .collect::<Vec<_>>(),
    })
}

fn player(summary: &Summary) -> Value {
    let phases: Map<String, Value> = Phase::ALL
        .iter()
        .zip(summary.phases)
        .map(|(phase, accuracy)| (phase.name().to_owned(), accuracy.map(tenths).into()))
        .collect();
    json!({
        "accuracy": summary.accuracy.map(tenths),
        "phases": phases,
        "centipawn_loss": summary.centipawn_loss,
        "inaccuracies": summary.inaccuracies,
        "mistakes": summary.mistakes,
        "blunders": summary.blunders,
    })
}

/// A position with the move that led to it and the line that is best from it.
fn position(review: &Review, times: &[MoveTime], ply: usize) -> Value {
    let here = &review.positions[ply];
    let castling = CastlingText::fitting(&review.positions[0]);
    let mut json = json!({ "ply": ply, "fen": fen(here) });
    let said = match ply.checked_sub(1) {
        Some(index) => review.owners(index).comment,
        None => review.game.main.comment.clone(),
    };
    let comment = remarks::prose(&said);
    if !comment.is_empty() {
        json["comment"] = comment.into();
    }
    if let Some(index) = ply.checked_sub(1) {
        let (before, node) = (&review.positions[index], &review.game.main.moves[index]);
        json["move"] = node.san(before).into();
        json["uci"] = coordinates(before, node, castling).into();
        if let Some(verdict) = review.verdict(index) {
            json["accuracy"] = tenths(verdict.accuracy).into();
            json["mark"] = verdict.mark.map(Mark::name).into();
            if verdict.mark.is_some() {
                json["reason"] = reason(review, index).into();
            }
        }
        let time = times.get(index).copied().unwrap_or_default();
        for (name, seconds) in [("clock", time.left), ("time", time.taken)] {
            if let Some(seconds) = seconds {
                json[name] = tenths(seconds).into();
            }
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
        let coordinates = |position: &Position, mv| write_coordinate(position, mv, castling);
        json["pv"] = json!(write_moves(here, &evaluation.line, coordinates));
    }
    json
}

/// The marked moves of these sides as EPD, one position per line: `bm` the better move, `sm` what
/// was played, `c0` the verdict and the game, `id` the number of the game and of the move; `variant` if
/// it is not chess.
pub(super) fn mistakes(review: &Review, number: u64, sides: &[Color]) -> String {
    let mut text = String::new();
    let tag = |name| review.game.tags.get(name).unwrap_or("?");
    for (index, (position, node)) in review.moves().enumerate() {
        let mark = review.mark(index);
        let side = position.side_to_move();
        let (Some(mark), true) = (mark, sides.contains(&side)) else {
            continue;
        };
        let Some(&best) = review.evaluations[index].line.first() else {
            continue;
        };
        // All but the two counters, which have operations of their own.
        let fen = fen(position);
        let fields = fen.rsplitn(3, ' ').last().unwrap_or_default();
        let (best, played) = (write_san(position, best), node.san(position));
        let (clock, move_number) = (position.halfmove_clock(), position.fullmove_number());
        let dots = if side == Color::White { "." } else { "..." };
        let because =
            reason(review, index).map_or_else(String::new, |reason| format!(", {reason}"));
        let variant = match position.variant() {
            Variant::Standard => String::new(),
            other => format!(" variant {};", other.name()),
        };
        // A quotation mark would end the text.
        let game =
            format!("{} - {}, {}", tag("White"), tag("Black"), tag("Date")).replace('"', "'");
        let _ = writeln!(
            text,
            "{fields} bm {best}; sm {played}; hmvc {clock}; fmvn {move_number};{variant} \
             id \"game {number}, {move_number}{dots} {played}\"; c0 \"{}{because}; {game}\";",
            mark.name(),
        );
    }
    text
}

fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

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
