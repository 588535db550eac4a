//! Finds out what the tests can use here. A test that needs what is missing is built as ignored,
//! with the reason, so that every test run names and counts it.

use std::env;
use std::process::Command;

/// For how many minutes long tests may run; without it they are ignored.
const LONG_VARIABLE: &str = "ORTHRUS_LONG";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={LONG_VARIABLE}");
    found("long", env::var_os(LONG_VARIABLE).is_some());
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
