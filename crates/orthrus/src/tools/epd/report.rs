//! The report on a suite, for people or in JSON.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use orthrus_core::fen::{self, CastlingLetters};
use orthrus_core::notation::{CastlingText, write_coordinate, write_san};
use orthrus_core::types::{Move, Score};
use serde::Serialize;
use serde_json::{Value, json};

use super::Effort;
use super::task::{Task, TaskError};
use crate::text::{ScoreJson, counted, millis, score_text, short_count, short_time};
use crate::tools::files::shown;

/// What the engine made of a position.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    /// Its move; `None` without a legal move.
    pub(super) best: Option<Move>,
    /// Its score, from the side to move.
    pub(super) score: Score,
    /// What the search took.
    pub(super) effort: Effort,
    /// What it had taken when it found the solution that it kept to the end; `None` if it has none.
    pub(super) solution: Option<Effort>,
}

/// A line of a suite that is left out.
#[derive(Debug)]
pub(super) struct Unusable {
    pub(super) file: PathBuf,
    /// Its number, from 1.
    pub(super) line: usize,
    pub(super) error: TaskError,
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, error } = self;
        write!(f, "{}:{line}: {error}", shown(file))
    }
}

/// Sums over the positions searched so far.
#[derive(Clone, Debug, Default, Serialize)]
struct Totals {
    /// Positions of the suites.
    positions: usize,
    /// Positions searched.
    searched: usize,
    solved: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_points: Option<u32>,
    /// Lines left out.
    unusable: usize,
    nodes: u64,
    #[serde(rename = "time_ms", serialize_with = "as_millis")]
    time: Duration,
    /// What the solved ones took until their solution.
    solution_nodes: u64,
    #[serde(rename = "solution_time_ms", serialize_with = "as_millis")]
    solution_time: Duration,
    interrupted: bool,
}

fn as_millis<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(millis(*time))
}

/// Collects outcomes and puts them into lines.
#[derive(Debug)]
pub(super) struct Reporter {
    json: bool,
    totals: Totals,
    /// The positions that were not solved, as people and as programs read them.
    missed: Vec<(String, Value)>,
}

impl Reporter {
    /// For a number of positions.
    pub(super) fn new(json: bool, positions: usize) -> Self {
        let totals = Totals {
            positions,
            ..Totals::default()
        };
        Self {
            json,
            totals,
            missed: Vec::new(),
        }
    }

    /// A line of a suite that is left out.
    pub(super) fn unusable(&mut self, line: &Unusable) -> Vec<String> {
        self.totals.unusable += 1;
        let json = || {
            // As text: the name of a file need not be Unicode, which JSON is.
            let (file, error) = (shown(&line.file), line.error.to_string());
            json!({ "file": file, "line": line.line, "error": error }).to_string()
        };
        self.json.then(json).into_iter().collect()
    }

    /// How many are solved.
    pub(super) fn so_far(&self) -> String {
        format!("{} solved, ", self.totals.solved)
    }

    /// A position that was searched.
    pub(super) fn outcome(&mut self, task: &Task, outcome: &Outcome) -> Vec<String> {
        self.totals.add(task, outcome);
        let number = self.totals.searched;
        let found = outcome.best.map(|mv| write_san(&task.position, mv));
        let found = found.as_deref().unwrap_or("no move");
        let name = if task.id.is_empty() {
            format!("#{number}")
        } else {
            task.id.clone()
        };
        if outcome.solution.is_none() {
            let text = format!("{name}: {}, found {found}", task.wanted);
            let json = json!({ "number": number, "id": task.id });
            self.missed.push((text, json));
        }
        let line = if self.json {
            position_json(task, number, outcome).to_string()
        } else {
            position_text(task, &name, found, outcome)
        };
        vec![line]
    }

