//! The text of a move after a FEN is refused, or is a legal move that can be made and written.

#![no_main]

use libfuzzer_sys::fuzz_target;
use orthrus_core::notation::{parse_move, write_san};
use orthrus_core::{fen, notation};

fuzz_target!(|text: &str| {
    let (fen, moves) = text.split_once('\n').unwrap_or(("", text));
    let Ok(mut position) = fen::parse(fen) else {
        return;
    };
    for text in moves.lines() {
        let Ok(mv) = parse_move(&position, text) else {
            return;
        };
        assert!(position.is_legal(mv), "{text}");
        let san = write_san(&position, mv);
        assert_eq!(notation::parse_san(&position, &san), Ok(mv), "{san}");
        position.make_move(mv);
    }
});
