//! No module uses itself in a circle, directly or by way of others: each can be read, and tested,
//! after those that it uses. A file is a module.

use std::collections::{BTreeMap, BTreeSet};

use orthrus_tests::sources::Source;

use super::imports::Modules;
use super::{assert_kept, rust_sources};

type Uses = BTreeMap<String, BTreeSet<String>>;

/// All modules that one leads to.
fn reachable(uses: &Uses, from: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        for used in uses.get(module).into_iter().flatten() {
            if found.insert(used.clone()) {
                open.push(used);
            }
        }
    }
    found
}

/// The groups of modules that lead to each other, and how.
fn circles(sources: &[Source]) -> Vec<String> {
    let uses = Modules::new(sources).uses();
    let reached: Uses = uses
        .keys()
        .map(|own| (own.clone(), reachable(&uses, own)))
        .collect();
    let in_circle = uses.keys().filter(|own| reached[*own].contains(*own));
    let circles: BTreeSet<BTreeSet<String>> = in_circle
        .map(|own| {
            let there = reached[own].iter();
            let and_back = |other: &&String| reached.get(*other).is_some_and(|it| it.contains(own));
            there.filter(and_back).cloned().collect()
        })
        .collect();
    let described = circles.iter().map(|circle| {
        let links = circle.iter().map(|own| {
            let others: Vec<_> = uses[own].intersection(circle).map(String::as_str).collect();
            format!("{own} -> {}", others.join(", "))
        });
        links.collect::<Vec<_>>().join("\n  ")
    });
    described.collect()
}

#[test]
fn no_modules_use_each_other() {
    assert_kept(&circles(&rust_sources()));
}

#[test]
fn a_circle_is_noticed() {
    let count = |files: &[(&str, &str)]| {
        let source =
            |&(file, text): &(&str, &str)| Source::new(&format!("crates/core/src/{file}"), text);
        circles(&files.iter().map(source).collect::<Vec<_>>()).len()
    };
    let own = ("lib.rs", "pub mod a;\npub mod b;");
    let b = ("b.rs", "use crate::a::A;\npub struct B;");
    let circles = [
        ("a.rs", "use super::b::{self, B};\npub struct A(B);"),
        (
            "a.rs",
            "pub struct A;\nimpl A { fn f() -> crate::b::B { crate::b::B } }",
        ),
        ("a.rs", "pub(crate) use super::b::B;\npub struct A(B);"),
        ("a.rs", "use crate::b::*;\npub struct A;"),
    ];
    for a in circles {
        assert_eq!(count(&[own, a, b]), 1, "{a:?}");
    }
    let none = [
        ("a.rs", "pub struct A;"),
        ("a.rs", "// use super::b::B;\npub struct A;"),
        (
            "a.rs",
            "pub struct A;\n#[cfg(test)]\nmod tests {\n    use crate::b::B;\n}",
        ),
        // What is only passed on is not used.
        ("a.rs", "pub use super::b::B;\npub struct A;"),
    ];
    for a in none {
        assert_eq!(count(&[own, a, b]), 0, "{a:?}");
    }
    // The name comes from a third module, by way of the first.
    let a = (
        "a/mod.rs",
        "mod c;\npub use c::A;\nuse super::b::B;\nfn f() -> B { B }",
    );
    assert_eq!(count(&[own, a, b, ("a/c.rs", "pub struct A;")]), 0);
    // A module and its own submodule.
    let a = ("a/mod.rs", "mod c;\npub struct A(c::C);");
    assert_eq!(
        count(&[own, a, ("a/c.rs", "use super::A;\npub struct C;")]),
        1
    );
}
