//! Which crates may depend on which, where those of others come from, and what their licences
//! require. `deny.toml` says the same of sources and licences to cargo-deny, which not everybody has.

use std::process::Command;
use std::{env, fs};

use orthrus_tests::data;
use serde_json::Value;

/// A crate of the workspace, which of the others it may use, and which of other authors it must not
/// use.
struct Permission {
    name: &'static str,
    uses: &'static [&'static str],
    without: &'static [&'static str],
}

/// A head has no I/O, no threads and no clock; the core knows no terminal.
const PERMISSIONS: &[Permission] = &[
    Permission {
        name: "orthrus-core",
        uses: &[],
        without: &["clap", "env_logger"],
    },
    Permission {
        name: "orthrus-uci",
        uses: &["orthrus-core"],
        without: &["clap", "env_logger", "crossbeam-channel", "libc"],
    },
    Permission {
        name: "orthrus-cecp",
        uses: &["orthrus-core"],
        without: &["clap", "env_logger", "crossbeam-channel", "libc"],
    },
    Permission {
        name: "orthrus-pgn",
        uses: &["orthrus-core"],
        without: &["clap", "env_logger", "crossbeam-channel", "libc"],
    },
    Permission {
        name: "orthrus-trainer",
        uses: &["orthrus-core"],
        without: &[],
    },
    Permission {
        name: "orthrus",
        uses: &["orthrus-core", "orthrus-pgn", "orthrus-uci", "orthrus-cecp"],
        without: &[],
    },
];

/// Whether a crate may depend on another.
fn may_use(permission: &Permission, other: &str, for_tests: bool) -> bool {
    let is_inside = other.starts_with("orthrus");
    let is_permitted = permission.uses.contains(&other);
    (is_permitted || !is_inside || for_tests && other == "orthrus-tests")
        && !permission.without.contains(&other)
}

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
fn dependencies_point_downwards() {
    let head = &PERMISSIONS[1];
    assert!(may_use(head, "log", false) && may_use(head, "orthrus-tests", true));
    for other in ["orthrus-cecp", "orthrus-tests", "libc"] {
        assert!(!may_use(head, other, false), "{other}");
    }
    let mut checked = 0;
    for package in packages() {
        // The packages of this workspace have no source; its tests use all others.
        if !package["source"].is_null() || package["name"] == "orthrus-tests" {
            continue;
        }
        let permission = PERMISSIONS
            .iter()
            .find(|permission| package["name"] == permission.name);
        let permission =
            permission.unwrap_or_else(|| panic!("{}: no permissions", package["name"]));
        for dependency in package["dependencies"].as_array().expect("a list") {
            let name = dependency["name"].as_str().expect("a name");
            let is_allowed = may_use(permission, name, dependency["kind"] == "dev");
            assert!(is_allowed, "{} uses {name}", permission.name);
        }
        checked += 1;
    }
    assert_eq!(checked, PERMISSIONS.len());
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
