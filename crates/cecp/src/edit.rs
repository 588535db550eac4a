//! The old way to set up a position: `edit` and its subcommands (section 8), with the two that
//! ChessBase has added (section 13).

use orthrus_core::position::Setup;
use orthrus_core::types::{
    Bitboard, CastlingRights, CastlingSide, Color, File, Piece, PieceType, Square,
};

use crate::error::CommandError;

#[derive(Clone, Debug)]
pub(crate) struct Editor {
    setup: Setup,
    /// The colour of the pieces placed.
    color: Color,
    /// Rights given by `castle`; without it a king and rook at home have them.
    castling: Option<CastlingRights>,
}

impl Editor {
    /// Begins with the position on the board. The side to move stays.
    pub(crate) fn new(mut setup: Setup) -> Self {
        setup.en_passant = None;
        setup.halfmove_clock = 0;
        Self {
            setup,
            color: Color::White,
            castling: None,
        }
    }

    /// Carries out one subcommand other than the final `.`.
    ///
    /// # Errors
    ///
    /// If it is not a subcommand; the position stays as it was.
    pub(crate) fn edit(&mut self, line: &str) -> Result<(), CommandError> {
        let line = line.trim();
        match line.split_once(char::is_whitespace) {
            Some(("castle", rights)) => self.castle(rights.trim())?,
            Some(("ep", square)) => self.en_passant(square.trim())?,
            Some(_) => return Err(CommandError::Unknown),
            None => match line {
                "" => {}
                "c" => self.color = !self.color,
                "#" => {
                    self.setup = Setup {
                        side_to_move: self.setup.side_to_move,
                        castling_rule: self.setup.castling_rule,
                        variant: self.setup.variant,
                        fullmove_number: self.setup.fullmove_number,
                        ..Setup::empty()
                    }
                }
                _ => self.place(line)?,
            },
        }
        Ok(())
    }

    /// The position as edited. Unless `castle` said otherwise, a side with king and rook at home
    /// may castle: with the king on the e-file and the rook in the corner, or with `any_file`
    /// wherever they are on the first rank.
    pub(crate) fn finish(mut self, any_file: bool) -> Setup {
        self.setup.grant_castling();
        if !any_file {
            self.drop_unusual_rights();
        }
        if let Some(castling) = self.castling {
            self.setup.castling = castling;
        }
        self.setup
    }

    fn drop_unusual_rights(&mut self) {
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let usual = self.setup.king_file(color) == Some(File::E)
                    && self.setup.castling.rook_file(color, side) == Some(side.corner());
                if !usual {
                    self.setup.castling.set(color, side, None);
                }
            }
        }
    }

    /// `Pa4` puts a pawn on a4, `xa4` empties it.
    fn place(&mut self, line: &str) -> Result<(), CommandError> {
        let mut letters = line.chars();
        let letter = letters.next().ok_or(CommandError::Unknown)?;
        let square: Square = letters
            .as_str()
            .parse()
            .map_err(|_| CommandError::Unknown)?;
        let placed = match letter {
            'x' | 'X' => None,
            _ => {
                let piece_type = PieceType::from_letter(letter).ok_or(CommandError::Unknown)?;
                Some(Piece::new(self.color, piece_type))
            }
        };
        self.setup.board[square] = placed;
        self.setup.promoted &= !Bitboard::of(square);
        Ok(())
    }

    /// `castle KQkq`, or `castle -`.
    fn castle(&mut self, rights: &str) -> Result<(), CommandError> {
        let mut castling = CastlingRights::NONE;
        for letter in rights.chars().filter(|&letter| letter != '-') {
            let color = if letter.is_ascii_uppercase() {
                Color::White
            } else {
                Color::Black
            };
            let side = match letter.to_ascii_lowercase() {
                'k' => CastlingSide::King,
                'q' => CastlingSide::Queen,
                _ => return Err(CommandError::Malformed),
            };
            let rook = self.setup.outermost_rook(color, side);
            castling.set(color, side, rook);
        }
        self.castling = Some(castling);
        Ok(())
    }

    /// `ep e3`: the square a pawn has just passed; `ep -` is none.
    fn en_passant(&mut self, square: &str) -> Result<(), CommandError> {
        self.setup.en_passant = match square {
            "-" => None,
            _ => Some(square.parse().map_err(|_| CommandError::Malformed)?),
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use orthrus_core::fen::{self, CastlingLetters};
    use orthrus_core::position::{Position, Variant};

    use super::*;

    fn edited(lines: &[&str], any_file: bool) -> String {
        let mut editor = Editor::new(Setup::standard());
        for line in lines {
            assert_eq!(editor.edit(line), Ok(()), "{line}");
        }
        let position = Position::from_setup(&editor.finish(any_file)).unwrap();
        fen::write(&position, CastlingLetters::KingAndQueen)
    }

    #[test]
    fn king_and_rook_at_home_may_castle() {
        let lines = ["#", "Ke1", "Rh1", "Rb1", "c", "Ke8", "Pa7"];
        assert_eq!(edited(&lines, false), "4k3/p7/8/8/8/8/8/1R2K2R w K - 0 1");
        assert_eq!(edited(&lines, true), "4k3/p7/8/8/8/8/8/1R2K2R w KQ - 0 1");
    }

    #[test]
    fn chessbase_names_rights_and_the_passed_square() {
        let lines = [
            "#", "Ke1", "Rh1", "Ra1", "Pe5", "c", "Ke8", "Pd5", "castle Q", "ep d6",
        ];
        assert_eq!(edited(&lines, false), "4k3/8/8/3pP3/8/8/8/R3K2R w Q d6 0 1");
    }

    #[test]
    fn a_cleared_board_leaves_no_men_in_hand_and_no_checks_given() {
        let fen = "4k3/8/8/8/8/8/8/Q~3K3[Qn] b - - 3 9";
        let crazyhouse = fen::parse_as(Variant::Crazyhouse, fen).unwrap().setup();
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 1+3 0 1";
        let three_check = fen::parse_as(Variant::ThreeCheck, fen).unwrap().setup();
        for setup in [crazyhouse, three_check] {
            let mut editor = Editor::new(setup.clone());
            assert_eq!(editor.edit("#"), Ok(()));
            let cleared = editor.finish(false);
            let empty = Setup::empty();
            assert_eq!(cleared.hands, empty.hands);
            assert_eq!(cleared.promoted, empty.promoted);
            assert_eq!(cleared.checks_left, empty.checks_left);
            assert_eq!(cleared.variant, setup.variant);
            assert_eq!(cleared.side_to_move, setup.side_to_move);
        }
    }

    #[test]
    fn squares_are_emptied() {
        let lines = ["xa1", "xh8"];
        assert_eq!(
            edited(&lines, false),
            "rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kq - 0 1"
        );
    }

    #[test]
    fn nonsense_is_refused() {
        let mut editor = Editor::new(Setup::standard());
        for line in ["Zz9", "P", "Pa9", "é", "castle x", "ep zz", "go now"] {
            assert!(editor.edit(line).is_err(), "{line}");
        }
    }
}
