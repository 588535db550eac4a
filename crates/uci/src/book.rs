//! The opening book as text: what is played from it, and what `book` shows to a person.

use orthrus_core::book::BookMove;
use orthrus_core::types::Move;

use crate::format::{Root, info_string};

/// The move that is played without a search.
pub(crate) fn choice(chosen: Move, moves: &[BookMove], root: &Root) -> Option<String> {
    let found = moves.iter().find(|found| found.mv == chosen)?;
    Some(info_string(&format!(
        "book move {}",
        entry(*found, moves, root)
    )))
}

/// All moves of a position, one line each.
pub(crate) fn moves(moves: Option<&[BookMove]>, root: &Root) -> Vec<String> {
    match moves {
        None => vec![info_string("no book is loaded: set the option Book File")],
        Some([]) => vec![info_string("the book has no move here")],
        Some(moves) => {
            let lines = moves.iter().map(|&found| entry(found, moves, root));
            lines.map(|line| info_string(&line)).collect()
        }
    }
}

fn entry(found: BookMove, moves: &[BookMove], root: &Root) -> String {
    let mv = root.move_text(found.mv);
    let share = found.percentage(moves);
    format!("{mv} weight {} ({share:.1} %)", found.weight)
}