    /// The totals.
    pub(super) fn summary(&mut self, interrupted: bool) -> Vec<String> {
        self.totals.interrupted = interrupted;
        if self.json {
            let mut summary = json!(self.totals);
            summary["missed"] = self.missed.iter().map(|(_, json)| json.clone()).collect();
            return vec![json!({ "summary": summary }).to_string()];
        }
        let mut lines = vec![String::new()];
        if !self.missed.is_empty() {
            lines.push("Not solved:".to_owned());
            lines.extend(self.missed.iter().map(|(text, _)| format!("  {text}")));
            lines.push(String::new());
        }
        lines.extend(self.totals.lines());
        lines
    }
}

impl Totals {
    fn add(&mut self, task: &Task, outcome: &Outcome) {
        self.searched += 1;
        self.nodes += outcome.effort.nodes;
        self.time += outcome.effort.time;
        if let Some(points) = task.points_of(outcome.best) {
            *self.points.get_or_insert(0) += points;
        }
        if let Some(points) = task.max_points() {
            *self.max_points.get_or_insert(0) += points;
        }
        if let Some(solution) = outcome.solution {
            self.solved += 1;
            self.solution_nodes += solution.nodes;
            self.solution_time += solution.time;
        }
    }

    fn lines(&self) -> Vec<String> {
        let percent = |part: f64, whole: f64| 100.0 * part / whole.max(1.0);
        let mut lines = Vec::new();
        if self.interrupted {
            let Self {
                searched,
                positions,
                ..
            } = self;
            lines.push(format!("interrupted after {searched} of {positions}"));
        }
        lines.push(format!(
            "solved  {} of {} ({:.1} %)",
            self.solved,
            self.searched,
            percent(self.solved as f64, self.searched as f64)
        ));
        if let (Some(points), Some(max)) = (self.points, self.max_points) {
            let share = percent(f64::from(points), f64::from(max));
            lines.push(format!("points  {points} of {max} ({share:.1} %)"));
        }
        if self.unusable > 0 {
            let unusable = counted(self.unusable as u64, "line");
            lines.push(format!("unused  {unusable} of the suite"));
        }
        let solved = self.solved.max(1);
        lines.push(format!(
            "time    {}; {} to a solution on average",
            short_time(self.time),
            short_time(self.solution_time / u32::try_from(solved).unwrap_or(u32::MAX))
        ));
        lines.push(format!(
            "nodes   {}; {} to a solution on average",
            short_count(self.nodes),
            short_count(self.solution_nodes / solved as u64)
        ));
        lines
    }
}

fn position_json(task: &Task, number: usize, outcome: &Outcome) -> Value {
    let effort =
        |it: &Effort| json!({ "depth": it.depth, "nodes": it.nodes, "time_ms": millis(it.time) });
    let castling = CastlingText::fitting(&task.position);
    let position = &task.position;
    let mut json = json!({
        "number": number,
        "id": task.id,
        "fen": fen::write(position, CastlingLetters::KingAndQueen),
        "wanted": task.wanted,
        "move": outcome.best.map(|mv| write_san(position, mv)),
        "uci": outcome.best.map(|mv| write_coordinate(position, mv, castling)),
        "score": ScoreJson::from(outcome.score),
        "solved": outcome.solution.is_some(),
        "search": effort(&outcome.effort),
        "solution": outcome.solution.as_ref().map(effort),
    });
    if let Some(points) = task.points_of(outcome.best) {
        json["points"] = points.into();
        json["max_points"] = task.max_points().into();
    }
    json
}

fn position_text(task: &Task, name: &str, found: &str, outcome: &Outcome) -> String {
    let Outcome {
        score,
        effort,
        solution,
        ..
    } = outcome;
    let mark = if solution.is_some() { "+" } else { "-" };
    let verdict = match solution {
        Some(solution) => {
            let (time, nodes) = (short_time(solution.time), short_count(solution.nodes));
            format!("solved after {time}, {nodes} nodes")
        }
        None => task.wanted.clone(),
    };
    let points = match (task.points_of(outcome.best), task.max_points()) {
        (Some(points), Some(max)) => format!("  {points} of {max} points"),
        _ => String::new(),
    };
    let (score, depth) = (score_text(*score), effort.depth);
    format!("{mark} {name:<24} {found:<8} {score:>7}  depth {depth:>2}  {verdict}{points}")
}
