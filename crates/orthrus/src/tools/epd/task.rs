//! What a position of a suite asks for, and whether an engine has found it.

use orthrus_core::notation::{self, MoveError};
use orthrus_core::position::{Position, Variant};
use orthrus_core::types::{Move, Score};
use orthrus_pgn::{Epd, EpdError};
use thiserror::Error;

/// A position with something to find in it.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// Its name in the suite; empty if it has none.
    pub(crate) id: String,
    pub(crate) position: Position,
    goal: Goal,
    /// What moves are worth, as the Strategic Test Suite has it in `c0`; empty if there are no
    /// points.
    points: Vec<(Move, u32)>,
    /// The goal as the suite writes it: `bm Nf3 e4`.
    pub(crate) wanted: String,
}

#[derive(Clone, Debug)]
enum Goal {
    /// One of `best`, if there are any, and none of `avoid`.
    Move {
        best: Vec<Move>,
        avoid: Vec<Move>,
    },
    /// A mate in at most this many moves, for the side to move or, if negative, for the other.
    /// Another key move is as good as the suite's, so `bm` and `am` do not count.
    Mate(i32),
    Points,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum TaskError {
    #[error(transparent)]
    Epd(#[from] EpdError),
    #[error("{opcode} {text}: {error}")]
    Move {
        opcode: &'static str,
        text: String,
        error: MoveError,
    },
    #[error("dm takes a number of moves, not {0:?}")]
    Mate(String),
    #[error("nothing to find: no bm, am, dm, or points in c0")]
    NoGoal,
}

impl Task {
    /// Reads a line of a suite for this game.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the line.
    pub(crate) fn parse(variant: Variant, line: &str) -> Result<Self, TaskError> {
        let epd = Epd::parse(variant, line)?;
        let points = parse_points(&epd);
        let goal = parse_goal(&epd, !points.is_empty())?;
        let says_goal: &[&str] = match goal {
            Goal::Points => &["c0"],
            Goal::Move { .. } | Goal::Mate(_) => &["bm", "am", "dm"],
        };
        let operations = epd.operations.iter();
        let wanted: Vec<String> = operations
            .filter(|it| says_goal.contains(&it.opcode.as_str()))
            .map(|it| format!("{} {}", it.opcode, it.operands.join(" ")))
            .collect();
        Ok(Self {
            id: epd.operands("id").join(" "),
            wanted: wanted.join(", "),
            position: epd.position,
            goal,
            points,
        })
    }

    /// Whether the goal is reached with this move and this score of the side to move.
    pub(crate) fn is_solved(&self, found: Option<Move>, score: Score) -> bool {
        match &self.goal {
            Goal::Move { best, avoid } => found.is_some_and(|found| {
                (best.is_empty() || best.contains(&found)) && !avoid.contains(&found)
            }),
            Goal::Mate(wanted) => score.mate_moves().is_some_and(|moves| {
                score.is_win() == (*wanted > 0) && moves.unsigned_abs() <= wanted.unsigned_abs()
            }),
            Goal::Points => self
                .points_of(found)
                .is_none_or(|(points, max)| points == max),
        }
    }

    /// What this move is worth, and what the best one is; `None` if no move of this position is
    /// worth anything.
    pub(crate) fn points_of(&self, found: Option<Move>) -> Option<(u32, u32)> {
        let max = self.points.iter().map(|&(_, points)| points).max()?;
        let worth = self.points.iter().find(|&&(mv, _)| Some(mv) == found);
        Some((worth.map_or(0, |&(_, points)| points), max))
    }
}

fn parse_goal(epd: &Epd, has_points: bool) -> Result<Goal, TaskError> {
    let says = |opcode| epd.operations.iter().any(|it| it.opcode == opcode);
    if says("dm") {
        let text = epd.operands("dm").concat();
        return match text.parse() {
            Ok(moves) if moves != 0 => Ok(Goal::Mate(moves)),
            _ => Err(TaskError::Mate(text)),
        };
    }
    let (best, avoid) = (parse_moves(epd, "bm")?, parse_moves(epd, "am")?);
    match best.is_empty() && avoid.is_empty() {
        false => Ok(Goal::Move { best, avoid }),
        true if has_points => Ok(Goal::Points),
        true => Err(TaskError::NoGoal),
    }
}

/// The moves of an operation; commas between them are wrong, but common.
fn parse_moves(epd: &Epd, opcode: &'static str) -> Result<Vec<Move>, TaskError> {
    let operands = epd.operands(opcode).into_iter();
    let texts = operands.flat_map(|operand| operand.split(','));
    texts
        .filter(|text| !text.is_empty())
        .map(|text| {
            notation::parse_move(&epd.position, text).map_err(|error| TaskError::Move {
                opcode,
                text: text.to_owned(),
                error,
            })
        })
        .collect()
}

/// The points of `c0 "f5=10, Be5+=2"`; none if the comment is of another kind.
fn parse_points(epd: &Epd) -> Vec<(Move, u32)> {
    let text = epd.operands("c0").join(" ");
    let points = text.split(',').map(|part| {
        let (mv, points) = part.trim().rsplit_once('=')?;
        let mv = notation::parse_move(&epd.position, mv).ok()?;
        Some((mv, points.parse().ok()?))
    });
    points.collect::<Option<_>>().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn task(operations: &str) -> Task {
        Task::parse(Variant::Standard, &format!("{START} {operations}")).unwrap()
    }

    fn error(operations: &str) -> String {
        let line = format!("{START} {operations}");
        Task::parse(Variant::Standard, &line)
            .map(|task| task.wanted)
            .unwrap_err()
            .to_string()
    }

    fn solved(task: &Task, mv: &str, score: Score) -> bool {
        let mv = notation::parse_move(&task.position, mv).unwrap();
        task.is_solved(Some(mv), score)
    }

    #[test]
    fn best_moves_and_moves_to_avoid() {
        let quiet = Score::DRAW;
        let best = task("bm e4 d2d4; id \"a b\";");
        assert!(solved(&best, "d4", quiet) && !solved(&best, "c4", quiet));
        assert_eq!(
            (best.id.as_str(), best.wanted.as_str()),
            ("a b", "bm e4 d2d4")
        );
        let avoid = task("am f3, g4;");
        assert!(solved(&avoid, "e4", quiet) && !solved(&avoid, "g4", quiet));
        assert!(!best.is_solved(None, quiet) && !avoid.is_solved(None, quiet));
    }

    #[test]
    fn mates_are_of_their_side_and_short_enough() {
        let mate = task("dm 3; bm e4;");
        assert!(solved(&mate, "d4", Score::mate_in(5)));
        assert!(solved(&mate, "d4", Score::mate_in(3)));
        assert!(!solved(&mate, "e4", Score::mate_in(7)));
        assert!(!solved(&mate, "e4", Score::mated_in(2)));
        assert!(!solved(&mate, "e4", Score::centipawns(900)));
        let mated = task("dm -2;");
        assert!(solved(&mated, "e4", Score::mated_in(4)));
        assert!(!solved(&mated, "e4", Score::mated_in(6)));
        let mated = task("dm -2147483648;");
        assert!(solved(&mated, "e4", Score::mated_in(6)));
    }

    #[test]
    fn points_are_those_of_the_comment() {
        let sts = task("bm e4; c0 \"e4=10, Nf3=7\";");
        let points =
            |mv: &str| sts.points_of(Some(notation::parse_move(&sts.position, mv).unwrap()));
        assert_eq!(
            [points("e4"), points("Nf3"), points("a3")],
            [Some((10, 10)), Some((7, 10)), Some((0, 10))]
        );
        let remark = task("bm e4; c0 \"said by somebody, 1999\";");
        assert_eq!(remark.points_of(None), None);
        let alone = task("c0 \"e4=10\"; id \"a\";");
        assert!(solved(&alone, "e4", Score::DRAW));
        assert_eq!(alone.wanted, "c0 e4=10");
    }

    #[test]
    fn unusable_lines_say_why() {
        assert_eq!(error("bm Ke4;"), "bm Ke4: illegal move");
        assert_eq!(error("bm #5;"), "bm #5: not a move");
        assert_eq!(
            error("dm soon;"),
            "dm takes a number of moves, not \"soon\""
        );
        for nothing in ["", "bm;", "id \"x\";", "c0 \"a remark\";"] {
            assert!(error(nothing).starts_with("nothing to find"), "{nothing}");
        }
    }
}
