//! What the user does with the mouse, answered by marks on the board: `lift`, `put` and `hover`
//! (section 8), `highlight` and `choice` (section 9).

use orthrus_core::position::Position;
use orthrus_core::types::{Color, File, MoveKind, Piece, Promotion, Rank, Square, SquareMap};

use crate::parse::Pointer;

/// What a pawn may become, the usual choice first.
const CHOICE: [Promotion; 5] = [
    Promotion::Queen,
    Promotion::Rook,
    Promotion::Bishop,
    Promotion::Knight,
    Promotion::King,
];

/// Marks of squares, by the letters of `highlight`: capitals where the piece may go.
type Marks = SquareMap<Option<char>>;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LiftedPiece {
    from: Option<Square>,
}

impl LiftedPiece {
    /// Answers what the user did. `onto_rook` is set if castling puts the king on its rook.
    pub(crate) fn answer(
        &mut self,
        pointer: Pointer,
        position: &Position,
        onto_rook: bool,
    ) -> Option<String> {
        match pointer {
            Pointer::Lift(from) => {
                self.from = Some(from);
                Some(highlight(&marks(position, from, onto_rook)))
            }
            Pointer::Put(to) => {
                let from = self.from?;
                let moves = position.legal_moves();
                let is_legal = |man: &Promotion| {
                    let mut there = moves.iter().filter(|mv| mv.from() == from && mv.to() == to);
                    there.any(|mv| mv.promotion() == Some(*man))
                };
                let men = CHOICE.into_iter().filter(is_legal);
                let letter = |man: Promotion| Piece::new(Color::White, man.piece_type()).letter();
                let choice: String = men.map(letter).collect();
                (!choice.is_empty()).then(|| format!("choice {choice}"))
            }
            Pointer::Hover(to) => {
                let from = self.from?;
                let victim = en_passant_victim(position, from, to)?;
                let mut marks = marks(position, from, onto_rook);
                marks[victim] = Some('g');
                Some(highlight(&marks))
            }
        }
    }
}

/// Where the piece on `from` may go: red for a capture, magenta for a promotion, otherwise yellow.
/// Castling puts the king on its rook only in Chess960.
fn marks(position: &Position, from: Square, onto_rook: bool) -> Marks {
    let mut marks = Marks::default();
    for mv in position.legal_moves() {
        if mv.dropped().is_some() || mv.from() != from {
            continue;
        }
        let target = if mv.is_castling() && !onto_rook {
            position.castled_king(mv)
        } else {
            mv.to()
        };
        let mark = if mv.promotion().is_some() {
            'M'
        } else if mv.is_capture() {
            'R'
        } else {
            'Y'
        };
        marks[target] = Some(mark);
    }
    marks
}

/// The pawn taken en passant by this move, if that is what it does.
fn en_passant_victim(position: &Position, from: Square, to: Square) -> Option<Square> {
    let moves = position.legal_moves();
    let taking = moves
        .iter()
        .find(|mv| mv.from() == from && mv.to() == to && mv.kind() == MoveKind::EnPassant);
    taking.map(|mv| mv.capture_square())
}

/// `highlight COLORFEN`
fn highlight(marks: &Marks) -> String {
    let ranks = Rank::ALL.into_iter().rev().map(|rank| {
        let mut text = String::new();
        let mut gap = 0;
        for file in File::ALL {
            match marks[Square::new(file, rank)] {
                Some(mark) => {
                    if gap > 0 {
                        text.push_str(&gap.to_string());
                        gap = 0;
                    }
                    text.push(mark);
                }
                None => gap += 1,
            }
        }
        if gap > 0 {
            text.push_str(&gap.to_string());
        }
        text
    });
    format!("highlight {}", ranks.collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use orthrus_core::fen;
    use orthrus_core::position::Variant;

    use super::*;

    fn answer(lifted: &mut LiftedPiece, pointer: Pointer, fen: &str) -> Option<String> {
        lifted.answer(pointer, &fen::parse(fen).unwrap(), false)
    }

    #[test]
    fn the_targets_of_a_man_are_marked() {
        let mut lifted = LiftedPiece::default();
        let castling = "4k3/8/8/8/8/8/4p3/4K2R w K - 0 1";
        assert_eq!(
            answer(&mut lifted, Pointer::Lift(Square::E1), castling).as_deref(),
            Some("highlight 8/8/8/8/8/8/3YRY2/8")
        );
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(
            answer(&mut lifted, Pointer::Lift(Square::E7), start).as_deref(),
            Some("highlight 8/8/8/8/8/8/8/8")
        );
    }

    #[test]
    fn castling_is_marked_where_the_king_goes() {
        let position = fen::parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let lift = Pointer::Lift(Square::E1);
        let mut lifted = LiftedPiece::default();
        assert_eq!(
            lifted.answer(lift, &position, false).as_deref(),
            Some("highlight 8/8/8/8/8/8/3YYY2/3Y1YY1")
        );
        assert_eq!(
            lifted.answer(lift, &position, true).as_deref(),
            Some("highlight 8/8/8/8/8/8/3YYY2/3Y1Y1Y")
        );
    }

    #[test]
    fn a_pawn_on_the_last_rank_has_a_choice() {
        let fen = "3r4/4P2k/8/8/8/8/8/4K3 w - - 0 1";
        let mut lifted = LiftedPiece::default();
        assert_eq!(
            answer(&mut lifted, Pointer::Lift(Square::E7), fen).as_deref(),
            Some("highlight 3MM3/8/8/8/8/8/8/8")
        );
        assert_eq!(
            answer(&mut lifted, Pointer::Put(Square::E8), fen).as_deref(),
            Some("choice QRBN")
        );
        assert_eq!(answer(&mut lifted, Pointer::Put(Square::E5), fen), None);
        let fen = "8/P7/8/8/8/8/1p6/8 w - - 0 1";
        let antichess = fen::parse_as(Variant::Antichess, fen).unwrap();
        lifted.answer(Pointer::Lift(Square::A7), &antichess, false);
        let choice = lifted.answer(Pointer::Put(Square::A8), &antichess, false);
        assert_eq!(choice.as_deref(), Some("choice QRBNK"));
    }

    #[test]
    fn the_pawn_taken_in_passing_is_shown() {
        let fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        let mut lifted = LiftedPiece::default();
        assert_eq!(answer(&mut lifted, Pointer::Hover(Square::D6), fen), None);
        answer(&mut lifted, Pointer::Lift(Square::E5), fen);
        assert_eq!(
            answer(&mut lifted, Pointer::Hover(Square::D6), fen).as_deref(),
            Some("highlight 8/8/3RY3/3g4/8/8/8/8")
        );
    }
}
