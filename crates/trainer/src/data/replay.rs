//! Walking through a stored game, and choosing the positions to learn from.

use orthrus_core::position::Position;
use orthrus_core::types::{Key, Move, Score};

use super::record::{GameRecord, GameResult, StartError};

impl GameRecord {
    /// Walks through the game from its start.
    ///
    /// # Errors
    ///
    /// If the start cannot be played. A record that was read from a file can always be replayed.
    pub fn replay(&self) -> Result<Replay<'_>, StartError> {
        Ok(Replay::new(self, self.start.position(self.variant)?))
    }

    /// The hash of the position after the opening: games with the same hash are much alike.
    ///
    /// # Errors
    ///
    /// If the start cannot be played.
    pub fn opening_key(&self) -> Result<Key, StartError> {
        let mut replay = self.replay()?;
        for _ in 0..=self.opening_plies {
            if replay.next_ply().is_none() {
                break;
            }
        }
        Ok(replay.position().key())
    }
}

/// A walk through a game, ply by ply.
#[derive(Debug)]
pub struct Replay<'a> {
    game: &'a GameRecord,
    position: Position,
    /// How many plies have been returned.
    plies: usize,
    /// How many of their moves have been made: the last one waits until it has been seen.
    made: usize,
}

/// One moment of a game: a position, its score and the move played.
#[derive(Clone, Copy, Debug)]
pub struct Ply<'a> {
    /// The position before the move.
    pub position: &'a Position,
    /// The move played: random in the opening, else the search's best.
    pub mv: Move,
    /// The search's score, from the side to move; `None` in the opening.
    pub score: Option<Score>,
    /// How many plies with a score came before it.
    pub searched_before: usize,
    /// How the game ended.
    pub result: GameResult,
}

impl<'a> Replay<'a> {
    fn new(game: &'a GameRecord, position: Position) -> Self {
        Self {
            game,
            position,
            plies: 0,
            made: 0,
        }
    }

    /// The next ply; `None` when there is no further move, or an illegal one.
    ///
    /// Not an `Iterator`, because a ply borrows the position, which would be slow to copy.
    pub fn next_ply(&mut self) -> Option<Ply<'_>> {
        if self.made < self.plies {
            self.position.make_move(*self.game.moves.get(self.made)?);
            self.made += 1;
        }
        let &mv = self.game.moves.get(self.plies)?;
        if !self.position.is_legal(mv) {
            return None;
        }
        let index = self.plies.checked_sub(self.game.opening_plies);
        self.plies += 1;
        Some(Ply {
            position: &self.position,
            mv,
            score: index.and_then(|index| self.game.scores.get(index).copied()),
            searched_before: index.unwrap_or(0),
            result: self.game.result,
        })
    }

    /// The position of the last ply returned; after `None`, the final position.
    pub fn position(&self) -> &Position {
        &self.position
    }
}

/// Marks a rescored position in which a quiet move was played but the search would capture or
/// promote. Larger than any score of a search, so that the [`Filter`] skips it.
pub const NOT_QUIET: Score = Score::MATE;

/// Which positions are worth learning from: quiet ones, where the score is about the position
/// and not about the capture that follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Skips positions with larger scores for either side, as already decided.
    pub largest_score: Score,
    /// Skips so many plies after the random opening, of which games have too much alike.
    pub skipped_plies: usize,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            largest_score: Score::centipawns(2_999),
            skipped_plies: 0,
        }
    }
}

impl Filter {
    /// Whether to learn from this ply. Not in the opening or soon after it, in check, before a capture
    /// or promotion, or when the game is decided.
    pub fn keeps(&self, ply: &Ply<'_>) -> bool {
        ply.score.is_some_and(|score| {
            ply.searched_before >= self.skipped_plies
                && score.value().abs() <= self.largest_score.value()
                && !ply.mv.is_tactical()
                && !ply.position.in_check()
        })
    }
}

#[cfg(test)]
mod tests {
    use orthrus_core::notation::parse_coordinate;
    use orthrus_core::position::Variant;

    use super::*;
    use crate::data::record::{Reason, Start};

    /// Scholar's mate, declined at first: quiet moves, captures, checks.
    fn record() -> GameRecord {
        let mut position = Position::startpos();
        let mut moves = Vec::new();
        for text in "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7".split(' ') {
            let mv = parse_coordinate(&position, text).unwrap();
            position.make_move(mv);
            moves.push(mv);
        }
        GameRecord {
            variant: Variant::Standard,
            start: Start::Standard,
            opening_plies: 2,
            moves,
            scores: [10, -5, -3_000, 2_999, 31_999]
                .map(|value| Score::from_value(value).unwrap())
                .to_vec(),
            result: GameResult::WhiteWins,
            reason: Reason::Checkmate,
        }
    }

    #[test]
    fn a_replay_shows_every_ply_before_its_move() {
        let record = record();
        let mut replay = record.replay().unwrap();
        let mut scores = Vec::new();
        let mut plies = 0;
        while let Some(ply) = replay.next_ply() {
            assert_eq!(ply.mv, record.moves[plies]);
            assert!(ply.position.is_legal(ply.mv));
            scores.extend(ply.score);
            plies += 1;
        }
        assert_eq!(plies, record.moves.len());
        assert_eq!(scores, record.scores);
        assert!(replay.next_ply().is_none());
        assert!(replay.position().in_check());
        assert!(!replay.position().has_legal_move());
    }

    #[test]
    fn the_filter_keeps_quiet_undecided_positions() {
        let record = record();
        // The opening has no scores, -3,000 is decided, the last move is a capture.
        for (skipped_plies, expected) in [(0, &[10, -5, 2_999][..]), (1, &[-5, 2_999]), (4, &[])] {
            let filter = Filter {
                skipped_plies,
                ..Filter::default()
            };
            let mut replay = record.replay().unwrap();
            let mut kept = Vec::new();
            while let Some(ply) = replay.next_ply() {
                kept.extend(ply.score.filter(|_| filter.keeps(&ply)).map(Score::value));
            }
            assert_eq!(kept, expected);
        }
    }

    #[test]
    fn the_filter_leaves_out_checks() {
        let position = orthrus_core::fen::parse("4k3/8/8/8/8/8/8/4RK2 b - - 0 1").unwrap();
        let record = GameRecord {
            variant: Variant::Standard,
            start: Start::of(&position),
            opening_plies: 0,
            moves: vec![parse_coordinate(&position, "e8d7").unwrap()],
            scores: vec![Score::centipawns(-500)],
            result: GameResult::WhiteWins,
            reason: Reason::WinAdjudicated,
        };
        let mut replay = record.replay().unwrap();
        let ply = replay.next_ply().unwrap();
        assert_eq!(ply.score, Some(Score::centipawns(-500)));
        assert!(!Filter::default().keeps(&ply));
    }
}
