//! Options while a search runs: none is lost, none disturbs the search.

use orthrus_core::engine::options;
use orthrus_tests::process::{Process, cecp, command, uci};
use orthrus_tests::scratch::Scratch;

use super::{plays, plays_cecp};

/// Values that fit one option or another; the rest are rejected.
const VALUES: &[&str] = &["1", "2", "16", "true", "false", "Off", "nonsense", ""];

#[test]
fn any_option_may_come_during_a_search() {
    let names: Vec<&str> = options::all().map(|it| it.name).collect();
    // Some values create files.
    let scratch = Scratch::new();
    let start = || {
        let mut command = command();
        command.current_dir(scratch.folder());
        Process::spawn(command)
    };

    let mut engine = uci(start());
    engine.send("position startpos\ngo infinite");
    for name in &names {
        for value in VALUES {
            engine.send(&format!("setoption name {name} value {value}"));
        }
    }
    engine.send("isready");
    let lines = engine.wait_for("readyok");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
    engine.send("stop");
    engine.wait_for("bestmove");
    plays(&mut engine);
    assert!(engine.close().status.success());

    let mut engine = cecp(start());
    engine.send("new\nforce\nanalyze");
    for name in &names {
        for value in VALUES {
            engine.send(&format!("option {name}={value}"));
        }
    }
    engine.send("memory 2\ncores 2\nping 1");
    engine.wait_for("pong 1");
    engine.send("exit");
    plays_cecp(&mut engine);
    assert!(engine.close().status.success());
}
