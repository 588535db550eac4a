//! Inside core, a module uses only those below it.

use std::collections::BTreeSet;

use orthrus_tests::sources::Source;

use super::imports::{Modules, PassedOn, Path};
use super::{assert_kept, rust_sources};

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

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|row| row.contains(&module))
}

/// Where a module of core names one above it.
fn upward_uses(sources: &[Source]) -> Vec<String> {
    let modules = Modules::new(sources);
    let in_core = |path: &&Path| path[0] == "orthrus_core" && path.len() > 1;
    let placeless = modules
        .all()
        .filter(in_core)
        .filter(|path| layer(&path[1]).is_none());
    let mut breaches: BTreeSet<String> = placeless
        .map(|path| format!("{}: no place among the layers", path.join("::")))
        .collect();
    for (own, named) in modules.named(PassedOn::Counts) {
        if in_core(&own) && in_core(&&named) && layer(&named[1]) > layer(&own[1]) {
            breaches.insert(format!(
                "{} uses {}, which is above it",
                own.join("::"),
                named[1]
            ));
        }
    }
    breaches.into_iter().collect()
}

#[test]
fn modules_of_core_use_only_those_below() {
    assert_kept(&upward_uses(&rust_sources()));
}

#[test]
fn an_upward_use_is_noticed() {
    let noticed = |file: &str, text: &str| {
        let source = Source::new(&format!("crates/core/src/{file}"), text);
        !upward_uses(&[source]).is_empty()
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
