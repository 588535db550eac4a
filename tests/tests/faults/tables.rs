//! Endgame tables that are cut short while they are in use.

use std::fs;

use orthrus_tests::data;
use orthrus_tests::process::{Process, uci};
use orthrus_tests::scratch::Scratch;

use super::plays;

/// Positions that White has won.
const WON: &[&str] = &[
    "8/8/8/8/8/2k5/8/KBN5 w - - 0 1",
    "8/8/4k3/8/8/8/8/KBN5 w - - 0 1",
    "6k1/8/8/8/8/8/8/KBN5 w - - 0 1",
    "8/8/8/3k4/8/8/8/KBN5 b - - 0 1",
];

#[test]
fn tables_that_are_cut_short_end_no_process() {
    for left in [20_000, 64, 0] {
        let scratch = Scratch::new();
        let folder = scratch.folder();
        let mut copies = Vec::new();
        for table in data::files(&data::own("syzygy")) {
            let copy = folder.join(table.file_name().unwrap());
            fs::copy(&table, &copy).unwrap();
            copies.push(copy);
        }
        let mut engine = uci(Process::start(&[]));
        engine.send(&format!(
            "setoption name SyzygyPath value {}",
            folder.display()
        ));
        let mut hits = |fen: &str| {
            engine.send(&format!("ucinewgame\nposition fen {fen}\ngo depth 6"));
            let lines = engine.wait_for("bestmove ");
            assert_ne!(lines.last().unwrap(), "bestmove 0000");
            let is_hit = |line: &String| line.contains(" tbhits ") && !line.contains(" tbhits 0 ");
            lines.iter().any(is_hit)
        };
        assert!(hits(WON[0]), "the tables are in use");
        for copy in &copies {
            let file = fs::OpenOptions::new().write(true).open(copy).unwrap();
            file.set_len(left.min(file.metadata().unwrap().len()))
                .unwrap();
        }
        for fen in WON {
            hits(fen);
        }
        plays(&mut engine);
        let exit = engine.close();
        assert!(exit.status.success(), "{exit:?}");
    }
}
