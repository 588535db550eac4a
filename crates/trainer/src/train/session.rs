//! A training from its first to its last step: what to do next, when to report, when to end.

use std::time::{Duration, Instant};

use super::checkpoint::{Checkpoint, CheckpointError, Header};
use super::dataset::{Dataset, Epoch};
use super::log::Row;
use super::objective::Objective;
use super::optimizer::Optimizer;
use super::sample::Sample;
use super::schedule::Schedule;
use super::trainer::{Loss, Trainer};

/// The most positions that validation uses before the end.
const VALIDATION_POSITIONS: usize = 1 << 17;

/// How long to train, how fast, and how often to report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plan {
    /// Positions to learn from, each visit counted.
    pub visits: u64,
    /// Time to train, if that ends first.
    pub time: Option<Duration>,
    /// Positions per step.
    pub batch: usize,
    /// The learning rates.
    pub schedule: Schedule,
    /// The weight of the result at the first step. It changes evenly to that of the trainer's objective
    /// at the last: scores teach more at first, results later.
    pub initial_result_weight: f32,
    /// Visits between two reports.
    pub report_every: u64,
}

/// A training in progress.
pub(crate) struct Session<'d> {
    plan: Plan,
    dataset: &'d Dataset,
    /// The fingerprint of the data set.
    data: u32,
    trainer: Trainer,
    epoch: Epoch,
    visits: u64,
    /// Training time before `resumed`.
    earlier: Duration,
    resumed: Instant,
    /// Of the steps since the last report.
    loss: Loss,
    rows: Vec<Row>,
    is_finished: bool,
}

impl<'d> Session<'d> {
    /// A training at its beginning. A batch larger than the data set is made smaller.
    pub(crate) fn new(plan: Plan, dataset: &'d Dataset, trainer: Trainer) -> Self {
        let batch = plan.batch.clamp(1, dataset.len());
        Self {
            plan: Plan { batch, ..plan },
            dataset,
            data: dataset.fingerprint(),
            trainer,
            epoch: dataset.epoch(0),
            visits: 0,
            earlier: Duration::ZERO,
            resumed: Instant::now(),
            loss: Loss::default(),
            rows: Vec::new(),
            is_finished: false,
        }
    }

    /// Continues from the checkpoint.
    ///
    /// # Errors
    ///
    /// If it was taken of a training with other data, other settings or another shape.
    pub(crate) fn restore(&mut self, checkpoint: Checkpoint) -> Result<(), CheckpointError> {
        let header = checkpoint.header;
        header.check_same_training(&self.header())?;
        self.visits = header.visits;
        self.earlier = Duration::from_secs_f64(header.seconds.clamp(0.0, 1e9));
        self.resumed = Instant::now();
        self.loss = header.loss;
        self.rows = header.rows;
        self.is_finished = self.progress() >= 1.0;
        self.trainer.restore(checkpoint.optimizer);
        Ok(())
    }

    /// Starts with the network and the optimiser's moments of another training, of the same shape.
    pub(crate) fn follow(&mut self, earlier: Optimizer) {
        self.trainer.restore(earlier);
    }

    /// All that is needed to continue later.
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            header: self.header(),
            optimizer: self.trainer.optimizer().clone(),
        }
    }

    fn header(&self) -> Header {
        Header {
            shape: self.trainer.shape(),
            scaling: {
                let scaling = self.trainer.optimizer().exact.scaling.iter();
                scaling.map(|it| [it.factor, it.bonus]).collect()
            },
            data: self.data,
            objective: self.trainer.objective(),
            initial_result_weight: self.plan.initial_result_weight,
            settings: self.trainer.settings(),
            schedule: self.plan.schedule,
            batch: self.plan.batch,
            planned: self.plan.visits,
            time_limit: self.plan.time.map_or(0.0, |limit| limit.as_secs_f64()),
            visits: self.visits,
            seconds: self.time().as_secs_f64(),
            loss: self.loss,
            rows: self.rows.clone(),
        }
    }

    /// Takes one step. Returns the report on the steps since the last one, if it is due.
    pub(crate) fn step(&mut self) -> Option<&Row> {
        let batch = self.plan.batch;
        let per_epoch = (self.dataset.len() / batch) as u64;
        let step = self.visits / batch as u64;
        let number = step / per_epoch;
        if self.epoch.number() != number {
            self.epoch = self.dataset.epoch(number);
        }
        let first = (step % per_epoch) as usize * batch;

        let rate = self.rate();
        let objective = self.objective();
        let (dataset, epoch) = (self.dataset, &self.epoch);
        let loss = self
            .trainer
            .step(batch, |n| dataset.sample(epoch, first + n), rate, objective);
        self.loss.add(loss);
        let before = self.visits / self.plan.report_every;
        self.visits += batch as u64;
        self.is_finished = self.progress() >= 1.0;
        let due = self.visits / self.plan.report_every > before || self.is_finished;
        if due {
            self.report(rate);
        }
        self.rows.last().filter(|_| due)
    }

    fn report(&mut self, rate: f32) {
        let validation = self.trainer.validate(self.validation());
        self.rows.push(Row {
            visits: self.visits,
            seconds: self.time().as_secs_f64(),
            rate,
            training: self.loss.mean(),
            validation: validation.all().mean(),
            phases: validation.phases.map(Loss::mean),
            score: validation.score.mean(),
            result: validation.result.mean(),
        });
        self.loss = Loss::default();
    }

    /// How much of the training is done, `0.0..=1.0`, by visits or by time, whichever is further.
    pub(crate) fn progress(&self) -> f64 {
        let visited = self.visits as f64 / self.plan.visits as f64;
        let spent = self
            .plan
            .time
            .map_or(0.0, |limit| self.time().div_duration_f64(limit));
        visited.max(spent).min(1.0)
    }

    /// Whether there is no step left to take: decided after each, so that the report on the last knows.
    pub(crate) fn is_finished(&self) -> bool {
        self.is_finished
    }

    /// Positions learned from so far, each visit counted.
    #[cfg(test)]
    pub(crate) fn visits(&self) -> u64 {
        self.visits
    }

    /// The reports so far, oldest first.
    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The positions used for validation now: all at the end, some before.
    pub(crate) fn validation(&self) -> &'d [Sample] {
        let samples = self.dataset.validation();
        if self.is_finished {
            samples
        } else {
            &samples[..samples.len().min(VALIDATION_POSITIONS)]
        }
    }

    /// The network and its optimiser.
    pub(crate) fn trainer(&self) -> &Trainer {
        &self.trainer
    }

    /// What the next step learns.
    pub(crate) fn objective(&self) -> Objective {
        let objective = self.trainer.objective();
        let (first, last) = (self.plan.initial_result_weight, objective.result_weight);
        Objective {
            result_weight: first + (last - first) * self.progress() as f32,
            ..objective
        }
    }

    fn rate(&self) -> f32 {
        self.plan.schedule.rate(self.progress())
    }

    fn time(&self) -> Duration {
        self.earlier + self.resumed.elapsed()
    }
}
