//! One training step after the other, spread over the cores.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use serde::{Deserialize, Serialize};

use super::gradient::{Network, Scratch};
use super::model::{Parameters, Rounded, Shape};
use super::objective::Objective;
use super::optimizer::{Optimizer, Settings};
use super::sample::{Phase, Sample};
use super::simd::Level;

/// Positions whose gradient is summed by one thread.
///
/// Floating-point sums depend on their order. So this number fixes the order, whichever thread was
/// free: shards are assigned as threads become idle, and summed in order.
const SHARD: usize = 1024;

/// A sum of losses and the number of its positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Loss {
    /// The losses as `Objective` defines them, summed.
    pub sum: f64,
    /// How many.
    pub count: u64,
}

impl Loss {
    /// The loss of one position.
    pub(crate) fn one(sum: f64) -> Self {
        Self { sum, count: 1 }
    }

    /// The mean loss; not a number if there was no position.
    pub(crate) fn mean(self) -> f64 {
        self.sum / self.count as f64
    }

    /// Adds the losses of other positions.
    pub(crate) fn add(&mut self, other: Self) {
        self.sum += other.sum;
        self.count += other.count;
    }
}

/// A network in training.
pub(crate) struct Trainer {
    shape: Shape,
    settings: Settings,
    objective: Objective,
    /// The network that learns: the optimiser's weights, rounded.
    rounded: Rounded,
    optimizer: Optimizer,
    level: Level,
    pool: ThreadPool,
    shards: Vec<Parameters>,
    /// One per thread.
    scratch: Vec<Mutex<Scratch>>,
}

impl Trainer {
    /// A trainer with a pool of `threads` threads (0: one per core), which starts from
    /// `start`.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub(crate) fn new(
        shape: Shape,
        start: Parameters,
        objective: Objective,
        settings: Settings,
        threads: usize,
    ) -> Result<Self, ThreadPoolBuildError> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        let scratch = (0..pool.current_num_threads())
            .map(|_| Mutex::new(Scratch::new(shape)))
            .collect();
        let optimizer = Optimizer::new(shape, start);
        Ok(Self {
            shape,
            settings,
            objective,
            rounded: Rounded::new(&optimizer.exact),
            optimizer,
            level: Level::widest(),
            pool,
            shards: Vec::new(),
            scratch,
        })
    }

    /// The shape of the network.
    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    /// What the network is tested by, and learns at the end.
    pub(crate) fn objective(&self) -> Objective {
        self.objective
    }

    /// The settings of every step.
    pub(crate) fn settings(&self) -> Settings {
        self.settings
    }

    /// The network as it is now, rounded, ready to be run.
    pub(crate) fn network(&self) -> Network<'_> {
        Network {
            shape: self.shape,
            weights: &self.rounded,
            level: self.level,
        }
    }

    /// The exact weights and the moments.
    pub(crate) fn optimizer(&self) -> &Optimizer {
        &self.optimizer
    }

    /// Continues from here; the shape must be the trainer's.
    pub(crate) fn restore(&mut self, optimizer: Optimizer) {
        self.rounded = Rounded::new(&optimizer.exact);
        self.optimizer = optimizer;
    }

    /// Takes one step of size `rate` towards `objective` on the samples that `sample` numbers
    /// `0..count`, and returns their loss before it.
    pub(crate) fn step<'s>(
        &mut self,
        count: usize,
        sample: impl Fn(usize) -> &'s Sample + Sync,
        rate: f32,
        objective: Objective,
    ) -> Loss {
        let shards = count.div_ceil(SHARD);
        if self.shards.len() < shards {
            self.shards.resize(shards, Parameters::zero(self.shape));
        }
        let network = Network {
            shape: self.shape,
            weights: &self.rounded,
            level: self.level,
        };
        let (scratch, frozen) = (&self.scratch, self.settings.frozen);
        let gradients = &mut self.shards[..shards];
        let losses: Vec<f64> = self.pool.install(|| {
            gradients
                .par_iter_mut()
                .enumerate()
                .with_max_len(1)
                .map(|(shard, gradient)| {
                    let range = shard * SHARD..((shard + 1) * SHARD).min(count);
                    gradient.clear();
                    let mut scratch = own_scratch(scratch);
                    let samples = range.map(&sample);
                    network.accumulate(samples, objective, frozen, &mut scratch, gradient)
                })
                .collect()
        });

        let gradients: Vec<&Parameters> = gradients.iter().collect();
        let (level, settings) = (self.level, self.settings);
        let (rounded, optimizer) = (&mut self.rounded, &mut self.optimizer);
        self.pool
            .install(|| optimizer.step(rounded, &gradients, count, rate, settings, level));
        Loss {
            sum: losses.iter().sum(),
            count: count as u64,
        }
    }

    /// The losses on `samples`.
    pub(crate) fn validate(&self, samples: &[Sample]) -> Validation {
        let network = self.network();
        let objective = self.objective;
        let shards: Vec<_> = self.pool.install(|| {
            samples
                .par_chunks(SHARD)
                .map(|shard| {
                    let mut scratch = own_scratch(&self.scratch);
                    Validation::of(network, objective, shard, &mut scratch)
                })
                .collect()
        });
        let mut total = Validation::default();
        for shard in shards {
            total.add(shard);
        }
        total
    }
}

/// The losses on positions that are not learned from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Validation {
    /// By phase of the game, in the order of [`Phase::ALL`].
    pub phases: [Loss; Phase::ALL.len()],
    /// Against the search's score alone.
    pub score: Loss,
    /// Against the game's result alone: most of it is chance, the same for every network.
    pub result: Loss,
}

impl Validation {
    /// The losses of a network on `samples`.
    pub(crate) fn of(
        network: Network<'_>,
        objective: Objective,
        samples: &[Sample],
        scratch: &mut Scratch,
    ) -> Self {
        let mut losses = Self::default();
        network.evaluate(samples.iter(), scratch, |sample, output| {
            losses.note(objective, sample, output);
        });
        losses
    }

    fn note(&mut self, objective: Objective, sample: &Sample, output: f32) {
        let expected = objective.expected(sample, output);
        let (loss, _) = objective.loss(sample, output);
        self.phases[sample.phase() as usize].add(Loss::one(loss));
        let square = |error: f32| Loss::one(f64::from(error * error));
        self.score
            .add(square(expected - objective.searched(sample)));
        self.result.add(square(expected - sample.points()));
    }

    /// Adds the losses on other positions.
    pub(crate) fn add(&mut self, other: Self) {
        for (total, loss) in self.phases.iter_mut().zip(other.phases) {
            total.add(loss);
        }
        self.score.add(other.score);
        self.result.add(other.result);
    }

    /// The losses of all phases together.
    pub(crate) fn all(&self) -> Loss {
        let mut all = Loss::default();
        for loss in self.phases {
            all.add(loss);
        }
        all
    }
}

/// The working memory of the pool's thread that runs this.
fn own_scratch(scratch: &[Mutex<Scratch>]) -> MutexGuard<'_, Scratch> {
    let thread = rayon::current_thread_index().unwrap_or(0);
    // What a panicking thread left behind is overwritten before it is read.
    scratch[thread]
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}
