//! Which crates may depend on which.

use orthrus_tests::data;
use orthrus_tests::sources::{Source, files};

use super::assert_kept;

/// A crate, which crates of the workspace it may use, and which others it must not use.
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

/// A crate's name and its dependencies, with the section of each, from its manifest.
fn read(manifest: &str) -> (&str, Vec<(String, &str)>) {
    let mut name = "";
    let mut dependencies = Vec::new();
    let mut section = "";
    for line in manifest.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_end_matches(']');
            // A dependency may have a section of its own: `[dependencies.name]`.
            if let Some((kind, dependency)) = section.rsplit_once("dependencies.") {
                dependencies.push((format!("{kind}dependencies"), dependency));
            }
            continue;
        }
        let Some((key, value)) = line.split_once('=') else {
            continue;
        };
        if section == "package" && key.trim() == "name" {
            name = value.trim().trim_matches('"');
        } else if section.ends_with("dependencies") {
            let dependency = key.trim().split('.').next().unwrap_or_default();
            dependencies.push((section.to_owned(), dependency));
        }
    }
    (name, dependencies)
}

/// The dependencies that a crate may not have.
fn forbidden(manifest: &Source) -> Vec<String> {
    let (name, dependencies) = read(&manifest.text);
    let Some(permission) = PERMISSIONS
        .iter()
        .find(|permission| permission.name == name)
    else {
        return vec![format!(
            "{}: crate {name:?} has no permissions",
            manifest.path
        )];
    };
    let is_forbidden = |(section, dependency): &&(String, &str)| {
        let for_tests = section == "dev-dependencies" && *dependency == "orthrus-tests";
        let outside = dependency.starts_with("orthrus")
            && !permission.uses.contains(dependency)
            && !for_tests;
        outside || permission.without.contains(dependency)
    };
    let breaches = dependencies.iter().filter(is_forbidden);
    breaches
        .map(|(section, dependency)| format!("{}: {dependency} in {section}", manifest.path))
        .collect()
}

#[test]
fn dependencies_point_downwards() {
    let manifests = files(&data::repository(), "crates", "/Cargo.toml");
    assert!(manifests.len() > 1);
    let breaches: Vec<String> = manifests.iter().flat_map(forbidden).collect();
    assert_kept(&breaches);
}

#[test]
fn a_forbidden_dependency_is_noticed() {
    let noticed = |name: &str, rest: &str| {
        let text = format!("[package]\nname = \"{name}\"\n{rest}");
        !forbidden(&Source::new("Cargo.toml", &text)).is_empty()
    };
    let bad = [
        (
            "orthrus-core",
            "[dependencies]\nlog = \"0.4\"\northrus-uci.workspace = true",
        ),
        ("orthrus-core", "[dependencies]\nclap = \"4\""),
        (
            "orthrus-core",
            "[dev-dependencies.orthrus-cecp]\npath = \"../cecp\"",
        ),
        (
            "orthrus-uci",
            "[dependencies]\northrus-cecp = { path = \"../cecp\" }",
        ),
        (
            "orthrus-cecp",
            "[dev-dependencies]\northrus-uci.workspace = true",
        ),
        (
            "orthrus-uci",
            "[target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"",
        ),
        (
            "orthrus-uci",
            "[dependencies]\northrus-tests.workspace = true",
        ),
        (
            "orthrus-pgn",
            "[dependencies]\northrus-uci.workspace = true",
        ),
        (
            "orthrus-trainer",
            "[build-dependencies]\northrus.workspace = true",
        ),
        ("orthrus-stranger", ""),
    ];
    for (name, rest) in bad {
        assert!(noticed(name, rest), "{name}: {rest}");
    }
    let good = [
        (
            "orthrus-uci",
            "[dependencies]\northrus-core.workspace = true\nlog = \"0.4\"",
        ),
        (
            "orthrus-uci",
            "[dev-dependencies]\northrus-tests.workspace = true",
        ),
        ("orthrus", "[dependencies.orthrus-cecp]\nworkspace = true"),
        ("orthrus-core", "[lints]\nworkspace = true"),
    ];
    for (name, rest) in good {
        assert!(!noticed(name, rest), "{name}: {rest}");
    }
}
