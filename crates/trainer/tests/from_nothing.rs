//! From nothing to a network, in miniature: games from material values, a small training, and a
//! network that plays better than chance.
#![allow(clippy::unwrap_used, reason = "a failed set-up is a failed test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use fastrand::Rng;
use orthrus_core::evaluation::{CpuLevel, Evaluation, Network};
use orthrus_core::game::Game;
use orthrus_core::position::Outcome;
use orthrus_core::search::{Limits, Searcher, on_search_stack};
use orthrus_core::types::Color;

fn trainer(arguments: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_orthrus-trainer"))
        .args(arguments.split(' '))
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments}: {error}");
}

/// An empty folder for this test.
fn fresh_folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("from-nothing");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Half points of `player` against a player who moves at random.
fn half_points(player: Color, searcher: &mut Searcher, random: &mut Rng) -> u32 {
    let mut game = Game::default();
    searcher.new_game();
    for _ in 0..300 {
        match game.outcome() {
            None => {}
            Some(Outcome::Checkmate(winner)) => return if winner == player { 2 } else { 0 },
            Some(_) => return 1,
        }
        let position = game.position();
        let mv = if position.side_to_move() == player {
            searcher.search(position, &Limits::nodes(300)).best.unwrap()
        } else {
            random.choice(position.legal_moves()).unwrap()
        };
        assert!(game.play(mv));
    }
    1
}

#[test]
fn a_network_from_nothing_beats_chance() {
    let folder = fresh_folder();
    let (data, file) = (folder.join("games.data"), folder.join("tiny.nnue"));
    let (data, file) = (data.to_str().unwrap(), file.to_str().unwrap());
    trainer(&format!(
        "selfplay --output {data} --games 300 --nodes 60 --material --seed 3"
    ));
    trainer(&format!("verify {data}"));
    trainer(&format!(
        "train --data {data} --output {file} --hidden 32 --positions 3e6 --batch 4096"
    ));
    let network = Network::from_bytes(&fs::read(file).unwrap(), CpuLevel::detect()).unwrap();
    let evaluation = Evaluation::Network(Arc::new(network));
    let half_points = on_search_stack(|| {
        let mut searcher = Searcher::new(1, evaluation).unwrap();
        let mut random = Rng::with_seed(1);
        (0..8)
            .map(|game| half_points(Color::ALL[game % 2], &mut searcher, &mut random))
            .sum::<u32>()
    })
    .unwrap();
    assert!(
        half_points >= 13,
        "{half_points} of 16 half points against chance"
    );
}
