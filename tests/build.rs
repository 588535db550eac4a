//! Finds out what the tests can use here. A test that needs what is missing is built as ignored,
//! with the reason, so that every test run names and counts it.

use std::env;
use std::path::PathBuf;
use std::process::Command;

/// Names the data folder, if it is not `../shared/data` relative to the repository.
const DATA_VARIABLE: &str = "ORTHRUS_DATA";
/// For how many minutes long tests may run; without it they are ignored.
const LONG_VARIABLE: &str = "ORTHRUS_LONG";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for variable in [DATA_VARIABLE, LONG_VARIABLE] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let folder = data_folder();
    found("data", folder.is_some());
    let folder = folder.unwrap_or_default();
    println!("cargo::rustc-env=ORTHRUS_DATA_FOLDER={}", folder.display());
    found("long", env::var_os(LONG_VARIABLE).is_some());
    for program in ["make", "python3"] {
        let started = Command::new(program).arg("--version").output();
        found(program, started.is_ok());
    }
}

/// Tells the tests `has_NAME`.
fn found(name: &str, is_found: bool) {
    println!("cargo::rustc-check-cfg=cfg(has_{name})");
    if is_found {
        println!("cargo::rustc-cfg=has_{name}");
    }
}

fn data_folder() -> Option<PathBuf> {
    if let Some(named) = env::var_os(DATA_VARIABLE).map(PathBuf::from) {
        // A run that was to use the data must not pass without it.
        assert!(
            named.is_dir(),
            "{DATA_VARIABLE}: no folder {}",
            named.display()
        );
        return Some(named);
    }
    let own = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the folder"));
    let shared = own.join("../../shared/data");
    shared.is_dir().then_some(shared)
}
