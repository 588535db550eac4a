//! Words that must not occur in some part of the sources, where no lint knows the part.

use std::collections::BTreeSet;

use orthrus_tests::sources::{Source, lines_with_word};

use super::{assert_kept, rust_sources};

/// Words of the two protocols and of the programs that speak them. The core uses none of them, in
/// code, text or comment. It may point to a section of a specification by its name, carry the
/// options that users know as `UCI_...`, and call its own event `BestMove`.
const PROTOCOL_WORDS: &[&str] = &[
    "uciok",
    "readyok",
    "isready",
    "ucinewgame",
    "bestmove",
    "ponderhit",
    "setoption",
    "xboard",
    "XBoard",
    "winboard",
    "WinBoard",
    "protover",
    "usermove",
    "setboard",
    "tellusererror",
];

/// A word that code in some folders must not contain, and why.
struct Ban {
    folders: &'static [&'static str],
    words: &'static [&'static str],
    reason: &'static str,
}

const LIBRARIES: &[&str] = &[
    "crates/core/src",
    "crates/uci/src",
    "crates/cecp/src",
    "crates/pgn/src",
];
const PROGRAMS: &[&str] = &[
    "crates/core/src",
    "crates/uci/src",
    "crates/cecp/src",
    "crates/pgn/src",
    "crates/orthrus/src",
    "crates/trainer/src",
];
const HEADS: &[&str] = &["crates/uci/src", "crates/cecp/src"];

const BANS: &[Ban] = &[
    Ban {
        folders: LIBRARIES,
        words: &[
            "stdin",
            "stdout",
            "stderr",
            "env::var",
            "env::var_os",
            "env::args",
        ],
        reason: "standard streams and environment belong to the binaries",
    },
    Ban {
        folders: HEADS,
        words: &[
            "thread",
            "Instant::now",
            "SystemTime",
            "Mutex",
            "crossbeam_channel",
        ],
        reason: "a head is a state machine without threads and without a clock",
    },
    Ban {
        folders: PROGRAMS,
        words: &["process::Command", "Command::new"],
        reason: "no program is started, so that no option's value can reach a shell",
    },
    Ban {
        folders: &["crates", "tests"],
        words: &["process::exit", "process::abort"],
        reason: "a program ends by returning from main",
    },
];

/// Which protocol words a file of core contains, and where.
fn protocol_words(source: &Source) -> Vec<String> {
    if !source.path.starts_with("crates/core/src/") {
        return Vec::new();
    }
    breaches(
        &source.path,
        &source.text,
        PROTOCOL_WORDS,
        "the core knows no protocol",
    )
}

/// Which banned words the code of a file contains, and where.
fn banned_words(source: &Source) -> Vec<String> {
    if source.is_test() {
        return Vec::new();
    }
    let code = source.code();
    let applies = |ban: &&Ban| {
        let below = |folder: &&str| source.path.starts_with(&format!("{folder}/"));
        ban.folders.iter().any(below)
    };
    let bans = BANS.iter().filter(applies);
    bans.flat_map(|ban| breaches(&source.path, &code, ban.words, ban.reason))
        .collect()
}

fn breaches(path: &str, text: &str, words: &[&str], reason: &str) -> Vec<String> {
    let of_word = |word: &&str| {
        let lines = lines_with_word(text, word).into_iter();
        let word = (*word).to_owned();
        lines
            .map(move |line| format!("{path}:{line}: `{word}`: {reason}"))
            .collect::<Vec<_>>()
    };
    words.iter().flat_map(of_word).collect()
}

#[test]
fn the_core_says_no_protocol_word() {
    assert_kept(
        &rust_sources()
            .iter()
            .flat_map(protocol_words)
            .collect::<Vec<_>>(),
    );
}

#[test]
fn libraries_leave_the_outside_to_the_binaries() {
    assert_kept(
        &rust_sources()
            .iter()
            .flat_map(banned_words)
            .collect::<Vec<_>>(),
    );
}

#[test]
fn a_protocol_word_is_noticed() {
    let noticed = |file: &str, text: &str| !protocol_words(&Source::new(file, text)).is_empty();
    let core = "crates/core/src/engine/mod.rs";
    for text in [
        "f(\"uciok\");",
        "// as xboard does",
        "/// Answers `usermove`.",
        "let bestmove = 1;",
    ] {
        assert!(noticed(core, text), "{text}");
        assert!(!noticed("crates/uci/src/lib.rs", text), "{text}");
    }
    for text in [
        "Event::BestMove",
        "/// CECP section 9",
        "\"UCI_Chess960\"",
        "PonderHit",
    ] {
        assert!(!noticed(core, text), "{text}");
    }
}

#[test]
fn a_banned_word_is_noticed() {
    let noticed = |file: &str, text: &str| !banned_words(&Source::new(file, text)).is_empty();
    let bad = [
        ("crates/uci/src/lib.rs", "use std::io::{self, stdout};"),
        ("crates/cecp/src/lib.rs", "let now = Instant::now();"),
        ("crates/cecp/src/lib.rs", "std::thread::sleep(pause);"),
        ("crates/orthrus/src/main.rs", "std::process::exit(1);"),
        ("crates/trainer/src/main.rs", "use std::process::abort;"),
        ("crates/orthrus/src/main.rs", "use std::process::Command;"),
        (
            "crates/core/src/perft.rs",
            "process::Command::new(name).spawn()",
        ),
    ];
    for (file, text) in bad {
        assert!(noticed(file, text), "{file}: {text}");
    }
    let good = [
        ("crates/core/src/perft.rs", "// stdout"),
        ("crates/core/src/perft.rs", "f(\"stdout\");"),
        ("crates/core/benches/perft.rs", "io::stdout();"),
        ("crates/orthrus/src/main.rs", "io::stdout();"),
        ("crates/uci/src/lib.rs", "use std::time::Instant;"),
        ("crates/uci/src/lib.rs", "Command::NewGame"),
        (
            "crates/uci/src/lib.rs",
            "#[cfg(test)]\nmod tests {\n    use std::thread;\n}",
        ),
    ];
    for (file, text) in good {
        assert!(!noticed(file, text), "{file}: {text}");
    }
}

/// `crates/core/src/search/tt/memory.rs` as `core::search::tt::memory`.
fn module_path(file: &str) -> String {
    let path = file.trim_start_matches("crates/").trim_end_matches(".rs");
    let path = path.trim_end_matches("/mod").replace("/src/", "/");
    path.replace('/', "::")
}

/// The compiler refuses `unsafe` wherever it is not allowed again.
#[test]
fn the_architecture_page_lists_where_unsafe_is_allowed() {
    let page = include_str!("../../../docs/architecture.md");
    let (_, table) = page
        .split_once("\n## Unsafe code\n")
        .expect("it has that section");
    let rows = table.lines().take_while(|line| !line.starts_with('#'));
    let listed: BTreeSet<String> = rows
        .filter_map(|row| Some(row.strip_prefix("| `")?.split_once('`')?.0.to_owned()))
        .collect();
    let allows = |source: &&Source| {
        let code: String = source.code().split_whitespace().collect();
        ["allow", "expect"]
            .iter()
            .any(|lint| code.contains(&format!("{lint}(unsafe_code")))
    };
    let sources = rust_sources();
    let allowed: BTreeSet<String> = sources
        .iter()
        .filter(allows)
        .map(|source| module_path(&source.path))
        .collect();
    assert_eq!(listed, allowed);
}
