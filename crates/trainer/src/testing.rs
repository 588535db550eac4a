//! What several tests need: folders that vanish, and games played by lot.

use std::fs;
use std::path::{Path, PathBuf};

use orthrus_core::position::{Outcome, Position};
use orthrus_core::types::Score;

use crate::data::{GameRecord, GameResult, Manifest, Reason, Start};

/// A folder of one test, removed at the end.
pub(crate) struct TempFolder(PathBuf);

impl TempFolder {
    /// `name` tells the tests of this process apart.
    pub(crate) fn new(name: &str) -> Self {
        let folder = format!("orthrus-trainer-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(folder);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        // A folder left behind in the system's temporary folder does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Writes a data file without runs.
pub(crate) fn write_file(path: &Path, games: &[GameRecord]) {
    let mut writer = crate::data::DataWriter::create(path, &Manifest::default()).unwrap();
    for game in games {
        writer.push(game).unwrap();
    }
    writer.finish().unwrap();
}

/// A game of random moves with scores that wander, from any of the kinds of start.
pub(crate) fn random_game(seed: u64) -> GameRecord {
    let mut random = fastrand::Rng::with_seed(seed);
    let start = match seed % 4 {
        0 | 1 => Start::Standard,
        2 => Start::Chess960 {
            white: random.u16(0..960),
            black: random.u16(0..960),
        },
        _ => Start::Fen("4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1".to_owned()),
    };
    let mut position = start.position().unwrap();
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
    let (result, reason) = ending(&position);
    GameRecord {
        start,
        opening_plies: opening_plies.min(moves.len()),
        moves,
        scores,
        result,
        reason,
    }
}

fn ending(position: &Position) -> (GameResult, Reason) {
    match position.outcome() {
        Some(Outcome::Checkmate(winner)) => (GameResult::won_by(winner), Reason::Checkmate),
        Some(Outcome::Stalemate) => (GameResult::Draw, Reason::Stalemate),
        Some(Outcome::Repetition) => (GameResult::Draw, Reason::Repetition),
        Some(Outcome::FiftyMoves) => (GameResult::Draw, Reason::FiftyMoves),
        Some(Outcome::InsufficientMaterial) => (GameResult::Draw, Reason::InsufficientMaterial),
        None => (GameResult::Draw, Reason::TooLong),
    }
}
