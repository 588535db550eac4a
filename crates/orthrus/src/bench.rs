//! The benchmark, as told to a person or to OpenBench.

use std::io;
use std::ops::RangeInclusive;

use orthrus_core::bench::{self, BenchResult, DEFAULT_DEPTH};
use orthrus_core::evaluation::{CpuLevel, Evaluation};
use orthrus_core::search::{AllocationError, nodes_per_second, on_search_stack};
use thiserror::Error;

/// Depths in plies: the greatest is far beyond anybody's patience.
pub(crate) const DEPTHS: RangeInclusive<u32> = 1..=60;

/// Why there is no benchmark.
#[derive(Debug, Error)]
pub(crate) enum BenchError {
    /// The search needs a thread with more stack than this one has.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] io::Error),
    /// The search needs a table.
    #[error(transparent)]
    Table(#[from] AllocationError),
}

/// Searches the fixed positions to `depth` plies, or to the depth of the signature, with the
/// instructions of `level`. The last line is `N nodes M nps`, where N is the signature.
///
/// # Errors
///
/// The search lacks memory.
pub(crate) fn report(depth: Option<u32>, level: CpuLevel) -> Result<Vec<String>, BenchError> {
    let depth = depth.unwrap_or(DEFAULT_DEPTH);
    let result = on_search_stack(|| bench::run(depth, &Evaluation::standard(level)))??;
    Ok(lines(&result))
}

fn lines(result: &BenchResult) -> Vec<String> {
    let positions = result.positions.iter();
    let mut lines: Vec<String> = positions
        .map(|position| format!("{:>10}  {}", position.nodes, position.fen))
        .collect();
    let nps = nodes_per_second(result.nodes, result.time);
    lines.push(format!("{} nodes {nps} nps", result.nodes));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_the_sum() {
        let lines = report(Some(2), CpuLevel::detect()).unwrap();
        let words =
            |line: &String| -> Vec<String> { line.split_whitespace().map(str::to_owned).collect() };
        let (last, positions) = lines.split_last().unwrap();
        let sum: u64 = positions
            .iter()
            .map(|line| words(line)[0].parse::<u64>().unwrap())
            .sum();
        let last = words(last);
        assert_eq!(
            [last[0].as_str(), &last[1], &last[3]],
            [&sum.to_string(), "nodes", "nps"]
        );
        assert!(positions.len() >= 10);
    }
}
