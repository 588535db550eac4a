//! Lines of EPD: what they say about a position is the same when written and read again.

use std::fmt::Write as _;

use orthrus_core::fen::{self, CastlingLetters};
use orthrus_core::position::Variant;
use orthrus_pgn::Epd;

use super::{POSITIONS, inputs, text};

/// A line is rejected, or says the same when written out in full, whichever game it is about.
pub(super) fn run(bytes: &[u8]) {
    let line = text(bytes);
    for variant in Variant::ALL {
        check(variant, &line);
    }
}

fn check(variant: Variant, line: &str) {
    let Ok(record) = Epd::parse(variant, line) else {
        return;
    };
    super::texts::check(&record.position);
    let mut line = fen::write(&record.position, CastlingLetters::RookFiles);
    for operation in &record.operations {
        let words = [&operation.opcode].into_iter().chain(&operation.operands);
        for word in words {
            let word = word.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = write!(line, " \"{word}\"");
        }
        line.push(';');
    }
    let again = Epd::parse(variant, &line).expect("what was written can be read");
    assert_eq!(again.operations, record.operations, "{line}");
    assert_eq!(again.position.setup(), record.position.setup(), "{line}");
}

pub(super) fn seeds() -> Vec<Vec<u8>> {
    let of_start = [
        " bm e4 d4; id \"a;b c\";",
        " hmvc 12; fmvn 40; ce -35; pv e4 e5 Nf3;",
        " 3 7 am f3; c0 \"x\"; c9 \"\";;",
        " - bm Nf3",
    ];
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let mut seeds = inputs(of_start.map(|rest| format!("{start}{rest}")));
    seeds.extend(inputs(POSITIONS.iter().map(|fen| format!("{fen} acd 3;"))));
    seeds
}
