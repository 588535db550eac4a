//! Which thread's result counts: a vote weighted by depth and score.

use super::worker::SearchResult;
use crate::types::{Move, Score};

/// The result the threads agree on. `results` has the results that count, at least one.
///
/// A win that any thread has proved is played, the shortest mate first. Otherwise every thread
/// votes for its move with a weight that grows with its depth and score (after Stockfish's thread
/// voting), and the best result for the winning move is taken. A thread that is less than half as
/// deep as another, because it was held up, has not seen enough to vote.
pub(super) fn vote(mut results: Vec<SearchResult>) -> SearchResult {
    let deepest = results.iter().map(|result| result.depth).max();
    let deepest = deepest.unwrap_or_default();
    results.retain(|result| 2 * result.depth >= deepest || result.score.is_win());
    let worst = results
        .iter()
        .map(|result| result.score)
        .min()
        .unwrap_or_default();
    let weight = |result: &SearchResult| {
        i64::from(result.score - worst + 10) * i64::from(result.depth.max(1))
    };
    let votes = |mv: Option<Move>| -> i64 {
        results
            .iter()
            .filter(|result| result.best == mv)
            .map(weight)
            .sum()
    };
    let rank = |result: &SearchResult| {
        let decided = if result.score.is_win() {
            result.score
        } else {
            Score::DRAW
        };
        (decided, votes(result.best), weight(result))
    };
    let best = (0..results.len())
        .max_by_key(|&i| rank(&results[i]))
        .unwrap_or_default();
    results.swap_remove(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    fn result(to: Square, score: Score, depth: u32) -> SearchResult {
        let best = Move::new(Square::E2, to, MoveKind::Quiet);
        SearchResult {
            best: Some(best),
            score,
            depth,
            pv: vec![best],
            ..SearchResult::default()
        }
    }

    #[test]
    fn who_was_held_up_does_not_outvote_who_has_seen_the_refutation() {
        let chosen = vote(vec![
            result(Square::E4, Score::centipawns(-150), 12),
            result(Square::E3, Score::centipawns(30), 4),
        ]);
        assert_eq!(chosen.depth, 12);
    }

    #[test]
    fn several_shallow_votes_beat_a_lonely_one() {
        let chosen = vote(vec![
            result(Square::E4, Score::centipawns(20), 10),
            result(Square::E3, Score::centipawns(15), 10),
            result(Square::E3, Score::centipawns(18), 11),
        ]);
        assert_eq!(chosen, result(Square::E3, Score::centipawns(18), 11));
    }

    #[test]
    fn the_shortest_mate_is_played() {
        let chosen = vote(vec![
            result(Square::E4, Score::centipawns(900), 30),
            result(Square::E3, Score::mate_in(5), 6),
            result(Square::F3, Score::mate_in(3), 6),
        ]);
        assert_eq!(chosen.score, Score::mate_in(3));
    }
}
