//! Pages that are generated from the program's own definitions, or must agree with them.
//!
//! With `ORTHRUS_UPDATE` set, pages are brought up to date instead of compared.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use orthrus_tests::data::{self, repository};
use orthrus_tests::process::{Process, output_of};
use orthrus_tests::sources::files;

fn page(name: &str) -> PathBuf {
    repository().join("docs").join(name)
}

#[test]
fn the_table_of_options_is_the_programs() {
    const BEGIN: &str = "<!-- options -->\n";
    const END: &str = "<!-- end of options -->\n";
    let path = page("options.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(BEGIN).expect("the table has a beginning");
    let (_, after) = rest.split_once(END).expect("the table has an end");
    let table = output_of(&["options"]);
    let expected = format!("{before}{BEGIN}{table}{END}{after}");
    if env::var_os("ORTHRUS_UPDATE").is_some() {
        fs::write(&path, expected).unwrap();
    } else {
        assert!(
            text == expected,
            "docs/options.md is old; the table is\n{table}"
        );
    }
}

/// Also those that only one head has.
#[test]
fn every_option_announced_is_on_the_page() {
    let text = fs::read_to_string(page("options.md")).unwrap();
    let announced = ["uci", "xboard\nprotover 2"].map(|said| {
        let mut engine = Process::start(&[]);
        engine.send(said);
        engine.close().lines
    });
    let mut names = Vec::new();
    for line in announced.iter().flatten() {
        if let Some(rest) = line.strip_prefix("option name ") {
            names.extend(rest.split(" type ").next());
        } else if let Some(rest) = line.strip_prefix("feature option=\"") {
            names.extend(rest.split(" -").next());
        }
    }
    assert!(
        names.contains(&"Hash") && names.contains(&"ResignScore"),
        "{names:?}"
    );
    // CECP announces names without their blanks.
    let without_blanks = text.replace(' ', "");
    for name in names {
        let quoted = format!("`{name}`");
        assert!(
            text.contains(&quoted) || without_blanks.contains(&quoted),
            "{name}"
        );
    }
}

/// The names in the columns of a page's tables that have this heading.
fn named_in<'a>(page: &'a str, heading: &str) -> Vec<&'a str> {
    let mut names = Vec::new();
    let mut column = None;
    for line in page.lines() {
        if !line.starts_with('|') {
            column = None;
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let Some(cell) = column.and_then(|column: usize| cells.get(column)) {
            names.extend(cell.split('`').skip(1).step_by(2));
        }
        column = cells.iter().position(|&cell| cell == heading).or(column);
    }
    names
}

/// The names of the functions that run as tests.
fn tests_in(source: &str) -> Vec<&str> {
    let mut names = Vec::new();
    // The attributes of a test stand between its mark and its name.
    for test in source.split("#[test]\n").skip(1) {
        let name = test
            .split_once("fn ")
            .and_then(|(_, rest)| rest.split_once('('));
        names.extend(name.map(|(name, _)| name));
    }
    names
}

#[test]
fn the_tests_behind_the_promises_exist() {
    let root = repository();
    let mut sources = files(&root, "crates", ".rs");
    sources.extend(files(&root, "tests", ".rs"));
    let functions: Vec<&str> = sources
        .iter()
        .flat_map(|source| tests_in(&source.text))
        .collect();
    let mut texts = files(&root, "tests/transcripts", ".txt");
    texts.extend(files(&root, "tests/clients", ".py"));
    texts.extend(sources.iter().filter(|source| source.is_test()).cloned());
    let is_file = |path: &str, name: &str| {
        let path = Path::new(path);
        path.ends_with(name) || path.file_stem().is_some_and(|stem| stem == name)
    };
    for (file, heading) in [
        ("reliability.md", "kept by"),
        ("testing.md", "kept by"),
        ("protocols.md", "Test"),
    ] {
        let text = fs::read_to_string(page(file)).unwrap();
        let names = named_in(&text, heading);
        assert!(names.len() > 50, "{file}: {names:?}");
        for name in names {
            let known = functions.contains(&name)
                || texts.iter().any(|source| is_file(&source.path, name))
                || root.join(name).exists();
            assert!(
                known,
                "{file}: {name} is no test, no transcript and no path"
            );
        }
    }
}

