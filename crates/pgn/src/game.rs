//! A game with its comments and variations.

use orthrus_core::notation::write_san;
use orthrus_core::position::Position;
use orthrus_core::types::Move;

use crate::{GameResult, Nag, Tags};

/// A game as PGN has it. `Display` writes it, with a line end after the result.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// The tags without `Result`, `SetUp` and `FEN`, whose content the fields below hold.
    pub tags: Tags,
    /// The position before the first move.
    pub start: Position,
    /// How it ended.
    pub result: GameResult,
    /// What was played.
    pub main: Line,
    /// What is wrong with the move at which reading `main` ended; `None` if all of it was read.
    pub broken_off: Option<String>,
}

/// Moves that follow one another: what was played, or a variation.
///
/// Each should be legal after those before it; a written line ends before a move that is not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// A comment before the first move; empty if there is none.
    pub comment: String,
    /// The moves.
    pub moves: Vec<MoveNode>,
}

/// A move with what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveNode {
    /// The move; `None` for a null move, with which a side passes.
    pub mv: Option<Move>,
    /// Marks on it, each once.
    pub nags: Vec<Nag>,
    /// The comment after it, its words separated by single blanks; empty if there is none.
    pub comment: String,
    /// What could have been played instead of it.
    pub variations: Vec<Line>,
}

impl MoveNode {
    /// A move without marks, comments and variations.
    pub fn new(mv: Option<Move>) -> Self {
        Self {
            mv,
            nags: Vec::new(),
            comment: String::new(),
            variations: Vec::new(),
        }
    }

    /// Whether it can be played: nobody passes in check.
    pub fn is_legal(&self, position: &Position) -> bool {
        match self.mv {
            Some(mv) => position.is_legal(mv),
            None => !position.in_check(),
        }
    }

    /// Plays it, which must be legal, in a position.
    pub fn play(&self, position: &mut Position) {
        match self.mv {
            Some(mv) => position.make_move(mv),
            None => position.make_null_move(),
        }
    }

    /// Its text in a position: SAN, or `--` for a null move, which the standard does not have.
    pub fn san(&self, position: &Position) -> String {
        match self.mv {
            Some(mv) => write_san(position, mv),
            None => "--".to_owned(),
        }
    }
}

impl From<Vec<Move>> for Line {
    /// Moves without marks, comments and variations.
    fn from(moves: Vec<Move>) -> Self {
        Self {
            comment: String::new(),
            moves: moves.into_iter().map(Some).map(MoveNode::new).collect(),
        }
    }
}

impl PgnGame {
    /// The moves played, without variations, up to the first null move.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.main.moves.iter().map_while(|node| node.mv)
    }
}
