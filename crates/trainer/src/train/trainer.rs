//! One training step after the other, spread over the cores.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use serde::{Deserialize, Serialize};

use super::gradient::{Network, Scratch, sigmoid};
use super::model::{Parameters, Shape};
use super::optimizer::{Optimizer, Settings};
use super::sample::{Phase, Sample};
use super::simd::Level;

/// Positions whose gradient is summed by one thread.
///
/// Floating-point sums depend on their order. So it is fixed by this number and not by which
/// thread was free: shards are handed out as threads become idle, and summed in their order.
const SHARD: usize = 1024;

/// A sum of losses and the number of positions it is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Loss {
    /// The squared errors of the expected score, summed.
    pub sum: f64,
    /// How many.
    pub count: u64,
}

impl Loss {
    /// The mean squared error; not a number if there was no position.
    pub fn mean(self) -> f64 {
        self.sum / self.count as f64
    }

    /// Adds the losses of other positions.
    pub fn add(&mut self, other: Self) {
        self.sum += other.sum;
        self.count += other.count;
    }
}

/// A network in training.
pub struct Trainer {
    shape: Shape,
    settings: Settings,
    /// Weight of the game's result in the target.
    blend: f32,
    /// The network that learns: the optimiser's weights, rounded.
    rounded: Parameters,
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
    pub fn new(
        shape: Shape,
        start: Parameters,
        blend: f32,
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
            blend,
            rounded: optimizer.rounded(),
            optimizer,
            level: Level::widest(),
            pool,
            shards: Vec::new(),
            scratch,
        })
    }

    /// The shape of the network.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The network as it is now, rounded, ready to be run.
    pub fn network(&self) -> Network<'_> {
        Network {
            shape: self.shape,
            parameters: &self.rounded,
            level: self.level,
        }
    }

    /// The exact weights and the memory of the steps.
    pub fn optimizer(&self) -> &Optimizer {
        &self.optimizer
    }

    /// Continues from here; the shape must be the trainer's.
    pub fn restore(&mut self, optimizer: Optimizer) {
        self.rounded = optimizer.rounded();
        self.optimizer = optimizer;
    }

    /// Takes one step of size `rate` on the samples that `sample` numbers `0..count`, and returns
    /// their loss before it.
    pub fn step<'s>(
        &mut self,
        count: usize,
        sample: impl Fn(usize) -> &'s Sample + Sync,
        rate: f32,
    ) -> Loss {
        let shards = count.div_ceil(SHARD);
        if self.shards.len() < shards {
            self.shards.resize(shards, Parameters::zero(self.shape));
        }
        let network = Network {
            shape: self.shape,
            parameters: &self.rounded,
            level: self.level,
        };
        let scratch = &self.scratch;
        let blend = self.blend;
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
                    network.accumulate(range.map(&sample), blend, &mut scratch, gradient)
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

    /// The losses on `samples` by phase of the game, in the order of [`Phase::ALL`].
    pub fn validate(&self, samples: &[Sample]) -> [Loss; Phase::ALL.len()] {
        let network = self.network();
        let shards: Vec<_> = self.pool.install(|| {
            samples
                .par_chunks(SHARD)
                .map(|shard| {
                    let mut losses = [Loss::default(); Phase::ALL.len()];
                    let mut scratch = own_scratch(&self.scratch);
                    network.evaluate(shard.iter(), &mut scratch, |sample, output| {
                        let error = sigmoid(output) - sample.target(self.blend);
                        losses[sample.phase() as usize].add(Loss {
                            sum: f64::from(error * error),
                            count: 1,
                        });
                    });
                    losses
                })
                .collect()
        });
        let mut total = [Loss::default(); Phase::ALL.len()];
        for shard in shards {
            for (total, loss) in total.iter_mut().zip(shard) {
                total.add(loss);
            }
        }
        total
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
