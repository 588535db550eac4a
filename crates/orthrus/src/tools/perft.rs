//! Counting move paths, as shown to a person.

use std::ops::RangeInclusive;
use std::time::Instant;

use orthrus_core::notation::{CastlingText, write_coordinate};
use orthrus_core::perft;
use orthrus_core::position::Position;
use orthrus_core::search::{StopToken, nodes_per_second};

use crate::text::STOPPED;

/// Lengths in plies that are counted. The start position has 2e18 sequences of 13 moves, centuries
/// of work; one more, and the number does not fit in 64 bits.
pub(crate) const DEPTHS: RangeInclusive<u32> = 0..=13;

/// The number of sequences of `depth` legal moves from `position`, and how fast they were counted.
pub(crate) fn total(position: &Position, depth: u32) -> Vec<String> {
    let start = Instant::now();
    let nodes = perft::perft(&mut position.clone(), depth);
    vec![speed(nodes, start)]
}

/// The same by first move, written with this castling; after a stop only the moves counted before
/// it.
pub(crate) fn divided(
    position: &Position,
    depth: u32,
    castling: CastlingText,
    stop: &StopToken,
) -> Vec<String> {
    if depth == 0 {
        return total(position, depth);
    }
    let start = Instant::now();
    let mut position = position.clone();
    let counts = perft::divide(&mut position, depth, &|| stop.is_stopped());
    let line = |&(mv, count)| format!("{}: {count}", write_coordinate(&position, mv, castling));
    let mut lines: Vec<String> = counts.iter().map(line).collect();
    lines.push(String::new());
    lines.push(if counts.len() == position.count_legal_moves() {
        speed(counts.iter().map(|&(_, count)| count).sum(), start)
    } else {
        STOPPED.to_owned()
    });
    lines
}

fn speed(nodes: u64, start: Instant) -> String {
    let nps = nodes_per_second(nodes, start.elapsed());
    format!("{nodes} nodes {nps} nps")
}

#[cfg(test)]
mod tests {
    use super::*;
    use orthrus_core::fen;

    fn divide(position: &Position, depth: u32) -> Vec<String> {
        let castling = CastlingText::fitting(position);
        divided(position, depth, castling, &StopToken::default())
    }

    #[test]
    fn castling_is_written_as_the_position_asks() {
        for (fen, castling) in [
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1: 1"),
            ("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", "e1g1: 1"),
            ("4k3/8/8/8/8/8/8/1R3K2 w B - 0 1", "f1b1: 1"),
        ] {
            let lines = divide(&fen::parse(fen).unwrap(), 1);
            assert!(lines.contains(&castling.to_owned()), "{fen}: {lines:?}");
        }
    }

    #[test]
    fn counts_the_start_position() {
        let lines = total(&Position::startpos(), 3);
        assert_eq!(lines.len(), 1);
        assert!(lines[0].starts_with("8902 nodes "), "{lines:?}");
    }

    #[test]
    fn divides_by_first_move() {
        let lines = divide(&Position::startpos(), 2);
        assert_eq!(lines.len(), 22);
        assert!(lines.contains(&"g1f3: 20".to_owned()), "{lines:?}");
        assert!(lines[21].starts_with("400 nodes "), "{lines:?}");
    }

    #[test]
    fn depth_zero_is_one_path() {
        let lines = divide(&Position::startpos(), 0);
        assert!(lines[0].starts_with("1 nodes "), "{lines:?}");
    }
}
