//! The gradient against finite differences of a second, slow implementation of the network, which
//! is in double precision and takes its inputs from the engine's own definition.

use orthrus_core::evaluation::network::{
    COUNTS, DIRECT_INPUTS, INPUTS, QA, QB, QS, RESIDUAL_INPUTS, RESIDUAL_NEURONS, SCALE, Scaling,
    View, counts, output_bucket,
};
use orthrus_core::evaluation::{FADE_UNIT, fade};
use orthrus_core::position::{Position, Variant};
use orthrus_core::types::Color;

use super::super::gradient::{Network, Scratch};
use super::super::model::{LANES, Parameters, Rounded, Shape};
use super::super::objective::Objective;
use super::super::quantise::{dequantise, quantise};
use super::super::residual::{REACH, STEPS, typical};
use super::super::sample::Sample;
use super::super::simd::Level;
use super::super::synthetic;
use super::SHAPE;
use crate::data::GameResult;

const OBJECTIVE: Objective = Objective {
    result_weight: 0.3,
    scale: 260.0,
    score_scale: 300.0,
    exponent: 2.5,
    worth: None,
};

/// What is made of the output of a bucket.
fn scaling(bucket: usize) -> Scaling {
    Scaling {
        factor: QS * 3 / 4 + bucket as i32 * QS / 16,
        bonus: 800 - 100 * bucket as i32,
    }
}

/// The slow implementation. Its parameters are in the order of [`Parameters::iter`].
struct Reference {
    shape: Shape,
    parameters: Vec<f64>,
}

/// A parameter by what it does.
#[derive(Clone, Copy, Debug)]
enum Parameter {
    Input {
        input: usize,
        neuron: usize,
    },
    Bias {
        neuron: usize,
    },
    Output {
        bucket: usize,
        perspective: usize,
        neuron: usize,
    },
    OutputBias {
        bucket: usize,
    },
    Direct {
        bucket: usize,
        input: usize,
    },
    ResidualInput {
        input: usize,
        neuron: usize,
    },
    ResidualBias {
        bucket: usize,
        neuron: usize,
    },
    ResidualOutput {
        bucket: usize,
        neuron: usize,
    },
}

impl Reference {
    fn new(weights: &Rounded) -> Self {
        let (shape, parameters) = dequantise(&quantise(SHAPE, weights)).unwrap();
        Self {
            shape,
            parameters: parameters.iter().map(f64::from).collect(),
        }
    }

    fn index(&self, parameter: Parameter) -> usize {
        let rows = INPUTS + 1 + 2 * self.shape.buckets;
        let at = |row: usize, neuron: usize| (neuron / LANES * rows + row) * LANES + neuron % LANES;
        match parameter {
            Parameter::Input { input, neuron } => at(input, neuron),
            Parameter::Bias { neuron } => at(INPUTS, neuron),
            Parameter::Output {
                bucket,
                perspective,
                neuron,
            } => at(INPUTS + 1 + 2 * bucket + perspective, neuron),
            Parameter::OutputBias { bucket } => self.shape.hidden * rows + bucket,
            Parameter::Direct { bucket, input } => {
                let row = bucket * 2 * DIRECT_INPUTS;
                self.shape.hidden * rows + self.shape.buckets + row + input
            }
            Parameter::ResidualInput { input, neuron } => self.residual(input, neuron),
            Parameter::ResidualBias { bucket, neuron } => {
                self.residual(RESIDUAL_INPUTS + bucket, neuron)
            }
            Parameter::ResidualOutput { bucket, neuron } => {
                self.residual(RESIDUAL_INPUTS + self.shape.buckets + bucket, neuron)
            }
        }
    }

    fn residual(&self, row: usize, neuron: usize) -> usize {
        let input = 2 * DIRECT_INPUTS - 1;
        let last = Parameter::Direct {
            bucket: self.shape.buckets - 1,
            input,
        };
        self.index(last) + 1 + row * RESIDUAL_NEURONS + neuron
    }

    fn get(&self, parameter: Parameter) -> f64 {
        self.parameters[self.index(parameter)]
    }

