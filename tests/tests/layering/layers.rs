//! Inside core, a module uses only those below it.

use orthrus_tests::data;
use orthrus_tests::sources::{Source, files};

use super::assert_kept;

/// The modules of core from the bottom up; those in one row may use each other.
const LAYERS: &[&[&str]] = &[
    &["types", "files"],
    &["attacks"],
    &["position"],
    &["fen", "notation", "game", "book", "perft"],
    &["evaluation", "tablebase"],
    &["search"],
    &["engine", "bench"],
    &["frontend"],
];

const CORE: &str = "crates/core/src";

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|row| row.contains(&module))
}

/// The path of the module that a file of core holds: `position/see.rs` is `[position, see]`.
fn module_path(file: &str) -> Vec<&str> {
    let inside = file.trim_start_matches(CORE).trim_start_matches('/');
    let path = inside.trim_end_matches(".rs").trim_end_matches("/mod");
    path.split('/').collect()
}

/// The modules of core that code without spaces names by `crate::` or by enough `super::` to leave
/// its own module.
fn named_modules<'a>(code: &'a str, own_path: &[&str]) -> Vec<&'a str> {
    let root = "super::".repeat(own_path.len());
    let mut named = Vec::new();
    for start in ["crate::", root.as_str()] {
        for (at, _) in code.match_indices(start) {
            let rest = &code[at + start.len()..];
            match rest.strip_prefix('{') {
                Some(group) => named.extend(group_heads(group)),
                None => named.extend(head(rest)),
            }
        }
    }
    named
}

/// The first name of a path.
fn head(path: &str) -> Option<&str> {
    let end = path.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    Some(&path[..end.unwrap_or(path.len())]).filter(|name| !name.is_empty())
}

/// The first names of the paths in a group, up to its closing brace.
fn group_heads(group: &str) -> Vec<&str> {
    let mut heads = Vec::new();
    let mut depth = 0;
    let mut start = 0;
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => {
                heads.extend(head(&group[start..at]));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                heads.extend(head(&group[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    heads
}

/// Where a file of core uses a module above it.
fn upward_uses(source: &Source) -> Vec<String> {
    let path = module_path(&source.path);
    let module = path[0];
    if source.is_test() || module == "lib" {
        return Vec::new();
    }
    let Some(own) = layer(module) else {
        return vec![format!(
            "{}: module {module} has no place among the layers",
            source.path
        )];
    };
    // A group of imports may span lines: join them, and report the file only.
    let code = source.code().split_whitespace().collect::<String>();
    let upward = |named: &&str| layer(named).is_some_and(|other| other > own);
    let named = named_modules(&code, &path).into_iter().filter(upward);
    named
        .map(|other| format!("{}: {module} uses {other}, which is above it", source.path))
        .collect()
}

#[test]
fn modules_of_core_use_only_those_below() {
    let breaches: Vec<String> = files(&data::repository(), CORE, ".rs")
        .iter()
        .flat_map(upward_uses)
        .collect();
    assert_kept(&breaches);
}

#[test]
fn an_upward_use_is_noticed() {
    let noticed = |file: &str, text: &str| {
        !upward_uses(&Source::new(&format!("{CORE}/{file}"), text)).is_empty()
    };
    let bad = [
        ("types/score.rs", "use crate::position::Position;"),
        ("types/score.rs", "let score = crate::search::Depth(1);"),
        ("position/see.rs", "use super::super::fen;"),
        ("position/mod.rs", "use super::fen;"),
        ("fen.rs", "pub use super::engine::Event;"),
        (
            "search/mod.rs",
            "use crate::{\n    position::{Position, Setup},\n    engine,\n};",
        ),
        ("helpers/mod.rs", "fn f() {}"),
    ];
    for (file, text) in bad {
        assert!(noticed(file, text), "{file}: {text}");
    }
    let good = [
        ("types/score.rs", "// use crate::position::Position;"),
        (
            "position/see.rs",
            "use super::Position;\nuse crate::{attacks, types::Square};",
        ),
        ("position/tests.rs", "use crate::fen;"),
        ("fen.rs", "use crate::game::Game;"),
        ("engine/mod.rs", "use crate::search::limits;"),
        ("lib.rs", "pub mod search;"),
    ];
    for (file, text) in good {
        assert!(!noticed(file, text), "{file}: {text}");
    }
}