/// Each in the half of the page that is its protocol's.
#[test]
fn the_page_of_the_protocols_names_every_transcript() {
    let text = fs::read_to_string(page("protocols.md")).unwrap();
    let (uci, cecp) = text.split_once("## CECP").expect("a half for each");
    for (half, folder) in [(uci, "uci"), (cecp, "cecp")] {
        for path in data::files(&repository().join("tests/transcripts").join(folder)) {
            let name = path.file_stem().unwrap().to_string_lossy();
            assert!(half.contains(&format!("`{name}`")), "{}", path.display());
        }
    }
}

#[test]
fn only_tests_are_taken_for_tests() {
    let source = "fn a() {}\n#[test]\n#[ignore = \"long\"]\nfn b() {\n    fn c() {}\n}\n";
    assert_eq!(tests_in(source), ["b"]);
}

#[test]
fn a_promise_kept_by_nothing_is_noticed() {
    let page = "| a | kept by | b |\n|---|---|---|\n| `x` | `y`, `z` | `w` |\n\n| `v` | `u` |";
    assert_eq!(named_in(page, "kept by"), ["y", "z"]);
}

#[test]
fn the_oldest_rust_is_the_manifests() {
    let read = |file: &str| fs::read_to_string(repository().join(file)).expect(file);
    let manifest = read("Cargo.toml");
    let version = manifest
        .lines()
        .find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'))
        .expect("the manifest names it");
    assert!(read("README.md").contains(&format!("Rust {version} or newer")));
    assert!(read("CONTRIBUTING.md").contains(&format!("cargo +{version}.0 check")));
}

/// Lines after `>` are sent, the others must come in their order; `...` stands for anything.
#[test]
fn the_sessions_of_the_readme_happen() {
    let readme = fs::read_to_string(repository().join("README.md")).expect("a readable page");
    let sessions: Vec<&str> = readme
        .split("\n\n")
        .filter(|paragraph| paragraph.starts_with("    > "))
        .collect();
    assert_eq!(sessions.len(), 2, "one for each protocol");
    for session in sessions {
        let mut process = Process::start(&[]);
        let mut lines_are_left_out = false;
        for line in session.lines().map(str::trim) {
            if let Some(sent) = line.strip_prefix("> ") {
                process.send(sent);
            } else if line == "..." {
                lines_are_left_out = true;
            } else {
                let mut parts = line.split("...").map(str::trim);
                let came = process.wait_for(parts.next().unwrap_or_default());
                assert!(lines_are_left_out || came.len() == 1, "{line}: {came:?}");
                let mut rest = came.last().map_or("", String::as_str);
                for part in parts {
                    let found = rest.split_once(part);
                    rest = found.unwrap_or_else(|| panic!("{line}: {came:?}")).1;
                }
                lines_are_left_out = false;
            }
        }
    }
}

/// The modules that a crate's root declares.
fn modules(root: &str) -> Vec<String> {
    let text = fs::read_to_string(repository().join(root)).expect(root);
    let names = text.lines().filter_map(|line| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        line.strip_prefix("mod ")?.strip_suffix(';')
    });
    names.map(str::to_owned).collect()
}

#[test]
fn the_code_map_names_every_module() {
    let text = fs::read_to_string(page("architecture.md")).unwrap();
    for (place, root) in [
        ("crates/core", "crates/core/src/lib.rs"),
        ("crates/orthrus", "crates/orthrus/src/main.rs"),
    ] {
        let start = format!("| `{place}` |");
        let row = text.lines().find(|line| line.starts_with(&start));
        let row = row.expect("the map has a row for the crate");
        let modules = modules(root);
        assert!(modules.len() > 5, "{modules:?}");
        for module in modules {
            assert!(row.contains(&format!("`{module}`")), "{root}: {module}");
        }
    }
}

#[test]
fn the_large_modules_describe_their_parts() {
    for file in [
        "crates/core/src/search/mod.rs",
        "crates/core/src/engine/mod.rs",
        "crates/cecp/src/lib.rs",
    ] {
        let text = fs::read_to_string(repository().join(file)).unwrap();
        // A module that holds a single type may be described by the name of the type.
        let described: Vec<String> = text
            .lines()
            .filter(|line| line.starts_with("//!"))
            .flat_map(|line| line.split('`').skip(1).step_by(2))
            .map(str::to_lowercase)
            .collect();
        for module in modules(file) {
            assert!(described.contains(&module), "{file}: {module}");
        }
    }
}
