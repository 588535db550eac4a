//! Labels that hold a network to what it knows: learning without the games that it has learned from before.

use rayon::prelude::*;

use super::gradient::{Network, Scratch};
use super::objective::Objective;
use super::sample::Sample;
use super::worth::log_odds;

/// Samples that one thread takes at a time.
const CHUNK: usize = 1 << 12;

/// Draws the score of each sample towards what `network` says of it already, by `share` of the way in expected
/// points (Li and Hoiem, 2016: "Learning without Forgetting").
///
/// A network that has learned all it could from other games has a loss on them that rises with the square of how
/// far its outputs go from what they were. Wherever the positions are of the same kind, this pulls as those games
/// would: `share` is what they would be of all games. What is by chance in the new labels counts as much less.
pub(crate) fn anchor(
    samples: &mut [Sample],
    network: Network<'_>,
    share: f32,
    objective: Objective,
) {
    samples.par_chunks_mut(CHUNK).for_each_init(
        || Scratch::new(network.shape),
        |scratch, samples| {
            let mut scores = Vec::with_capacity(samples.len());
            network.evaluate(samples.iter(), scratch, |sample, output| {
                let searched = objective.searched(sample);
                let known = objective.expected(sample, output);
                let expected = searched + share * (known - searched);
                scores.push(log_odds(expected.into(), objective.score_scale));
            });
            for (sample, score) in samples.iter_mut().zip(scores) {
                sample.set_score(score);
            }
        },
    );
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::testing::shape;
    use crate::train::model::{Parameters, Rounded};
    use crate::train::simd::Level;
    use crate::train::synthetic;

    #[test]
    fn a_score_goes_a_share_of_the_way_to_what_is_known() {
        let shape = shape(32, 8, true);
        let network = Network {
            shape,
            weights: &Rounded::new(&Parameters::random(shape, 3)),
            level: Level::widest(),
        };
        let objective = Objective::default();
        let samples: Vec<Sample> = synthetic::samples(1)
            .map(|(_, sample)| sample)
            .filter(|sample| sample.score().abs() < 1_000)
            .take(2 * CHUNK)
            .collect();
        let mut known = Vec::new();
        network.evaluate(
            samples.iter(),
            &mut Scratch::new(shape),
            |sample, output| {
                known.push(objective.expected(sample, output));
            },
        );
        for share in [0.0, 0.75, 1.0] {
            let mut anchored = samples.clone();
            anchor(&mut anchored, network, share, objective);
            for ((before, after), known) in samples.iter().zip(&anchored).zip(&known) {
                let [before, after] = [before, after].map(|it| objective.searched(it));
                let expected = before + share * (known - before);
                // Half a centipawn, rounded.
                assert!((after - expected).abs() < 4e-4, "{share}: {after}");
            }
        }
    }
}
