//! A game with its comments and variations.

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
    /// The move.
    pub mv: Move,
    /// Marks on it, each once.
    pub nags: Vec<Nag>,
    /// The comment after it, its words separated by single blanks; empty if there is none.
    pub comment: String,
    /// What could have been played instead of it.
    pub variations: Vec<Line>,
}

impl MoveNode {
    /// A move without marks, comments and variations.
    pub fn new(mv: Move) -> Self {
        Self {
            mv,
            nags: Vec::new(),
            comment: String::new(),
            variations: Vec::new(),
        }
    }
}

impl From<Vec<Move>> for Line {
    /// Moves without marks, comments and variations.
    fn from(moves: Vec<Move>) -> Self {
        Self {
            comment: String::new(),
            moves: moves.into_iter().map(MoveNode::new).collect(),
        }
    }
}

impl PgnGame {
    /// The moves played, without variations.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.main.moves.iter().map(|node| node.mv)
    }
}
