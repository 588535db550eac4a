//! Faults around the engine: no memory, no disk, nobody there, no time. The game goes on if it can,
//! what failed is reported, and an engine that nobody uses ends.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed set-up is a failed test")]

mod files;
mod gone;
mod long_analysis;
mod long_games;
mod memory;
mod nonblocking;
mod options;
mod piped;
mod slow_files;
mod tables;
mod time;
mod unread;

use orthrus_tests::process::Process;

/// The engine's messages to the user, up to the answer to `isready`.
fn told(engine: &mut Process) -> Vec<String> {
    engine.send("isready");
    let mut lines = engine.wait_for("readyok");
    lines.retain(|line| line.starts_with("info string "));
    lines
}

/// Checks that it still plays.
fn plays(engine: &mut Process) {
    engine.send("position startpos moves e2e4\ngo depth 4");
    let answer = engine.wait_for("bestmove ").pop().unwrap();
    assert_ne!(answer, "bestmove 0000");
}

/// Checks that it still plays, over CECP.
fn plays_cecp(engine: &mut Process) {
    engine.send("new\nsd 4\nusermove e2e4");
    engine.wait_for("move ");
}