    fn output(&self, position: &Position) -> f64 {
        let bucket = output_bucket(position.occupied().count(), self.shape.buckets);
        let own = position.side_to_move();
        let mut output = self.get(Parameter::OutputBias { bucket });
        let (pieces, colors) = position.boards();
        let counts = counts(pieces, colors, own);
        let direct = counts.iter().flat_map(|side| &side[..DIRECT_INPUTS]);
        for (input, &count) in direct.enumerate() {
            output += self.get(Parameter::Direct { bucket, input }) * f64::from(count);
        }
        for (perspective, side) in [own, !own].into_iter().enumerate() {
            let king = position.royal(side);
            let view = View::new(self.shape.variant, side, king, self.shape.mirrored);
            for neuron in 0..self.shape.hidden {
                let mut sum = self.get(Parameter::Bias { neuron });
                for square in position.occupied() {
                    let input = view.input(position.piece_on(square).unwrap(), square);
                    sum += self.get(Parameter::Input { input, neuron });
                }
                let weight = self.get(Parameter::Output {
                    bucket,
                    perspective,
                    neuron,
                });
                output += sum.clamp(0.0, 1.0).powi(2) * weight;
            }
        }
        output += self.correction(counts, output, bucket);
        let Scaling { factor, bonus } = scaling(bucket);
        output * f64::from(factor) / f64::from(QS) + f64::from(bonus) / f64::from(QA * QB)
    }

    fn correction(&self, counts: [[i32; COUNTS]; 2], output: f64, bucket: usize) -> f64 {
        let steps = (output * f64::from(STEPS)).clamp((-REACH).into(), REACH.into());
        let neuron = |neuron| {
            let mut sum = self.get(Parameter::ResidualBias { bucket, neuron });
            for input in 0..RESIDUAL_INPUTS {
                let side = counts[input % 2].get(input / 2);
                let value = side.map_or(steps, |&count| count.into());
                let (mean, spread) = typical(input);
                let typical = (value - f64::from(mean)) / f64::from(spread);
                sum += self.get(Parameter::ResidualInput { input, neuron }) * typical;
            }
            sum.clamp(0.0, 1.0) * self.get(Parameter::ResidualOutput { bucket, neuron })
        };
        (0..RESIDUAL_NEURONS).map(neuron).sum()
    }

    fn loss(&self, labelled: &[(Position, i16, GameResult)]) -> f64 {
        let sigmoid = |value: f64| 1.0 / (1.0 + (-value).exp());
        let blend = f64::from(OBJECTIVE.result_weight);
        let steepness = f64::from(SCALE) / f64::from(OBJECTIVE.scale);
        let score_scale = f64::from(OBJECTIVE.score_scale);
        labelled
            .iter()
            .map(|(position, score, result)| {
                let points = f64::from(result.points(position.side_to_move()));
                let searched = sigmoid(f64::from(*score) / score_scale);
                let target = blend * points + (1.0 - blend) * searched;
                // To two plies.
                let fade = fade(position.fifty_move_clock() & !1);
                let fade = f64::from(fade) / f64::from(FADE_UNIT);
                let error = sigmoid(self.output(position) * fade * steepness) - target;
                error.abs().powf(OBJECTIVE.exponent.into())
            })
            .sum()
    }

    /// The slope of the loss by finite differences.
    fn slope(&mut self, parameter: Parameter, labelled: &[(Position, i16, GameResult)]) -> f64 {
        const STEP: f64 = 1e-6;
        let index = self.index(parameter);
        let value = self.parameters[index];
        self.parameters[index] = value + STEP;
        let above = self.loss(labelled);
        self.parameters[index] = value - STEP;
        let below = self.loss(labelled);
        self.parameters[index] = value;
        (above - below) / (2.0 * STEP)
    }
}

/// Positions of both sides and all phases, with labels of every kind.
fn labelled() -> Vec<(Position, i16, GameResult)> {
    synthetic::positions(Variant::Standard, 3)
        .step_by(13)
        .take(24)
        .enumerate()
        .map(|(n, (_, position))| {
            let score = (n as i16 - 12) * 50;
            (position, score, GameResult::ALL[n % 3])
        })
        .collect()
}

