//! What several tests need: temporary folders and random games.

use std::path::{Path, PathBuf};

use orthrus_core::evaluation::{Evaluation, Evaluator, Material};
use orthrus_core::position::{Position, Variant};
use orthrus_core::types::{Move, Score};
use tempfile::TempDir;

use crate::data::{
    AdjudicationRules, DataReader, GameRecord, GameResult, Manifest, OpeningRules, Reason, Run,
    SearchRules, Start, ending,
};
use crate::selfplay::Player;
use crate::train::model::Shape;

/// A folder of one test, removed at the end.
pub(crate) struct TempFolder(TempDir);

impl TempFolder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

/// The shape of a small network of chess without direct inputs.
pub(crate) fn shape(hidden: usize, buckets: usize, mirrored: bool) -> Shape {
    Shape {
        variant: Variant::Standard,
        hidden,
        buckets,
        mirrored,
        direct: false,
        residual: false,
    }
}

/// Writes a data file without runs.
pub(crate) fn write_file(path: &Path, games: &[GameRecord]) {
    write_with(&Manifest::default(), path, games);
}

/// Writes a data file of a variant, with the manifest of one run.
pub(crate) fn write_file_of(variant: Variant, path: &Path, games: &[GameRecord]) {
    write_with(&manifest_of(variant), path, games);
}

fn write_with(manifest: &Manifest, path: &Path, games: &[GameRecord]) {
    let mut writer = crate::data::DataWriter::create(path, manifest).unwrap();
    for game in games {
        writer.push(game).unwrap();
    }
    writer.finish().unwrap();
}

/// The manifest of a file with games of one run of this game.
pub(crate) fn manifest_of(variant: Variant) -> Manifest {
    let run = Run {
        variant,
        ..test_run(0)
    };
    Manifest {
        runs: vec![run],
        ..Manifest::default()
    }
}

/// A game of random moves with scores that wander, from any of the kinds of start.
pub(crate) fn random_game(seed: u64) -> GameRecord {
    random_game_of(Variant::Standard, seed)
}

/// The same of any game; variants begin with their start position.
pub(crate) fn random_game_of(variant: Variant, seed: u64) -> GameRecord {
    let mut random = fastrand::Rng::with_seed(seed);
    let start = match seed % 4 {
        _ if variant != Variant::Standard => Start::Standard,
        0 | 1 => Start::Standard,
        2 => Start::Chess960 {
            white: random.u16(0..960),
            black: random.u16(0..960),
        },
        _ => Start::Fen("4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1".to_owned()),
    };
    let mut position = start.position(variant).unwrap();
    let opening_plies = random.usize(0..=9);
    let (mut moves, mut scores) = (Vec::new(), Vec::new());
    let mut white_score = 0i32;
    while position.outcome().is_none() && moves.len() < 300 {
        let legal = position.legal_moves();
        let mv = legal[random.usize(0..legal.len())];
        if moves.len() >= opening_plies {
            let change = 12.0 * (random.f32() / (1.02 - random.f32()));
            white_score += change as i32 * if random.bool() { 1 } else { -1 };
            white_score = white_score.clamp(-31_999, 31_999);
            let sign = if moves.len() % 2 == 0 { 1 } else { -1 };
            scores.extend(Score::from_value(sign * white_score));
        }
        position.make_move(mv);
        moves.push(mv);
    }
    let (result, reason) = ending(&position).unwrap_or((GameResult::Draw, Reason::TooLong));
    GameRecord {
        variant,
        start,
        opening_plies: opening_plies.min(moves.len()),
        moves,
        scores,
        result,
        reason,
    }
}

/// The rules of a run, for players that need no nodes.
pub(crate) fn test_run(seed: u64) -> Run {
    Run {
        engine: "test".to_owned(),
        variant: Variant::Standard,
        evaluation: "material".to_owned(),
        search: SearchRules {
            soft_nodes: 1,
            hard_nodes: 1,
            hash_mebibytes: 1,
        },
        opening: OpeningRules::default(),
        adjudication: AdjudicationRules::default(),
        seed,
        rescored: None,
    }
}

/// The games of a data file.
pub(crate) fn games(path: &Path) -> Vec<GameRecord> {
    let games = DataReader::open(path).unwrap().games();
    games.map(Result::unwrap).collect()
}

/// Looks one ply ahead and counts material.
pub(crate) struct GreedyPlayer {
    evaluator: Evaluator,
}

impl GreedyPlayer {
    pub(crate) fn new(seed: u64) -> Self {
        let material = Evaluation::Material(Material::noisy(seed, 20));
        Self {
            evaluator: Evaluator::new(material),
        }
    }

    fn value_after(&mut self, position: &mut Position, mv: Move) -> Score {
        position.make_move(mv);
        let score = if position.has_legal_move() {
            -self.evaluator.evaluate(position)
        } else if position.in_check() {
            Score::mate_in(1)
        } else {
            Score::DRAW
        };
        position.unmake_move();
        score
    }
}

impl Player for GreedyPlayer {
    fn new_game(&mut self) {}

    fn think(&mut self, position: &Position, _: u64, _: u64) -> Option<(Move, Score)> {
        let mut position = position.clone();
        let moves = position.legal_moves();
        moves
            .into_iter()
            .map(|mv| (mv, self.value_after(&mut position, mv)))
            .max_by_key(|&(mv, score)| (score, mv.bits()))
    }
}
