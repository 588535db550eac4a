//! A position and its reflections have the same value.

use std::sync::Arc;

use fastrand::Rng;

use super::super::{CpuLevel, Network};
use super::random_network;
use crate::evaluation::{Evaluation, Evaluator};
use crate::position::{Position, Setup};
use crate::types::{CastlingRights, Piece, Score, Square};

/// The set-up with every piece mapped by `piece`, and its square by `square`.
fn reflected(setup: &Setup, square: fn(Square) -> Square, piece: fn(Piece) -> Piece) -> Setup {
    let mut reflection = Setup::empty();
    reflection.side_to_move = setup.side_to_move;
    for (at, man) in setup.board.iter() {
        reflection.board[square(at)] = man.map(piece);
    }
    reflection
}

fn other_color(piece: Piece) -> Piece {
    Piece::new(!piece.color(), piece.piece_type())
}

fn evaluate(evaluator: &mut Evaluator, setup: &Setup) -> Option<Score> {
    let position = Position::from_setup(setup).ok()?;
    evaluator.reset(&position);
    Some(evaluator.evaluate(&position))
}

/// Set-ups from random games, without castling rights, which have no reflection.
fn setups(seed: u64) -> Vec<Setup> {
    let mut random = Rng::with_seed(seed);
    let mut setups = Vec::new();
    while setups.len() < 500 {
        let mut position = Position::startpos();
        for _ in 0..100 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.make_move(moves[random.usize(..moves.len())]);
            if random.usize(..4) == 0 {
                setups.push(Setup {
                    castling: CastlingRights::NONE,
                    en_passant: None,
                    ..position.setup()
                });
            }
        }
    }
    setups
}

fn evaluator(mirrored: bool) -> Evaluator {
    let raw = random_network(11, 64, 8, mirrored);
    let network = Network::new(&raw, CpuLevel::detect()).unwrap();
    Evaluator::new(Evaluation::Network(Arc::new(network)))
}

#[test]
fn colours_are_alike() {
    for mirrored in [false, true] {
        let mut evaluator = evaluator(mirrored);
        for setup in setups(1) {
            let mut flipped = reflected(&setup, Square::flipped, other_color);
            flipped.side_to_move = !setup.side_to_move;
            let score = evaluate(&mut evaluator, &setup);
            assert!(score.is_some());
            assert_eq!(score, evaluate(&mut evaluator, &flipped));
        }
    }
}

#[test]
fn left_and_right_are_alike_in_a_mirrored_network_only() {
    let mut differing = 0;
    for setup in setups(2) {
        let mirror = reflected(&setup, Square::mirrored, |piece| piece);
        let mut mirrored = evaluator(true);
        let score = evaluate(&mut mirrored, &setup);
        assert!(score.is_some());
        assert_eq!(score, evaluate(&mut mirrored, &mirror));
        let mut plain = evaluator(false);
        differing += u32::from(evaluate(&mut plain, &setup) != evaluate(&mut plain, &mirror));
    }
    assert!(differing > 400);
}
