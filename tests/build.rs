//! Finds out what the tests can use here. A test that needs what is missing is built as ignored,
//! with the reason, so that every test run names and counts it.

use std::env;
use std::path::Path;
use std::process::Command;

/// For how many minutes long tests may run; without it they are ignored.
const LONG_VARIABLE: &str = "ORTHRUS_LONG";

/// Names the folder of other people's suites, if it is not [`OTHERS`].
const DATA_VARIABLE: &str = "ORTHRUS_DATA";

/// Where they lie next to the repository, seen from this package.
const OTHERS: &str = "../../shared/data";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={LONG_VARIABLE}");
    println!("cargo::rerun-if-env-changed={DATA_VARIABLE}");
    found("long", env::var_os(LONG_VARIABLE).is_some());
    let named = env::var(DATA_VARIABLE).ok();
    let others = Path::new(named.as_deref().unwrap_or(OTHERS)).canonicalize();
    if let (Some(named), Err(error)) = (&named, &others) {
        panic!("a run with these suites must not pass without them: {named}: {error}");
    }
    found("others", others.is_ok());
    let others = others.unwrap_or_default();
    println!("cargo::rustc-env=ORTHRUS_OTHERS={}", others.display());
    for program in ["make", "python3"] {
        let started = Command::new(program).arg("--version").output();
        found(program, started.is_ok());
    }
    // Where it is missing or forbidden, a test cannot give a process a machine of its own.
    let unshared = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "true"])
        .output();
    found(
        "unshare",
        unshared.is_ok_and(|output| output.status.success()),
    );
}

/// Tells the tests `has_NAME`.
fn found(name: &str, is_found: bool) {
    println!("cargo::rustc-check-cfg=cfg(has_{name})");
    if is_found {
        println!("cargo::rustc-cfg=has_{name}");
    }
}
