//! The list of moves, with what others have said about them and with better lines.

use std::fmt::Write as _;

use orthrus_core::notation::CastlingText;
use orthrus_core::position::Position;
use orthrus_core::types::{Color, Move};
use orthrus_pgn::{Line, Nag};

use super::super::formats::{VARIATION_LENGTH, coordinates};
use super::super::reason::reason;
use super::super::remarks::{self, prose};
use super::super::review::Review;
use super::escape::escape;
use crate::text::capital;

/// One row for each pair of moves, and one for what is said about a move. Moves of variations name
/// the ply of the position where their line leaves the game, and the way from there.
pub(super) fn list(review: &Review) -> String {
    let castling = CastlingText::fitting(&review.positions[0]);
    let mut list = String::new();
    let opening = prose(&review.game.main.comment);
    if !opening.is_empty() {
        let _ = write!(list, "<li class=\"note\">{}</li>", escape(&opening));
    }
    let mut is_open = false;
    for (index, (position, _)) in review.moves().enumerate() {
        let owners = review.owners(index);
        let is_white = position.side_to_move() == Color::White;
        if !is_open {
            let _ = write!(list, "<li><b>{}</b>", position.fullmove_number());
            list.push_str(if is_white { "" } else { "<span>…</span>" });
        }
        let mark = review.mark(index);
        let class = mark.map_or("", |mark| mark.name());
        let has_sign = owners.nags.iter().any(|nag| nag.suffix().is_some());
        let own_sign = mark
            .filter(|_| !has_sign)
            .and_then(|mark| mark.nag().suffix());
        let _ = write!(
            list,
            "<button class=\"{class}\" data-ply=\"{}\">{}{}{}</button>",
            index + 1,
            escape(&owners.san(position)),
            own_sign.unwrap_or_default(),
            signs(&owners.nags)
        );
        let mut lines = Lines {
            base: index,
            castling,
            html: String::new(),
        };
        lines.words(&prose(&owners.comment));
        for variation in &owners.variations {
            lines.variation(position, &[], variation);
        }
        let note = lines.html;
        let better = better(review, index, castling);
        is_open = is_white && note.is_empty() && better.is_empty();
        if !is_open {
            list.push_str("</li>");
        }
        if !note.is_empty() {
            let _ = write!(list, "<li class=\"note\">{note}</li>");
        }
        list.push_str(&better);
    }
    if is_open {
        list.push_str("</li>");
    }
    if let Some(fault) = &review.game.broken_off {
        let _ = write!(
            list,
            "<li class=\"note\">{}</li>",
            escape(&remarks::broken_off(fault))
        );
    }
    list
}

/// What the engine says of a marked move: the reason and the better line.
fn better(review: &Review, index: usize, castling: CastlingText) -> String {
    let Some(mark) = review.mark(index) else {
        return String::new();
    };
    let because = reason(review, index);
    let because = because.map_or_else(String::new, |reason| format!(": {reason}"));
    let mut lines = Lines {
        base: index,
        castling,
        html: String::new(),
    };
    let line = review.evaluations[index]
        .line
        .iter()
        .copied()
        .take(VARIATION_LENGTH);
    let line = Line::from(line.collect::<Vec<Move>>());
    lines.line(&review.positions[index], &[], &line);
    format!(
        "<li class=\"note answer\"><em class=\"{}\">{}{because}.</em> Better: {}</li>",
        mark.name(),
        capital(mark.name()),
        lines.html
    )
}

/// Moves of a variation that can be chosen, and not only read: each names the whole way to it, and
/// somebody's file may have variations of any length.
const LONGEST_PATH: usize = 200;

/// Variations as text in which each move can be chosen.
struct Lines {
    /// The ply of the position where they leave the game.
    base: usize,
    castling: CastlingText,
    html: String,
}

impl Lines {
    fn variation(&mut self, position: &Position, path: &[String], line: &Line) {
        self.html.push('(');
        self.line(position, path, line);
        let end = self.html.trim_end().len();
        self.html.truncate(end);
        self.html.push_str(") ");
    }

    /// The moves from a position to which this path leads.
    fn line(&mut self, position: &Position, path: &[String], line: &Line) {
        self.words(&prose(&line.comment));
        let mut position = position.without_history();
        let mut path = path.to_vec();
        let mut needs_number = true;
        for node in &line.moves {
            if !node.is_legal(&position) {
                break;
            }
            let number = position.fullmove_number();
            match position.side_to_move() {
                Color::White => self.push(&format!("{number}.&nbsp;")),
                Color::Black if needs_number => self.push(&format!("{number}…&nbsp;")),
                Color::Black => {}
            }
            let before = path.len();
            let text = format!("{}{}", escape(&node.san(&position)), signs(&node.nags));
            if before < LONGEST_PATH {
                path.push(coordinates(&position, node, self.castling));
                let (ply, way) = (self.base, path.join(" "));
                let _ = write!(
                    self.html,
                    "<button data-ply=\"{ply}\" data-path=\"{way}\">{text}</button> "
                );
            } else {
                self.push(&format!("{text} "));
            }
            self.words(&prose(&node.comment));
            for variation in &node.variations {
                self.variation(&position, &path[..before], variation);
            }
            needs_number = !node.comment.is_empty() || !node.variations.is_empty();
            node.play(&mut position);
        }
    }

    /// A comment.
    fn words(&mut self, text: &str) {
        if !text.is_empty() {
            let _ = write!(self.html, "<i>{}</i> ", escape(text));
        }
    }

    fn push(&mut self, text: &str) {
        self.html.push_str(text);
    }
}

/// Marks as people write them.
fn signs(nags: &[Nag]) -> String {
    let sign = |nag: &Nag| match nag.sign() {
        Some(sign) => escape(sign),
        None => format!(" {nag}"),
    };
    nags.iter().map(sign).collect()
}
