//! The benchmark, as shown to a person or to OpenBench.

use std::ops::RangeInclusive;
use std::sync::Arc;

use orthrus_core::bench::{self, BenchResult, DEFAULT_DEPTH};
use orthrus_core::evaluation::{CpuLevel, Evaluation};
use orthrus_core::search::{AllocationError, StopToken, nodes_per_second, on_search_stack};

use crate::failure::Failure;
use crate::text::STOPPED;

/// Depths in plies: the largest is far beyond anybody's patience.
pub(crate) const DEPTHS: RangeInclusive<u32> = 1..=60;

/// The benchmark of this version, with the instructions of `level`.
///
/// # Errors
///
/// The search lacks memory.
pub(crate) fn signature(depth: Option<u32>, level: CpuLevel) -> Result<Vec<String>, Failure> {
    let evaluation = Evaluation::standard(level);
    let lines = on_search_stack(|| report(depth, &evaluation, &Arc::default()));
    Ok(lines.map_err(Failure::Thread)??)
}

/// Searches the fixed positions to `depth` plies, or to the depth of the signature, on a thread
/// with enough stack. The last line is `N nodes M nps`, where N is the signature if the network
/// is the embedded one.
///
/// # Errors
///
/// The search lacks memory.
pub(crate) fn report(
    depth: Option<u32>,
    evaluation: &Evaluation,
    stop: &Arc<StopToken>,
) -> Result<Vec<String>, AllocationError> {
    let depth = depth.unwrap_or(DEFAULT_DEPTH);
    Ok(lines(&bench::run(depth, evaluation, stop)?))
}

fn lines(result: &BenchResult) -> Vec<String> {
    let positions = result.positions.iter();
    let mut lines: Vec<String> = positions
        .map(|position| format!("{:>10}  {}", position.nodes, position.fen))
        .collect();
    if result.is_complete() {
        let nps = nodes_per_second(result.nodes, result.time);
        lines.push(format!("{} nodes {nps} nps", result.nodes));
    } else {
        lines.push(STOPPED.to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_the_sum() {
        let lines = signature(Some(2), CpuLevel::detect()).unwrap();
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