/// Some parameters of every kind.
fn parameters(labelled: &[(Position, i16, GameResult)]) -> Vec<Parameter> {
    let mut random = fastrand::Rng::with_seed(5);
    let mut chosen = Vec::new();
    for (position, _, _) in labelled {
        let neuron = random.usize(..SHAPE.hidden);
        let bucket = output_bucket(position.occupied().count(), SHAPE.buckets);
        let squares: Vec<_> = position.occupied().into_iter().collect();
        let square = *random.choice(&squares).unwrap();
        for side in [Color::White, Color::Black] {
            let view = View::new(
                SHAPE.variant,
                side,
                Some(position.king(side)),
                SHAPE.mirrored,
            );
            let input = view.input(position.piece_on(square).unwrap(), square);
            chosen.push(Parameter::Input { input, neuron });
        }
        chosen.push(Parameter::Bias { neuron });
        for perspective in [0, 1] {
            chosen.push(Parameter::Output {
                bucket,
                perspective,
                neuron,
            });
        }
        chosen.push(Parameter::OutputBias { bucket });
        for input in 0..2 * DIRECT_INPUTS {
            chosen.push(Parameter::Direct { bucket, input });
        }
        let neuron = neuron % RESIDUAL_NEURONS;
        chosen.push(Parameter::ResidualBias { bucket, neuron });
        chosen.push(Parameter::ResidualOutput { bucket, neuron });
        for input in 0..RESIDUAL_INPUTS {
            chosen.push(Parameter::ResidualInput { input, neuron });
        }
    }
    chosen
}

/// Random weights, those of direct inputs and from the residual layer too, as fine as in a file.
fn random_weights(seed: u64) -> Parameters {
    let mut parameters = Parameters::random(SHAPE, seed);
    let mut random = fastrand::Rng::with_seed(seed);
    let mut uniform = |bound: f32| (random.f32() * 2.0 - 1.0) * bound;
    for weight in parameters.direct.as_flattened_mut() {
        *weight = uniform(0.006);
    }
    let first_output = RESIDUAL_INPUTS + SHAPE.buckets;
    for weight in parameters.residual[first_output..].as_flattened_mut() {
        *weight = uniform(0.2);
    }
    parameters.scaling = (0..SHAPE.buckets).map(scaling).collect();
    dequantise(&quantise(SHAPE, &Rounded::new(&parameters)))
        .unwrap()
        .1
}

#[test]
fn the_gradient_is_that_of_finite_differences() {
    let labelled = labelled();
    let samples: Vec<Sample> = labelled
        .iter()
        .map(|(position, score, result)| Sample::new(position, *score, *result))
        .collect();
    let weights = Rounded::new(&random_weights(7));
    let network = Network {
        shape: SHAPE,
        weights: &weights,
        level: Level::widest(),
    };
    let mut gradient = Parameters::zero(SHAPE);
    let mut scratch = Scratch::new(SHAPE);
    let loss = network.accumulate(
        samples.iter(),
        OBJECTIVE,
        false,
        &mut scratch,
        &mut gradient,
    );
    let gradient: Vec<f32> = gradient.iter().collect();

    let mut reference = Reference::new(&weights);
    assert!((reference.loss(&labelled) - loss).abs() < 1e-5);
    let mut flat = 0;
    let chosen = parameters(&labelled);
    for &parameter in &chosen {
        let expected = reference.slope(parameter, &labelled);
        let found = f64::from(gradient[reference.index(parameter)]);
        assert!(
            (found - expected).abs() < 1e-5 + 1e-3 * expected.abs(),
            "{parameter:?}: {found}, expected {expected}"
        );
        flat += usize::from(expected == 0.0);
    }
    assert!(
        flat * 2 < chosen.len(),
        "{flat} of {} have no slope",
        chosen.len()
    );
}

#[test]
fn the_network_agrees_with_the_reference() {
    let weights = Rounded::new(&random_weights(11));
    let reference = Reference::new(&weights);
    let network = Network {
        shape: SHAPE,
        weights: &weights,
        level: Level::widest(),
    };
    let positions: Vec<Position> = synthetic::positions(Variant::Standard, 9)
        .map(|(_, position)| position)
        .take(600)
        .collect();
    let samples: Vec<Sample> = positions
        .iter()
        .map(|position| Sample::new(position, 0, GameResult::Draw))
        .collect();
    let mut outputs = Vec::new();
    network.evaluate(samples.iter(), &mut Scratch::new(SHAPE), |_, output| {
        outputs.push(output);
    });
    assert_eq!(outputs.len(), positions.len());
    for (position, output) in positions.iter().zip(outputs) {
        assert!((reference.output(position) - f64::from(output)).abs() < 1e-5);
    }
}
