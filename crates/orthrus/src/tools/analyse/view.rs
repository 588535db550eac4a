//! How an analysis looks: live in a terminal, as plain lines, or as JSON.

use std::io;
use std::time::{Duration, Instant};

use console::{Term, truncate_str};
use orthrus_core::notation::{CastlingText, write_coordinate, write_moves, write_san};
use orthrus_core::position::Position;
use orthrus_core::search::{Bound, SearchInfo};
use orthrus_core::types::{Color, Score};
use serde_json::{Value, json};

use crate::board::{Look, rows};
use crate::text::{
    JSON_SCHEMA, board, chances_json, ending, fen, millis, numbered_line, score_json, score_text,
    short_count, short_time, white_chances,
};
use crate::tools::analyst::Analysis;
use crate::tools::output::print;

/// The shortest time between two pictures in a terminal.
const FRAME: Duration = Duration::from_millis(100);

/// An analysis as it is shown.
#[derive(Debug)]
pub(super) struct View {
    position: Position,
    castling: CastlingText,
    /// The newest report of each line, the best line first.
    lines: Vec<SearchInfo>,
    medium: Medium,
}

#[derive(Debug)]
pub(super) enum Medium {
    /// One object per line.
    Json,
    /// Lines as they come.
    Plain,
    Live {
        term: Term,
        /// How many rows to erase before the next picture.
        drawn: usize,
        next_frame: Instant,
        /// Something has been reported since the last picture.
        is_stale: bool,
    },
}

impl Medium {
    pub(super) fn live(term: Term) -> Self {
        Self::Live {
            term,
            drawn: 0,
            next_frame: Instant::now(),
            is_stale: false,
        }
    }
}

impl View {
    pub(super) fn new(position: &Position, medium: Medium) -> Self {
        Self {
            position: position.clone(),
            castling: CastlingText::fitting(position),
            lines: Vec::new(),
            medium,
        }
    }

    /// Shows the position, to people.
    pub(super) fn begin(&self) -> io::Result<()> {
        let mut rows = match &self.medium {
            Medium::Json => return Ok(()),
            Medium::Plain => board(&self.position, Color::White),
            Medium::Live { term, .. } => {
                // Its colours are no text to be printed: what users give is not in it.
                for row in rows(&self.position, Look::of(term), Color::White, None) {
                    term.write_line(&row)?;
                }
                Vec::new()
            }
        };
        let side = self.position.side_to_move().name();
        let fen = fen(&self.position);
        rows.extend([
            String::new(),
            format!("{side} to move, {fen}"),
            String::new(),
        ]);
        print(&rows)
    }

    pub(super) fn info(&mut self, info: &SearchInfo) -> io::Result<()> {
        self.remember(info);
        match &mut self.medium {
            Medium::Json => print(&[self.info_json(info).to_string()]),
            Medium::Plain if info.bound == Bound::Exact => print(&[self.info_text(info)]),
            Medium::Plain => Ok(()),
            Medium::Live {
                next_frame,
                is_stale,
                ..
            } if Instant::now() < *next_frame => {
                *is_stale = true;
                Ok(())
            }
            Medium::Live { .. } => self.draw(false),
        }
    }

    /// Nothing was reported for a while: draws what came too soon after the last picture.
    pub(super) fn idle(&mut self) -> io::Result<()> {
        match self.medium {
            Medium::Live { is_stale: true, .. } => self.draw(false),
            _ => Ok(()),
        }
    }

    fn remember(&mut self, info: &SearchInfo) {
        let rank = info.multipv.saturating_sub(1).min(self.lines.len());
        match self.lines.get_mut(rank) {
            Some(line) => *line = info.clone(),
            None => self.lines.push(info.clone()),
        }
    }

    /// Shows the result; `None` if there was nothing to search.
    pub(super) fn end(&mut self, analysis: Option<&Analysis>) -> io::Result<()> {
        match self.medium {
            Medium::Json => return print(&[self.result_json(analysis).to_string()]),
            Medium::Live { .. } => {
                if let Some(analysis) = analysis {
                    self.remember(&analysis.info);
                    self.draw(true)?;
                }
            }
            Medium::Plain => {}
        }
        let best = analysis.and_then(|analysis| Some((analysis, analysis.best?)));
        let row = match best {
            Some((analysis, best)) => {
                let score = self.score_text(&analysis.info);
                format!("Best move: {} ({score})", write_san(&self.position, best))
            }
            None => self.end_of_game(),
        };
        print(&[row])
    }

    /// Replaces the last picture with a new one, of what fits on the screen or, if no other picture
    /// follows, of everything.
    fn draw(&mut self, is_last: bool) -> io::Result<()> {
        let mut rows = self.picture();
        let Medium::Live {
            term,
            drawn,
            next_frame,
            is_stale,
        } = &mut self.medium
        else {
            return Ok(());
        };
        let (height, width) = term.size();
        let width = usize::from(width);
        term.clear_last_lines(*drawn)?;
        // Rows that have left the screen at the top could not be erased for the next picture.
        let places = usize::from(height).saturating_sub(1);
        if !is_last && rows.len() > places {
            rows.truncate(places.saturating_sub(1));
            rows.push("...".to_owned());
        }
        for row in &rows {
            // A wrapped row would not be erased completely.
            term.write_line(&truncate_str(row, width.saturating_sub(1), "…"))?;
        }
        *drawn = rows.len();
        *next_frame = Instant::now() + FRAME;
        *is_stale = false;
        term.flush()
    }

