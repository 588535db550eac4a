//! How much memory the process takes for its hash table: what was used, and no more than requested.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed set-up is a failed test")]

use orthrus_tests::process::{Process, memory};

/// The resident memory in MiB after these lines have been processed, none of which may be refused.
fn after(engine: &mut Process, lines: &[&str]) -> u64 {
    for line in lines {
        engine.send(line);
    }
    engine.send("isready");
    let said = engine.wait_for("readyok");
    let refused = said.iter().any(|line| line.contains("cannot allocate"));
    assert!(!refused, "{said:?}");
    memory(engine.id(), "VmRSS")
}

/// A large table is neither touched when it is requested nor cleared when a game begins, which
/// would take seconds; and a smaller one gives the memory back.
#[test]
fn a_table_takes_the_memory_that_was_used() {
    let mut engine = Process::start(&[]);
    let large = after(&mut engine, &["uci", "setoption name Hash value 4096"]);
    assert!(large < 200, "{large} MiB after setting it");
    engine.send("go nodes 100");
    engine.wait_for("bestmove");
    let searched = after(&mut engine, &[]);
    assert!(searched < 2048, "{searched} MiB after a hundred nodes");
    let emptied = after(&mut engine, &["ucinewgame"]);
    assert!(emptied < 200, "{emptied} MiB in a new game");
    engine.send("setoption name Hash value 64");
    engine.send("go nodes 100000");
    engine.wait_for("bestmove");
    let small = after(&mut engine, &["setoption name Hash value 1"]);
    assert!(small < 100, "{small} MiB with a table of 1 MiB");
}

/// A small table is touched when a game begins, so that the first search does not pay for it on its
/// clock.
#[test]
fn a_small_table_is_claimed_by_a_new_game() {
    let mut engine = Process::start(&[]);
    let before = after(&mut engine, &["uci", "setoption name Hash value 64"]);
    assert!(before < 40, "{before} MiB before the game");
    let claimed = after(&mut engine, &["ucinewgame"]);
    assert!(claimed >= before + 64, "{before} MiB, then {claimed}");
    let again = after(&mut engine, &["ucinewgame"]);
    assert!(again < claimed + 8, "{claimed} MiB, then {again}");
}
