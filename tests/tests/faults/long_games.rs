//! Games longer than any ever played.

use orthrus_core::game::Game;
use orthrus_core::notation::{CastlingText, write_coordinate};
use orthrus_tests::process::{Process, cecp, uci};
use orthrus_tests::random::Random;

const PLIES: usize = 2_400;

/// The moves, in coordinates, of a random game of that length.
fn long_game() -> Vec<String> {
    (0..)
        .find_map(|seed| {
            let mut random = Random::new(seed);
            let mut game = Game::default();
            let mut text = Vec::new();
            while text.len() < PLIES {
                let moves = game.position().legal_moves();
                let mv = random.pick(&moves)?;
                text.push(write_coordinate(
                    game.position(),
                    mv,
                    CastlingText::KingMove,
                ));
                game.play(mv);
            }
            game.position().has_legal_move().then_some(text)
        })
        .expect("some game by chance is long")
}

#[test]
fn a_game_of_2400_plies_is_played_on_over_both_protocols() {
    let moves = long_game();
    let mut engine = uci(Process::start(&[]));
    engine.send(&format!("position startpos moves {}", moves.join(" ")));
    engine.send("go depth 3");
    let answer = engine.wait_for("bestmove ").pop().unwrap();
    assert_ne!(answer, "bestmove 0000");

    let mut engine = cecp(Process::start(&[]));
    engine.send("new\nforce");
    for mv in &moves {
        engine.send(&format!("usermove {mv}"));
    }
    engine.send("ping 1");
    let lines = engine.wait_for("pong 1");
    assert!(
        !lines.iter().any(|line| line.starts_with("Illegal")),
        "{lines:?}"
    );
    engine.send("undo\nundo\nsd 3\ngo");
    engine.wait_for("move ");
}
