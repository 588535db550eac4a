//! A FEN is refused, or makes a position whose FEN makes the same position.

#![no_main]

use libfuzzer_sys::fuzz_target;
use orthrus_core::fen::{self, CastlingLetters};

fuzz_target!(|text: &str| {
    let Ok(position) = fen::parse(text) else {
        return;
    };
    for letters in [CastlingLetters::KingAndQueen, CastlingLetters::RookFiles] {
        let written = fen::write(&position, letters);
        let again = fen::parse(&written).expect("what was written can be read");
        assert_eq!(again.setup(), position.setup(), "{written}");
        assert_eq!(again.key(), position.key(), "{written}");
    }
});
