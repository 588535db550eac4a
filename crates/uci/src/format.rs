//! Events and options as lines for the GUI.

use std::fmt::Write as _;

use orthrus_core::engine::options::{OptionKind, OptionSpec};
use orthrus_core::notation::{CastlingText, write_coordinate};
use orthrus_core::position::Position;
use orthrus_core::search::{Bound, Progress, SearchInfo};
use orthrus_core::types::{Move, Score};

/// What an answer that has no move says: there is none.
pub(crate) const NO_MOVE: &str = "bestmove (none)";
/// The null move of the specification: the answer where nothing could be searched.
pub(crate) const NULL_MOVE: &str = "bestmove 0000";

/// The longest text quoted in an `info string`, in characters.
const MAX_TEXT: usize = 400;

/// The position that a search began with, and how its moves are written.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub(crate) position: Position,
    pub(crate) castling: CastlingText,
}

impl Root {
    pub(crate) fn move_text(&self, mv: Move) -> String {
        write_coordinate(&self.position, mv, self.castling)
    }

    /// Appends a line of play, a blank before each move.
    fn push_line(&self, text: &mut String, moves: &[Move]) {
        let mut position = self.position.clone();
        for &mv in moves {
            let _ = write!(text, " {}", write_coordinate(&position, mv, self.castling));
            position.make_move(mv);
        }
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

/// `option name ...`
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

/// `info depth ...`, complete; where there was nothing to search only depth and score.
pub(crate) fn search_info(info: &SearchInfo, root: &Root) -> String {
    if info.depth == 0 {
        return format!("info depth 0 score {}", score(info.score));
    }
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}",
        info.depth,
        info.seldepth,
        info.multipv,
        score(info.score)
    );
    line.push_str(match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    });
    let _ = write!(
        line,
        " nodes {} nps {} hashfull {} tbhits {} time {}",
        info.nodes,
        info.nps(),
        info.hashfull,
        info.tbhits,
        info.time.as_millis()
    );
    if !info.pv.is_empty() {
        line.push_str(" pv");
        root.push_line(&mut line, &info.pv);
    }
    line
}

/// `info depth ... currmove ... currmovenumber ...`
pub(crate) fn current_move(progress: &Progress, root: &Root) -> String {
    format!(
        "info depth {} currmove {} currmovenumber {}",
        progress.depth,
        root.move_text(progress.current_move),
        progress.move_number
    )
}

/// `bestmove ... ponder ...`
pub(crate) fn best_move(best: Option<Move>, ponder: Option<Move>, root: &Root) -> String {
    let Some(best) = best else {
        return NO_MOVE.to_owned();
    };
    let mut line = format!("bestmove {}", root.move_text(best));
    if let Some(ponder) = ponder {
        let mut position = root.position.clone();
        position.make_move(best);
        let reply = write_coordinate(&position, ponder, root.castling);
        let _ = write!(line, " ponder {reply}");
    }
    line
}

/// `cp` in centipawns or `mate` in moves, from the side to move's point of view.
fn score(score: Score) -> String {
    match score.mate_moves() {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", score.value()),
    }
}
