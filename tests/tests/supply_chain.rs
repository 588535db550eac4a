//! Where dependencies come from and what their licences require, according to `deny.toml`.

use std::process::Command;
use std::{env, fs};

use orthrus_tests::data;
use serde_json::Value;

/// How the source of a package from a registry begins; that of a repository begins with `git`.
const REGISTRY: &str = "registry+";

/// Every package that is built here, according to cargo.
fn packages() -> Vec<Value> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc)
        .arg("-vV")
        .output()
        .expect("rustc can be started");
    let version = String::from_utf8_lossy(&version.stdout);
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let output = Command::new(env!("CARGO"))
        .current_dir(data::repository())
        .args(["metadata", "--format-version=1", "--locked", "--offline"])
        .args(["--filter-platform", host.expect("rustc names its host")])
        .output()
        .expect("cargo can be started");
    assert!(output.status.success(), "{output:?}");
    let mut metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    match metadata["packages"].take() {
        Value::Array(packages) => packages,
        other => panic!("not a list: {other}"),
    }
}

/// The licences between the brackets of `allow`.
fn allowed() -> Vec<String> {
    let text =
        fs::read_to_string(data::repository().join("deny.toml")).expect("deny.toml is there");
    let (_, list) = text.split_once("\nallow = [").expect("it allows licences");
    let (list, _) = list.split_once(']').expect("the list ends");
    let names = list.split(',').map(|name| name.trim().trim_matches('"'));
    names
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Whether the licence expression can be met: one choice of every part.
fn is_met(expression: &str, allowed: &[String]) -> bool {
    let expression = expression.replace(['(', ')'], "").replace('/', " OR ");
    expression.split(" AND ").all(|part| {
        let mut choices = part.split(" OR ").map(str::trim);
        choices.any(|choice| allowed.iter().any(|name| name == choice))
    })
}

#[test]
fn every_licence_is_permissive_and_every_source_the_registry() {
    let allowed = allowed();
    assert!(is_met("(MIT OR GPL-3.0) AND Unicode-3.0", &allowed));
    assert!(!is_met("GPL-3.0-or-later", &allowed));
    assert!(!is_met("MIT AND GPL-2.0", &allowed));
    let packages = packages();
    assert!(packages.len() > 20);
    for package in packages {
        let name = &package["name"];
        let licence = package["license"].as_str().unwrap_or("none");
        assert!(is_met(licence, &allowed), "{name}: {licence}");
        // Packages of this workspace have no source.
        let source = package["source"].as_str().unwrap_or(REGISTRY);
        assert!(source.starts_with(REGISTRY), "{name}: {source}");
    }
}
