//! What is different on Windows: line ends, paths, devices, folders. Runs there, and under Wine.
#![cfg(windows)]

use std::fs;
use std::path::Path;

use orthrus_tests::data;
use orthrus_tests::process::{Process, cecp, run, uci};
use orthrus_tests::scratch::Scratch;

/// What the engine says in reply to an option over UCI.
fn told(engine: &mut Process, option: &[u8]) -> String {
    engine.send_bytes(b"setoption name ");
    engine.send_bytes(option);
    engine.send("\r\nisready\r");
    let lines = engine.wait_for("readyok");
    lines.join("\n")
}

/// A copy of the book among the test data under another name.
fn book_as(path: &Path) {
    fs::copy(data::own("polyglot/own_games.bin"), path).expect("the book can be copied");
}

#[test]
fn lines_may_end_as_on_windows() {
    let mut engine = Process::start(&[]);
    engine.send("uci\r");
    let lines = engine.wait_for("uciok");
    assert!(lines.iter().all(|line| !line.ends_with('\r')), "{lines:?}");
    engine.send("isready\r\nposition startpos moves e2e4 e7e5\r\ngo depth 3\r");
    engine.wait_for("readyok");
    engine.wait_for("bestmove");
    engine.send("quit\r");
    assert!(engine.wait().status.success());

    let mut engine = Process::start(&[]);
    engine.send("xboard\r\nprotover 2\r");
    engine.wait_for("feature done=1");
    engine.send("new\r\nsd 3\r\nusermove e2e4\r");
    engine.wait_for("move ");
    engine.send("quit\r");
    assert!(engine.wait().status.success());
}

/// Programs of the old kind write paths in the code page of the system; new ones in UTF-8.
#[test]
fn paths_are_utf_8_or_in_the_code_page() {
    let scratch = Scratch::new();
    let folder = scratch.folder().join("Schach f\u{fc}r Ren\u{e9}");
    fs::create_dir(&folder).expect("a folder");
    let book = folder.join("B\u{fc}cher.bin");
    book_as(&book);
    let name = book.to_str().expect("a name");
    // 1252 is the code page of Western Europe, whose letters are those of Latin-1.
    let ansi: Vec<u8> = name.chars().map(|letter| letter as u8).collect();
    for name in [name.as_bytes(), &ansi] {
        let mut engine = uci(Process::start(&[]));
        let said = told(&mut engine, &[b"Book File value ", name].concat());
        assert!(!said.contains("not found"), "{said}");
        engine.send("setoption name OwnBook value true\nposition startpos\ngo depth 1");
        let lines = engine.wait_for("bestmove");
        assert!(lines.iter().any(|line| line.contains("book")), "{lines:?}");
    }
}

#[test]
fn paths_have_drives_and_both_slashes_and_any_length() {
    let scratch = Scratch::new();
    let mut folder = scratch.folder().to_owned();
    while folder.as_os_str().len() < 300 {
        folder.push("a folder with a long name");
    }
    fs::create_dir_all(&folder).expect("a deep folder");
    let book = folder.join("book.bin");
    book_as(&book);
    let name = book.to_str().expect("a name");
    assert!(name.contains(":\\"), "{name}");
    for name in [name.to_owned(), name.replace('\\', "/")] {
        let mut engine = uci(Process::start(&[]));
        let said = told(&mut engine, format!("Book File value {name}").as_bytes());
        assert!(!said.contains("cannot"), "{said}");
    }
}

/// Reading a device may never end, and writing to one tells nobody.
#[test]
fn devices_are_no_files() {
    let devices = [
        "CON",
        "NUL",
        "nul.bin",
        "C:\\COM1",
        "\\\\.\\pipe\\orthrus",
        "CONIN$",
    ];
    for device in devices {
        let mut engine = uci(Process::start(&[]));
        for option in ["EvalFile", "Book File", "Experience File", "Debug Log File"] {
            // A file of experience is not opened before it is used.
            let said = told(&mut engine, format!("{option} value {device}").as_bytes());
            let is_refused = said.contains("neither a file nor a folder");
            assert!(
                is_refused || option == "Experience File",
                "{option} {device}: {said}"
            );
        }
        let output = run(&["epd", device, "--nodes", "1"]);
        assert!(!output.status.success(), "{device}");
    }
}

#[test]
fn a_folder_is_no_file() {
    let scratch = Scratch::new();
    let folder = scratch.folder().to_str().expect("a name");
    let mut engine = uci(Process::start(&[]));
    for option in ["EvalFile", "Book File", "Debug Log File"] {
        let said = told(&mut engine, format!("{option} value {folder}").as_bytes());
        assert!(said.contains("a folder"), "{option}: {said}");
    }
    let mut engine = cecp(Process::start(&[]));
    engine.send(&format!("option EvalFile={folder}\nping 1"));
    let lines = engine.wait_for("pong 1").join("\n");
    assert!(lines.contains("a folder"), "{lines}");
}

/// Folders of tables are separated by semicolons, because drives have colons.
#[test]
fn tables_may_lie_on_any_drive() {
    let tables = fs::canonicalize(data::own("syzygy")).expect("the tables are there");
    let tables = tables.to_str().expect("a name").trim_start_matches(r"\\?\");
    assert!(tables.contains(":\\"), "{tables}");
    let mut engine = uci(Process::start(&[]));
    let option = format!("SyzygyPath value C:\\no such folder;{tables}");
    let said = told(&mut engine, option.as_bytes());
    assert!(said.contains("no such folder"), "{said}");
    engine.send("position fen 8/8/8/4k3/8/8/8/KQ6 w - - 0 1\ngo depth 2");
    let lines = engine.wait_for("bestmove");
    let is_found = |line: &String| line.contains(" tbhits ") && !line.contains(" tbhits 0 ");
    assert!(lines.iter().any(is_found), "{lines:?}");
}
