//! Events and options as lines for the GUI.

use std::fmt::Write as _;
use std::time::Duration;

use orthrus_core::book::BookMove;
use orthrus_core::engine::options::{OptionKind, OptionSpec};
use orthrus_core::evaluation::normalised;
use orthrus_core::notation::{CastlingText, write_coordinate, write_moves};
use orthrus_core::position::Position;
use orthrus_core::search::{Bound, Progress, SearchInfo, Status, nodes_per_second};
use orthrus_core::types::{Move, Score};

/// The answer if there is no legal move.
pub(crate) const NO_MOVE: &str = "bestmove (none)";

/// The longest text quoted in an `info string`, in characters.
const MAX_TEXT: usize = 400;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Style {
    pub(crate) castling: CastlingText,
    /// Whether scores come with the chances of win, draw and loss.
    pub(crate) wdl: bool,
    /// Whether 100 centipawns win every second game.
    pub(crate) normalised: bool,
}

/// The root position of a search, and how its lines are written.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub(crate) position: Position,
    pub(crate) style: Style,
}

impl Root {
    pub(crate) fn move_text(&self, mv: Move) -> String {
        write_coordinate(&self.position, mv, self.style.castling)
    }

    fn moves(&self, moves: &[Move]) -> Vec<String> {
        let write = |position: &Position, mv| write_coordinate(position, mv, self.style.castling);
        write_moves(&self.position, moves, write)
    }

    /// A line of play, with a blank before each move.
    pub(crate) fn line(&self, moves: &[Move]) -> String {
        let words = self.moves(moves);
        words.iter().flat_map(|word| [" ", word]).collect()
    }
}

/// `info string ...`; the text becomes one line of printable characters of bounded length.
pub(crate) fn info_string(text: &str) -> String {
    let mut line = "info string ".to_owned();
    let mut letters = text.chars();
    for letter in letters.by_ref().take(MAX_TEXT) {
        if letter.is_control() {
            line.extend(letter.escape_default());
        } else {
            line.push(letter);
        }
    }
    if letters.next().is_some() {
        line.push_str(" ...");
    }
    line
}

pub(crate) fn option(spec: &OptionSpec) -> String {
    let mut line = format!("option name {} type ", spec.name);
    let _ = match spec.kind {
        OptionKind::Check { default, .. } => write!(line, "check default {default}"),
        OptionKind::Spin {
            default, min, max, ..
        } => write!(line, "spin default {default} min {min} max {max}"),
        OptionKind::Combo {
            default, choices, ..
        } => {
            let default = choices.get(default).copied().unwrap_or_default();
            let _ = write!(line, "combo default {default}");
            choices
                .iter()
                .try_for_each(|choice| write!(line, " var {choice}"))
        }
        // An empty default is written out: some GUIs ignore options without one.
        OptionKind::Text { default: "", .. } => write!(line, "string default <empty>"),
        OptionKind::Text { default, .. } => write!(line, "string default {default}"),
        OptionKind::Button { .. } => write!(line, "button"),
    };
    line
}

/// `info depth ...` with all fields, `wdl` if asked for; only depth and score if there was nothing
/// to search.
pub(crate) fn search_info(info: &SearchInfo, root: &Root) -> String {
    let wdl = if root.style.wdl {
        let chances = info.chances(&root.position);
        format!(" wdl {} {} {}", chances.win, chances.draw, chances.loss)
    } else {
        String::new()
    };
    let shown = if root.style.normalised {
        normalised(info.score, &root.position)
    } else {
        info.score
    };
    if info.depth == 0 {
        return format!("info depth 0 score {}{wdl}", score(shown));
    }
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}",
        info.depth,
        info.seldepth,
        info.multipv,
        score(shown)
    );
    line.push_str(match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    });
    line.push_str(&wdl);
    line.push_str(&counters(info.nodes, info.time, info.hashfull, info.tbhits));
    if !info.pv.is_empty() {
        let _ = write!(line, " pv{}", root.line(&info.pv));
    }
    line
}

fn counters(nodes: u64, time: Duration, hashfull: u32, tbhits: u64) -> String {
    let nps = nodes_per_second(nodes, time);
    let time = time.as_millis();
    format!(" nodes {nodes} nps {nps} hashfull {hashfull} tbhits {tbhits} time {time}")
}

pub(crate) fn current_move(progress: &Progress, root: &Root) -> String {
    format!(
        "info depth {} currmove {} currmovenumber {}",
        progress.depth,
        root.move_text(progress.current_move),
        progress.move_number
    )
}

pub(crate) fn status(status: &Status) -> String {
    let mut line = "info".to_owned();
    line.push_str(&counters(
        status.nodes,
        status.time,
        status.hashfull,
        status.tbhits,
    ));
    if let Some(load) = status.cpu_load {
        let _ = write!(line, " cpuload {load}");
    }
    line
}

pub(crate) fn best_move(best: Option<Move>, ponder: Option<Move>, root: &Root) -> String {
    let Some(best) = best else {
        return NO_MOVE.to_owned();
    };
    let line: Vec<Move> = [best].into_iter().chain(ponder).collect();
    format!("bestmove {}", root.moves(&line).join(" ponder "))
}

/// The move that is played without a search.
pub(crate) fn book_move(chosen: Move, moves: &[BookMove], root: &Root) -> Option<String> {
    let found = moves.iter().find(|found| found.mv == chosen)?;
    Some(info_string(&format!(
        "book move {}",
        book_entry(*found, moves, root)
    )))
}

/// All moves of a position, one line each.
pub(crate) fn book_moves(moves: Option<&[BookMove]>, root: &Root) -> Vec<String> {
    match moves {
        None => vec![info_string("no book is loaded: set the option Book File")],
        Some([]) => vec![info_string("the book has no move here")],
        Some(moves) => {
            let lines = moves.iter().map(|&found| book_entry(found, moves, root));
            lines.map(|line| info_string(&line)).collect()
        }
    }
}

fn book_entry(found: BookMove, moves: &[BookMove], root: &Root) -> String {
    let mv = root.move_text(found.mv);
    let share = found.percentage(moves);
    format!("{mv} weight {} ({share:.1} %)", found.weight)
}

/// `cp` in centipawns or `mate` in moves, from the side to move's point of view.
fn score(score: Score) -> String {
    match score.mate_moves() {
        // In games where one may have won already; 0 is a mate suffered.
        Some(0) if score.is_win() => "mate 1".to_owned(),
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", score.value()),
    }
}
