//! The opening book: `bk` (section 8), and what is said when one of its moves is played (section
//! 10).

use orthrus_core::book::BookMove;
use orthrus_core::engine::Command;
use orthrus_core::notation::write_san;
use orthrus_core::position::Position;
use orthrus_core::types::Move;

use super::Cecp;

impl Cecp {
    /// `bk`: answered when the engine has looked the position up.
    pub(crate) fn ask_for_book(&mut self) {
        if self.board.is_refused() {
            self.say("\tno legal position");
            self.say("");
            return;
        }
        let position = self.board.position().clone();
        self.commands
            .push_back(Command::ShowBook(Box::new(position.clone())));
        self.book_questions.push_back(position);
    }

    /// What the book has for the position of the oldest `bk`, in lines that begin with a tab, and
    /// an empty line at the end.
    pub(crate) fn hear_book_moves(&mut self, moves: Option<&[BookMove]>) {
        let Some(position) = self.book_questions.pop_front() else {
            log::error!("book moves that nobody asked for");
            return;
        };
        match moves {
            None => self.say("\tno opening book"),
            Some([]) => self.say("\tno book move here"),
            Some(moves) => {
                for found in moves {
                    let mv = write_san(&position, found.mv);
                    let (weight, share) = (found.weight, found.percentage(moves));
                    self.say(format!("\t{mv:7} {weight:6} {share:5.1} %"));
                }
            }
        }
        self.say("");
    }
}

/// A move played from the book: a thinking line in brackets, which GUIs show as it is. `root` is
/// where it is played.
pub(crate) fn choice(root: &Position, chosen: Move, moves: &[BookMove]) -> String {
    let text = |found: &BookMove| {
        let share = found.percentage(moves);
        format!("{} {share:.0} %", write_san(root, found.mv))
    };
    let (first, others): (Vec<&BookMove>, Vec<&BookMove>) =
        moves.iter().partition(|found| found.mv == chosen);
    let words: Vec<String> = first.into_iter().chain(others).map(text).collect();
    // A depth of 1, because PyChess takes `0 0 0 0` at the start of a line for `book off`.
    format!("1 0 0 0\t(book: {})", words.join(", "))
}
