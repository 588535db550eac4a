//! One game as self-play stores it: where it began, every move, every score, how it ended.

use orthrus_core::fen::{self, CastlingLetters, FenError};
use orthrus_core::position::{Position, Setup, Variant};
use orthrus_core::types::{Color, Move, Score};
use thiserror::Error;

/// A game may have at most this many plies, so that every game fits into a block.
pub const MAX_PLIES: usize = 2_048;

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// Which game was played.
    pub variant: Variant,
    /// The position before the first move.
    pub start: Start,
    /// How many of the first moves were chosen at random. They have no scores.
    pub opening_plies: usize,
    /// Every move, oldest first.
    pub moves: Vec<Move>,
    /// The search's score before each move after the opening, from the side to move.
    pub scores: Vec<Score>,
    /// Who won.
    pub result: GameResult,
    /// Why the game ended there.
    pub reason: Reason,
}

/// The position before the first move of a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Start {
    /// That of the game's rules.
    Standard,
    /// Chess960, by the numbers of White's and Black's back ranks (below 960); in double
    /// Chess960 they differ.
    Chess960 {
        /// White's back rank.
        white: u16,
        /// Black's back rank.
        black: u16,
    },
    /// Any other position, as a FEN with the files of the castling rooks (Shredder-FEN).
    Fen(String),
}

/// Why a game cannot start like this.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StartError {
    /// The number is not below 960.
    #[error("no Chess960 back rank has the number {0}")]
    BackRank(u16),
    /// The game does not begin with a Chess960 position.
    #[error("{} does not begin with a Chess960 position", .0.name())]
    Chess960(Variant),
    /// The FEN is invalid.
    #[error("start position: {0}")]
    Fen(#[from] FenError),
}

impl Start {
    /// The shortest form of a position.
    pub fn of(position: &Position) -> Self {
        if position.setup() == fen::start(position.variant()).setup() {
            Self::Standard
        } else {
            Self::Fen(fen::write(position, CastlingLetters::RookFiles))
        }
    }

    /// Sets the position up for this game.
    ///
    /// # Errors
    ///
    /// If it has no such position.
    pub fn position(&self, variant: Variant) -> Result<Position, StartError> {
        match self {
            Self::Standard => Ok(fen::start(variant)),
            Self::Chess960 { .. } if variant != Variant::Standard => {
                Err(StartError::Chess960(variant))
            }
            Self::Chess960 { white, black } => {
                let setup = double_chess960(*white, *black)?;
                Ok(Position::from_setup(&setup).map_err(FenError::from)?)
            }
            Self::Fen(text) => Ok(fen::parse_as(variant, text)?),
        }
    }
}

/// White's pieces from one Chess960 start position, Black's from another.
fn double_chess960(white: u16, black: u16) -> Result<Setup, StartError> {
    let back_rank = |number| Setup::chess960(number).ok_or(StartError::BackRank(number));
    let mut setup = back_rank(white)?;
    let other = back_rank(black)?;
    for square in orthrus_core::types::Square::ALL {
        if let Some(piece) = other.board[square].filter(|piece| piece.color() == Color::Black) {
            setup.board[square] = Some(piece);
        }
    }
    setup.grant_castling();
    Ok(setup)
}

/// Who won a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// White won.
    WhiteWins,
    /// Nobody won.
    Draw,
    /// Black won.
    BlackWins,
}

impl GameResult {
    /// Every result, in the order of the file format.
    pub const ALL: [Self; 3] = [Self::WhiteWins, Self::Draw, Self::BlackWins];

    /// The game is won by this side.
    pub const fn won_by(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// What the game was worth to a side: 1 for a win, 1/2 for a draw, 0 for a loss.
    pub fn points(self, color: Color) -> f32 {
        if self == Self::Draw {
            0.5
        } else if self == Self::won_by(color) {
            1.0
        } else {
            0.0
        }
    }

    /// As PGN writes it.
    pub const fn text(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::Draw => "1/2-1/2",
            Self::BlackWins => "0-1",
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move.
    Stalemate,
    /// The same position for the third time.
    Repetition,
    /// Fifty moves of either side without progress.
    FiftyMoves,
    /// Neither side can mate any more.
    InsufficientMaterial,
    /// Both sides agreed for long enough about who wins.
    WinAdjudicated,
    /// The scores stayed near zero for long enough.
    DrawAdjudicated,
    /// The game got too long; it counts as drawn.
    TooLong,
    /// As only a variant ends: its aim is reached, or its race is tied.
    VariantEnd,
}

impl Reason {
    /// Every reason, in the order of the file format.
    pub const ALL: [Self; 9] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::Repetition,
        Self::FiftyMoves,
        Self::InsufficientMaterial,
        Self::WinAdjudicated,
        Self::DrawAdjudicated,
        Self::TooLong,
        Self::VariantEnd,
    ];

    /// In words.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Repetition => "repetition",
            Self::FiftyMoves => "fifty moves",
            Self::InsufficientMaterial => "insufficient material",
            Self::WinAdjudicated => "win adjudicated",
            Self::DrawAdjudicated => "draw adjudicated",
            Self::TooLong => "too long",
            Self::VariantEnd => "aim of the variant",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fen_of(start: &Start) -> String {
        let position = start.position(Variant::Standard).unwrap();
        fen::write(&position, CastlingLetters::RookFiles)
    }

    #[test]
    fn the_sides_of_double_chess960_come_from_their_own_numbers() {
        let start = Start::Chess960 {
            white: 518,
            black: 0,
        };
        assert_eq!(
            fen_of(&start),
            "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAhf - 0 1"
        );
        assert_eq!(
            Start::Chess960 {
                white: 0,
                black: 960
            }
            .position(Variant::Standard)
            .unwrap_err(),
            StartError::BackRank(960)
        );
        assert_eq!(
            start.position(Variant::Horde).unwrap_err(),
            StartError::Chess960(Variant::Horde)
        );
    }

    #[test]
    fn a_position_names_its_start() {
        assert_eq!(Start::of(&Position::startpos()), Start::Standard);
        let text = "4k3/8/8/8/8/8/8/4K2R w H - 3 7";
        let start = Start::of(&fen::parse(text).unwrap());
        assert_eq!(start, Start::Fen(text.to_owned()));
        assert_eq!(fen_of(&start), text);
        for variant in Variant::ALL {
            assert_eq!(Start::of(&fen::start(variant)), Start::Standard);
            let start = Start::Standard.position(variant).unwrap();
            assert_eq!(start.setup(), fen::start(variant).setup());
        }
    }

    #[test]
    fn points_belong_to_a_side() {
        let doubled =
            |result: GameResult| Color::ALL.map(|color| (result.points(color) * 2.0) as u8);
        assert_eq!(doubled(GameResult::BlackWins), [0, 2]);
        assert_eq!(doubled(GameResult::Draw), [1, 1]);
        assert_eq!(doubled(GameResult::WhiteWins), [2, 0]);
    }
}
