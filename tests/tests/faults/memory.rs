//! Memory that is not there, and threads that cannot be started. The limits apply to the process
//! only, not to the machine.

use std::fs::OpenOptions;
use std::process::Command;

use orthrus_tests::process::{Process, cecp, command, limited, uci};
use orthrus_tests::scratch::Scratch;

use super::{plays, plays_cecp, told};

/// A gigabyte of addresses, in the kilobytes that `ulimit` counts.
const GIGABYTE: usize = 1 << 20;

#[test]
fn a_table_larger_than_the_memory_is_refused_and_the_old_one_kept() {
    let mut engine = uci(Process::spawn(limited(&format!("-v {GIGABYTE}"))));
    engine.send("setoption name Hash value 32\nsetoption name Hash value 2000");
    assert_eq!(
        told(&mut engine),
        ["info string cannot allocate 2000 MiB for the transposition table; keeping 32 MiB"]
    );
    plays(&mut engine);

    let mut engine = cecp(Process::spawn(limited(&format!("-v {GIGABYTE}"))));
    engine.send("memory 2000\nping 1");
    let lines = engine.wait_for("pong 1");
    let told = lines.iter().filter(|line| line.contains("cannot allocate"));
    assert_eq!(told.count(), 1, "{lines:?}");
    plays_cecp(&mut engine);
}

#[test]
fn no_table_takes_the_memory_that_playing_needs() {
    // Down to some that the system grants, the largest of which leave hardly anything.
    let mut granted = 0;
    for mebibytes in (400..900).rev().step_by(10) {
        let mut engine = uci(Process::spawn(limited(&format!("-v {GIGABYTE}"))));
        engine.send(&format!("setoption name Hash value {mebibytes}"));
        engine.send("setoption name MultiPV value 20");
        granted += usize::from(told(&mut engine).is_empty());
        plays(&mut engine);
        engine.send("ucinewgame");
        plays(&mut engine);
        if granted == 10 {
            return;
        }
    }
    panic!("only {granted} granted");
}

#[test]
fn a_book_larger_than_the_memory_is_refused() {
    let scratch = Scratch::new();
    let book = scratch.write("sparse.bin", "");
    let file = OpenOptions::new().write(true).open(&book).unwrap();
    let mut refused = Vec::new();
    for mebibytes in [64, 400, 640, 900] {
        file.set_len(mebibytes << 20).unwrap();
        let mut engine = uci(Process::spawn(limited(&format!("-v {}", 1_000 << 10))));
        engine.send(&format!("setoption name Book File value {book}"));
        if told(&mut engine).iter().any(|line| line.contains("memory")) {
            refused.push(mebibytes);
        }
        plays(&mut engine);
        let exit = engine.close();
        assert!(exit.status.success(), "{mebibytes} MiB: {exit:?}");
    }
    // The process has half of these addresses itself: one of 400 MiB fits once, not twice.
    assert_eq!(refused, [640, 900]);
}

#[test]
fn threads_that_cannot_be_started_are_done_without() {
    for megabytes in [400, 800] {
        let limit = format!("-v {}", megabytes << 10);
        let mut engine = uci(Process::spawn(limited(&limit)));
        engine.send("setoption name Threads value 512");
        let told = told(&mut engine);
        let [line] = &told[..] else {
            panic!("{told:?}");
        };
        assert!(line.ends_with(" of 512 threads could be started"), "{line}");
        plays(&mut engine);
        engine.send("ucinewgame\nsetoption name Threads value 1");
        plays(&mut engine);

        let mut engine = cecp(Process::spawn(limited(&limit)));
        engine.send("cores 512\nping 1");
        let lines = engine.wait_for("pong 1");
        assert!(
            lines.iter().any(|line| line.contains(" of 512 threads")),
            "{lines:?}"
        );
        plays_cecp(&mut engine);
    }
}

/// If there is no memory for a single search thread, the reason is reported and the process fails.
#[test]
fn an_engine_that_cannot_start_says_why_and_fails() {
    for greeting in ["uci", "xboard"] {
        // With some megabytes less, the threads that there are meet the limit before the search thread.
        let mut engine = Process::spawn(limited(&format!("-v {}", 26 << 10)));
        engine.try_send_bytes(format!("{greeting}\n").as_bytes());
        let exit = engine.wait();
        assert_eq!(exit.status.code(), Some(1), "{exit:?}");
        let start = "orthrus: cannot start the engine: cannot start a thread: ";
        assert!(exit.stderr.starts_with(start), "{exit:?}");
    }
}

#[test]
fn threads_come_and_go_during_a_session() {
    let mut engine = uci(Process::start(&[]));
    for threads in [512, 1, 2, 64, 3, 1] {
        engine.send(&format!("setoption name Threads value {threads}"));
        plays(&mut engine);
        engine.send("go infinite\nsetoption name Threads value 5\nstop");
        engine.wait_for("bestmove");
    }
    assert_eq!(told(&mut engine), [""; 0]);
}

/// A command that starts the binary on a machine that has only so much memory left, in KiB.
fn with_memory(kibibytes: usize, scratch: &Scratch) -> Command {
    let meminfo = format!("MemTotal: 99999999 kB\nMemAvailable: {kibibytes} kB\n");
    let meminfo = scratch.write("meminfo", &meminfo);
    let engine = command();
    let mut command = Command::new("unshare");
    command.env_remove("ORTHRUS_LOG");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c"]);
    command.arg("mount --bind \"$0\" /proc/meminfo && exec \"$1\"");
    command.arg(meminfo).arg(engine.get_program());
    command
}

/// Linux grants addresses for more than it has, and ends the process that uses them.
#[test]
#[cfg_attr(not(has_unshare), ignore = "unshare may not be used")]
fn a_table_that_only_the_addresses_have_room_for_is_refused() {
    let scratch = Scratch::new();
    let mut engine = uci(Process::spawn(with_memory(200 << 10, &scratch)));
    engine.send("setoption name Hash value 128");
    assert!(told(&mut engine).is_empty(), "there is room for that");
    engine.send("setoption name Hash value 256");
    assert_eq!(
        told(&mut engine),
        ["info string cannot allocate 256 MiB for the transposition table; keeping 128 MiB"]
    );
    engine.send("setoption name Threads value 64");
    let told = told(&mut engine);
    assert!(
        told.len() == 1 && told[0].ends_with(" of 64 threads could be started"),
        "{told:?}"
    );
    plays(&mut engine);

    let mut engine = cecp(Process::spawn(with_memory(200 << 10, &scratch)));
    engine.send("memory 2000\nping 1");
    let lines = engine.wait_for("pong 1");
    let told = lines.iter().filter(|line| line.contains("cannot allocate"));
    assert_eq!(told.count(), 1, "{lines:?}");
    plays_cecp(&mut engine);
}
