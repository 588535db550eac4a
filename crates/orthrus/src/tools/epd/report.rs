//! The report on a suite, for people or in JSON.

use std::path::Path;
use std::time::Duration;

use orthrus_core::notation::write_san;
use orthrus_core::search::SearchInfo;
use orthrus_core::types::{Move, Score};
use serde_json::{Value, json};

use super::task::{Task, TaskError};
use crate::text::{
    JSON_SCHEMA, coordinates, counted, fen, millis, score_json, score_text, short_count,
    short_time, shown,
};

/// What the engine made of a position.
#[derive(Clone, Debug)]
pub(super) struct Solving {
    /// Its move; `None` without a legal move.
    pub(super) best: Option<Move>,
    /// Its score, from the side to move.
    pub(super) score: Score,
    /// What the search took.
    pub(super) effort: Effort,
    /// What it had taken when it found the solution that it kept to the end; `None` if it has none.
    pub(super) solution: Option<Effort>,
}

/// What a search, or a part of it, has taken.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Effort {
    pub(super) depth: u32,
    pub(super) nodes: u64,
    time: Duration,
}

impl Effort {
    pub(super) fn of(info: &SearchInfo) -> Self {
        Self {
            depth: info.depth,
            nodes: info.nodes,
            time: info.time,
        }
    }

    fn add(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.time += other.time;
    }

    fn json(&self) -> Value {
        json!({ "depth": self.depth, "nodes": self.nodes, "time_ms": millis(self.time) })
    }
}

/// Sums up what becomes of positions, and puts it into lines.
#[derive(Debug, Default)]
pub(super) struct Reporter {
    json: bool,
    /// Positions of the suites.
    positions: usize,
    unusable: usize,
    searched: usize,
    solved: usize,
    /// Points and what could be had, if any move was worth some.
    points: Option<(u64, u64)>,
    effort: Effort,
    /// What the solved ones took until their solution.
    solution: Effort,
    /// The positions that were not solved, as people and as programs read them.
    missed: Vec<(String, Value)>,
}

impl Reporter {
    /// For suites that are about to be read.
    pub(super) fn new(json: bool) -> Self {
        Self {
            json,
            ..Self::default()
        }
    }

    /// They have this many positions.
    pub(super) fn begin(&mut self, positions: usize) {
        self.positions = positions;
    }

    /// A line of a suite, by its number from 1, is left out.
    pub(super) fn unusable(&mut self, file: &Path, line: usize, error: &TaskError) -> Vec<String> {
        self.unusable += 1;
        let json = || {
            // As text: the name of a file need not be Unicode, which JSON is.
            let (file, error) = (shown(file), error.to_string());
            json!({ "file": file, "line": line, "error": error }).to_string()
        };
        self.json.then(json).into_iter().collect()
    }

    pub(super) fn so_far(&self) -> String {
        format!("{} solved, ", self.solved)
    }

    /// A position that was searched.
    pub(super) fn position(&mut self, task: &Task, solving: &Solving) -> String {
        self.searched += 1;
        self.effort.add(solving.effort);
        if let Some((points, max)) = task.points_of(solving.best) {
            let (sum, max_sum) = self.points.get_or_insert_default();
            *sum += u64::from(points);
            *max_sum += u64::from(max);
        }
        let found = solving.best.map(|mv| write_san(&task.position, mv));
        let found = found.as_deref().unwrap_or("no move");
        let name = match task.id.as_str() {
            "" => format!("#{}", self.searched),
            id => id.to_owned(),
        };
        if let Some(solution) = solving.solution {
            self.solved += 1;
            self.solution.add(solution);
        } else {
            let text = format!("{name}: {}, found {found}", task.wanted);
            let json = json!({ "number": self.searched, "id": task.id });
            self.missed.push((text, json));
        }
        if self.json {
            position_json(task, self.searched, solving).to_string()
        } else {
            position_text(task, &name, found, solving)
        }
    }

    pub(super) fn summary(&self, interrupted: bool) -> Vec<String> {
        if self.json {
            return vec![
                json!({ "schema": JSON_SCHEMA, "summary": self.summary_json(interrupted) })
                    .to_string(),
            ];
        }
        let mut lines = vec![String::new()];
        if !self.missed.is_empty() {
            lines.push("Not solved:".to_owned());
            lines.extend(self.missed.iter().map(|(text, _)| format!("  {text}")));
            lines.push(String::new());
        }
        let Self {
            positions,
            searched,
            solved,
            ..
        } = *self;
        if interrupted {
            lines.push(format!("interrupted after {searched} of {positions}"));
        }
        let percent = |part: f64, sum: f64| 100.0 * part / sum.max(1.0);
        let share = percent(solved as f64, searched as f64);
        lines.push(format!("solved  {solved} of {searched} ({share:.1} %)"));
        if let Some((points, max)) = self.points {
            let share = percent(points as f64, max as f64);
            lines.push(format!("points  {points} of {max} ({share:.1} %)"));
        }
        if self.unusable > 0 {
            let unusable = counted(self.unusable as u64, "line");
            lines.push(format!("unused  {unusable} of the suite"));
        }
        let solved = solved.max(1);
        lines.push(format!(
            "time    {}; {} to a solution on average",
            short_time(self.effort.time),
            short_time(self.solution.time / u32::try_from(solved).unwrap_or(u32::MAX))
        ));
        lines.push(format!(
            "nodes   {}; {} to a solution on average",
            short_count(self.effort.nodes),
            short_count(self.solution.nodes / solved as u64)
        ));
        lines
    }

    fn summary_json(&self, interrupted: bool) -> Value {
        let mut summary = json!({
            "positions": self.positions,
            "searched": self.searched,
            "solved": self.solved,
        });
        if let Some((points, max)) = self.points {
            summary["points"] = points.into();
            summary["max_points"] = max.into();
        }
        summary["unusable"] = self.unusable.into();
        summary["nodes"] = self.effort.nodes.into();
        summary["time_ms"] = millis(self.effort.time).into();
        summary["solution_nodes"] = self.solution.nodes.into();
        summary["solution_time_ms"] = millis(self.solution.time).into();
        summary["interrupted"] = interrupted.into();
        summary["missed"] = self.missed.iter().map(|(_, json)| json.clone()).collect();
        summary
    }
}

fn position_json(task: &Task, number: usize, solving: &Solving) -> Value {
    let position = &task.position;
    let mut json = json!({
        "number": number,
        "id": task.id,
        "fen": fen(position),
        "wanted": task.wanted,
        "move": solving.best.map(|mv| write_san(position, mv)),
        "uci": solving.best.map(|mv| coordinates(position, mv)),
        "score": score_json(solving.score),
        "solved": solving.solution.is_some(),
        "search": solving.effort.json(),
        "solution": solving.solution.as_ref().map(Effort::json),
    });
    if let Some((points, max)) = task.points_of(solving.best) {
        json["points"] = points.into();
        json["max_points"] = max.into();
    }
    json
}

fn position_text(task: &Task, name: &str, found: &str, solving: &Solving) -> String {
    let (mark, verdict) = match solving.solution {
        Some(solution) => {
            let (time, nodes) = (short_time(solution.time), short_count(solution.nodes));
            ("+", format!("solved after {time}, {nodes} nodes"))
        }
        None => ("-", task.wanted.clone()),
    };
    let points = task.points_of(solving.best);
    let points = points.map_or_else(String::new, |(points, max)| {
        format!("  {points} of {max} points")
    });
    let (score, depth) = (score_text(solving.score), solving.effort.depth);
    format!("{mark} {name:<24} {found:<8} {score:>7}  depth {depth:>2}  {verdict}{points}")
}
