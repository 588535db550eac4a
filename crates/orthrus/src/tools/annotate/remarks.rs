//! What this tool says about moves in comments, and how it is found there again: a later run
//! replaces it, and pages show only what others have said.

use orthrus_core::evaluation::WinDrawLoss;
use orthrus_core::position::Position;
use orthrus_core::types::Score;
use orthrus_pgn::{Line, MoveNode};

use super::accuracy::Mark;
use crate::text::capital;

/// What follows the better move in the remark on a marked move.
const WAS_BEST: &str = " was best";

/// What follows that, if the remark has a reason.
const THIS: &str = "; this ";

/// What this tool says at the end of a game that could not be read further. It stays when the rest is
/// gone.
const BROKEN_OFF: &str = "What follows could not be read: ";

/// Who has marked a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkedBy {
    /// This tool: its mark makes way together with its remark.
    Tool,
    /// Somebody else, whose mark stays.
    Owner,
}

/// The remark on a marked move, with what was best and why the move was bad, if that can be said.
pub(super) fn remark(mark: Mark, by: MarkedBy, best: &str, reason: Option<&str>) -> String {
    let reason = reason.map_or_else(String::new, |reason| format!("{THIS}{reason}"));
    format!("{}{best}{WAS_BEST}{reason}.", remark_begin(mark, by))
}

/// The remark at the end of a game of which the rest could not be read, for this reason.
pub(super) fn broken_off(fault: &str) -> String {
    format!("{BROKEN_OFF}{fault}")
}

/// `[%eval 0.35]`, `[%eval #-3]`; `None` for a mate on the board, which is its own evaluation.
pub(super) fn eval_command(score: Score) -> Option<String> {
    match score.mate_moves() {
        Some(0) => None,
        Some(moves) => Some(format!("[%eval #{moves}]")),
        None => Some(format!("[%eval {:.2}]", f64::from(score.value()) / 100.0)),
    }
}

/// `[%wdl 442,126,432]`: the chances of White, permille.
pub(super) fn wdl_command(chances: WinDrawLoss) -> String {
    format!("[%wdl {},{},{}]", chances.win, chances.draw, chances.loss)
}

/// Removes what an earlier run has said about a move of `position`.
pub(super) fn remove_earlier(node: &mut MoveNode, position: &Position) {
    for name in ["eval", "wdl"] {
        node.comment = without_commands(&node.comment, name);
    }
    let remarks = Mark::ALL.map(|(mark, _)| [(mark, MarkedBy::Tool), (mark, MarkedBy::Owner)]);
    for (mark, by) in remarks.into_iter().flatten() {
        let Some((rest, best)) = without_remark(&node.comment, mark, by) else {
            continue;
        };
        let is_better = |line: &Line| {
            let first = line.moves.first();
            first.is_some_and(|first| first.san(position) == best)
                && line.comment.is_empty()
                && line
                    .moves
                    .iter()
                    .all(|node| *node == MoveNode::new(node.mv))
        };
        // The better line was added after those that were there before.
        if let Some(index) = node.variations.iter().rposition(is_better) {
            node.variations.remove(index);
        }
        if by == MarkedBy::Tool {
            node.nags.retain(|&there| there != mark.nag());
        }
        node.comment = rest;
    }
}

/// What a comment says to people: without commands such as `[%clk 0:01:00]`.
pub(super) fn prose(comment: &str) -> String {
    without_commands(comment, "")
}

/// The argument of a command in a comment: `0:01:00` of `[%clk 0:01:00]`.
pub(super) fn command<'a>(comment: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = comment.split_once(&format!("[%{name} "))?;
    rest.split_once(']').map(|(argument, _)| argument.trim())
}

/// The start of the remark on a marked move; the better move and [`WAS_BEST`] follow.
fn remark_begin(mark: Mark, by: MarkedBy) -> String {
    let name = capital(mark.name());
    match by {
        MarkedBy::Tool => format!("{name}: "),
        MarkedBy::Owner => format!("{name}, as evaluated: "),
    }
}

/// A comment without the remark on such a mark, and the better move that it names.
fn without_remark(comment: &str, mark: Mark, by: MarkedBy) -> Option<(String, String)> {
    let (before, rest) = comment.split_once(&remark_begin(mark, by))?;
    let (best, after) = rest.split_once(WAS_BEST)?;
    let after = match after.strip_prefix(THIS) {
        Some(reason) => reason.split_once('.')?.1,
        None => after.strip_prefix('.')?,
    };
    let is_word = !best.contains(char::is_whitespace);
    is_word.then(|| (joined(&[before, after]), best.to_owned()))
}

/// A comment without the commands whose names begin like this.
fn without_commands(comment: &str, name: &str) -> String {
    let begin = format!("[%{name}");
    let mut pieces = Vec::new();
    let mut rest = comment;
    while let Some(start) = rest.find(&begin) {
        pieces.push(&rest[..start]);
        rest = rest[start..].split_once(']').unwrap_or_default().1;
    }
    pieces.push(rest);
    joined(&pieces)
}

/// What is left of a comment around what was taken out.
fn joined(pieces: &[&str]) -> String {
    let trimmed = pieces.iter().map(|piece| piece.trim());
    let words: Vec<&str> = trimmed.filter(|piece| !piece.is_empty()).collect();
    words.join(" ")
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
            ("[%eval 0.3] hm [%eval 0.5]", "hm"),
            ("[%eval 0.3", ""),
        ] {
            assert_eq!(without_commands(comment, "eval"), rest);
        }
    }

    #[test]
    fn an_earlier_remark_makes_way() {
        let without = |comment: &str| without_remark(comment, Mark::Mistake, MarkedBy::Tool);
        let taken = |rest: &str, best: &str| Some((rest.to_owned(), best.to_owned()));
        assert_eq!(without("Mistake: Nf3 was best."), taken("", "Nf3"));
        assert_eq!(without("a Mistake: e4 was best. b"), taken("a b", "e4"));
        for reason in [None, Some("allows mate in 2")] {
            for by in [MarkedBy::Tool, MarkedBy::Owner] {
                let said = format!("a {} b", remark(Mark::Mistake, by, "Nf3", reason));
                let rest = without_remark(&said, Mark::Mistake, by);
                assert_eq!(rest, taken("a b", "Nf3"), "{said}");
            }
        }
        for other in [
            "Mistake, as evaluated: Nf3 was best.",
            "Blunder: Nf3 was best.",
            "Mistake: the plan was best.",
            "Mistake: Nf3",
            "Mistake: Nf3 was best, he thinks.",
        ] {
            assert_eq!(without(other), None, "{other}");
        }
    }

    #[test]
    fn commands_are_not_for_people() {
        let comment = "[%clk 0:01:00] good [%csl Ge4][%cal Ge2e4] move";
        assert_eq!(prose(comment), "good move");
        assert_eq!(command(comment, "clk"), Some("0:01:00"));
        assert_eq!(command(comment, "emt"), None);
        assert_eq!(prose("[%open"), "");
    }
}