    fn picture(&self) -> Vec<String> {
        let Some(newest) = self.lines.iter().max_by_key(|line| line.nodes) else {
            return Vec::new();
        };
        let mut rows = vec![
            format!(
                "depth {}/{}  {}  {} nodes  {}/s  hash {} %",
                newest.depth,
                newest.seldepth,
                short_time(newest.time),
                short_count(newest.nodes),
                short_count(newest.nps()),
                newest.hashfull / 10
            ),
            String::new(),
        ];
        rows.extend(self.lines.iter().map(|line| {
            let score = self.score_text(line);
            format!("{score:>8}  {}", numbered_line(&self.position, &line.pv))
        }));
        rows.push(String::new());
        rows
    }

    fn info_text(&self, info: &SearchInfo) -> String {
        let depth = format!("{}/{}", info.depth, info.seldepth);
        let score = self.score_text(info);
        let (time, nodes) = (short_time(info.time), short_count(info.nodes));
        let line = numbered_line(&self.position, &info.pv);
        format!("{depth:>7} {score:>8} {time:>9} {nodes:>7}  {line}")
    }

    /// The score from White's side; `<` and `>` mark bounds.
    fn score_text(&self, info: &SearchInfo) -> String {
        let score = score_text(self.score(info));
        let bound = match info.bound {
            Bound::Exact => "",
            bound if self.is_lower(bound) => ">",
            _ => "<",
        };
        format!("{bound}{score}")
    }

    fn score(&self, info: &SearchInfo) -> Score {
        info.score.white_relative(self.position.side_to_move())
    }

    /// Whether the true score is higher, seen from White.
    fn is_lower(&self, bound: Bound) -> bool {
        (bound == Bound::Lower) == (self.position.side_to_move() == Color::White)
    }

    fn end_of_game(&self) -> String {
        let none = || "There is no move to search.".to_owned();
        self.position.outcome().map_or_else(none, ending)
    }

    fn info_json(&self, info: &SearchInfo) -> Value {
        let bound = match info.bound {
            Bound::Exact => "exact",
            bound if self.is_lower(bound) => "lower",
            _ => "upper",
        };
        let coordinates = |position: &Position, mv| write_coordinate(position, mv, self.castling);
        json!({
            "depth": info.depth,
            "seldepth": info.seldepth,
            "multipv": info.multipv,
            "score": score_json(self.score(info)),
            "bound": bound,
            "wdl": self.wdl_json(info),
            "nodes": info.nodes,
            "time_ms": millis(info.time),
            "nps": info.nps(),
            "hashfull": info.hashfull,
            "tbhits": info.tbhits,
            "pv": write_moves(&self.position, &info.pv, coordinates),
            "san": write_moves(&self.position, &info.pv, write_san),
        })
    }

    fn wdl_json(&self, info: &SearchInfo) -> Value {
        chances_json(white_chances(info, &self.position))
    }

    fn result_json(&self, analysis: Option<&Analysis>) -> Value {
        let Some((analysis, best)) = analysis.and_then(|analysis| Some((analysis, analysis.best?)))
        else {
            let (fen, end) = (fen(&self.position), self.end_of_game());
            return json!({ "schema": JSON_SCHEMA, "result": { "fen": fen, "move": null, "end": end } });
        };
        json!({ "schema": JSON_SCHEMA, "result": {
            "fen": fen(&self.position),
            "move": write_san(&self.position, best),
            "uci": write_coordinate(&self.position, best, self.castling),
            "score": score_json(self.score(&analysis.info)),
            "wdl": self.wdl_json(&analysis.info),
            "depth": analysis.info.depth,
            "nodes": analysis.info.nodes,
            "time_ms": millis(analysis.info.time),
            "interrupted": analysis.interrupted,
        }})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(fen: &str) -> View {
        View::new(&orthrus_core::fen::parse(fen).unwrap(), Medium::Json)
    }

    fn info(view: &View, bound: Bound) -> SearchInfo {
        let pv = view
            .position
            .legal_moves()
            .iter()
            .copied()
            .take(1)
            .collect();
        SearchInfo {
            depth: 9,
            seldepth: 12,
            multipv: 1,
            score: Score::centipawns(150),
            bound,
            is_table_draw: false,
            nodes: 12_345,
            time: Duration::from_millis(20),
            hashfull: 3,
            tbhits: 0,
            pv,
        }
    }

    #[test]
    fn scores_and_bounds_are_seen_from_white() {
        let view = view("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1");
        let text = |bound| view.score_text(&info(&view, bound));
        assert_eq!(
            [Bound::Exact, Bound::Lower, Bound::Upper].map(text),
            ["-1.50", "<-1.50", ">-1.50"]
        );
        let json = view.info_json(&info(&view, Bound::Lower));
        assert_eq!(json["score"], json!({ "cp": -150 }));
        assert_eq!(json["bound"], "upper");
        assert_eq!(json["nps"], 617_250);
        let [win, loss] = [0, 2].map(|place| json["wdl"][place].as_u64());
        assert!(win < loss, "{json}");
    }

    #[test]
    fn the_picture_has_a_row_for_each_line() {
        let mut view = view("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        assert!(view.picture().is_empty());
        for multipv in [1, 2, 1] {
            let info = info(&view, Bound::Exact);
            view.remember(&SearchInfo { multipv, ..info });
        }
        let picture = view.picture();
        assert_eq!(picture.len(), 5, "{picture:?}");
        assert_eq!(
            picture[0],
            "depth 9/12  0.020 s  12 k nodes  617 k/s  hash 0 %"
        );
        assert!(picture[2].starts_with("   +1.50  1. "), "{picture:?}");
    }

    #[test]
    fn an_ended_game_is_a_result() {
        let view = view("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
        let json = view.result_json(None);
        assert_eq!(json["result"]["end"], "Checkmate: White has won.");
    }
}
