//! Positions (FEN) and games (PGN): what was read is the same when written and read again.

use orthrus_core::fen::{self, CastlingLetters};
use orthrus_core::game::Game;
use orthrus_core::position::{Position, Variant};
use orthrus_core::types::{Color, HalfKey, Key};
use orthrus_pgn::Reader;

use super::{POSITIONS, inputs, text};

/// In every variant a FEN is rejected, or gives a valid position.
pub(super) fn fen(bytes: &[u8]) {
    let text = text(bytes);
    for variant in Variant::ALL {
        if let Ok(position) = fen::parse_as(variant, &text) {
            check(&position);
        }
    }
}

/// A position that was accepted: its FEN gives the same again, and so does every move with its
/// take-back.
pub(super) fn check(position: &Position) {
    for letters in [CastlingLetters::KingAndQueen, CastlingLetters::RookFiles] {
        let written = fen::write(position, letters);
        let again = fen::parse_as(position.variant(), &written);
        let again = again.expect("what was written can be read");
        assert_eq!(again.setup(), position.setup(), "{written}");
        assert_eq!(again.key(), position.key(), "{written}");
    }
    // A race has one direction, and a horde is White's.
    if !matches!(position.variant(), Variant::RacingKings | Variant::Horde) {
        let flipped = position.setup().color_flipped();
        let flipped = Position::from_setup(&flipped).expect("colours can be exchanged");
        assert_eq!(flipped.legal_moves().len(), position.legal_moves().len());
    }
    let mut other = position.clone();
    for mv in position.legal_moves() {
        assert!(position.is_legal(mv), "{mv:?}");
        other.make_move(mv);
        let rebuilt = Position::from_setup(&other.setup()).expect("a legal move keeps it valid");
        assert_eq!(keys(&rebuilt), keys(&other), "{mv:?}");
        other.unmake_move();
        assert_eq!(other.setup(), position.setup(), "{mv:?}");
        assert_eq!(keys(&other), keys(position), "{mv:?}");
    }
}

fn keys(position: &Position) -> (Key, [HalfKey; 3]) {
    let [white, black] = [Color::White, Color::Black].map(|color| position.non_pawn_key(color));
    (position.key(), [position.pawn_key(), white, black])
}

pub(super) fn fen_seeds() -> Vec<Vec<u8>> {
    let other_forms = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "4k3/8/8/8/8/8/8/4K2R w H - 3 7",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "k7/8/K7/8/8/8/8/8 b - e3 0 1",
        "4k3/8/8/8/8/8/8/3RK3 w - - 0 1 +2+0",
        "r3k2r/p1pq~1p2/8/8/1P6/8/P1P3q~1/R3K2R[QNPpp] w KQkq - 0 1",
        "8/1P6/8/1k6/p7/P6p/8/4K3/RBq b - - 3 9",
    ];
    let starts = Variant::ALL.map(Variant::start_fen);
    inputs(POSITIONS.iter().chain(&other_forms).chain(&starts))
}

/// Any bytes are read to their end, and a game that was read is the same when written and read
/// again.
pub(super) fn pgn(bytes: &[u8]) {
    for (read, game) in Reader::new(bytes).enumerate() {
        assert!(read <= bytes.len(), "more games than bytes");
        let Ok(game) = game else { continue };
        let written = game.to_string();
        let again = Reader::new(written.as_bytes()).next();
        let again = again
            .expect("a game")
            .expect("what was written can be read");
        assert_eq!(again.main, game.main, "{written}");
        assert_eq!(again.start.setup(), game.start.setup(), "{written}");
        assert_eq!(again.result, game.result, "{written}");
        assert_eq!(again.to_string(), written);
        let mut played = Game::new(game.start.clone());
        for mv in game.moves() {
            assert!(played.play(mv), "{written}");
        }
    }
}

pub(super) fn pgn_seeds() -> Vec<Vec<u8>> {
    inputs([
        "[Event \"?\"]\n[White \"A\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4?? Qh4# 0-1\n",
        "1. e4 {best [%eval 0.3]} (1. d4 d5 (1... Nf6 $14 2. c4)) 1... c5 ; Sicilian\n2. Nf3 *\n",
        "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. a8=Q Kg7 1/2-1/2\n\n1. c4 1-0",
        "[Variant \"Chess960\"]\n[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]\n\n1. O-O *",
        "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. @d6 P@e4!? 4. P@e6 Q@d4 1-0",
        "% escaped\n1.e2e4 e7-e5 2.Ng1f3 Nb8c6 3.0-0-0 * [a \"b\\\"c\"] 1. Nf3 }{ d5 Z0 \u{e9} 1-0",
    ])
}
